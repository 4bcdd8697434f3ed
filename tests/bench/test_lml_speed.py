"""How long a large cluster's document takes: 10,000 jobs and 5,000 nodes."""

import time

from predictor.domain import (
    BatchEstimate,
    JobSpec,
    Node,
    NodeShare,
    NodeState,
    Partition,
    PendingJob,
    PriorityFactors,
    Provenance,
    Request,
    RunningJob,
    Snapshot,
    Untrusted,
)
from predictor.lml import read, write

BOUND_S = 3.0
"""Of processor time, each way. Measured on one core of 2024: 0.55 s to write, 1.05 s to read."""

NOW = 1_795_183_320


def _spec(number: int) -> JobSpec:
    at = NOW - 7 * number
    return JobSpec(
        id=str(90_000 + number),
        user=f"u{number % 300}",
        account=f"a{number % 40}",
        group="users",
        qos="normal",
        name=Untrusted(f"run <{number}>"),
        partitions=("batch",),
        submitted_at=at,
        eligible_at=at,
        accrues_age_since=at,
        priority=100_000 - number,
        request=Request(nodes=4, cpus=256, limit_s=86_400, memory_per_node_mb=100_000),
    )


def _pending(number: int) -> PendingJob:
    factors = PriorityFactors(partition="batch", priority=1000 + number, age=100, fairshare=200)
    estimate = BatchEstimate(start_at=NOW + 60 * number, node_names=("n00001", "n00002"))
    return PendingJob(
        spec=_spec(number), reason="Priority", priorities=(factors,), estimate=estimate
    )


def _running(number: int) -> RunningJob:
    shares = (
        NodeShare(node=f"n{(4 * number + place) % 5000:05}", cpus=64, memory_mb=100_000)
        for place in range(4)
    )
    return RunningJob(spec=_spec(number), started_at=NOW - 3600, allocation=tuple(shares))


def large_cluster() -> Snapshot:
    nodes = tuple(
        Node(
            name=f"n{number:05}",
            cpus=64,
            memory_mb=257_000,
            state=NodeState.MIXED,
            features=("fast", "ib"),
            cpus_allocated=32,
            memory_allocated_mb=100_000,
        )
        for number in range(5_000)
    )
    names = tuple(node.name for node in nodes)
    return Snapshot(
        cluster="large",
        taken_at=NOW,
        provenance=Provenance(source="bench"),
        nodes=nodes,
        partitions=(
            Partition(name="batch", node_names=names, max_time_s=86_400),
            Partition(name="half", node_names=names[::2], max_time_s=3_600),
        ),
        pending=tuple(map(_pending, range(7_500))),
        running=tuple(map(_running, range(7_500, 10_000))),
    )


def test_a_large_document_is_written_and_read_in_about_a_second_each(capsys):
    snapshot = large_cluster()
    began = time.process_time()
    document = write(snapshot)
    written = time.process_time()
    again = read(document)
    done = time.process_time()
    assert again.snapshot == snapshot
    with capsys.disabled():
        print(
            f"\n{len(document) / 1e6:.1f} MB:"
            f" written in {written - began:.2f} s, read in {done - written:.2f} s"
        )
    assert written - began < BOUND_S
    assert done - written < BOUND_S
