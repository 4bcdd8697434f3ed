"""The online mode: recordings told again, and the cases of all of them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from predictor.site import Site
from verification.judging.case import Case
from verification.online.batch import Announced
from verification.online.ours import Ours
from verification.online.predictor import Predictor
from verification.online.replay import replayed
from verification.parallel import Pool
from verification.recorded import Progress, Recorded, read_recording

MakeRemembering = Callable[[], Sequence[Predictor]]
"""Makes the predictors that learn from the past, fresh ones for each recording."""


def read_asking(path: Path, site: Site, pool: Pool, progress: Progress, *, every: int) -> Recorded:
    """Read a recording, and let us and the batch system answer to each `every`-th snapshot.

    Raises StorageError if no snapshot can be read.
    """
    return read_recording(path, pool, progress, ask=(Ours(site), Announced()), every=every)


def all_cases(recordings: Sequence[Recorded], remembering: MakeRemembering) -> Iterator[Case]:
    """Yield the cases of all recordings. Of several, jobs are named after theirs: `alpha/12`."""
    for recorded in recordings:
        for case in replayed(recorded, remembering()):
            yield case if len(recordings) == 1 else _named(case, recorded.path.name)


def _named(case: Case, recording: str) -> Case:
    return replace(case, job=replace(case.job, id=f"{recording}/{case.job.id}"))
