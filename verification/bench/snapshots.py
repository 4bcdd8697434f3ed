"""A generated cluster as a snapshot, and jobs that ended before: all that a tick starts from.

Jobs are those of `USERS` users in one account; fairshare, age and size make the priority.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from predictor.domain import (
    Association,
    Fairshare,
    JobSpec,
    Node,
    NodeShare,
    NodeSharing,
    NodeState,
    Outcome,
    Partition,
    PassSettings,
    PendingJob,
    PriorityWeights,
    Provenance,
    Request,
    RunningJob,
    SchedulerSettings,
    Snapshot,
)
from predictor.domain.durations import DAY_S
from predictor.runtimes.ended import Ended
from verification.bench.generated import PARTITIONS, Generated, Wish

NOW = 1_700_000_000
CPUS = 64
"""Of each node."""
USERS = 100
SETTINGS = SchedulerSettings(
    weights=PriorityWeights(age=1000, fairshare=10_000, job_size=500), passes=PassSettings()
)


def snapshot(generated: Generated, seed: int = 1) -> Snapshot:
    """Return the cluster at `NOW`. Jobs were submitted during the day before, in queue order."""
    source = random.Random(seed)  # noqa: S311 - no secret
    width = max(1, DAY_S // max(1, len(generated.queue)))
    queue = (
        _waiting(f"{number}", wish, NOW - DAY_S + number * width, source)
        for number, wish in enumerate(generated.queue, start=1_000_000)
    )
    names = [f"n{number:06}" for number in range(generated.nodes)]
    return Snapshot(
        cluster="generated",
        taken_at=NOW,
        provenance=Provenance(source="generated"),
        nodes=tuple(
            Node(name=name, cpus=CPUS, memory_mb=CPUS * 4000, state=NodeState.IDLE)
            for name in names
        ),
        partitions=tuple(
            Partition(
                name=name,
                node_names=tuple(names[number] for number in numbers),
                sharing=NodeSharing.EXCLUSIVE,
                max_time_s=DAY_S,
            )
            for name, numbers in zip(PARTITIONS, generated.partitions, strict=True)
        ),
        pending=tuple(queue),
        running=tuple(_running(generated, names, source)),
        associations=tuple(_associations(source)),
        settings=SETTINGS,
    )


def _associations(source: random.Random) -> Iterator[Association]:
    used = [source.randrange(10**9) for _ in range(USERS)]
    total = Fairshare(usage_raw=sum(used))
    yield Association(account="root", fairshare=total)
    yield Association(account="all", parent="root", fairshare=total)
    for number, usage in enumerate(used):
        yield Association(
            account="all",
            user=_user(number),
            parent="all",
            shares=1 + number % 3,
            fairshare=Fairshare(usage_raw=usage),
        )


def _user(number: int) -> str:
    return f"u{number:03}"


def _waiting(id_: str, wish: Wish, at: int, source: random.Random) -> PendingJob:
    spec = JobSpec(
        id=id_,
        user=_user(source.randrange(USERS)),
        account="all",
        request=Request(nodes=wish.nodes, cpus=wish.nodes * CPUS, limit_s=wish.limit_s),
        partitions=(PARTITIONS[wish.partition],),
        submitted_at=at,
        eligible_at=at,
        accrues_age_since=at,
    )
    return PendingJob(spec=spec)


def _running(generated: Generated, names: list[str], source: random.Random) -> Iterator[RunningJob]:
    """Yield the running jobs: nodes that are free in the same second are one job's."""
    held: dict[int, list[str]] = {}
    for name, end_s in zip(names, generated.free_at, strict=True):
        if end_s:
            held.setdefault(end_s, []).append(name)
    for number, (end_s, nodes) in enumerate(held.items(), start=1):
        began_at = NOW - 1 - source.randrange(DAY_S)
        wish = Wish(partition=len(PARTITIONS) - 1, nodes=len(nodes), limit_s=NOW + end_s - began_at)
        yield RunningJob(
            spec=_waiting(f"{number}", wish, began_at, source).spec,
            started_at=began_at,
            allocation=tuple(NodeShare(node=name, cpus=CPUS) for name in nodes),
        )


def ended(seen: Snapshot, count: int, seed: int = 1) -> Iterator[Ended]:
    """Yield so many jobs like those that wait, which ended one after the other before `NOW`.

    Each ran a random share of its limit, short ones more often.
    """
    source = random.Random(seed)  # noqa: S311 - no secret
    for number in range(count):
        spec = source.choice(seen.pending).spec
        limit_s = spec.request.limit_s
        assert isinstance(limit_s, int), "generated jobs have limits"  # noqa: S101
        yield Ended(
            spec=replace(spec, id=f"{number}"),
            run_s=1 + int(limit_s * source.random() ** 2),
            limit_s=limit_s,
            ended_at=NOW - count + number,
            outcome=Outcome.COMPLETED,
        )
