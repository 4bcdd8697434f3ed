"""Until when running jobs are taken to hold their nodes: the planned end, moved when it changes.

It changes when a job's time limit does, when a job runs on beyond it, and at once for all when what
is left is planned with their real run times.
"""

from predictor.engine import codes, store
from predictor.engine.held import Held
from predictor.engine.overdue import Overdue
from predictor.engine.placer import Placer
from predictor.engine.roster import Roster
from predictor.engine.tables import QueueTables


class PlannedEnds:
    """Until when everybody sees those hold what they hold who run.

    It stays as it is for whom others have ended.
    """

    def __init__(
        self,
        placer: Placer,
        held: Held,
        overdue: Overdue,
        roster: Roster | None,
        tables: QueueTables,
    ) -> None:
        self.placer = placer
        self.queue = placer.queue
        self.held = held
        self.overdue = overdue
        self.roster = roster
        amended = [runner.amended for runner in tables.running]
        self.start = store.starts(amended)
        """By runner: where the times begin at which its planned end is made another."""
        self.next = store.starts(amended)
        """By runner: the next of these times."""
        self.amended_at = store.filled([at for times in amended for at, _ in times])
        self.amended_to = store.filled([until for times in amended for _, until in times])
        self.late = store.numbers(len(amended))
        """Who ran at the beginning and runs on beyond its planned end, as many as `count`."""
        self.count = 0

    def begin(self, runner: int) -> None:
        """Let it become known in time when the planned end of somebody is made another."""
        for i in range(self.start[runner], self.start[runner + 1]):
            self.queue.events.push(self.amended_at[i], codes.AMENDED, self.queue.jobs + runner)

    def is_fixed(self, person: int) -> bool:
        """Return whether others have ended somebody."""
        return self.roster is not None and self.roster.moved_to[person] >= 0

    def show_overdue(self, person: int, now: int) -> None:
        """Let everybody see that somebody runs on beyond its planned end."""
        if self.queue.state[person] != codes.RUNS or self.is_fixed(person):
            return
        self.overdue.show(person, now)
        if person >= self.queue.jobs and self.overdue.lingers(person - self.queue.jobs, now):
            self._forget(person)
            self.late[self.count] = person
            self.count += 1

    def see(self, now: int) -> None:
        """Let everybody see now who still runs on: nobody who plans knows for how long."""
        count, self.count = self.count, 0
        for k in range(count):
            self.show_overdue(self.late[k], now)

    def amend(self, person: int, now: int) -> None:
        """Let somebody who ran at the beginning have another planned end from now on."""
        runner = person - self.queue.jobs
        until = max(self.amended_to[self.next[runner]], now + 1)
        self.next[runner] += 1
        if self.queue.state[person] != codes.RUNS or self.is_fixed(person):
            return
        self._forget(person)
        self.overdue.due_at[runner] = until
        parts, words = self.queue.parts, self.placer.words
        for i in range(self.held.start[runner], self.held.start[runner + 1]):
            self.placer.groups.drop(parts + i)
            self.placer.groups.due_at[parts + i] = 0
            self._hold_until(i, until)
        for i in range(self.held.start[runner], self.held.start[runner + 1]):
            self.placer.groups.add(parts + i, self.held.nodes, i * words, until)
        if self.queue.ends_at[runner] > until:
            self.queue.events.push(until, codes.OVERDUE, person)

    def _forget(self, person: int) -> None:
        """Let somebody not be among those who run on."""
        kept = 0
        for k in range(self.count):
            if self.late[k] != person:
                self.late[kept] = self.late[k]
                kept += 1
        self.count = kept

    def foresee(self, job: int) -> None:
        """Give back what a job holds beyond its real end."""
        record = self.queue.started_record[job]
        run_s = self.placer.run_s(job, record)
        for part in range(self.queue.part_start[record], self.queue.part_start[record + 1]):
            lasts_s = self.placer.boots_s[part] + run_s
            if lasts_s < self.placer.length_s[part] and not self.is_fixed(job):
                self.placer.hold(part, self.placer.start_at[part], False)
                self.placer.length_s[part] = lasts_s
                self.placer.hold(part, self.placer.start_at[part], True)

    def foresee_runner(self, runner: int) -> None:
        """Give back what somebody holds beyond its real end who ran at the beginning."""
        ends_at = self.queue.ends_at[runner]
        for i in range(self.held.start[runner], self.held.start[runner + 1]):
            if ends_at < self.held.until[i] and not self.is_fixed(self.queue.jobs + runner):
                self._hold_until(i, ends_at)

    def _hold_until(self, holding: int, until: int) -> None:
        self.held.hold(holding, False)
        self.held.until[holding] = until
        self.held.hold(holding, True)
