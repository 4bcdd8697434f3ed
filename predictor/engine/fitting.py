"""When the nodes that are chosen will do: enough CPUs as they are taken, and under few switches.

Source: Slurm 22.05, cons_tres: nodes that give too little in the order in which they are taken,
or lie on more leaves than one insists on, count as none, so that further running jobs are taken to
have ended, group after group; nothing is planned for who never finds any.
"""

from predictor.engine.groups import Groups
from predictor.engine.layout import Layout
from predictor.engine.placer import Placer
from predictor.engine.queue import Queue
from predictor.engine.ties import Ties


class Fitting:
    """Is told who is looked at, and then asked about instants."""

    def __init__(self, placer: Placer, ties: Ties) -> None:
        self.placer = placer
        self.ties = ties
        self.groups: Groups = placer.groups
        self.layout: Layout = placer.layout
        self.queue: Queue = placer.queue
        self.most = 0
        """The most leaves that the record looked at accepts now; 0: it accepts any number."""

    def see(self, record: int, now: int) -> None:
        """Let what follows be about the record."""
        self.most = 0
        if self.queue.insists(self.queue.record_job[record], now):
            way = self.queue.way_start[self.queue.part_start[record]]
            self.most = self.layout.switches_max[self.queue.kind[way]]
        self.placer.choice.branches.leaves_most = self.most

    def matters(self, kind: int) -> bool:
        """Return whether nodes of the kind that have room enough may not do.

        Where ends are not seen in groups no later nodes are sought: it waits on those it has.
        """
        may_not = self.most > 0 or bool(self.layout.doubtful[kind])
        return self.groups.first_s > 0 and may_not

    def ended_at(
        self, part: int, way: int, kind: int, ended_at: int, found_at: int, looked_from: int
    ) -> int:
        """Return from when on, `ended_at` or a later end of a group, the nodes chosen will do.

        The nodes with room were found as of `found_at`; `looked_from`: nobody must end. -1: never.
        """
        soonest = looked_from + 1
        while not self._will_do(part, way, kind, ended_at, found_at, ended_at >= soonest):
            ends = ended_at >= soonest
            behind = self.groups.end_behind() if ends else self.groups.end_of(soonest)
            if behind <= max(ended_at, soonest):
                return -1
            ended_at = behind
        return ended_at

    def _will_do(
        self, part: int, way: int, kind: int, ended_at: int, found_at: int, ends: bool
    ) -> bool:
        """Return whether the nodes chosen then give enough, and are on few enough leaves."""
        if ends:
            self.ties.find(kind, self.queue.size[way], ended_at, found_at)
        self.placer.keep_as(part, way, kind, ended_at)
        if ends:
            self.ties.hold(False)
        if not self.placer.choice.suffices:
            return False
        return self.most == 0 or self.placer.leaves(part) <= self.most
