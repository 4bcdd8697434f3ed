"""The model that learns: a job runs as long as jobs like it did of late.

A job is of many kinds, from the most special to all. The law of its run time is a mixture of
theirs: a kind of which much is known takes most of what is left to it, n/(n + k), and leaves little
to the next; what none takes is a broad guess of how much of their limits jobs use.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from predictor.domain import JobSpec
from predictor.domain.defaults import NO_LIMIT_S
from predictor.domain.durations import lasting
from predictor.runtimes.by_limit import at_limit
from predictor.runtimes.ended import Ended, told_s
from predictor.runtimes.estimate import Estimate
from predictor.runtimes.kinds import WORDS, Key, Kinds, kinds_of, likeness
from predictor.runtimes.law import Law
from predictor.runtimes.memory import Memory
from predictor.runtimes.runs import Runs

ENOUGH: Final = 8.0
"""A kind of which so much is known decides as much as all that are less special: `k`."""
USED: Final = (0.01, 0.05, 0.12, 0.22, 0.35, 0.5, 0.75, 1.0)
"""How much of their limits jobs use where nothing is known, each as probable as another."""
MOST_SHARED: Final = 4096
"""Of so many kinds of several users something is known."""
SHARED: Final = ""
"""Under this user are the kinds of several users."""
AT_LIMIT: Final = 0.01
"""How probably anybody runs into the limit, whatever else is known."""
MOST_ATOMS: Final = 20
"""So many run times tell of jobs of everybody."""
MOST_READY: Final = 16_384
"""So many estimates are kept until the next job is learned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Best:
    """The kind that tells most of a job."""

    share: float
    sort: str = ""
    runs: Runs | None = None

    def because(self, limit_s: int) -> str:
        """Return the sentence that says so."""
        if self.runs is None:
            return f"up to its limit of {lasting(limit_s)}: no job like it has ended yet"
        jobs, half_s = len(self.runs.last), self.runs.middle_s(limit_s)
        return f"as the last {jobs} {WORDS[self.sort]}: half of them {lasting(half_s)} or less"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mix:
    """Laws with their shares, and what share they leave to others."""

    parts: list[tuple[Law, float]]
    left: float
    best: _Best


class History:
    """The last run times by kind. Bounded as `Memory` and `Runs` are."""

    def __init__(self) -> None:
        self._known: Memory[Runs] = Memory()
        self._shared: Memory[Runs] = Memory(MOST_SHARED)
        self._ready: dict[tuple[str, Key, Key, Key, Key], Estimate] = {}
        self._others: dict[tuple[tuple[Key, ...], int], tuple[Law, _Best]] = {}

    def learn(self, ended: Iterable[Ended]) -> None:
        """Take note of jobs that are over, in the order of their ends."""
        for job in ended:
            told = told_s(job)
            if told is None:
                continue
            run_s, limit_s = told
            self._ready.clear()
            self._others.clear()
            kinds = kinds_of(job.spec, limit_s)
            for memory, user, keys in self._places(kinds):
                known = memory.of(user)
                for key in keys:
                    runs = known.get(key) or Runs(shared=memory is self._shared)
                    runs.add(run_s, limit_s, kinds.user)
                    memory.put(user, key, runs)

    def _places(self, kinds: Kinds) -> Iterator[tuple[Memory[Runs], str, tuple[Key, ...]]]:
        yield self._known, kinds.user, kinds.own
        yield self._shared, SHARED, kinds.shared

    def estimate(self, spec: JobSpec, limit_s: int, elapsed_s: int = 0) -> Estimate:
        """Return how long the job runs in all, given that it has run `elapsed_s` already."""
        limit_s = min(max(1, limit_s), NO_LIMIT_S)
        if elapsed_s >= limit_s:
            return at_limit(spec, limit_s, elapsed_s, "it has outlived its limit and ends any time")
        whole = self._whole(spec, limit_s)
        if elapsed_s <= 0:
            return whole
        return Estimate(
            law=whole.law.beyond(elapsed_s),
            because=f"{whole.because}; it has run {lasting(elapsed_s)} already",
            likes=whole.likes,
        )

    def _whole(self, spec: JobSpec, limit_s: int) -> Estimate:
        """Return the estimate of a job that has not run yet."""
        kinds = kinds_of(spec, limit_s)
        # Of a name never heard before, all kinds but the first are those of its likes.
        named = kinds.own[0] if kinds.own[0] in self._known.of(kinds.user) else ()
        asked = (kinds.user, named, kinds.work, kinds.shape, kinds.shared[0])
        found = self._ready.get(asked)
        if found is None:
            if len(self._ready) >= MOST_READY:
                self._ready.clear()
            found = self._ready[asked] = self._mixture(kinds, limit_s)
        return found

    def _mixture(self, kinds: Kinds, limit_s: int) -> Estimate:
        own = _mix(self._known.of(kinds.user), kinds.own, limit_s)
        others, best = self._of_others(kinds, limit_s)
        if own.best.share >= own.left * best.share:
            best = own.best
        into_limit = Law.certain(limit_s)
        return Estimate(
            law=Law.mixed((*own.parts, (others, own.left), (into_limit, AT_LIMIT))),
            because=best.because(limit_s),
            likes=likeness(kinds.user, *kinds.work),
        )

    def _of_others(self, kinds: Kinds, limit_s: int) -> tuple[Law, _Best]:
        """Return what jobs of several users tell, and which of them tell most."""
        found = self._others.get((kinds.shared, limit_s))
        if found is None:
            if len(self._others) >= MOST_READY:
                self._others.clear()
            mix = _mix(self._shared.of(SHARED), kinds.shared, limit_s)
            unknown = Law.of((max(1, round(limit_s * used)), 1.0) for used in USED)
            law = Law.mixed((*mix.parts, (unknown, mix.left))).thinned(MOST_ATOMS)
            found = self._others[kinds.shared, limit_s] = (law, mix.best)
        return found

    def state(self) -> object:
        """Return all that is known as JSON can write it."""
        return [
            [[user, list(key), runs.state()] for user, key, runs in memory.items()]
            for memory in (self._known, self._shared)
        ]

    def restore(self, state: Any) -> None:
        """Know what a state holds. Raises TypeError or ValueError if it is strange."""
        own, shared = state
        for memory, kinds in ((self._known, own), (self._shared, shared)):
            for user, key, runs in kinds:
                known = Runs.restored(runs, shared=memory is self._shared)
                memory.put(str(user), tuple(key), known)


def _mix(known: Mapping[Key, Runs], keys: Iterable[Key], limit_s: int) -> _Mix:
    """Return the laws of the kinds of which something is known; the first ones take most."""
    left, parts, best = 1.0, [], _Best(share=0.0)
    for key in keys:
        runs = known.get(key)
        if runs is not None:
            mass = runs.mass
            share = left * mass / (mass + ENOUGH)
            left -= share
            parts.append((runs.law(limit_s), share))
            if share > best.share:
                best = _Best(share=share, sort=str(key[0]), runs=runs)
    return _Mix(parts=parts, left=left, best=best)
