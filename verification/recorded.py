"""Reading a recording to judge by it: all that is sound, and sentences about the rest.

Stretches are read beside one another; whoever needs no past answers as they are read.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

from predictor.domain import FinishedJob, Snapshot
from predictor.errors import StorageError
from predictor.storage import Answered, RecordingReader, open_for_reading
from verification.fidelity.history import History, history_of
from verification.online.ours import as_told
from verification.online.predictor import Answers, Predictor
from verification.online.published import NAME as PUBLISHED
from verification.online.published import broken_links, by_snapshot
from verification.parallel import Pool
from verification.soundness import Sound, contradictions, holes, sound_part

STRETCH = 24
"""Snapshots that are read in one piece."""

Progress = Callable[[str, int, int], None]
"""Is told what is being done, how far it is, and how far it goes."""
Told = Mapping[str, Answers]
"""By predictor, its answers about one snapshot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """Ends of jobs that became known together, after the snapshot of that instant."""

    learned_at: int
    jobs: tuple[FinishedJob, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """What a recording tells."""

    path: Path
    history: History
    heard: tuple[Heard, ...]
    """What accounting told, in that order."""
    told: Mapping[int, Told]
    """By the numbers of the snapshots asked about: the answers of those who need no past, and what
    was published then, if that was recorded."""
    findings: tuple[str, ...]
    """What was damaged, missing or contradictory, a sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A stretch to read, and what to ask meanwhile."""

    path: Path
    instants: tuple[int, ...]
    asked: frozenset[int]
    """The instants at which answers are wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What reading a stretch brought."""

    snapshots: tuple[Snapshot, ...]
    told: tuple[Told | None, ...]
    """Of each snapshot; None: not asked for."""
    damage: tuple[str, ...]


def read_recording(
    path: Path,
    pool: Pool,
    progress: Progress,
    *,
    ask: Sequence[Predictor] = (),
    every: int = 1,
) -> Recorded:
    """Return all that the recording in `path` tells; of `ask`, answers to each `every`-th snapshot.

    Raises StorageError if no snapshot can be read.
    """
    reader = open_for_reading(path)
    sound = sound_part(reader.catalogue)
    pieces = list(_pieces(path, sound, pool, progress, ask, every))
    snapshots = [snapshot for piece in pieces for snapshot in piece.snapshots]
    told = list(chain.from_iterable(piece.told for piece in pieces))
    odd = contradictions(snapshots)
    numbers = [number for number in range(len(snapshots)) if number not in odd]
    if not numbers:
        raise StorageError(f"{path}: no snapshot can be read")
    kept = [(snapshots[number], told[number]) for number in numbers]
    heard = tuple(_heard(reader))
    outcomes = chain.from_iterable(one.jobs for one in heard)
    history = history_of([snapshot for snapshot, _ in kept], outcomes)
    issued = tuple(reader.answers())
    damage = dict.fromkeys(chain(map(str, reader.damage), *(piece.damage for piece in pieces)))
    return Recorded(
        path=path,
        history=history,
        heard=heard,
        told=dict(_with_published(kept, by_snapshot(issued))),
        findings=(
            *damage,
            *sound.findings,
            *odd.values(),
            *holes(history.instants),
            *broken_links(issued),
        ),
    )


def _heard(reader: RecordingReader) -> Iterator[Heard]:
    notices = sorted(reader.notices(), key=lambda one: (one.learned_at, one.mark))
    for notice in notices:
        yield Heard(learned_at=notice.learned_at, jobs=reader.ends(notice))


def _with_published(
    kept: Iterable[tuple[Snapshot, Told | None]], published: Mapping[int, Answered]
) -> Iterator[tuple[int, Told]]:
    for number, (snapshot, told) in enumerate(kept):
        answered = published.get(snapshot.taken_at)
        if told is not None and answered is not None:
            yield number, {**told, PUBLISHED: as_told(answered.answers, snapshot)}
        elif told is not None:
            yield number, told


def _pieces(
    path: Path,
    sound: Sound,
    pool: Pool,
    progress: Progress,
    ask: Sequence[Predictor],
    every: int,
) -> Iterator[Piece]:
    instants = sound.instants
    asked = frozenset(instants[::every]) if ask else frozenset()
    tasks = [
        Task(
            path=path,
            instants=instants[k : k + STRETCH],
            asked=asked & {*instants[k : k + STRETCH]},
        )
        for k in range(0, len(instants), STRETCH)
    ]
    done = 0
    for piece in pool.each(partial(read_stretch, tuple(ask)), tasks):
        yield piece
        done = min(done + STRETCH, len(instants))
        progress("reading" if not ask else "asking", done, len(instants))


def read_stretch(ask: Sequence[Predictor], task: Task) -> Piece:
    """Read a stretch, and let those who need no past answer."""
    reader = open_for_reading(task.path)
    wanted = frozenset(task.instants)
    snapshots, told = [], []
    for snapshot in reader.snapshots(task.instants[0], task.instants[-1] + 1):
        if snapshot.taken_at in wanted:
            snapshots.append(snapshot)
            told.append(_told(ask, snapshot) if snapshot.taken_at in task.asked else None)
    unreadable = reader.damage[len(reader.catalogue.damage) :]
    return Piece(snapshots=tuple(snapshots), told=tuple(told), damage=tuple(map(str, unreadable)))


def _told(ask: Sequence[Predictor], snapshot: Snapshot) -> Told:
    found = {}
    for one in ask:
        one.learn(snapshot)
        found[one.name] = one.say(snapshot)
    return found
