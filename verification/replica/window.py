"""One window: begun from its first snapshot, told all but the starts, never corrected."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from predictor.simulation.dependencies import single_ids
from predictor.simulation.story import Story
from predictor.site import Site, overlay
from verification.fidelity.diagnosis import Parting, partings
from verification.fidelity.history import History
from verification.fidelity.looks import Look, real_starts
from verification.fidelity.telling import told
from verification.fidelity.truth import story_of
from verification.judging.marking import Mark, marks_of
from verification.replica.gaps import Gaps, gaps_of, period_of
from verification.replica.jufo import Counts, Row, as_jufo, date_of

WORST = 10
"""So many of the jobs furthest off are looked into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A job of a window that waited at its beginning or came within it."""

    id: str
    mark: Mark
    real_at: int | None
    """When it started; None: not by `followed_until`."""
    said_at: int | None
    """When it was said to; None: not before `followed_until`."""
    removed_at: int | None
    """When it left the queue without a start; None: it did not, as far as known."""

    @property
    def false_start(self) -> bool:
        """Whether it was said to start before it left without a start."""
        at = self.said_at
        return self.removed_at is not None and at is not None and at < self.removed_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A job's time on its nodes, in reality or in the simulation."""

    job_id: str
    nodes: tuple[int, ...]
    """By place in the snapshot, ascending."""
    start_at: int
    end_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What one window showed. Instants are UTC epoch seconds."""

    number: int
    """That of its first snapshot in the recording, from 0."""
    since: int
    until: int
    followed_until: int
    """So far it was run on: who is said to start later is known to be off by that much."""
    fingerprint: str
    """That of the configuration at its beginning."""
    gaps: Gaps
    members: tuple[Member, ...]
    jufo: Row
    jufo_counts: Counts
    jufo_errors_s: tuple[int, ...]
    """Real minus said, of those that JuFo's rule scores."""
    worst: tuple[Parting, ...]
    """The jobs furthest off, the earliest first."""
    node_names: tuple[str, ...]
    real_bars: tuple[Bar, ...]
    said_bars: tuple[Bar, ...]
    recording: str = ""
    """The name of the recording, where there may be others."""


def play(history: History, number: int, length_s: int, site: Site) -> Played:
    """Return what the replica makes of a window from that snapshot on, told all but the starts.

    It is run on for as long again, or to the end of the recording, to see when those start that
    did not within the window; JuFo's rule knows nothing of what comes after the window.
    """
    snapshot = overlay(site, history.snapshots[number])
    since, until = snapshot.taken_at, snapshot.taken_at + length_s
    followed_until = max(until, min(until + length_s, history.instants[-1]))
    story = story_of(history, number, followed_until)
    said = told(snapshot, story, followed_until, site)
    real = real_starts(history, number, followed_until, story)
    look = Look(number=number, since=since, until=followed_until, real=real, said=said)
    members = tuple(_members(history, look, story, until))
    jufo_story = as_jufo(history, number, until, story_of(history, number, until))
    jufo_said = {i: s.at for i, s in told(snapshot, jufo_story, until, site).items()}
    jufo_real = {id_: at for id_, at in real.items() if at < until}
    ids = {member.id for member in members}
    both = sorted(ids & jufo_real.keys() & jufo_said.keys())
    errors_s = tuple(jufo_real[id_] - jufo_said[id_] for id_ in both)
    places = {node.name: place for place, node in enumerate(snapshot.nodes)}
    return Played(
        number=number,
        since=since,
        until=until,
        followed_until=followed_until,
        fingerprint=history.snapshots[number].fingerprint,
        gaps=gaps_of(history.instants, since, until, period_of(history.instants)),
        members=members,
        jufo=Row.of(date_of(since), length_s, errors_s),
        jufo_counts=Counts.of(ids, jufo_real, jufo_said),
        jufo_errors_s=errors_s,
        worst=partings(history, look, site, _furthest(members, until, followed_until)),
        node_names=tuple(places),
        real_bars=tuple(_real_bars(history, look, until, places)),
        said_bars=tuple(_said_bars(history, look, story, until, places)),
    )


def off_s(member: Member, followed_until: int) -> int:
    """Return how far off its said start is; at least so far, if only one of the two is known."""
    ends = [followed_until if at is None else at for at in (member.real_at, member.said_at)]
    return abs(ends[0] - ends[1])


def judged(member: Member, until: int) -> bool:
    """Return whether it started within the window, or was said to, and never left on its own."""
    starts = (at for at in (member.real_at, member.said_at) if at is not None)
    return member.removed_at is None and any(at < until for at in starts)


def _furthest(members: tuple[Member, ...], until: int, followed_until: int) -> frozenset[str]:
    known = [member for member in members if judged(member, until)]
    known.sort(key=lambda member: (-off_s(member, followed_until), member.id))
    return frozenset(member.id for member in known[:WORST])


def _members(history: History, look: Look, story: Story, until: int) -> Iterator[Member]:
    marks = marks_of(history, look.since, until - 1)
    for job in (*history.snapshots[look.number].pending, *story.arrivals):
        for id_ in single_ids(job.spec):
            # Shown waiting, it waits in the simulation, though it may have started a moment before.
            mark = marks.get(id_, Mark.WAITING)
            mark = Mark.WAITING if mark in (Mark.RUNNING, Mark.GONE) else mark
            if mark is not Mark.LATE:
                yield Member(
                    id=id_,
                    mark=mark,
                    real_at=look.real.get(id_),
                    said_at=look.said_at.get(id_),
                    removed_at=story.leaves_at.get(id_),
                )


def _real_bars(
    history: History, look: Look, until: int, places: Mapping[str, int]
) -> Iterator[Bar]:
    """Yield who really ran, those of the beginning included."""
    for id_, runs in history.runs.items():
        for run in runs:
            ended_at = look.until if run.ended_at is None else run.ended_at
            if run.started_at < until and ended_at > look.since:
                yield _bar(id_, run.node_names, run.started_at, ended_at, places)


def _said_bars(
    history: History, look: Look, story: Story, until: int, places: Mapping[str, int]
) -> Iterator[Bar]:
    """Yield who ran in the simulation, those of the beginning included."""
    for job in history.snapshots[look.number].running:
        id_ = single_ids(job.spec)[0]
        names = tuple(share.node for share in job.allocation)
        yield _bar(id_, names, job.started_at, story.ends_at.get(id_, until), places)
    for id_, start in look.said.items():
        if start.at < until:
            end_at = start.at + story.run_s.get(id_, look.until - start.at)
            yield _bar(id_, start.node_names, start.at, end_at, places)


def _bar(
    id_: str, names: tuple[str, ...], start_at: int, end_at: int, places: Mapping[str, int]
) -> Bar:
    nodes = tuple(sorted(places[name] for name in names if name in places))
    return Bar(job_id=id_, nodes=nodes, start_at=start_at, end_at=end_at)
