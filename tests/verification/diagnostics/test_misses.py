from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, nodes, partition, waiting
from judged import case
from performed import EAGER, performed

from predictor.domain import FinishedJob, NodeShare, Outcome, RunningJob
from predictor.simulation.story import Story
from predictor.site import default
from verification.diagnostics.figures import worst_figures
from verification.diagnostics.idle import idle_from, merged
from verification.diagnostics.misses import explained, worst
from verification.diagnostics.watch import watch
from verification.fidelity.history import history_of

SITE = default()
BOTH = nodes(2)
PARTITIONS = (partition("batch", BOTH), partition("urgent", BOTH, tier=2))


def why(history, said_at, started_at, job_id="b"):
    at = NOW + MINUTE
    one = case(job_id, seen_at=at, started_at=started_at, ours=said_at)
    return explained(history, SITE, one, "ours", job_id)


@pytest.fixture
def two_in_a_row():
    """Job a takes both nodes and may do so for fifty minutes; b waits for it."""
    snapshot = replace(cluster(2, settings=EAGER), partitions=PARTITIONS)
    queue = (waiting("a", 2, 50), waiting("b", 2, 50, of_job={"submitted_at": NOW - 1}))

    def perform(story):
        return performed(replace(snapshot, pending=queue), story, NOW + HOUR)

    return perform


@pytest.fixture
def left_alone():
    """Nobody but b waits, with two idle nodes, for an hour; then it starts."""
    waits = cluster(2, waiting("b", 2, 50), settings=EAGER)
    shares = tuple(NodeShare(node=node.name, cpus=4, memory_mb=8000) for node in BOTH)
    started_at = NOW + HOUR
    job = RunningJob(spec=waits.pending[0].spec, started_at=started_at, allocation=shares)
    snapshots = [replace(waits, taken_at=NOW + n * MINUTE) for n in range(60)]
    last = replace(waits, taken_at=started_at + MINUTE, pending=(), running=(job,))
    over = FinishedJob(
        spec=job.spec,
        started_at=started_at,
        ended_at=started_at + 600,
        outcome=Outcome.COMPLETED,
        node_names=("n1", "n2"),
    )
    return history_of([*snapshots, last], [over])


def test_who_ended_before_the_limit_is_named(two_in_a_row):
    history = two_in_a_row(Story(run_s={"a": 600, "b": 60}))
    miss = why(history, said_at=NOW + 50 * MINUTE, started_at=NOW + 600)
    assert miss.error_s == 40 * MINUTE
    assert miss.kind == "run times: jobs ended before their limits"
    assert miss.detail == "1 ended 0.7 h before their limits: a"


def test_who_came_later_and_went_first_is_named(two_in_a_row):
    newcomer = waiting("9", 2, 50, of_job={"submitted_at": NOW + 300, "partitions": ("urgent",)})
    history = two_in_a_row(Story(run_s={"a": 600, "9": 1200, "b": 60}, arrivals=(newcomer,)))
    started_at = history.runs["b"][0].started_at
    assert started_at == NOW + 1800
    miss = why(history, said_at=NOW + 600, started_at=started_at)
    assert miss.kind == "arrivals: jobs that came later went first"
    assert miss.detail == "1 started before it: 9"


def test_a_rule_that_the_replica_does_not_know_is_its_own_fault(left_alone):
    miss = why(left_alone, said_at=NOW + MINUTE, started_at=NOW + HOUR)
    assert miss.kind.startswith("the replica itself: early: room and no limit")


def test_an_error_that_is_mostly_not_the_replicas_own_is_not_laid_at_its_door(left_alone):
    """It is an hour early when told all; what was told then was nine hours late."""
    miss = why(left_alone, said_at=NOW + 10 * HOUR, started_at=NOW + HOUR)
    assert miss.kind.startswith("unknowable: nobody ran shorter")


def test_the_worst_are_told_with_their_causes(left_alone):
    cases = [
        case("lab/b", seen_at=NOW + n * MINUTE, started_at=NOW + HOUR, ours=NOW + n * MINUTE)
        for n in (1, 2)
    ]
    (row,) = worst_figures(cases, {"lab/": left_alone}, SITE, "ours")
    assert (row["job"], row["off_s"], row["reason"]) == ("lab/b", 59 * MINUTE, "priority")
    assert row["cause"].startswith("the replica itself")


def test_nodes_that_the_replica_would_have_filled_are_named_with_their_times(left_alone):
    found = merged(one for n in range(0, 60, 5) for one in watch(left_alone, SITE, n).idle)
    assert [(one.node, one.since, one.until) for one in found] == [
        ("n1", NOW, NOW + HOUR),
        ("n2", NOW, NOW + HOUR),
    ]
    assert {one.job_ids for one in found} == {("b",)}


def test_a_replica_that_is_right_leaves_no_node_unexplained(two_in_a_row):
    history = two_in_a_row(Story(run_s={"a": 600, "b": 60}))
    assert [watch(history, SITE, number).idle for number in range(20)] == [()] * 20


@pytest.mark.parametrize(
    ("used", "stretch"),
    [
        pytest.param([], (100, 200), id="nobody came"),
        pytest.param([(0, 100)], (100, 200), id="the last one just left"),
        pytest.param([(0, 101)], None, id="or had not"),
        pytest.param([(0, None)], None, id="or never left"),
        pytest.param([(0, 50), (150, 160)], (100, 150), id="somebody came"),
        pytest.param([(100, 160)], None, id="somebody came at once"),
        pytest.param([(200, 300)], (100, 200), id="too late to be seen"),
    ],
)
def test_for_how_long_a_node_is_idle(used, stretch):
    assert idle_from(used, 100, 200) == stretch


def test_the_worst_are_told_once_each_at_their_worst():
    cases = [
        case("a", seen_at=0, started_at=1000, ours=1500),
        case("a", seen_at=60, started_at=1000, ours=400),
        case("b", seen_at=0, started_at=1000, ours=1001),
        case("c", seen_at=0, started_at=1000),
        case("d", seen_at=0, ours=99_999),
    ]
    found = [(one.job.id, one.seen_at) for one in worst(cases, "ours")]
    assert found == [("a", 60), ("b", 0)]
    assert [one.job.id for one in worst(cases, "ours", count=1)] == ["a"]


def test_what_has_no_answer_has_no_cause(left_alone):
    with pytest.raises(ValueError, match="nothing to explain"):
        explained(left_alone, SITE, case("b", started_at=NOW), "ours", "b")
