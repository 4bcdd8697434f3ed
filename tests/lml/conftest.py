"""Documents to read, and a small cluster to write."""

from pathlib import Path

import pytest

from predictor.domain import (
    Abstention,
    Cause,
    Forecast,
    JobSpec,
    Node,
    NodeShare,
    NodeState,
    Partition,
    PendingJob,
    Prediction,
    Provenance,
    Request,
    RunningJob,
    Snapshot,
    Unpredictable,
    Untrusted,
)

DOCUMENTS = Path(__file__).parent / "documents"
NOW = 1_795_183_320  # 2026-11-20 14:02:00 UTC


@pytest.fixture
def larch() -> bytes:
    """A document in LML's standard words, of 2012's kind."""
    return (DOCUMENTS / "larch.lml").read_bytes()


@pytest.fixture
def llview() -> bytes:
    """Written after the shape of LLview's collector for Slurm, faults included."""
    return (DOCUMENTS / "llview.lml").read_bytes()


def spec(job_id: str, **rest) -> JobSpec:
    given = {"user": "ana", "partitions": ("batch",), "submitted_at": NOW - 600} | rest
    return JobSpec(id=job_id, request=Request(nodes=2, cpus=8, limit_s=3600), **given)


@pytest.fixture
def cluster() -> Snapshot:
    """Three nodes; one job on n1 and n3 until 15:00 UTC, two jobs waiting."""
    return Snapshot(
        cluster="elm",
        taken_at=NOW,
        utc_offset_s=3600,
        provenance=Provenance(source="test"),
        nodes=tuple(
            Node(name=name, cpus=4, memory_mb=8000, state=NodeState.IDLE)
            for name in ("n1", "n2", "n3")
        ),
        partitions=(Partition(name="batch", node_names=("n1", "n2", "n3")),),
        running=(
            RunningJob(
                spec=spec("7", name=Untrusted('a <b> & "c"')),
                started_at=NOW - 120,
                allocation=(NodeShare(node="n1", cpus=4), NodeShare(node="n3", cpus=4)),
            ),
        ),
        pending=(PendingJob(spec=spec("8")), PendingJob(spec=spec("9_[1,3%1]"))),
    )


@pytest.fixture
def told(cluster) -> Forecast:
    """What is predicted for the waiting jobs of `cluster`."""
    return Forecast(
        cluster="elm",
        snapshot_at=NOW,
        policy="easy",
        fingerprint=cluster.fingerprint,
        predictions=(
            Prediction(
                job_id="8",
                start_at=NOW + 3480,
                end_at=NOW + 7080,
                partition="batch",
                node_names=("n1", "n2"),
                cause=Cause.RESOURCES,
                rank=1,
            ),
        ),
        abstentions=(
            Abstention(job_id="9_[1,3%1]", cause=Unpredictable.HELD, detail="It is held."),
        ),
    )
