"""The kind of run `trial`: recorded days lived through under other settings of the cluster."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from predictor.errors import QueuecastError, SiteError, StorageError
from verification.measures import MEASURES
from verification.parallel import Processes
from verification.recorded import read_recording
from verification.sweep.digests import digest_of_recording
from verification.sweep.kinds import Course, Outcome, Settings
from verification.sweep.proposing import (
    ANEW,
    CONFIG,
    Proposed,
    change_of,
    files_of,
    proposed,
    ranks,
    setting_of,
)
from verification.trials.trial import Recounted, Trial, recount, tried


class Trials:
    """Truth-fed replays of a recording: told all that happened but the starts.

    Settings go by the names that the batch system's configuration has. Draws differ in what two
    equal days differ in: see `verification.trials.disturbance`.
    """

    name = "trial"
    figures = (*MEASURES, "unstarted", "jobs")

    def settled(self, points: Sequence[Settings], folder: Path) -> Sequence[Settings]:
        """Return the points, files named from the root on.

        Where one of them makes priorities otherwise, all have theirs worked out anew: told ones
        would not compare.
        """
        found = [
            {**point, "config": str(folder / str(point["config"]))}
            if point.get("config")
            else point
            for point in points
        ]
        if not any(map(ranks, found)):
            return found
        return [{**point, ANEW: True} for point in found]

    def files(self, settings: Settings) -> Sequence[Path]:
        """Return the file of configuration, if one is named."""
        return files_of(settings)

    def faults(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """Yield each setting that cannot be, and what would have been right."""
        try:
            yield from _proposed(tuple(settings.items())).faults
        except QueuecastError as error:
            yield CONFIG, str(error)

    def misfits(self, read: Recounted, settings: Settings) -> Iterator[tuple[str, str]]:
        """Yield the first setting that makes no sense of the recorded cluster, and why."""
        try:
            change_of(_proposed(tuple(settings.items())), settings, read.snapshot).over(
                read.snapshot
            )
        except (QueuecastError, ValueError) as error:
            yield setting_of(str(error), settings)

    def chance(self, settings: Settings) -> bool:
        """Return True: no day is like another."""
        return True

    def digest(self, path: Path) -> str:
        """Return a hash over what the recording holds. Raises OSError, StorageError."""
        if not path.is_dir():
            raise StorageError(f"{path}: not the folder of a recording")
        return digest_of_recording(path)

    def read(self, path: Path) -> Recounted:
        """Return what trials need of a recording. Raises StorageError."""
        found = read_recording(path, Processes(1), _quiet)
        if len(found.history.snapshots) < 2:
            raise StorageError(f"{path}: one snapshot alone tells nothing of what happened")
        return recount(path.name, found.history)

    def run(self, read: Recounted, settings: Settings, seed: int) -> Outcome:
        """Live through the days once. Raises QueuecastError."""
        trial = _of_interest(_tried(read, settings, seed), read)
        unstarted = sum(1 for job in trial.jobs if job.start_at is None and job.left_at is None)
        return Outcome(
            figures={
                **{name: trial.figure(name) for name in MEASURES},
                "unstarted": unstarted,
                "jobs": len(trial.jobs),
            },
            sha256=trial.hash,
        )

    def course(self, read: Recounted, settings: Settings, seed: int) -> Course:
        """Live through the days once, and return who ran when and where. Raises QueuecastError."""
        trial = _tried(read, settings, seed)
        return Course(jobs=(*trial.before, *trial.jobs), watch=trial.watch)


def _tried(read: Recounted, settings: Settings, seed: int) -> Trial:
    made = _proposed(tuple(settings.items()))
    try:
        return tried(read, change_of(made, settings, read.snapshot), seed)
    except ValueError as error:
        raise SiteError(str(error)) from error


@lru_cache(maxsize=64)
def _proposed(settings: tuple[tuple[str, object], ...]) -> Proposed:
    return proposed(dict(settings))  # type: ignore[arg-type]


def _of_interest(trial: Trial, read: Recounted) -> Trial:
    """Return the trial without those who neither start nor leave here, and never did.

    They are held for ever or fit nowhere, which is none of the scheduler's doing.
    """
    went = {*read.story.run_s, *read.story.leaves_at, *read.run_times.at_least_s}
    jobs = (one for one in trial.jobs if one.start_at or one.left_at or one.id in went)
    return replace(trial, jobs=tuple(jobs))


def _quiet(label: str, done: int, total: int) -> None:
    pass
