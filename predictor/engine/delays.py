"""From when on backfill plans a QOS's jobs, once its limit has blocked one of them in this pass.

It matters only where a job that is blocked by a limit stops those behind it: then all whom the same
limit counts are planned no sooner than the next opening after that.

Source: Slurm 22.05 to 26.05, backfill scheduler with `assoc_limit_stop`.
"""

from predictor.engine import store
from predictor.engine.limits import Limits
from predictor.engine.queue import Queue


class Delays:
    """From when on those of a group are planned, of whom one was put off in this pass."""

    def __init__(self, queue: Queue, limits: Limits | None) -> None:
        self.queue = queue
        self.limits = limits
        groups = 0 if limits is None else len(limits.layout.spread)
        self.until = store.numbers(groups)
        self.told = 0
        """What was told last."""

    def begin(self) -> None:
        """Begin a pass: nobody is put off."""
        for group in range(len(self.until)):
            self.until[group] = 0

    def note(self, rule: int, until: int) -> None:
        """Take note that somebody is put off by a rule until then."""
        group = -1 if self.limits is None else self.limits.layout.rule_delays[rule]
        if group >= 0 and self.until[group] < until:
            self.until[group] = until

    def until_of(self, record: int, follows: bool) -> int:
        """Return until when the record is put off; 0: it is not.

        `follows`: as the task of its array that was asked about before it, whoever was put off
        since. Source: Slurm 22.05, _attempt_backfill, next_task.
        """
        if not follows:
            self.told = self._latest(record)
        return self.told

    def _latest(self, record: int) -> int:
        latest = 0
        claim = self.queue.claim[self.queue.way_start[self.queue.part_start[record]]]
        if self.limits is None or claim < 0:
            return latest
        binding = self.limits.layout.binding[claim]
        first = self.limits.layout.group_start[binding]
        for i in range(first, self.limits.layout.group_start[binding + 1]):
            latest = max(latest, self.until[self.limits.layout.group[i]])
        return latest
