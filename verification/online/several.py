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
            yield replace(case, job=replace(case.job, id=prefix + case.job.id)) if prefix else case


def prefixes(recordings: Sequence[Recorded]) -> list[str]:
    """Return what tells the jobs of each recording apart: `alpha/`; of a single one, nothing."""
    if len(recordings) == 1:
        return [""]
    names = [recorded.path.name for recorded in recordings]
    distinct = len(set(names)) == len(names)
    return [
        f"{name if distinct else recorded.path}/"
        for name, recorded in zip(names, recordings, strict=True)
    ]
