"""Which real starts the model refuses, and which refusals the recording is too coarse to judge."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, spec, waiting

from predictor.domain import (
    FinishedJob,
    Limits,
    NodeState,
    Outcome,
    Qos,
    Reservation,
    RunState,
    SchedulerSettings,
)
from predictor.site import default
from verification.fidelity.history import history_of
from verification.fidelity.impossible import check


def began(id_, names, second, **of_job):
    return replace(running(id_, names, 50, **of_job), started_at=NOW + second)


def ended(id_, start_s, end_s, names=("n1",)):
    return FinishedJob(
        spec=spec(id_),
        started_at=NOW + start_s,
        ended_at=NOW + end_s,
        outcome=Outcome.COMPLETED,
        node_names=names,
    )


def checked(before, after, *outcomes):
    history = history_of((before, replace(after, taken_at=NOW + MINUTE)), outcomes)
    return {one.job_id: (one.kind, one.verdict.detail) for one in check(history, 0, default())}


def test_a_start_on_free_nodes_is_admitted():
    found = checked(cluster(2, waiting("1")), cluster(2, began("1", "n2", 30)))
    assert found == {"1": ("admitted", "")}


def test_a_start_on_a_taken_node_is_refused():
    before = cluster(2, waiting("1"), running("0", "n2", 50))
    after = cluster(2, began("1", "n2", 30), running("0", "n2", 50))
    assert checked(before, after) == {"1": ("refused: nodes", "0 of 1 nodes free")}


def test_who_is_completing_may_have_given_back_what_it_held():
    leaving = replace(running("0", "n2", 50), state=RunState.COMPLETING)
    before = cluster(2, waiting("1"), leaving)
    after = cluster(2, began("1", "n2", 30), leaving)
    kind = "explained: a job that was completing had given back what it held"
    assert checked(before, after)["1"][0] == kind


@pytest.mark.parametrize(
    ("end_s", "kind"),
    [
        (30, "admitted"),
        (33, "explained: a job's end is told up to 5 s late"),
        (40, "refused: nodes"),
    ],
)
def test_a_job_before_it_may_be_told_to_end_a_little_late(end_s, kind):
    before = cluster(1, waiting("1"), running("0", "n1", 50))
    after = cluster(1, began("1", "n1", 30))
    assert checked(before, after, ended("0", -600, end_s))["1"][0] == kind


def test_two_jobs_that_start_and_end_between_snapshots_meet_on_a_node():
    outcomes = ended("1", 10, 30), ended("2", 20, 40)
    found = checked(cluster(1), cluster(1), *outcomes)
    assert {id_: kind for id_, (kind, _) in found.items()} == {
        "1": "admitted",
        "2": "refused: nodes",
    }


def test_a_node_outside_the_partition_is_refused_by_name():
    before = cluster(2, waiting("1"))
    short = replace(before.partitions[0], node_names=("n1",))
    found = checked(
        replace(before, partitions=(short,)),
        cluster(2, began("1", "n2", 30), partitions=(short,)),
    )
    assert found == {"1": ("refused: never", "may not use n2")}


def test_a_node_that_came_back_between_the_snapshots_is_explained():
    [node] = cluster(1).nodes
    before = cluster(1, waiting("1"), nodes=(replace(node, state=NodeState.DOWN),))
    found = checked(before, cluster(1, began("1", "n1", 30)))
    assert found["1"][0].startswith("explained: nodes")


def test_a_start_into_a_reservation_is_refused():
    made = (Reservation(name="m", start_at=NOW + 60, end_at=NOW + HOUR, node_names=("n1",)),)
    before = cluster(1, waiting("1"), reservations=made)
    after = cluster(1, began("1", "n1", 30), reservations=made)
    assert checked(before, after)["1"][0] == "refused: reservation"


def test_a_start_beyond_a_limit_is_refused_with_its_name():
    more = {
        "qos": (Qos(name="one", limits=Limits(max_jobs=1)),),
        "settings": SchedulerSettings(limits_enforced=True),
    }
    before = cluster(
        2, waiting("1", of_job={"qos": "one"}), running("0", "n1", 50, qos="one"), **more
    )
    after = cluster(2, began("1", "n2", 30, qos="one"), running("0", "n1", 50, qos="one"), **more)
    kind, detail = checked(before, after)["1"]
    assert kind == "refused: limit"
    assert "user ada in QOS one" in detail
