"""How long it takes to recompute all priorities: a thousand waiting jobs of a hundred users."""

import time

from predictor.domain import (
    Association,
    Fairshare,
    JobSpec,
    PendingJob,
    PriorityWeights,
    Provenance,
    Request,
    SchedulerSettings,
    Snapshot,
)
from predictor.priority.forward import Priorities
from predictor.priority.tariff import Run

BOUND_S = 0.005
"""Of processor time for one recomputation. Measured on one core of 2024: 0.0015 s."""

NOW = 1_795_183_320
USERS = [(f"a{number % 10}", f"u{number}") for number in range(100)]
TICKS = 20


def test_a_recomputation_takes_milliseconds():
    state = Priorities.of(snapshot())
    assert len(state.summands) == 1_000
    runs = [Run(who=(*who, ""), rate=number, started_at=NOW) for number, who in enumerate(USERS)]
    begun = time.process_time()
    for tick in range(1, TICKS + 1):
        state = state.at(NOW + tick * 300, runs)
    assert (time.process_time() - begun) / TICKS < BOUND_S
    assert len(set(state.numbers.values())) > 100


def snapshot() -> Snapshot:
    accounts = sorted({account for account, _ in USERS})
    return Snapshot(
        cluster="c",
        taken_at=NOW,
        provenance=Provenance(source="test"),
        associations=(
            Association(account="root", fairshare=Fairshare()),
            *(Association(account=a, parent="root", fairshare=Fairshare()) for a in accounts),
            *(Association(account=a, user=u, fairshare=Fairshare()) for a, u in USERS),
        ),
        pending=tuple(_job(number) for number in range(1_000)),
        settings=SchedulerSettings(weights=PriorityWeights(age=1_000, fairshare=10_000)),
    )


def _job(number: int) -> PendingJob:
    account, user = USERS[number % len(USERS)]
    return PendingJob(
        spec=JobSpec(
            id=str(number),
            user=user,
            account=account,
            request=Request(nodes=1, cpus=1),
            partitions=("batch",),
            submitted_at=NOW - number,
            accrues_age_since=NOW - 100 * number,
        )
    )
