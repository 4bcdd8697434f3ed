import pytest

from collectors.slurm.objects.allocations import allocation_of
from collectors.slurm.objects.fields import Fields
from collectors.slurm.objects.requests import request_of
from predictor.domain import (
    UNLIMITED,
    ArrayTasks,
    FinishedJob,
    HetComponent,
    Hold,
    NodeShare,
    Outcome,
    PendingJob,
    RunningJob,
    RunState,
    Sharing,
)
from predictor.errors import SourceFormatError

NOW = 1795206017


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("PENDING", PendingJob),
        (["PENDING"], PendingJob),
        ("REQUEUED", PendingJob),
        ("REQUEUE_HOLD", PendingJob),
        ("RUNNING", RunningJob),
        (["RUNNING", "CONFIGURING"], RunningJob),
        ("SUSPENDED", RunningJob),
        (["COMPLETED", "COMPLETING"], RunningJob),
        ("COMPLETED", FinishedJob),
        ("OUT_OF_MEMORY", FinishedJob),
    ],
)
def test_a_jobs_stage(a_job, words, kind):
    job = a_job(job_state=words, start_time=NOW - 60, end_time=NOW, nodes="n1")
    assert type(job) is kind


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("COMPLETING", RunState.COMPLETING),
        (["TIMEOUT", "COMPLETING"], RunState.COMPLETING),
        (["RUNNING", "CONFIGURING"], RunState.CONFIGURING),
        ("STOPPED", RunState.SUSPENDED),
        ("RESIZING", RunState.RUNNING),
    ],
)
def test_what_a_job_does_on_its_nodes(a_job, words, state):
    assert a_job(job_state=words, start_time=NOW - 60, nodes="n1").state is state


def test_who_was_sent_back_and_has_lost_its_start_holds_what_is_cleared_of_it(a_job):
    # As squeue 22.05.8 shows a job 47 s after it made room for another (PreemptMode=REQUEUE).
    of_each = {"memory_allocated": 128_000, "sockets": {"0": {"cores": {"0": "allocated"}}}}
    held = [of_each | {"nodename": name} for name in ("n002", "n004")]
    job = a_job(
        taken_at=NOW,
        job_state="COMPLETING",
        start_time=0,
        end_time=0,
        preempt_time=NOW - 47,
        restart_cnt=1,
        nodes="n002",
        job_resources={"nodes": "n[002,004]", "allocated_nodes": held},
    )
    assert (type(job), job.state, job.started_at) == (RunningJob, RunState.COMPLETING, NOW)
    assert [share.node for share in job.allocation] == ["n002"]
    assert job.spared_until is None


def test_who_runs_has_a_start(a_job):
    with pytest.raises(SourceFormatError, match="it holds nodes but has no start_time"):
        a_job(job_state="RUNNING", start_time=0, nodes="n1")


@pytest.mark.parametrize(
    ("values", "hold"),
    [
        ({"priority": 100, "state_reason": "Priority"}, Hold.NONE),
        ({"priority": 0, "state_reason": "JobHeldUser"}, Hold.USER),
        ({"priority": 0, "state_reason": "JobHeldAdmin"}, Hold.ADMIN),
        ({"priority": 0, "state_reason": "BadConstraints"}, Hold.ADMIN),
        ({"priority": 100, "state_reason": "JobHeldUser"}, Hold.NONE),  # released, reason stale
        ({"priority": None, "state_reason": "JobHeldUser"}, Hold.USER),
        ({"priority": 100, "hold": True, "state_reason": "None"}, Hold.ADMIN),
        ({"priority": 0, "job_state": "REQUEUE_HOLD"}, Hold.ADMIN),
        ({"priority": None, "job_state": "REQUEUE_HOLD"}, Hold.ADMIN),
        # Released: what 22.05 showed of a job whose reservation was over.
        ({"priority": 100, "job_state": "RESV_DEL_HOLD"}, Hold.NONE),
    ],
)
def test_who_holds_a_job(a_job, values, hold):
    assert a_job(**values).hold is hold


def test_a_begin_time_lies_ahead(a_job):
    assert a_job(eligible_time=NOW + 60, state_reason="BeginTime").begin_at == NOW + 60
    assert a_job(eligible_time=NOW - 60).begin_at is None
    assert a_job(eligible_time=0).spec.eligible_at is None


@pytest.mark.parametrize(
    ("limit", "limit_s"),
    [
        (20, 1200),
        (None, None),
        ({"set": False, "infinite": True, "number": 0}, UNLIMITED),
        ({"set": True, "infinite": False, "number": 20}, 1200),
    ],
)
def test_wall_time_limits(a_job, limit, limit_s):
    assert a_job(time_limit=limit).spec.request.limit_s == limit_s


UNSET = {"set": False, "infinite": False, "number": 0}
ZERO = {"set": True, "infinite": False, "number": 0}


@pytest.mark.parametrize(
    ("per_node", "per_cpu", "expected"),
    [
        (None, 500, (None, 500)),
        (1000, None, (1000, None)),
        pytest.param(None, None, (0, None), id="22.05 writes null for all of the memory"),
        pytest.param(ZERO, UNSET, (0, None), id="newer versions write 0"),
        pytest.param(UNSET, UNSET, (None, None), id="nothing said"),
    ],
)
def test_memory(a_job, per_node, per_cpu, expected):
    request = a_job(memory_per_node=per_node, memory_per_cpu=per_cpu).spec.request
    assert (request.memory_per_node_mb, request.memory_per_cpu_mb) == expected


@pytest.mark.parametrize(
    ("words", "sharing"),
    [
        (None, Sharing.SHARED),
        ("none", Sharing.EXCLUSIVE),
        ("user", Sharing.USER),
        ("shared", Sharing.AGREES),
        ("topo", Sharing.EXCLUSIVE),
        ([], Sharing.SHARED),
        (["none"], Sharing.EXCLUSIVE),
        (["oversubscribe"], Sharing.AGREES),
    ],
)
def test_whom_a_job_tolerates_beside_it(a_job, words, sharing):
    assert a_job(shared=words).spec.request.sharing is sharing


def test_the_nodes_asked_for_are_not_slurms_guess(a_job):
    request = a_job(tres_req_str="cpu=3,node=1", node_count=2, max_nodes=2, tasks=3).spec.request
    assert (request.nodes, request.nodes_max, request.cpus) == (1, 2, 3)


@pytest.mark.parametrize(
    ("told", "nodes", "named"),
    [
        pytest.param({"tres_req_str": "cpu=8,node=1", "tasks_per_node": 2}, 4, 1, id="too few"),
        pytest.param({"tres_req_str": "cpu=8,node=4", "tasks_per_node": 2}, 4, None, id="enough"),
        pytest.param({"tres_req_str": "cpu=8", "node_count": 3}, 3, None, id="not told apart"),
    ],
)
def test_nodes_named_that_cannot_hold_all_tasks(a_job, told, nodes, named):
    request = a_job(**told, tasks=8).spec.request
    assert (request.nodes, request.nodes_named) == (nodes, named)
    assert request.nodes_asked == (named or nodes)


def test_who_wants_no_more_nodes_than_need_be(a_job):
    range_ = {"tres_req_str": "cpu=2,node=2", "max_nodes": 4}
    assert a_job(**range_).spec.request.nodes_max == 4
    assert a_job(**range_, flags=["USE_MIN_NODES"]).spec.request.nodes_max is None


def test_who_holds_one_of_several_licenses(a_job):
    asked = {"licenses": "matlab:9|fluent:4"}
    waits, holds = a_job(**asked), a_job(**asked, licenses_allocated="fluent:4")
    assert dict(waits.spec.request.licenses) == {"matlab": 9}
    assert dict(waits.spec.request.other_licenses) == {"fluent": 4}
    assert dict(holds.spec.request.licenses) == {"fluent": 4}
    assert dict(holds.spec.request.other_licenses) == {}


@pytest.mark.parametrize(("flags", "scattered"), [([], False), (["SPREAD_JOB"], True)])
def test_who_wants_to_lie_on_many_nodes(a_job, flags, scattered):
    assert a_job(flags=flags).spec.request.scattered is scattered


@pytest.mark.parametrize("flags", [[], ["USE_MIN_NODES"]])
def test_tasks_alone_have_no_range_of_which_to_take_the_least(a_job, flags):
    request = a_job(tres_req_str="cpu=8,node=1", tasks=8, max_nodes=0, flags=flags).spec.request
    assert request.nodes_max == 8


def test_of_who_was_sent_back_the_most_nodes_are_not_known(a_job):
    request = a_job(tres_req_str="cpu=8,node=2", tasks=8, max_nodes=0, restart_cnt=1).spec.request
    assert request.nodes_max is None


@pytest.mark.parametrize(("nodes", "uneven"), [(1, True), (2, False)])
def test_of_who_was_sent_back_the_tasks_are_known_where_it_wants_one_node(a_job, nodes, uneven):
    asked = {"tres_req_str": f"cpu=8,node={nodes}", "tasks": 8, "max_nodes": 0, "restart_cnt": 1}
    assert a_job(**asked).spec.request.uneven is uneven


def test_cpus_that_only_go_with_the_memory_asked_for(a_job):
    more = {"tres_req_str": "cpu=8,mem=24000M,node=1", "cpus": 16, "tasks": 8}
    assert a_job(**more).spec.request.cpus == 16
    assert a_job(**more, restart_cnt=1).spec.request.cpus == 8


def test_the_cpus_of_a_core_that_are_used(a_job):
    assert a_job(threads_per_core=1).spec.request.cpus_per_core == 1
    assert a_job(threads_per_core=0).spec.request.cpus_per_core is None


# On nodes of two sockets with four CPUs each.
@pytest.mark.parametrize(
    ("tasks", "per_socket", "nodes", "uneven"),
    [
        pytest.param(4, 1, 2, False, id="one on each of four sockets"),
        pytest.param(3, 1, 2, True, id="a socket is left"),
        pytest.param(6, 4, 1, True, id="one node has enough sockets"),
        pytest.param(6, 0, 1, True, id="any number on a socket"),
    ],
)
def test_tasks_that_may_not_share_a_socket_ask_for_more_nodes(tasks, per_socket, nodes, uneven):
    asked = {"tres_req_str": f"cpu={tasks},node=1", "tasks": tasks, "tasks_per_socket": per_socket}
    request = request_of(Fields(asked), widest=8, sockets=2)
    assert (request.nodes, request.cpus, request.uneven) == (nodes, tasks, uneven)


def test_tasks_that_may_not_share_a_node_ask_for_more_nodes(a_job):
    request = a_job(tres_req_str="cpu=8,node=1", tasks=4, tasks_per_node=2).spec.request
    assert request.nodes == 2


def test_gres_per_node_and_in_total(a_job):
    request = a_job(
        tres_per_node="gres:gpu:tesla:1",
        tres_per_job="gres/gpu:8",
        tres_per_task="gres/nic:1",
        tasks=3,
    ).spec.request
    assert request.gres_per_node == (("gpu:tesla", 1),)
    assert request.gres_total == (("gpu", 8), ("nic", 3))


def test_cpus_that_go_with_generic_resources(a_job):
    gpus = {"tres_req_str": "cpu=1,node=1", "cpus": 1, "tasks": 1, "cpus_per_tres": "gres:gpu:6"}
    assert a_job(**gpus, tres_per_job="gres:gpu:2").spec.request.cpus == 12
    assert a_job(**gpus, tres_per_job="gres:gpu:tesla:2").spec.request.cpus == 12
    assert a_job(**gpus, tres_per_node="gres:gpu:1").spec.request.cpus == 6
    assert a_job(**gpus, tres_per_node="gres:nic:1").spec.request.cpus == 1


def test_memory_that_goes_with_generic_resources(a_job):
    gpus = {"memory_per_tres": "gres:gpu:3000", "memory_per_node": None, "memory_per_cpu": None}
    one = a_job(**gpus, tres_per_job="gres:gpu:2", tres_req_str="cpu=4,node=1", tasks=1)
    assert (one.spec.request.memory_per_node_mb, one.spec.request.memory_per_cpu_mb) == (6000, None)
    two = a_job(**gpus, tres_per_node="gres:gpu:2", tres_req_str="cpu=4,node=2", tasks=1)
    assert (two.spec.request.memory_per_node_mb, two.spec.request.memory_per_cpu_mb) == (6000, None)
    any_ = a_job(**gpus, tres_per_task="gres:gpu:1", tres_req_str="cpu=4,node=1", tasks=4)
    assert (any_.spec.request.memory_per_node_mb, any_.spec.request.memory_per_cpu_mb) == (
        None,
        3000,
    )


def test_who_runs_on_more_nodes_than_asked_for_named_no_bound(a_job):
    told = {"tres_req_str": "cpu=4,node=1", "tasks": 4, "max_nodes": 0, "nodes": "n[1-2]"}
    assert a_job(**told, node_count=2).spec.request.nodes_max == 4
    assert a_job(**told, node_count=1).spec.request.nodes_max is None


@pytest.mark.parametrize(
    ("got", "most"),
    [pytest.param(48, 3, id="two would do"), pytest.param(30, 24, id="they do not")],
)
def test_who_runs_on_more_nodes_than_its_tasks_need_named_so_many(a_job, got, most):
    told = {"tres_req_str": "cpu=24,node=1", "tasks": 24, "max_nodes": 0, "nodes": "n[1-3]"}
    request = a_job(**told, node_count=3, tres_alloc_str=f"cpu={got},node=3").spec.request
    assert request.nodes_max == most


@pytest.mark.parametrize(
    ("values", "id_", "array"),
    [
        (
            {"array_job_id": 16, "array_task_string": "1-9:4%2", "array_max_tasks": 2},
            "16_[1-9:4%2]",
            ArrayTasks(job_id="16", tasks=(1, 5, 9), max_running=2),
        ),
        (
            {"array_job_id": 12, "array_task_id": 0, "array_max_tasks": 0},
            "12_0",
            ArrayTasks(job_id="12", tasks=(0,)),
        ),
        ({"array_job_id": 0, "array_task_id": None}, "16", None),
    ],
)
def test_arrays(a_job, values, id_, array):
    job = a_job(**values)
    assert (job.spec.id, job.spec.array) == (id_, array)


def test_a_component_of_a_heterogeneous_job(a_job):
    job = a_job(het_job_id=12, het_job_offset=1)
    assert (job.spec.id, job.spec.het) == ("12+1", HetComponent(job_id="12", offset=1))


# A job that started at 100, ran until 130 and stood still until 170; now it is 200.
@pytest.mark.parametrize(
    ("state", "changed_at", "suspended_s"),
    [("RUNNING", 170, 40), ("SUSPENDED", 130, 70), ("RUNNING", 0, 0)],
)
def test_the_time_a_job_stood_still(a_job, state, changed_at, suspended_s):
    job = a_job(
        taken_at=200,
        job_state=state,
        nodes="n1",
        start_time=100,
        suspend_time=changed_at,
        pre_sus_time=30,
    )
    assert job.suspended_s == suspended_s


@pytest.mark.parametrize(
    ("state", "priority", "since"),
    [("SUSPENDED", 0, 130), ("SUSPENDED", 70, None), ("RUNNING", 0, None)],
)
def test_who_was_told_to_stand_still(a_job, state, priority, since):
    job = a_job(
        taken_at=200,
        job_state=state,
        priority=priority,
        nodes="n1",
        start_time=100,
        suspend_time=130,
        pre_sus_time=30,
    )
    assert job.stopped_since == since


@pytest.mark.parametrize(
    ("state", "preempted_at", "spared_until"),
    [("RUNNING", 150, 210), ("RUNNING", 0, None), ("COMPLETING", 150, None)],
)
def test_until_when_a_job_is_left_that_is_to_make_room(a_job, state, preempted_at, spared_until):
    job = a_job(
        taken_at=200,
        job_state=state,
        nodes="n1",
        start_time=100,
        end_time=210,
        preempt_time=preempted_at,
    )
    assert job.spared_until == spared_until


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (256, 1),
        (0, 0),
        (9, None),
        ({"status": ["ERROR"], "return_code": {"set": True, "infinite": False, "number": 3}}, 3),
        ({"status": ["SIGNALED"], "return_code": UNSET}, None),
    ],
)
def test_exit_codes(a_job, code, expected):
    job = a_job(job_state="FAILED", start_time=1, end_time=2, nodes="n1", exit_code=code)
    assert (job.outcome, job.exit_code) == (Outcome.FAILED, expected)


def test_a_job_cancelled_while_it_waited_never_started(a_job):
    job = a_job(job_state="CANCELLED", start_time=NOW, end_time=NOW, nodes="")
    assert (job.outcome, job.started_at, job.node_names) == (Outcome.CANCELLED, None, ())


@pytest.mark.parametrize("none", ["", None])
def test_cores_are_counted_in_cpus(none):
    held = {"cores": {"0": "allocated", "1": "unallocated", "2": "allocated"}}
    nodes = [
        {"nodename": name, "sockets": {"0": held}, "memory_allocated": 500} for name in ("a1", "a2")
    ]
    job = {"nodes": "a[1-2]", "cpus": 8, "job_resources": {"allocated_nodes": nodes}}
    job["gres_detail"] = ["gpu:tesla:1(IDX:0)", none]
    assert allocation_of(Fields(job), {"a1": 2, "a2": 2}) == (
        NodeShare(node="a1", cpus=4, memory_mb=500, gres=(("gpu:tesla", 1),)),
        NodeShare(node="a2", cpus=4, memory_mb=500),
    )


def test_without_details_cpus_are_spread_evenly():
    job = Fields({"nodes": "a[1-2]", "cpus": 7})
    assert [share.cpus for share in allocation_of(job, {})] == [4, 4]


def test_the_id_of_an_array_with_an_endless_list_of_tasks_is_cut(a_job):
    listed = ",".join(str(task) for task in range(0, 60_000, 3))
    job = a_job(array_job_id=16, array_task_string=f"{listed}%7", name="x" * 2**20)
    assert job.spec.id.startswith("16_[0,3,6,") and job.spec.id.endswith(",...%7]")
    assert len(job.spec.id) < 1100
    assert len(job.spec.array.tasks) == 20_000
    assert len(job.spec.name.raw.encode()) <= 1024
