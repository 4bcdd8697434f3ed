"""Look from snapshots into the recorded future: what the replica says, and what happened."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from random import Random

from predictor.domain import Snapshot
from predictor.simulation.beat import course, latest_s
from predictor.simulation.dependencies import single_ids
from predictor.simulation.passes import Turns
from predictor.simulation.story import Start, Story
from predictor.site import Site, overlay
from verification.fidelity.beginnings import beginnings
from verification.fidelity.history import History, number_at
from verification.fidelity.telling import told_often
from verification.fidelity.truth import story_of
from verification.fidelity.typical import most_typical

HORIZON_S = 600
"""How far a decision looks ahead."""

LATE_S = 300
"""So long after a pass began a snapshot may be the first to tell of it."""

COURSES = 61
"""So many courses that passes may take are simulated, unless more or fewer are asked for."""

MEMORY = 60
"""So many snapshots tell how long passes took of late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One simulation from a snapshot, run on without correction, and what really happened."""

    number: int
    """That of the snapshot in the recording, from 0."""
    since: int
    until: int
    real: Mapping[str, int]
    """Who really started before `until`, by single id."""
    said: Mapping[str, Start]
    """Who started so in the simulation."""

    @property
    def said_at(self) -> Mapping[str, int]:
        """When they started in the simulation."""
        return {id_: start.at for id_, start in self.said.items()}


def look(
    history: History,
    number: int,
    length_s: int,
    site: Site,
    *,
    passes: bool = False,
    courses: int = COURSES,
) -> Look:
    """Return what the replica says from a snapshot on for so long, told everything but starts.

    When passes will be made is known of the next one that looks ahead at most. Of so many courses
    that they may take, the most typical one counts. `passes`: it is told when those that look ahead
    really began; when the others did stays unknown.
    """
    snapshot = overlay(site, history.snapshots[number])
    until = snapshot.taken_at + length_s
    story = story_of(history, number, until)
    before = history.snapshots[max(0, number + 1 - MEMORY) : number + 1]
    ways = _courses(snapshot, latest_s(before), until, courses)
    if passes:
        shown = takewhile(lambda one: one.taken_at < until + LATE_S, history.snapshots[number:])
        began = beginnings(tuple(shown))
        ways = tuple(dict.fromkeys(one._replace(ahead_at=began, ahead_holds=True) for one in ways))
    return Look(
        number=number,
        since=snapshot.taken_at,
        until=until,
        real=real_starts(history, number, until, story),
        said=most_typical(told_often(snapshot, story, until, site, ways)),
    )


def _courses(
    snapshot: Snapshot, lasted_s: Sequence[float], until: int, count: int
) -> Sequence[Turns]:
    """Return so many courses of the passes, fewer if some are the same."""
    chance = Random(snapshot.taken_at)  # noqa: S311 - it need not be secret
    return tuple(dict.fromkeys(course(snapshot, lasted_s, until, chance) for _ in range(count)))


def real_starts(history: History, number: int, until: int, story: Story) -> Mapping[str, int]:
    """Return who of those waiting or to come really started before `until`, by single id.

    Who is shown waiting and had started a moment before counts as started at the snapshot.
    """
    snapshot = history.snapshots[number]
    since = snapshot.taken_at
    ids = {id_ for job in (*snapshot.pending, *story.arrivals) for id_ in single_ids(job.spec)}
    runs = ((id_, history.run_after(id_, number)) for id_ in sorted(ids))
    return {
        id_: max(since, run.started_at)
        for id_, run in runs
        if run is not None and run.started_at < until
    }


def decided_from(instants: Sequence[int], every: int) -> Sequence[int]:
    """Return every n-th snapshot from which all HORIZON_S were recorded.

    Of who starts after the last snapshot and runs on then, accounting may tell nothing.
    """
    return range(0, bisect_right(instants, instants[-1] - HORIZON_S) if instants else 0, every)


def window_numbers(instants: Sequence[int], length_s: int) -> tuple[int, ...]:
    """Return the snapshots at which windows begin: as few as cover the recording, evenly spread.

    None if the recording is shorter than one window.
    """
    span_s = instants[-1] - instants[0] if instants else 0
    if length_s <= 0 or span_s < length_s:
        return ()
    count = -(-span_s // length_s)
    step_s = (span_s - length_s) / max(1, count - 1)
    begins = (instants[0] + round(step_s * k) for k in range(count))
    return tuple(number_at(instants, begin) for begin in begins)
