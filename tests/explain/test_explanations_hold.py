"""What an explanation says of a forecast is true of it, judged by counting one by one."""

from dataclasses import replace

from clusters import NOW
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from queues import busy_clusters
from strategies import snapshots

from predictor.domain import (
    Forecast,
    NodeSharing,
    Prediction,
    Snapshot,
)
from predictor.explain.explaining import MOST_NAMED
from predictor.forecast import forecast
from predictor.scheduling.policy import POLICIES
from predictor.site import Site, default

POLICY = st.sampled_from(sorted(POLICIES))


def stays(snapshot: Snapshot, made: Forecast) -> dict[str, tuple[int, int, set[str]]]:
    """Return start, end and nodes of everybody who runs or is predicted to."""
    held = {p.job_id: (p.start_at, p.end_at, set(p.node_names)) for p in made.predictions}
    for job in snapshot.running:
        assert job.ends_by is not None
        names = {share.node for share in job.allocation}
        held[job.spec.id] = (job.started_at, job.ends_by, names)
    return held


def check_awaited(one: Prediction, held: dict[str, tuple[int, int, set[str]]]) -> None:
    told = one.explanation
    assert told is not None
    for awaited in told.waits_for:
        started_at, ended_at, names = held[awaited.job_id]
        assert started_at < awaited.at == ended_at
        assert NOW < ended_at <= one.start_at
        assert 1 <= awaited.nodes <= len(names & set(one.node_names))
    assert len(told.waits_for) <= MOST_NAMED
    assert list(told.waits_for) == sorted(told.waits_for, key=lambda a: -a.at)


def check_room(one: Prediction, snapshot: Snapshot, held: dict[str, tuple[int, int, set[str]]]):
    """Until somebody awaited left a node, that node had too few CPUs left."""
    cpus = {job.spec.id: job.allocation[0].cpus for job in snapshot.running}
    cpus |= {job.spec.id: job.spec.request.cpus_per_node for job in snapshot.pending}
    for awaited in one.explanation.waits_for:
        second, shared = awaited.at - 1, held[awaited.job_id][2] & set(one.node_names)
        full = [
            name
            for name in shared
            if 4 - sum(cpus[i] for i, (s, e, n) in held.items() if s <= second < e and name in n)
            < cpus[one.job_id]
        ]
        assert len(full) >= awaited.nodes


def check_queue(one: Prediction, snapshot: Snapshot, made: Forecast) -> None:
    told, job = one.explanation, next(j for j in snapshot.pending if j.spec.id == one.job_id)
    assert told is not None
    [name] = job.spec.partitions
    usable = {n for p in snapshot.partitions if p.name == name for n in p.node_names}
    rivals = [o for o in made.predictions if o is not one and usable & set(o.node_names)]
    before = [o for o in rivals if o.start_at < one.start_at]
    ahead = [o for o in before if o.rank < one.rank]
    behind = [o for o in before if o.rank > one.rank]
    passed = [o for o in rivals if o.start_at > one.start_at and o.rank < one.rank]
    assert (told.ahead_jobs, told.ahead_node_s) == (len(ahead), node_s(ahead))
    assert (told.let_past_jobs, told.let_past_node_s) == (len(behind), node_s(behind))
    assert told.passes_jobs == len(passed)


def node_s(predictions: list[Prediction]) -> int:
    return sum(len(p.node_names) * (p.end_at - p.start_at) for p in predictions)


@settings(max_examples=150, deadline=None)
@given(busy_clusters(NodeSharing.EXCLUSIVE), POLICY)
def test_on_whole_nodes_everyone_who_leaves_last_is_awaited(snapshot, policy):
    made = forecast(snapshot, Site.model_validate({"policy": {"name": policy}}), explained=True)
    held = stays(snapshot, made)
    for one in made.predictions:
        check_awaited(one, held)
        check_queue(one, snapshot, made)
        came_free = {
            name
            for _, end_at, names in held.values()
            if NOW < end_at <= one.start_at
            for name in names & set(one.node_names)
        }
        if not one.explanation.waits_for_more:
            assert sum(a.nodes for a in one.explanation.waits_for) == len(came_free)


@settings(max_examples=150, deadline=None)
@given(busy_clusters(NodeSharing.NO), POLICY)
def test_on_shared_nodes_whoever_is_awaited_made_room(snapshot, policy):
    made = forecast(snapshot, Site.model_validate({"policy": {"name": policy}}), explained=True)
    held = stays(snapshot, made)
    for one in made.predictions:
        check_awaited(one, held)
        check_room(one, snapshot, held)
        check_queue(one, snapshot, made)


@settings(max_examples=100, deadline=None)
@given(busy_clusters(NodeSharing.EXCLUSIVE))
def test_who_lifts_a_limit_ends_before_the_start(snapshot):
    made = forecast(snapshot, default(), explained=True)
    held = stays(snapshot, made)
    for one in made.predictions:
        told = one.explanation
        if told.limit:
            assert told.lifted_by is not None
            assert NOW < held[told.lifted_by.job_id][1] == told.lifted_by.at <= one.start_at


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.one_of(snapshots(), *map(busy_clusters, NodeSharing)), POLICY)
def test_an_explanation_changes_nothing_and_is_there_for_every_start(snapshot, policy):
    site = Site.model_validate({"policy": {"name": policy}})
    made = forecast(snapshot, site, explained=True)
    assert all(p.explanation is not None for p in made.predictions)
    bare = tuple(replace(p, explanation=None) for p in made.predictions)
    assert replace(made, predictions=bare) == forecast(snapshot, site)
