"""How somebody leaves who ends, and so whether that calls for a pass at once.

Source: Slurm 22.05, slurmd's _rpc_terminate_job. A node where nothing is left of the job, and no
epilog is to run, says so in its answer, which makes the background call for a pass in its turn. A
node that must first kill or clear up tells later, and that calls for a pass directly.
"""

from predictor.engine.held import Held
from predictor.engine.placer import Placer
from predictor.engine.roster import Roster
from predictor.engine.rule_tables import Rules


class Departures:
    """Is asked of somebody who ends while what it held can still be seen."""

    def __init__(self, placer: Placer, held: Held, roster: Roster | None, rules: Rules) -> None:
        self.placer = placer
        self.held = held
        self.queue = placer.queue
        self.roster = roster
        self.ends_wait = rules.ends_wait

    def is_uncleared(self, person: int) -> bool:
        """Return whether any of the nodes of somebody who ends are still being cleared."""
        if person < self.queue.jobs:
            return self.placer.is_on_uncleared(self.queue.started_record[person])
        return self.held.touches(person - self.queue.jobs, self.placer.clearing.nodes)

    def waits(self, person: int) -> bool:
        """Return whether the pass that somebody's end calls for waits for a turn."""
        return self.ends_wait and not self._is_killed(person)

    def _is_killed(self, person: int) -> bool:
        """Return whether it has to go for others, or has run for as long as it may."""
        if self.roster is not None and self.roster.is_cut(person):
            return True
        if person < self.queue.jobs:
            record = self.queue.started_record[person]
            part = self.queue.part_start[record]
            return self.placer.run_s(person, record) >= self.placer.length_s[part]
        runner = person - self.queue.jobs
        i = self.held.start[runner]
        return i < self.held.start[runner + 1] and self.queue.ends_at[runner] >= self.held.until[i]
