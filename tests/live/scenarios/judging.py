"""The replica's starts beside the real ones, scenario by scenario.

Twice: in one run from the empty cluster to the end, where a small lag early on may turn the order
of things later; and from every few snapshots a little ahead, where it may not.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import median

from collectors.capture import Capture
from predictor.domain import PassSettings, Snapshot
from predictor.simulation.dependencies import single_ids
from predictor.site import default
from verification.fidelity.history import History, history_of
from verification.fidelity.looks import look

RECORDED = Path(__file__).parents[2] / "recorded" / "scenarios"
AHEAD_S = 30
"""How far each of the short runs is judged."""
EVERY = 3
"""A short run begins at each n-th snapshot."""
SLACK_S = 2
"""Instants are whole seconds, and a job needs a moment to be started and to be gone."""
MAIN_INTERVAL_S = 60
"""What Slurm takes where `sched_interval` is not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A job's real start and the replica's, in seconds after the beginning; None: none."""

    name: str
    id: str
    real_s: int | None
    said_s: int | None

    @property
    def starts_s(self) -> tuple[int, ...]:
        """Return the starts there are, the real one first."""
        return tuple(at for at in (self.real_s, self.said_s) if at is not None)

    @property
    def off_s(self) -> float:
        """Return by how much the replica is late; infinite if only one of the two started it."""
        if self.real_s is None or self.said_s is None:
            return float("inf")
        return self.said_s - self.real_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How well the replica tells one recorded scenario."""

    scenario: str
    rows: tuple[Row, ...]
    """By real start."""
    tolerance_s: int
    ahead: Mapping[int, tuple[Row, ...]]
    """The short runs' jobs, by when each run begins, in seconds after the beginning."""

    @property
    def ahead_count(self) -> int:
        """Return how many starts the short runs are judged by."""
        return sum(map(len, self.ahead.values()))

    @property
    def ahead_close(self) -> int:
        """Return how many starts the short runs tell within the tolerance."""
        return self.ahead_count - sum(len(self.missed(rows)) for rows in self.ahead.values())

    @property
    def close(self) -> int:
        """Return how many jobs the replica starts within the tolerance."""
        return len(self.rows) - len(self.missed(self.rows))

    def missed(self, rows: Iterable[Row]) -> list[Row]:
        """Return those that the replica starts at another time than the real scheduler."""
        return [row for row in rows if abs(row.off_s) > self.tolerance_s]

    @property
    def share(self) -> float:
        """Return the same as a share of all jobs, in [0, 1]."""
        return self.close / len(self.rows)

    @property
    def median_s(self) -> float:
        """Return the median of how far off the replica is."""
        return median(abs(row.off_s) for row in self.rows)

    @property
    def order(self) -> float:
        """Return the share of pairs of jobs told in their real order, in [0, 1].

        Pairs that really started within the tolerance of each other do not count.
        """
        told = [row for row in self.rows if row.off_s != float("inf")]
        pairs = [
            (a, b)
            for a, b in combinations(told, 2)
            if abs((a.real_s or 0) - (b.real_s or 0)) > self.tolerance_s
        ]
        right = sum(
            ((a.real_s or 0) < (b.real_s or 0)) == ((a.said_s or 0) < (b.said_s or 0))
            for a, b in pairs
        )
        return right / len(pairs) if pairs else 1.0

    @property
    def worst(self) -> Row:
        """Return the job that the replica gets most wrong."""
        return max(self.rows, key=lambda row: abs(row.off_s))


def verdict(folder: Path, every: int = EVERY) -> Verdict:
    """Let the replica play what was recorded, with a short run from each n-th snapshot."""
    capture = Capture(folder)
    snapshots = [observation.snapshot for observation in capture.observations()]
    history = history_of(snapshots, capture.outcomes())
    names = names_of(snapshots)
    tolerance = tolerance_s(snapshots[0])
    everything = rows(history, names, 0, snapshots[-1].taken_at - snapshots[0].taken_at)
    ahead = {
        snapshots[number].taken_at - snapshots[0].taken_at: tuple(
            row
            for row in rows(history, names, number, AHEAD_S + tolerance)
            if min(row.starts_s) <= AHEAD_S
        )
        for number in range(0, len(snapshots), every)
    }
    return Verdict(scenario=folder.name, rows=everything, tolerance_s=tolerance, ahead=ahead)


def rows(history: History, names: Mapping[str, str], number: int, length_s: int) -> tuple[Row, ...]:
    """Return who starts, or is said to, within so many seconds after a snapshot."""
    seen = look(history, number, length_s, default())
    said = {id_: start.at - seen.since for id_, start in seen.said.items()}
    real = {id_: at - seen.since for id_, at in seen.real.items()}
    found = [
        Row(name=names.get(id_, id_), id=id_, real_s=real.get(id_), said_s=said.get(id_))
        for id_ in real.keys() | said.keys()
    ]
    return tuple(sorted(found, key=lambda row: (min(row.starts_s), row.id)))


def names_of(snapshots: list[Snapshot]) -> Mapping[str, str]:
    """Return each job's name by its single id."""
    return {
        id_: job.spec.name.raw
        for snapshot in snapshots
        for job in (*snapshot.pending, *snapshot.running)
        for id_ in single_ids(job.spec)
    }


def tolerance_s(snapshot: Snapshot) -> int:
    """Return how long Slurm may let a job wait that could start: until both passes were made."""
    passes = snapshot.settings.passes or PassSettings()
    told = dict(snapshot.settings.parameters).get("sched_interval", "")
    main_s = int(told) if told.isdecimal() else MAIN_INTERVAL_S
    return main_s + SLACK_S + (passes.interval_s if snapshot.settings.backfill else 0)
