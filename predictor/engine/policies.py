"""Time moves forward under a policy: a pass whenever something happens, or at its beats."""

from predictor.engine.forward import Forward
from predictor.engine.policy import PolicyPass
from predictor.engine.queue import Queue
from predictor.engine.rule_tables import PolicyRules


class Policies:
    """Goes on with a simulation, whoever has decided before, by the rules of one policy."""

    def __init__(self, forward: Forward, rules: PolicyRules) -> None:
        self.forward = forward
        self.queue: Queue = forward.queue
        self.policy = PolicyPass(forward.placer, rules)
        self.every_s = rules.every_s
        self.begun_at = forward.now
        self.due = True
        """Whether anything has happened since the last pass."""

    def run(self, until: int, looks_max: int) -> None:
        """Move on until all who are awaited have started, nothing changes any more, or `until`.

        It stops early once first places were sought more than `looks_max` times.
        """
        while self.queue.awaited > 0 and self.forward.now < until:
            if self.policy.looks > looks_max:
                return
            self.forward.happen()
            self.due = self.due or self.forward.stirred or self.policy.keeps_plans
            if self.due and self._is_beat():
                self._pass()
            following = self._next()
            if following < 0:
                return
            self.forward.move_to(following)

    def _is_beat(self) -> bool:
        return self.every_s == 0 or (self.forward.now - self.begun_at) % self.every_s == 0

    def _pass(self) -> None:
        self.due = False
        self.forward.stirred = False
        again = True
        while again:
            logged = self.queue.logged
            if self.policy.keeps_plans and self.policy.plan_count == self.queue.waiting:
                self.policy.start_planned(self.forward.now)
            else:
                self.policy.run(self.forward.now)
            # Who was left out may be looked at now that others of its user have started.
            again = self.policy.left_out and self.queue.logged > logged
            self.forward.note(logged)
            if again and self.every_s > 0:
                self.due = True
                again = False

    def _next(self) -> int:
        """Return the next instant at which anything happens, or a pass is due; -1: never."""
        now, following = self.forward.now, -1
        if self.queue.events.size > 0:
            following = self.queue.events.at[0]
        edge_at = self.forward.layout.edge_after(self.forward.timeline.calendar, now)
        following = self._sooner(following, edge_at)
        if self.due and self.every_s > 0:
            beats = (now - self.begun_at) // self.every_s + 1
            following = self._sooner(following, self.begun_at + beats * self.every_s)
        if self.policy.keeps_plans:
            following = self._sooner(following, self.policy.next_planned())
        return following

    def _sooner(self, one: int, other: int) -> int:
        return other if one < 0 or 0 <= other < one else one
