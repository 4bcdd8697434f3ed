"""Small snapshots, told in few words."""

import pytest

from predictor.domain import (
    JobSpec,
    Partition,
    PendingJob,
    Provenance,
    Request,
    Snapshot,
)

NOW = 1_700_000_000


@pytest.fixture
def job():
    """Make a waiting job: `job("7", partitions=("a",), nodes=2, wait_s=60, priority=5)`."""

    def make(id_, *, nodes=1, cpus=1, limit_s=3600, wait_s=0, request=None, pending=None, **spec):
        spec.setdefault("user", "u")
        spec.setdefault("partitions", ("batch",))
        return PendingJob(
            spec=JobSpec(
                id=id_,
                request=Request(nodes=nodes, cpus=cpus, limit_s=limit_s, **(request or {})),
                submitted_at=NOW - wait_s,
                **spec,
            ),
            **(pending or {}),
        )

    return make


@pytest.fixture
def snapshot():
    """Make a snapshot of the jobs given, with two partitions: `batch`, and `urgent` of tier 5."""

    def make(*pending, **parts):
        parts.setdefault(
            "partitions",
            (
                Partition(name="batch", node_names=("n1", "n2"), job_factor=3),
                Partition(name="urgent", node_names=("n1",), tier=5, max_time_s=600),
            ),
        )
        return Snapshot(
            cluster="c",
            taken_at=NOW,
            provenance=Provenance(source="test"),
            pending=tuple(pending),
            **parts,
        )

    return make
