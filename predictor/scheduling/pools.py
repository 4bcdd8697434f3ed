"""How many licenses there are."""

from collections.abc import Mapping

from predictor.domain import Snapshot


def totals(snapshot: Snapshot) -> Mapping[str, int]:
    """Return by pool how many there are beside those kept for reservations that nobody tells of."""
    kept: dict[str, int] = {}
    for one in snapshot.reservations:
        if one.start_at <= snapshot.taken_at < one.end_at:
            for name, amount in one.licenses:
                kept[name] = kept.get(name, 0) + amount
    return {
        pool.name: pool.total - max(0, pool.reserved - kept.get(pool.name, 0))
        for pool in snapshot.licenses
    }
