"""A PBS job's record: what it asks for, what it waits for, what it holds, how it ended."""

import pytest
from small_pbs import NOW, at, job, running

from collectors.pbs.words import MOST
from predictor.domain import (
    ArrayTasks,
    Dependency,
    DependencyKind,
    FinishedJob,
    HetComponent,
    Hold,
    NodeShare,
    Obstacle,
    Outcome,
    PendingJob,
    RunState,
    Sharing,
    Untrusted,
)
from predictor.errors import SourceFormatError
from predictor.lml import read, write


def request(one_job, select, place="free", **more):
    (found,) = one_job(job("Q", select, place=place, **more))
    return found.spec.request


class TestWhatItAsksFor:
    def test_chunks_that_lie_apart_take_a_host_each(self, one_job):
        asked = request(one_job, "3:ncpus=8:mem=4gb", "scatter")
        assert (asked.nodes, asked.cpus, asked.memory_per_node_mb) == (3, 24, 4096)

    def test_chunks_that_lie_anywhere_take_as_few_hosts_as_hold_them(self, one_job):
        # A host has 32 CPUs: three chunks fit one, seven need three of them.
        asked = request(one_job, "7:ncpus=10:mem=1gb")
        assert (asked.nodes, asked.nodes_max, asked.cpus) == (3, 7, 70)
        assert (asked.cpus_per_node, asked.memory_per_node_mb) == (30, 3072)

    def test_chunks_that_are_packed_share_one_host(self, one_job):
        asked = request(one_job, "2:ncpus=4:mem=1gb+1:ncpus=8:ngpus=2", "pack")
        assert (asked.nodes, asked.cpus, asked.memory_per_node_mb) == (1, 16, 3072)
        assert asked.gres_per_node == (("gpu", 2),)

    def test_chunks_of_several_kinds_are_components_that_start_together(self, one_job):
        first, second = one_job(job("Q", "1:ncpus=16+2:ncpus=4:ngpus=1", place="scatter"))
        assert (first.spec.id, second.spec.id) == ("7+0", "7+1")
        assert second.spec.het == HetComponent(job_id="7", offset=1)
        assert (first.spec.request.cpus, second.spec.request.nodes) == (16, 2)

    def test_hosts_named_one_by_one_are_one_request(self, one_job):
        asked = request(one_job, "1:ncpus=4:host=h1+1:ncpus=4:vnode=h3[1]")
        assert (asked.nodes, asked.required_nodes) == (2, ("h1", "h3"))

    def test_words_and_truth_values_choose_hosts(self, one_job):
        asked = request(one_job, "1:fast=true:qlist=gpus:mpiprocs=8:nowhere=x")
        assert asked.features == "fast=True&qlist=gpus"

    def test_what_chunks_leave_out_comes_from_the_queue(self, one_job):
        asked = request(one_job, "2:ncpus=4", "scatter")
        assert (asked.features, asked.memory_per_node_mb) == ("qlist=work", 1024)

    def test_the_statement_the_scheduler_sees_goes_before_that_of_the_user(self, one_job):
        asked = request(one_job, "2", schedselect="2:ncpus=12")
        assert (asked.cpus, asked.features) == (24, "")

    def test_without_a_statement_the_totals_count(self, one_job):
        record = job("Q", "", asked={"ncpus": 24, "nodect": 3, "mem": "6gb"}, place="scatter")
        del record["Resource_List"]["select"]
        (found,) = one_job(record)
        assert (found.spec.request.nodes, found.spec.request.cpus) == (3, 24)
        assert found.spec.request.memory_per_node_mb == 2048

    @pytest.mark.parametrize(
        ("place", "sharing"),
        [
            ("free", Sharing.SHARED),
            ("scatter:excl", Sharing.EXCLUSIVE),
            ("exclhost", Sharing.EXCLUSIVE),
            ("pack:shared", Sharing.SHARED),
        ],
    )
    def test_sharing(self, one_job, place, sharing):
        assert request(one_job, "1:ncpus=4", place).sharing is sharing

    def test_a_job_that_may_shrink_to_fit(self, one_job):
        asked = request(one_job, "1", asked={"min_walltime": "00:10:00"})
        assert (asked.limit_s, asked.limit_min_s) == (3600, 600)

    def test_a_routing_queue_stands_for_those_whose_bounds_the_job_keeps(self, one_job):
        (plain,) = one_job(job("Q", "1:ncpus=2", queue="route", asked={"ngpus": 0}))
        (gpu,) = one_job(job("Q", "1:ngpus=1", queue="route", asked={"ngpus": 1}))
        assert plain.spec.partitions == ("work",)
        assert gpu.spec.partitions == ("gpus",)
        assert gpu.spec.request.features == "qlist=gpus"


class TestWhatItWaitsFor:
    def test_who_it_is(self, one_job):
        (found,) = one_job(job("Q", "1", project="_pbs_project_default", Job_Name="a<b"))
        spec = found.spec
        assert (spec.id, spec.user, spec.account) == ("7", "ana", "physics")
        assert (spec.name, spec.submitted_at) == (Untrusted("a<b"), NOW - 3600)

    def test_a_project_goes_before_the_account(self, one_job):
        (found,) = one_job(job("Q", "1", project="chem"))
        assert found.spec.account == "chem"

    def test_eligible_time_counts_backwards_from_now(self, one_job):
        (found,) = one_job(job("Q", "1", eligible_time="00:20:00"))
        assert found.spec.eligible_at == found.spec.accrues_age_since == NOW - 1200

    @pytest.mark.parametrize(
        ("types", "depend", "hold"),
        [
            pytest.param("u", "", Hold.USER, id="by its user"),
            pytest.param("os", "", Hold.ADMIN, id="by an operator"),
            pytest.param("s", "", Hold.ADMIN, id="by the system"),
            pytest.param("s", "afterok:5.pbs", Hold.NONE, id="the server's, for a dependency"),
            pytest.param("us", "afterok:5.pbs", Hold.USER, id="its user's, besides"),
        ],
    )
    def test_holds(self, one_job, types, depend, hold):
        (found,) = one_job(job("H", "1", Hold_Types=types, depend=depend))
        assert (found.hold, found.spec.eligible_at) == (hold, None)

    def test_dependencies(self, one_job):
        text = "afterany:5.pbs@pbs:6[].pbs@pbs,beforeok:9.pbs,afterok:6[3].pbs@pbs,on:2"
        (found,) = one_job(job("H", "1", Hold_Types="s", depend=text))
        assert found.dependencies == (
            Dependency(kind=DependencyKind.AFTER_ANY, job_id="5"),
            Dependency(kind=DependencyKind.AFTER_ANY, job_id="6"),
            Dependency(kind=DependencyKind.AFTER_OK, job_id="6_3"),
            Dependency(kind=DependencyKind.OTHER),
        )

    def test_a_begin_time(self, one_job):
        (found,) = one_job(job("W", "1", Execution_Time=at(90)))
        assert found.begin_at == NOW + 5400

    @pytest.mark.parametrize(
        ("comment", "obstacle"),
        [
            ("Not Running: Insufficient amount of resource: ncpus", Obstacle.NONE),
            ("Not Running: User has reached queue work running job limit.", Obstacle.LIMIT),
            ("Not Running: would exceed project chem's limit on resource ncpus", Obstacle.LIMIT),
            ("Can Never Run: Not enough total nodes available", Obstacle.NEVER),
            ("my own limit", Obstacle.NONE),
        ],
    )
    def test_obstacles(self, one_job, comment, obstacle):
        (found,) = one_job(job("Q", "1", comment=comment))
        assert (found.reason, found.obstacle) == (comment, obstacle)

    def test_what_the_scheduler_expects(self, one_job):
        told = {"start_time": at(45), "exec_vnode": "(h3[0]:ncpus=1)+(h1:ncpus=1)"}
        (found,) = one_job(job("Q", "1", estimated=told))
        assert found.estimate.start_at == NOW + 2700
        assert found.estimate.node_names == ("h3", "h1")


class TestArrays:
    ARRAY = job("B", "1:ncpus=4", array="True", array_indices_remaining="3-4,9", max_run_subjobs=2)

    def test_the_array_stands_for_its_waiting_tasks(self, one_job):
        (found,) = one_job(self.ARRAY, "7[].heron-pbs")
        assert found.spec.id == "7_[3-4,9%2]"
        assert found.spec.array == ArrayTasks(job_id="7", tasks=(3, 4, 9), max_running=2)

    def test_a_waiting_task_is_not_told_twice(self, one_job):
        task = job("Q", "1:ncpus=4", array_id="7[].heron-pbs", array_index=3)
        found = one_job(self.ARRAY, "7[].heron-pbs", **{"7[3].heron-pbs": task})
        assert [one.spec.id for one in found] == ["7_[3-4,9%2]"]

    def test_a_running_task(self, one_job):
        (found,) = one_job(running("1:ncpus=4", "(h3[1]:ncpus=4)"), "7[2].heron-pbs")
        assert found.spec.id == "7_2"
        assert found.spec.array == ArrayTasks(job_id="7", tasks=(2,))

    @pytest.mark.parametrize("remaining", ["-", "", " "])
    def test_an_array_of_which_none_waits_is_over_or_runs(self, one_job, remaining):
        record = self.ARRAY | {"array_indices_remaining": remaining}
        assert one_job(record, "7[].heron-pbs") == ()


class TestWhatItHolds:
    def test_hosts_with_what_it_holds_of_them(self, one_job):
        held = "(h1:ncpus=8:mem=4194304kb:ngpus=2)+(h3[0]:ncpus=4+h3[1]:ncpus=4)"
        (found,) = one_job(running("2:ncpus=8", held))
        assert found.allocation == (
            NodeShare(node="h1", cpus=8, memory_mb=4096, gres=(("gpu", 2),)),
            NodeShare(node="h3", cpus=8),
        )
        assert found.started_at == NOW - 1800

    def test_components_hold_their_own_chunks(self, one_job):
        held = "(h1:ncpus=16)+(h2:ncpus=4)+(h3[0]:ncpus=4)"
        first, second = one_job(running("1:ncpus=16+2:ncpus=4", held))
        assert [share.node for share in first.allocation] == ["h1"]
        assert [share.node for share in second.allocation] == ["h2", "h3"]

    @pytest.mark.parametrize(
        ("state", "expected"),
        [("R", RunState.RUNNING), ("E", RunState.COMPLETING), ("S", RunState.SUSPENDED)],
    )
    def test_states(self, one_job, state, expected):
        (found,) = one_job(running("1", "(h1:ncpus=1)", state=state))
        assert found.state is expected

    def test_time_that_it_stood_still(self, one_job):
        (found,) = one_job(running("1", "(h1:ncpus=1)", since=-90, state="S"))
        assert found.suspended_s == 3600


class TestHowItEnded:
    @pytest.mark.parametrize(
        ("told", "outcome"),
        [
            ({"Exit_status": 0, "substate": 92}, Outcome.COMPLETED),
            ({"Exit_status": 1, "substate": 93}, Outcome.FAILED),
            ({"Exit_status": -29, "substate": 93}, Outcome.TIMEOUT),
            ({"Exit_status": 271, "substate": 91}, Outcome.CANCELLED),
            ({}, Outcome.OTHER),
        ],
    )
    def test_outcomes(self, one_job, told, outcome):
        (found,) = one_job(running("1", "(h1:ncpus=1)", state="F", obittime=at(-5), **told))
        assert isinstance(found, FinishedJob)
        assert (found.outcome, found.ended_at) == (outcome, NOW - 300)
        assert found.node_names == ("h1",)

    def test_who_never_started_was_cancelled(self, one_job):
        (found,) = one_job(job("F", "1", history_timestamp=NOW - 60))
        assert (found.outcome, found.started_at) == (Outcome.CANCELLED, None)
        assert found.ended_at == NOW - 60

    def test_who_was_moved_elsewhere_is_no_more_ours(self, one_job):
        assert one_job(job("M", "1")) == ()


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        pytest.param({"job_state": "Y"}, "unknown state", id="a state nobody told us of"),
        pytest.param({"ctime": "x", "qtime": "x"}, "submitted", id="no date"),
        pytest.param({"Resource_List": {"select": "::"}}, "select", id="no select statement"),
        pytest.param({"Resource_List": {"walltime": "x"}}, "duration", id="no limit"),
        pytest.param({"job_state": "R"}, "since when", id="it runs since when?"),
    ],
)
def test_a_record_that_makes_no_sense_is_left_out_and_counted(snapshot, change, cause):
    good = {f"{n}.pbs": job("Q", "1:ncpus=1") for n in range(3)}
    seen = snapshot(jobs=good | {"9.pbs": job("Q", "1") | change})
    (bad,) = seen.provenance.quarantined
    assert (bad.count, bad.fact.value) == (1, "jobs")
    assert "9.pbs" in bad.example
    assert cause in bad.example
    assert all(isinstance(found, PendingJob) for found in seen.pending)
    assert len(seen.pending) == 3


def test_an_answer_that_mostly_makes_no_sense_is_refused(snapshot):
    with pytest.raises(SourceFormatError, match="make no sense"):
        snapshot(jobs={"x": {"job_state": "Q"}, "1.pbs": 5})


def test_a_long_statement_is_read(one_job):
    text = "+".join(f"1:ncpus={n}" for n in range(1, 201))
    found = one_job(job("Q", text, asked={"walltime": "01:00:00"}))
    assert len(found) == 200


@pytest.mark.parametrize("place", ["free", "pack", "scatter"])
def test_what_the_largest_chunks_ask_for_together_can_be_kept(snapshot, place):
    chunks = f"1000000:ncpus={MOST}:mem={MOST}mb:ngpus={MOST}"
    seen = snapshot(jobs={"9.pbs": job("Q", chunks, place=place)})
    (kept,) = read(write(seen)).snapshot.pending
    assert kept == seen.pending[0]
