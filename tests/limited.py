"""Clusters with limits and jobs that count against them, for scenes."""

from predictor.domain import (
    Association,
    Limits,
    Partition,
    Provenance,
    Qos,
    SchedulerSettings,
    Snapshot,
    Usage,
)
from predictor.limits import Book, Claim

NOW = 1_700_000_000
HOUR = 3600
DAY = 24 * HOUR
PARENTS = {"optics": "physics", "physics": "root"}


def site(qos=None, associations=None, **settings):
    """Return a snapshot without jobs: QOS by name, associations by account and user.

    Each table holds limits, `usage`, and for a QOS also `flags` and `usage_factor`. The partition
    `fast` has the QOS `lane`; the account `optics` is part of `physics`.
    """
    plain = {"limits_enforced": True, "priority_half_life_s": DAY}
    return Snapshot(
        cluster="scene",
        taken_at=NOW,
        provenance=Provenance(source="scene"),
        partitions=(
            Partition(name="batch", node_names=("n0",)),
            Partition(name="fast", node_names=("n0",), qos="lane"),
        ),
        qos=tuple(Qos(name=name, **fields(table)) for name, table in (qos or {}).items()),
        associations=tuple(
            Association(
                account=account, user=user, parent=PARENTS.get(account, ""), **fields(table)
            )
            for (account, user), table in (associations or {}).items()
        ),
        settings=SchedulerSettings(**plain | settings),
    )


def fields(table):
    """Return a table's limits gathered in one value, the rest as it is."""
    limits = {name: table[name] for name in Limits.__dataclass_fields__ if name in table}
    return {"limits": Limits(**limits)} | {k: v for k, v in table.items() if k not in limits}


def used(minutes=0, **tres_minutes):
    """Return how long jobs ran, and the TRES-minutes they used up."""
    return Usage(wall_minutes=minutes, tres_minutes=tuple(sorted(tres_minutes.items())))


def job(**given):
    """Return a job of one hour on one node with four CPUs, unless said otherwise."""
    plain = {"user": "ana", "account": "optics", "partition": "batch", "qos": "normal"}
    amounts = {"nodes": 1, "cpus": 4, "memory_mb": 1000, "limit_s": HOUR}
    return Claim(**plain | amounts | given)


def verdict(snapshot, asking, running=(), nodes=0, at=NOW):
    """Return what keeps a job from starting on `nodes` while these run, since NOW; None: nothing.

    A running job is a claim, or a claim with the set of its nodes.
    """
    book = Book(snapshot)
    for i, each in enumerate(running):
        claim, held = each if isinstance(each, tuple) else (each, 0)
        book.start(str(i), claim, held, NOW)
    return book.before_placing(asking, at) or book.after_placing(asking, nodes, at)
