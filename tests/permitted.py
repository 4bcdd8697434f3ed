"""What each way of looking tells otherwise than the others: the only differences there may be.

The one list of them; the documentation's table is made of it. Whoever adds a way adds an entry.
"""

import sys
from collections.abc import Mapping

from compared import Permit

IN_TIME = (
    Permit(kind="taken_at", field="", why="one look comes after the other", within=30),
    Permit(kind="health", field="", why="the scheduler went on between two looks"),
    Permit(kind="provenance", field="source", why="says which way it was"),
    Permit(
        kind="pending",
        field="estimate.evaluated_at",
        why="the scheduler went on between two looks",
        within=30,
    ),
)
"""Between any two looks, whatever their ways."""

_OF_OLD_JSON = (
    Permit(kind="pending", field="estimate.node_names", why="JSON of 22.05 tells no planned nodes"),
    Permit(kind="pending", field="spec.request.limit_s", why="JSON of 22.05: null for unlimited"),
    Permit(kind="pending", field="spec.request.switches", why="JSON of 22.05 does not tell"),
    Permit(kind="pending", field="spec.request.switches_wait_s", why="JSON of 22.05 does not tell"),
)
_OF_TEXT = tuple(
    Permit(kind=kind, field=f"spec.request.{field}", why="text tells it of waiting jobs only")
    for kind in ("running", "finished")
    for field in ("nodes_max", "nodes")
)
_OF_PYSLURM = (
    Permit(kind="pending", field="dependencies", why="pyslurm tells them in another order"),
    Permit(kind="provenance", field="hidden.why", why="says who else was asked in vain"),
    *(
        Permit(kind=kind, field="spec.request.limit_s", why="pyslurm: None for unlimited")
        for kind in ("pending", "running", "finished")
    ),
)
_OF_UNMATCHED_PYSLURM = (
    Permit(kind="running", field="allocation", why="not asked of a pyslurm for another library"),
)
_OF_OLD_PYSLURM = tuple(
    Permit(kind=kind, field=f"spec.request.{field}", why="pyslurm before 25.11 tells what it got")
    for kind in ("pending", "running", "finished")
    for field in ("cpus", "nodes", "nodes_max")
)

_OF_NEW_REST = (
    Permit(
        kind="pending",
        field="priorities",
        why="of jobs that sprio leaves out, slurmrestd tells the priority per partition",
    ),
)

WAYS: Mapping[str, tuple[Permit, ...]] = {
    "text": _OF_TEXT,
    "json 22.05": _OF_OLD_JSON,
    "json 24.11": (),
    "json 26.05": (),
    "rest 22.05": (
        Permit(kind="pending", field="spec.request.limit_s", why="v0.0.38: null for unlimited"),
    ),
    "rest 24.11": _OF_NEW_REST,
    "rest 26.05": (
        *_OF_NEW_REST,
        Permit(
            kind="partitions",
            field="eviction",
            why="v0.0.45 does not repeat the cluster's mode of preemption for each partition",
        ),
        *(
            Permit(kind="reservations", field=field, why="v0.0.45 does not tell")
            for field in ("qos", "allowed_partitions")
        ),
    ),
    "pyslurm": _OF_PYSLURM,
    "unmatched pyslurm": _OF_PYSLURM + _OF_UNMATCHED_PYSLURM,
    "old pyslurm": _OF_PYSLURM + _OF_OLD_PYSLURM,
}
"""By the way of looking, what it tells otherwise than the rest."""


def permitted(one: str, other: str) -> tuple[Permit, ...]:
    """Return how looks of two ways may differ."""
    return (*IN_TIME, *WAYS[one], *WAYS[other])


def rows() -> list[str]:
    """Return the documentation's table of what each way tells otherwise, a line each."""
    return [
        f"| {way} | {permit.kind} | `{permit.field or 'all'}` | {permit.why} |"
        for way, permits in WAYS.items()
        for permit in permits
    ]


if __name__ == "__main__":
    sys.stdout.write("".join(f"{row}\n" for row in rows()))
