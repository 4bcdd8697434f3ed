"""Several recordings told again, and the cases of all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from predictor.site import Site
from verification.baselines.everybody import everybody
from verification.judging.case import Case
from verification.online.replay import replayed
from verification.recorded import Recorded


def all_cases(recordings: Sequence[Recorded], site: Site) -> Iterator[Case]:
    """Yield the cases of all recordings, whose jobs' ids begin with `prefixes`."""
    for recorded, prefix in zip(recordings, prefixes(recordings), strict=True):
        remembering = [one for one in everybody(site) if one.remembers]
        for case in replayed(recorded, remembering):
            yield _of(case, prefix) if prefix else case


def _of(case: Case, prefix: str) -> Case:
    return replace(case, recording=prefix, job=replace(case.job, id=prefix + case.job.id))


def prefixes(recordings: Sequence[Recorded]) -> list[str]:
    """Return what tells the jobs of each recording apart: `alpha/`; of a single one, nothing."""
    if len(recordings) == 1:
        return [""]
    return [f"{name}/" for name in names(recordings)]


def names(recordings: Sequence[Recorded]) -> list[str]:
    """Return what each recording is called: as its folder, by its whole path if several are."""
    found = [recorded.path.name for recorded in recordings]
    return found if len(set(found)) == len(found) else [str(one.path) for one in recordings]
