"""The model of six rules: a job runs as long as the last one of the same profile did.

Source: the rule chain for the Eurora supercomputer: user, job name, queue, limit and resources;
then the name without its number; then without resources; then without the limit.
"""

from collections.abc import Iterable
from typing import Any, Final

from predictor.domain import JobSpec
from predictor.domain.durations import lasting
from predictor.runtimes.by_limit import at_limit
from predictor.runtimes.ended import Ended, told_s
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.kinds import Key, likeness, name_of, queue_of, size_of, stem_of, user_of
from predictor.runtimes.law import Law
from predictor.runtimes.memory import Memory

SAME: Final = (
    "name, partition, limit and size",
    "like name, partition, limit and size",
    "name, partition and limit",
    "like name, partition and limit",
    "name and partition",
    "like name and partition",
)
"""What the last job had in common with the next, by rule."""


class ByRules:
    """The last run time of each profile; bounded as `Memory` is."""

    def __init__(self) -> None:
        self._last: Memory[int] = Memory()

    def learn(self, ended: Iterable[Ended]) -> None:
        """Take note of jobs that are over, in the order of their ends."""
        for job in ended:
            told = told_s(job)
            if told is not None:
                for key in _profiles(job.spec, told[1]):
                    self._last.put(user_of(job.spec), key, told[0])

    def estimate(self, spec: JobSpec, limit_s: int, elapsed_s: int = 0) -> Estimate:
        """Return that it runs as long as the last of its profile which ran longer than it has."""
        known = self._last.of(user_of(spec))
        for rule, key in enumerate(_profiles(spec, limit_s)):
            run_s = min(known.get(key, 0), limit_s)
            if run_s > elapsed_s:
                because = f"as the last job of this user of the same {SAME[rule]}: {lasting(run_s)}"
                likes = likeness(user_of(spec), *key)
                return Estimate(law=Law.certain(run_s), because=because, likes=likes)
        because = f"as its limit says, {lasting(limit_s)}: no job like it ran as long"
        return at_limit(spec, limit_s, elapsed_s, because)

    def state(self) -> object:
        """Return all that is known as JSON can write it."""
        return [[user, list(key), run_s] for user, key, run_s in self._last.items()]

    def restore(self, state: Any) -> None:
        """Know what a state holds. Raises TypeError or ValueError if it is strange."""
        for user, key, run_s in state:
            self._last.put(str(user), tuple(key), int(run_s))


def _profiles(spec: JobSpec, limit_s: int) -> tuple[Key, ...]:
    name, stem, queue, size = name_of(spec), stem_of(spec), queue_of(spec), size_of(spec.request)
    return (
        (0, name, queue, limit_s, *size),
        (1, stem, queue, limit_s, *size),
        (2, name, queue, limit_s),
        (3, stem, queue, limit_s),
        (4, name, queue),
        (5, stem, queue),
    )
