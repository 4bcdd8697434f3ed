"""When nodes are in service again that nobody can start on yet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from collectors.slurm.objects.uncounted import TOPO
from predictor.domain import Node, NodeFlag, NodeState, RunningJob
from predictor.domain.defaults import NO_LIMIT_S

_BUSY = frozenset({NodeState.MIXED, NodeState.ALLOCATED})


def with_returns(
    nodes: Iterable[Node],
    running: Sequence[RunningJob],
    taken_at: int,
    *,
    boot_s: int,
    dozes_s: int | None,
) -> tuple[Node, ...]:
    """Return the nodes, those that return with when they do.

    That is once the jobs on them are to be over and they have booted, before which they may fall
    asleep. From when on they boot is not told, so that the time begins anew in each look.
    """
    ends = _ends(running)
    freed_by = _freed_by(running)

    def back_by(node: Node) -> int | None:
        if NodeFlag.RETURNING in node.flags:
            asleep_s = 0 if NodeFlag.REBOOT in node.flags else dozes_s or 0
            empty_at = ends.get(node.name, 0) if node.state in _BUSY else 0
            return max(taken_at, empty_at) + asleep_s + boot_s
        return freed_by if NodeFlag.BLOCKED in node.flags else node.back_by

    return tuple(replace(node, back_by=back_by(node)) if node.returning else node for node in nodes)


def _freed_by(running: Sequence[RunningJob]) -> int | None:
    """Return when blocked nodes are free: once whoever may block them is to be over.

    Of several jobs Slurm does not tell which it is: then it is the last. Where it is told of none
    that it shares its block with nobody, it may be any.
    """
    told = [job for job in running if TOPO in job.spec.request.uncounted]
    return max(map(_ends_by, told or running), default=None)


def _ends(running: Iterable[RunningJob]) -> Mapping[str, int]:
    """Return when the last of its jobs is to be over, by node."""
    ends: dict[str, int] = {}
    for job in running:
        for share in job.allocation:
            ends[share.node] = max(ends.get(share.node, 0), _ends_by(job))
    return ends


def _ends_by(job: RunningJob) -> int:
    return job.started_at + NO_LIMIT_S if job.ends_by is None else job.ends_by
