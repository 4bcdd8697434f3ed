"""What a job waits for: `afterok:12.pbs@pbs:13.pbs@pbs,beforeany:14.pbs@pbs`."""

from collections.abc import Iterator

from collectors.pbs.ids import parsed
from predictor.domain import Dependency, DependencyKind

_KINDS = {
    "after": DependencyKind.AFTER,
    "afterok": DependencyKind.AFTER_OK,
    "afternotok": DependencyKind.AFTER_NOT_OK,
    "afterany": DependencyKind.AFTER_ANY,
}
_NOT_OURS = ("before", "syncct")
"""What is said to those that others wait for."""


def dependencies(text: str) -> tuple[Dependency, ...]:
    """Return the conditions; what the server has seen fulfilled it has taken away.

    A kind we do not know (`on`, `runone`, `syncwith`) is kept as OTHER. Raises ValueError.
    """
    return tuple(dict.fromkeys(_dependencies(text)))


def _dependencies(text: str) -> Iterator[Dependency]:
    for part in filter(None, text.split(",")):
        word, *ids = part.strip().split(":")
        if word.startswith(_NOT_OURS):
            continue
        kind = _KINDS.get(word)
        if kind is None or not ids:
            yield Dependency(kind=DependencyKind.OTHER)
            continue
        for id_ in ids:
            base, task = parsed(id_.partition("@")[0])
            yield Dependency(kind=kind, job_id=base if task is None else f"{base}_{task}")
