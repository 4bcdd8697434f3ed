"""Keys that other LML programs expect and that follow from ours; our own reader passes them over.

Names and words are those of LML_da's attribute list.
"""

from collections.abc import Iterator
from functools import singledispatchmethod

from predictor.domain import (
    Association,
    FinishedJob,
    Hold,
    License,
    Node,
    NodeFlag,
    NodeState,
    Outcome,
    PendingJob,
    RunningJob,
    RunState,
    Snapshot,
)
from predictor.lml.binding import Binding
from predictor.lml.kinds import PerDocument

FORMAT_KEY = "x_format"
FORMAT = "1"
"""On the system object of our own documents: their keys are exact."""
KIND_KEY = "x_kind"
"""On objects of type `queue`, which carry several kinds of ours."""

WAITING = "SUBMITTED"
HOLDS = "RUNNING"
SUSPENDED = "SUSPENDED"
OVER = "COMPLETED"
NOWHERE = "-"
"""The node list of a job that holds none."""

DERIVED_KEYS = frozenset(
    {"type", "status", "detailedstatus", "state", "totaltasks", "nodelist", "enddate"}
    | {"dispatchdate", "availmem", "classes", FORMAT_KEY, KIND_KEY}
)

_HELD = {
    Hold.NONE: ("QUEUED_ACTIVE", "Idle"),
    Hold.USER: ("USER_ON_HOLD", "User Hold"),
    Hold.ADMIN: ("SYSTEM_ON_HOLD", "System Hold"),
}
_ENDED = {
    Outcome.COMPLETED: ("JOB_OUTERR_READY", "Completed"),
    Outcome.CANCELLED: ("CANCELED", "Removed"),
}

Pairs = Iterator[tuple[str, str]]


class Derived:
    """Tells the derived keys of one snapshot's members."""

    def __init__(self, snapshot: Snapshot, binding: Binding) -> None:
        self._instant = binding.codec(PerDocument.INSTANT).encode
        self._partitions: dict[str, list[str]] = {}
        for partition in snapshot.partitions:
            for name in partition.node_names:
                self._partitions.setdefault(name, []).append(partition.name)

    @singledispatchmethod
    def of(self, value: object) -> Pairs:
        """Yield the derived keys of one member: (key, text), never an empty text."""
        del value
        yield from ()

    @of.register
    def _(self, value: PendingJob) -> Pairs:
        detail, state = _HELD[value.hold]
        yield from _of_job(WAITING, detail, state, value.spec.request.cpus)
        yield "nodelist", NOWHERE

    @of.register
    def _(self, value: RunningJob) -> Pairs:
        suspended = value.state is RunState.SUSPENDED
        status = SUSPENDED if suspended else HOLDS
        detail = "SYSTEM_SUSPENDED" if suspended else "QUEUED_ACTIVE"
        yield from _of_job(status, detail, "Running", value.spec.request.cpus)
        shares = "".join(f"({share.node},{share.cpus})" for share in value.allocation)
        yield "nodelist", shares or NOWHERE
        if value.ends_by is not None:
            yield "enddate", self._instant(value.ends_by)

    @of.register
    def _(self, value: FinishedJob) -> Pairs:
        detail, state = _ENDED.get(value.outcome, ("FAILED", "Completed"))
        yield from _of_job(OVER, detail, state, value.spec.request.cpus)
        yield "nodelist", NOWHERE

    @of.register
    def _(self, value: Node) -> Pairs:
        yield "state", _state_of(value)
        yield "availmem", str(max(value.memory_mb - value.memory_allocated_mb, 0))
        partitions = self._partitions.get(value.name, ())
        if partitions:
            yield "classes", "".join(f"[{name}:{value.cpus}]" for name in partitions)

    @of.register
    def _(self, value: Association) -> Pairs:
        del value
        yield KIND_KEY, "associations"

    @of.register
    def _(self, value: License) -> Pairs:
        del value
        yield KIND_KEY, "licenses"


def _of_job(status: str, detail: str, state: str, cpus: int) -> Pairs:
    yield "status", status
    yield "detailedstatus", detail
    yield "state", state
    yield "totaltasks", str(cpus)


def _state_of(node: Node) -> str:
    if node.state is NodeState.UNKNOWN:
        return "Unknown"
    if node.state is NodeState.DOWN or NodeFlag.NOT_RESPONDING in node.flags:
        return "Down"
    if not node.usable:
        return "Drained"
    return "Idle" if node.state is NodeState.IDLE else "Running"
