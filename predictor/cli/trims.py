"""What would help a waiting job: smaller requests that would start notably sooner."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from predictor.cli.timeformat import time_limit
from predictor.domain.durations import duration
from predictor.domain.instants import instant_of

SHARES = (2, 4)
"""A limit is cut to these parts."""
SHORTEST_S = 600
NOTABLE_S = 600
NOTABLE_SHARE = 0.1
"""A start sooner by less, or by less of the wait, is not worth asking for less."""


def trims(answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the shapes to suppose in place of the job in the API's answer; none for no hope."""
    if answer["state"] != "pending" or answer["likely_start_epoch"] is None:
        return []
    base = {"instead_of": answer["job_id"]}
    limit, nodes = answer["limit_s"], answer["nodes"]
    found: list[dict[str, Any]] = []
    if isinstance(limit, int):
        cut = [limit // share for share in SHARES if limit // share >= SHORTEST_S]
        found += [{**base, "name": f"-t {time_limit(s)}", "time_limit": f"{s}s"} for s in cut]
    if nodes > 1:
        found.append({**base, "name": f"-N {nodes // 2}", "nodes": nodes // 2})
    if nodes > 1 and found and "time_limit" in found[0]:
        both = {"name": f"-N {nodes // 2} {found[0]['name']}", "nodes": nodes // 2}
        found.append({**found[0], **both})
    return found


def sooner(answer: Mapping[str, Any], told: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Return what would start notably sooner than the job, and when: the least cut first.

    `told` is the answer to the shapes of `trims`. Of several that start alike the first counts.
    """
    start = answer["likely_start_epoch"]
    wait_s = start - instant_of(answer["snapshot_at"])
    latest = start - max(NOTABLE_S, NOTABLE_SHARE * wait_s)
    found: dict[int, str] = {}
    for one in told["shapes"]:
        at = one["likely_start_epoch"]
        if at is not None and at <= latest and at < min(found, default=start):
            found[at] = one["name"]
    return list(found.items())


def sentences(
    answer: Mapping[str, Any], told: Mapping[str, Any], when: Callable[[int], str]
) -> Iterator[str]:
    """Yield what would help as sentences."""
    for at, name in sooner(answer, told):
        gain = duration(answer["likely_start_epoch"] - at)
        yield f"With {name} it would likely start {when(at)}, {gain} sooner."
