"""What everybody implements who says when waiting jobs start: we, the batch system, baselines."""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from predictor.domain import FinishedJob, Snapshot
from verification.judging.case import Said

Answers = Mapping[str, Said]
"""By waiting record (`spec.id`): when it starts, of an array its next task.

Whoever can tell more also answers by single id (`70_5`, see `single_ids`): when that task starts.
Who is not in it has not been answered.
"""


class Predictor(Protocol):
    """Says when waiting jobs start, knowing only what it was told before."""

    @property
    def name(self) -> str:
        """The key of its answers in `Case.said`."""
        ...

    @property
    def remembers(self) -> bool:
        """Whether what it says depends on more than the snapshot learned last.

        If not, it may be copied to other processes, each of which shows it some of a recording.
        """
        ...

    def learn(self, snapshot: Snapshot) -> None:
        """Take in the newest snapshot: who waits, who runs since when, who ended of late.

        Called once for every snapshot of a recording, in order, before `say` of the same one.
        """
        ...

    def say(self, snapshot: Snapshot) -> Answers:
        """Return the answers for the snapshot learned last. May be left out.

        Whoever remembers may remember them too, to judge them by what is learned later.
        """
        ...


@runtime_checkable
class Hearing(Protocol):
    """What a predictor may be, besides: one that accounting tells of who ended unseen."""

    def told(self, ended: Sequence[FinishedJob]) -> None:
        """Take in how jobs ended, before `learn` of the first snapshot after that was known."""
        ...
