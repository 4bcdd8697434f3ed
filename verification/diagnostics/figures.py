"""What diagnostics found, by the names of the JSON. Instants are RFC 3339, in UTC."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from predictor.domain.instants import rfc3339
from predictor.site import Site
from verification.diagnostics.drift import Period, drift
from verification.diagnostics.idle import Idle, merged
from verification.diagnostics.misses import Miss, explained, worst
from verification.diagnostics.watch import Watched
from verification.fidelity.history import History
from verification.judging.case import Case

Row = Mapping[str, Any]


def worst_figures(
    cases: Iterable[Case], histories: Mapping[str, History], site: Site, name: str, count: int = 10
) -> list[Row]:
    """Return a predictor's worst misses, each with its cause. Costs one simulation for each.

    `histories` are those of the recordings by the prefix that job ids have there: `alpha/` for
    `alpha/12`, empty where there is one recording.
    """
    found = []
    for case in worst(cases, name, count):
        prefix = next(one for one in histories if case.job.id.startswith(one))
        id_ = case.job.id.removeprefix(prefix)
        miss = explained(histories[prefix], site, case, name, id_)
        found.append(_miss(miss, case))
    return found


def _miss(miss: Miss, case: Case) -> Row:
    return {
        "job": case.job.id,
        "off_s": abs(miss.error_s),
        "from": rfc3339(miss.seen_at),
        "real_at": rfc3339(miss.started_at),
        "said_at": rfc3339(miss.said_at),
        "cause": miss.kind,
        "detail": miss.detail,
        "partitions": case.job.partition,
        "nodes": case.job.nodes,
        "limit_s": case.job.limit_s,
        "qos": case.job.qos,
        "user": case.job.user,
        "reason": case.cause,
    }


def watch_figures(watched: Mapping[str, Sequence[Watched]], most: int = 20) -> dict[str, Any]:
    """Return the `most` longest unexplained idle nodes, how many there are, and the drift.

    `watched` are the looks by the name of their recording.
    """
    idle = [
        (name, one)
        for name, looks in watched.items()
        for one in merged(one for each in looks for one in each.idle)
    ]
    idle.sort(key=lambda found: found[1].since - found[1].until)
    return {
        "idle_nodes": [_idle(name, one) for name, one in idle[:most]],
        "idle_nodes_found": len(idle),
        "drift": [_period(name, one) for name, looks in watched.items() for one in drift(looks)],
    }


def _idle(recording: str, one: Idle) -> Row:
    return {
        "recording": recording,
        "node": one.node,
        "from": rfc3339(one.since),
        "to": rfc3339(one.until),
        "idle_s": one.until - one.since,
        "jobs": list(one.job_ids),
    }


def _period(recording: str, one: Period) -> Row:
    return {
        "recording": recording,
        "fingerprint": one.fingerprint,
        "from": rfc3339(one.since),
        "to": rfc3339(one.until),
        "looks": one.looks,
        "agreement": one.agreement,
        "lowest": one.lowest,
        "lowest_at": None if one.lowest_at is None else rfc3339(one.lowest_at),
        "drifted": one.drifted,
    }
