"""A job's conditions on other jobs, as Slurm shows them."""

import re
from collections.abc import Mapping

from predictor.domain import Dependency, DependencyKind

_KINDS = {
    kind.value: kind
    for kind in DependencyKind
    if kind not in {DependencyKind.OTHER, DependencyKind.SINGLETON}
}
_CONDITION = re.compile(r"(?P<kind>\w+)(?::(?P<jobs>[^()]*))?(?:\((?P<state>\w+)\))?")
_JOB = re.compile(r"(?P<id>\d+(?:_\d+|\+\d+)?)(?:_\*)?")
_JOB_AND_DELAY = re.compile(r"(?P<id>\d+(?:_\d+)?)(?:_\*)?(?:\+(?P<minutes>\d+))?")


def dependencies(text: str, ids: Mapping[int, str]) -> tuple[Dependency, ...]:
    """Return the conditions not yet fulfilled, e.g. of `afterok:5(unfulfilled),singleton`.

    Conditions joined by `?` need only hold one at a time. `ids` gives the names of array tasks
    that Slurm refers to by their internal number.
    """
    any_of = "?" in text
    found: list[Dependency] = []
    for part in re.split("[,?]", text):
        if part:
            found += _conditions(part, ids, any_of)
    return tuple(found)


def _conditions(part: str, ids: Mapping[int, str], any_of: bool) -> list[Dependency]:
    match = _CONDITION.fullmatch(part)
    if match is None:
        return [Dependency(kind=DependencyKind.OTHER, any_of=any_of)]
    if match["state"] == "fulfilled":
        return []
    if match["kind"] == DependencyKind.SINGLETON.value:
        return [Dependency(kind=DependencyKind.SINGLETON, any_of=any_of)]
    kind = _KINDS.get(match["kind"], DependencyKind.OTHER)
    return [_on(kind, job, ids, any_of) for job in (match["jobs"] or "").split(":")]


def _on(kind: DependencyKind, job: str, ids: Mapping[int, str], any_of: bool) -> Dependency:
    after = kind is DependencyKind.AFTER
    match = (_JOB_AND_DELAY if after else _JOB).fullmatch(job)
    if match is None:
        return Dependency(kind=DependencyKind.OTHER, any_of=any_of)
    job_id = match["id"]
    return Dependency(
        kind=kind,
        job_id=ids.get(int(job_id), job_id) if job_id.isdigit() else job_id,
        delay_s=60 * int(match["minutes"] or 0) if after else 0,
        any_of=any_of,
    )
