"""What formulas can ask about a job."""

import pytest

from predictor.domain import (
    UNLIMITED,
    ArrayTasks,
    Association,
    Fairshare,
    Node,
    NodeShare,
    NodeState,
    Qos,
    RunningJob,
    RunState,
)
from predictor.errors import FormulaError
from predictor.priority.attributes import ATTRIBUTES, NAMES, Subject
from predictor.priority.census import take_census
from predictor.priority.formula import compile_formula
from predictor.priority.order import queue_order

NOW = 1_700_000_000


def ask(name, whole, partition="batch"):
    """Return an attribute of the first waiting job."""
    return ATTRIBUTES[name].value(Subject(whole.pending[0], partition, take_census(whole)))


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("queued_s", {"wait_s": 90}, 90),
        ("queued_s", {"wait_s": -90}, 0),
        ("submitted_at", {"wait_s": 90}, NOW - 90),
        ("eligible_s", {"eligible_at": NOW - 30}, 30),
        ("eligible_s", {"eligible_at": NOW + 30}, 0),
        ("eligible_s", {}, 0),
        ("age_s", {"accrues_age_since": NOW - 20}, 20),
        ("age_s", {}, 0),
        ("limit_s", {"limit_s": 60}, 60),
        ("limit_s", {"limit_s": UNLIMITED}, 31_536_000),
        ("limit_s", {"limit_s": None}, 31_536_000),
        ("xfactor", {"limit_s": 100, "eligible_at": NOW - 50}, 1.5),
        ("xfactor", {"limit_s": 0, "eligible_at": NOW - 50}, 51),
        ("nodes", {"nodes": 3}, 3),
        ("cpus", {"cpus": 5}, 5),
        ("memory_mb", {"nodes": 3, "request": {"memory_per_node_mb": 7}}, 21),
        ("memory_mb", {"cpus": 3, "request": {"memory_per_cpu_mb": 7}}, 21),
        ("memory_mb", {}, 0),
        ("gpus", {"nodes": 2, "request": {"gres_per_node": (("gpu:a100", 4),)}}, 8),
        ("gpus", {"request": {"gres_total": (("gpu", 3), ("nic", 1))}}, 3),
        ("tasks", {"array": ArrayTasks(job_id="1", tasks=(1, 2, 5))}, 3),
        ("tasks", {}, 1),
        ("restarts", {"restarts": 2}, 2),
        ("priority", {"priority": 17}, 17),
        ("nice", {"nice": -5}, -5),
        ("partition_tier", {}, 1),
        ("partition_job_factor", {}, 3),
        ("partition_nodes", {}, 2),
        ("qos_priority", {}, 0),
        ("user_priority", {}, 0),
    ],
)
def test_a_job_s_own_values(job, snapshot, name, given, expected):
    assert ask(name, snapshot(job("1", **given))) == expected


def test_a_job_without_a_limit_takes_that_of_its_queue(job, snapshot):
    assert ask("limit_s", snapshot(job("1", limit_s=None)), "urgent") == 600


def test_counts_of_its_user_and_account(job, snapshot):
    def running(name, user, account, state=RunState.RUNNING):
        spec = job(name, user=user, account=account).spec
        share = (NodeShare(node="n1", cpus=8),)
        return RunningJob(spec=spec, started_at=NOW, allocation=share, state=state)

    array = ArrayTasks(job_id="2", tasks=(1, 2, 3))
    whole = snapshot(
        job("1", user="u", account="a"),
        job("2", user="u", account="b", array=array),
        job("3", user="v", account="a"),
        running=(
            running("4", "u", "a"),
            running("5", "v", "a"),
            running("6", "u", "a", RunState.COMPLETING),
        ),
        nodes=(Node(name="n1", cpus=32, memory_mb=1, state=NodeState.MIXED),),
    )
    expected = {
        "user_running_jobs": 1,
        "user_running_cpus": 8,
        "user_queued_jobs": 4,
        "account_running_jobs": 2,
        "account_running_cpus": 16,
        "account_queued_jobs": 2,
        "cluster_nodes": 1,
        "cluster_cpus": 32,
    }
    assert {name: ask(name, whole) for name in expected} == expected


def test_values_of_its_association_and_qos(job, snapshot):
    whole = snapshot(
        job("1", user="u", account="a", qos="high"),
        qos=(Qos(name="high", priority=7),),
        associations=(
            Association(account="a", priority=2),
            Association(account="a", user="u", priority=3, fairshare=Fairshare(factor=0.25)),
            Association(account="a", user="u", partition="urgent", priority=4),
        ),
    )
    assert ask("qos_priority", whole) == 7
    assert ask("account_priority", whole) == 2
    assert ask("user_priority", whole) == 3
    assert ask("user_priority", whole, "urgent") == 4
    assert ask("fairshare", whole) == 0.25


@pytest.mark.parametrize(
    ("name", "given"), [("priority", {}), ("fairshare", {}), ("qos_priority", {"qos": "gone"})]
)
def test_what_is_not_told_is_an_error_not_a_zero(job, snapshot, name, given):
    whole = snapshot(job("1", **given))
    with pytest.raises(FormulaError, match="not known"):
        ask(name, whole)
    (entry,) = queue_order(whole, compile_formula(f"1 + {name}", NAMES))
    assert "not known" in entry.error


def test_every_attribute_has_a_value_for_a_well_described_job(job, snapshot):
    whole = snapshot(
        job("1", account="a", priority=1),
        associations=(Association(account="a", user="u", fairshare=Fairshare(factor=1)),),
    )
    for name in sorted(NAMES):
        assert float(ask(name, whole)) >= 0
