"""A referee for whole forecasts: nothing that is promised exceeds what there is."""

from dataclasses import replace

from clusters import HOUR, MINUTE, NOW, cluster, nodes, partition, running, waiting
from hypothesis import given, settings
from hypothesis import strategies as st
from second_opinion import Piece, overbooked

from predictor.domain import (
    Dependency,
    DependencyKind,
    NodeFlag,
    NodeSharing,
    Request,
    Reservation,
    RunningJob,
    Snapshot,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.scheduling.policy import POLICIES
from predictor.site import Site

COUNT = 6


@st.composite
def clusters(draw: st.DrawFn) -> Snapshot:
    """Six nodes, two overlapping partitions (whole and shared nodes), a maintenance, a queue."""
    members = tuple(
        replace(n, flags=draw(st.sampled_from([frozenset()] * 5 + [frozenset({NodeFlag.DRAIN})])))
        for n in nodes(COUNT)
    )
    parts = (
        partition("batch", members[:4]),
        partition("shared", members[2:], sharing=NodeSharing.NO),
    )
    start = NOW + draw(st.integers(1, 120)) * MINUTE
    maintenance = Reservation(
        name="m",
        start_at=start,
        end_at=start + HOUR,
        node_names=tuple(draw(st.sets(st.sampled_from([n.name for n in members])))),
    )
    busy = [
        running(f"r{i}", f"n{i}", draw(st.integers(-5, 90)))
        for i in draw(st.sets(st.integers(1, COUNT)))
    ]
    queue = [draw(jobs(str(i))) for i in range(draw(st.integers(1, 10)))]
    return cluster(
        COUNT, *busy, *queue, nodes=members, partitions=parts, reservations=(maintenance,)
    )


@st.composite
def jobs(draw: st.DrawFn, id_: str):
    count = draw(st.integers(1, 3))
    request = Request(
        nodes=count,
        cpus=count * draw(st.integers(1, 4)),
        limit_s=draw(st.integers(1, 90)) * MINUTE,
        memory_per_node_mb=draw(st.sampled_from([0, 1000, 5000])),
    )
    names = draw(st.sampled_from([("batch",), ("shared",), ("batch", "shared")]))
    of_job = {"request": request, "partitions": names, "priority": draw(st.integers(1, 5))}
    parent = draw(st.integers(0, 12))
    depends = (Dependency(kind=DependencyKind.AFTER_ANY, job_id=str(parent)),)
    return waiting(
        id_,
        of_job=of_job,
        begin_at=draw(st.sampled_from([None, None, NOW + HOUR])),
        dependencies=depends if draw(st.booleans()) and str(parent) != id_ else (),
    )


def pieces(snapshot: Snapshot, made) -> list[Piece]:
    """What running jobs hold and what is promised to waiting ones."""
    return [
        *(p for job in snapshot.running for p in _held(job)),
        *(
            Piece(
                node=name,
                start=one.start_at,
                end=one.end_at,
                whole=one.partition == "batch",
                cpus=-(-request.cpus // request.nodes),
                memory_mb=request.memory_per_node_mb or 8000,
            )
            for one in made.predictions
            for request in [_spec(snapshot, one.job_id).request]
            for name in one.node_names
        ),
    ]


def _held(job: RunningJob):
    end = job.ends_by or 0
    if end <= NOW:
        end = max(end + 30, NOW + 1)
    return [
        Piece(node=s.node, start=NOW, end=end, whole=True, cpus=s.cpus, memory_mb=s.memory_mb)
        for s in job.allocation
    ]


def _spec(snapshot: Snapshot, job_id: str):
    return next(job.spec for job in snapshot.pending if job.spec.id == job_id)


@settings(max_examples=150, deadline=None)
@given(clusters(), st.sampled_from(sorted(POLICIES)))
def test_no_promise_exceeds_what_there_is(snapshot, policy):
    made = forecast(snapshot, Site.model_validate({"policy": {"name": policy}}))
    assert not overbooked(snapshot.nodes, pieces(snapshot, made))
    members = {p.name: set(p.node_names) for p in snapshot.partitions}
    drained = {n.name for n in snapshot.nodes if not n.usable}
    # All is over within a day, so nobody is left behind by the clock.
    assert Unpredictable.HORIZON not in {a.cause for a in made.abstentions}
    [maintenance] = snapshot.reservations
    ends = {p.job_id: p.end_at for p in made.predictions}
    for one in made.predictions:
        job = next(j for j in snapshot.pending if j.spec.id == one.job_id)
        assert one.partition in job.spec.partitions
        assert len(one.node_names) == job.spec.request.nodes
        assert set(one.node_names) <= members[one.partition] - drained
        if set(one.node_names) & set(maintenance.node_names):
            assert one.end_at <= maintenance.start_at or one.start_at >= maintenance.end_at
        assert one.start_at >= (job.begin_at or NOW)
        assert all(one.start_at >= ends.get(d.job_id, NOW) for d in job.dependencies)
