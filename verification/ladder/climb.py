"""The ladder: one window, the same jobs, one truth less on each rung."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from predictor.domain import JobSpec, Snapshot
from predictor.domain.durations import HOUR_S
from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from predictor.site import Site, overlay
from verification.fidelity.history import History, number_at
from verification.fidelity.looks import real_starts
from verification.fidelity.scores import Pair
from verification.fidelity.telling import told
from verification.fidelity.truth import story_of
from verification.ladder.expected import estimates
from verification.ladder.priorities import with_priorities
from verification.ladder.truths import ORDER, Truth, without
from verification.replica.gaps import Gaps, gaps_of, period_of

EVERY_S = HOUR_S
"""So far apart windows begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """What a simulation said that did not know some truths."""

    hidden: frozenset[Truth]
    off_s: Mapping[str, int]
    """By job: how far off its start was said, at least so far if it was said beyond the end."""
    pairs: tuple[Pair, ...]
    """Real and said start of those that were said to start before the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """All rungs of one window."""

    number: int
    since: int
    until: int
    gaps: Gaps
    rungs: tuple[Rung, ...]


def hidden_sets() -> tuple[frozenset[Truth], ...]:
    """Return what is hidden on each rung: of the ladder, then alone, then all but one.

    Estimates that nobody uses while run times are known need no rung of their own.
    """
    ladder = [frozenset(ORDER[:count]) for count in range(len(ORDER) + 1)]
    alone = [hidden_alone(truth) for truth in ORDER]
    back = [hidden_but(truth) for truth in ORDER]
    return tuple(dict.fromkeys([*ladder, *alone, *back]))


def hidden_alone(truth: Truth) -> frozenset[Truth]:
    """Return what is hidden if only that truth is; who lacks estimates has no run times either."""
    more = {Truth.RUN_TIMES} if truth is Truth.ESTIMATES else set()
    return frozenset({truth} | more)


def hidden_but(truth: Truth) -> frozenset[Truth]:
    """Return what is hidden if only that truth is given back to somebody who knows nothing."""
    return frozenset(ORDER) - {truth}


def climb(history: History, number: int, length_s: int, site: Site) -> Climb:
    """Return every rung of the window from that snapshot on.

    Judged are the same jobs on each: those that waited at its beginning and really started in it.
    """
    snapshot = overlay(site, history.snapshots[number])
    since, until = snapshot.taken_at, snapshot.taken_at + length_s
    story = with_priorities(history, number, until, story_of(history, number, until))
    waiting = {id_ for job in snapshot.pending for id_ in single_ids(job.spec)}
    real = real_starts(history, number, until, story)
    judged = {id_: at for id_, at in real.items() if id_ in waiting}
    known = estimates(history, snapshot, _specs(snapshot, story))
    return Climb(
        number=number,
        since=since,
        until=until,
        gaps=gaps_of(history.instants, since, until, period_of(history.instants)),
        rungs=tuple(
            _rung(
                hidden,
                judged,
                {
                    id_: start.at
                    for id_, start in told(
                        snapshot, without(story, snapshot, hidden, known), until, site
                    ).items()
                },
                until,
            )
            for hidden in hidden_sets()
        ),
    )


def _specs(snapshot: Snapshot, story: Story) -> Mapping[str, JobSpec]:
    jobs = (*snapshot.pending, *story.arrivals)
    return {id_: job.spec for job in jobs for id_ in single_ids(job.spec)}


def _rung(
    hidden: frozenset[Truth], real: Mapping[str, int], said: Mapping[str, int], until: int
) -> Rung:
    return Rung(
        hidden=hidden,
        off_s={id_: abs(at - said.get(id_, until)) for id_, at in real.items()},
        pairs=tuple((at, said[id_]) for id_, at in real.items() if id_ in said),
    )


def by_hidden(climbs: Iterable[Climb]) -> Mapping[frozenset[Truth], Sequence[Rung]]:
    """Return the rungs of all windows by what was hidden."""
    found: dict[frozenset[Truth], list[Rung]] = {}
    for one in climbs:
        for rung in one.rungs:
            found.setdefault(rung.hidden, []).append(rung)
    return found


def ladder_numbers(instants: Sequence[int], length_s: int) -> tuple[int, ...]:
    """Return the snapshots from which to climb: one each hour, of all whole windows."""
    begins = range(instants[0], instants[-1] - length_s + 1, EVERY_S) if instants else ()
    return tuple(dict.fromkeys(number_at(instants, begin) for begin in begins))
