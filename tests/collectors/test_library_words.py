"""From pyslurm's words to those of Slurm's JSON and commands: no process, no pyslurm."""

import json

import pytest

from collectors.slurm.library.holdings import LONGEST_CORES, generic
from collectors.slurm.library.jobs import parse_jobs
from collectors.slurm.library.nodes import parse_nodes
from collectors.slurm.library.settings import parse_config, parse_diagnosis
from collectors.slurm.library.tables import (
    parse_associations,
    parse_licenses,
    parse_partitions,
    parse_reservations,
)
from collectors.slurm.library.wishes import parse_gres
from collectors.slurm.surroundings import Surroundings
from predictor.domain import (
    ArrayTasks,
    DependencyKind,
    HetComponent,
    License,
    NodeShare,
    ReservationFlag,
    Sharing,
    Untrusted,
)
from predictor.errors import SourceFormatError

NOW = 1795206017
AROUND = Surroundings(taken_at=NOW, cpus_per_core={"n1": 2, "n2": 2}, widest=8)
PLAIN = {
    "id": 12,
    "state": "PENDING",
    "state_reason": "Priority",
    "submit_time": NOW - 60,
    "user_name": "alice",
    "partition": "batch",
    "cpus": 4,
    "num_nodes": 1,
    "ntasks": 1,
    "exit_code": 0,
    "exit_code_signal": 0,
}
RUNNING = {"state": "RUNNING", "start_time": NOW - 30, "allocated_nodes": "n[1-2]", "cpus": 7}


def answer(*records):
    return json.dumps({"pyslurm": "25.11.2", "found": list(records)})


def a_job(wishes=None, **values):
    jobs, bad = parse_jobs(answer(PLAIN | values), AROUND, wishes)
    assert bad == ()
    (job,) = (*jobs.pending, *jobs.running, *jobs.finished)
    return job


def a_request(wishes=None, **values):
    return a_job(wishes, **values).spec.request


def test_a_plain_job():
    job = a_job(name="job\n<b>", comment="?", time_limit=90, priority=7, nice=-3)
    assert (job.spec.id, job.spec.user, job.spec.name) == ("12", "alice", Untrusted("job\n<b>"))
    assert (job.spec.priority, job.spec.nice, job.spec.request.limit_s) == (7, -3, 5400)


@pytest.mark.parametrize(
    ("values", "id_", "array"),
    [
        pytest.param(
            {"array_id": 12, "array_tasks_waiting": "2-9", "array_tasks_parallel": 3},
            "12_[2-9%3]",
            ArrayTasks(job_id="12", tasks=tuple(range(2, 10)), max_running=3),
            id="the tasks that wait",
        ),
        pytest.param(
            {"array_id": 10, "array_task_id": 4},
            "10_4",
            ArrayTasks(job_id="10", tasks=(4,)),
            id="a task",
        ),
        pytest.param(
            {"array_id": 10},
            "10_0",
            ArrayTasks(job_id="10", tasks=(0,)),
            id="task 0, which pyslurm takes for none",
        ),
    ],
)
def test_an_array(values, id_, array):
    spec = a_job(**values).spec
    assert (spec.id, spec.array) == (id_, array)


def test_the_leader_of_a_heterogeneous_job_has_no_offset():
    assert a_job(heterogeneous_id=12).spec.het == HetComponent(job_id="12", offset=0)
    assert a_job(heterogeneous_id=12, heterogeneous_offset=1).spec.id == "12+1"


NOTHING = {kind: [] for kind in ("after", "afterany", "aftercorr", "afternotok", "afterok")}


@pytest.mark.parametrize(
    ("told", "conditions"),
    [
        ({"afterok": ["5(unfulfilled)", 6]}, [("afterok", "5"), ("afterok", "6")]),
        ({"after": ["3+5(unfulfilled)"]}, [("after", "3")]),
        ({"afterany": ["7(fulfilled)"]}, []),
        ({"singleton": True}, [("singleton", "")]),
        pytest.param({}, [("singleton", "")], id="singleton(unfulfilled), which pyslurm drops"),
    ],
)
def test_dependencies(told, conditions):
    job = a_job(dependencies=NOTHING | {"singleton": False, "satisfy": "all"} | told)
    assert [(one.kind.value, one.job_id) for one in job.dependencies] == conditions


def test_one_of_several_dependencies_may_be_enough():
    told = NOTHING | {"afterok": ["5(unfulfilled)"], "afterany": ["6(unfulfilled)"]}
    job = a_job(dependencies=told | {"singleton": False, "satisfy": "any"})
    assert {one.kind for one in job.dependencies} == {
        DependencyKind.AFTER_OK,
        DependencyKind.AFTER_ANY,
    }
    assert all(one.any_of for one in job.dependencies)


@pytest.mark.parametrize(
    ("values", "per_node", "in_total"),
    [
        ({"gres_per_node": {"gres/gpu:tesla": 2}}, (("gpu:tesla", 2),), ()),
        ({"gres_per_node": {}, "tres_per_node": "gres/gpu=1"}, (("gpu", 1),), ()),
        ({"tres_per_task": "cpu=2,gres/gpu=1", "ntasks": 3}, (), (("gpu", 3),)),
        ({"requested_tres": "cpu=1,gres/gpu=2,gres/gpu:a100=2"}, (), (("gpu:a100", 2),)),
        ({"requested_tres": "cpu=1,mem=500,node=1,billing=1"}, (), ()),
    ],
)
def test_generic_resources(values, per_node, in_total):
    request = a_request(**values)
    assert (request.gres_per_node, request.gres_total) == (per_node, in_total)


def test_squeue_knows_of_generic_resources_what_pyslurm_does_not():
    wishes, bad = parse_gres("11|gres/gpu:1||N/A|\n12|gres:gpu:2|N/A||\n13|N/A|N/A|N/A|\n14|\n")
    assert wishes == {11: {"tres_per_job": "gres/gpu:1"}, 12: {"tres_per_job": "gres:gpu:2"}}
    assert [(note.count, note.example) for note in bad] == [(1, "expected 4 columns, got '14|'")]
    assert a_request(wishes).gres_total == (("gpu", 2),)


@pytest.mark.parametrize(
    ("bundle", "left"),
    [
        ("gres/gpu=2,gres/gpu:a100=2", "gres/gpu:a100=2"),
        ("cpu=4,gres/gpu=2,gres/nic:x=1", "gres/gpu=2,gres/nic:x=1"),
        ("license/matlab=1", ""),
        ("", ""),
    ],
)
def test_what_is_counted_twice_is_told_once(bundle, left):
    assert generic(bundle) == left


@pytest.mark.parametrize(
    ("values", "per_node", "per_cpu"),
    [
        ({"memory_per_cpu": 500}, None, 500),
        ({"memory_per_node": 4000}, 4000, None),
        pytest.param({}, 0, None, id="all memory, which pyslurm takes for none"),
        pytest.param({"memory_per_gpu": {"error": "IndexError"}}, None, None, id="so much a GPU"),
    ],
)
def test_memory(values, per_node, per_cpu):
    request = a_request(**values)
    assert (request.memory_per_node_mb, request.memory_per_cpu_mb) == (per_node, per_cpu)


@pytest.mark.parametrize(
    ("word", "sharing"),
    [
        ("NO", Sharing.EXCLUSIVE),
        ("USER", Sharing.USER),
        ("MCS", Sharing.USER),
        ("OK", Sharing.SHARED),
        ("YES", Sharing.AGREES),
    ],
)
def test_sharing(word, sharing):
    assert a_request(resource_sharing=word).sharing is sharing


def test_the_least_asked_for_counts_where_it_is_told():
    assert a_request(num_nodes=4, cpus=16, requested_tres="cpu=3,node=2").nodes == 2
    assert a_request(num_nodes=4, cpus=16).nodes == 4


def test_features_and_licenses_in_one_word():
    request = a_request(constraints=["a&b", "c"], licenses=["matlab:2", "fluent"])
    assert (request.features, request.licenses) == ("a&b,c", (("fluent", 1), ("matlab", 2)))


@pytest.mark.parametrize(("code", "signal", "told"), [(3, 0, 3), (0, 9, None), (0, 0, 0)])
def test_an_exit_code_is_none_after_a_signal(code, signal, told):
    ended = {"state": "FAILED", "end_time": NOW, "exit_code": code, "exit_code_signal": signal}
    assert a_job(**ended).exit_code == told


LAYOUT = {
    "n1": {"cpu_ids": "0-1", "memory": 900, "gres": {"gpu:a": {"count": 2, "indexes": "0-1"}}},
    "n2": {"cpu_ids": "3", "memory": 300, "gres": {"gpu:a": 1}},
}


def test_what_a_job_holds_by_node():
    assert a_job(**RUNNING, layout=LAYOUT).allocation == (
        NodeShare(node="n1", cpus=4, memory_mb=900, gres=(("gpu:a", 2),)),
        NodeShare(node="n2", cpus=2, memory_mb=300, gres=(("gpu:a", 1),)),
    )


@pytest.mark.parametrize(
    "layout",
    [
        pytest.param(None, id="not told"),
        pytest.param({}, id="told of no node"),
        pytest.param({"n1": LAYOUT["n1"]}, id="told of one only"),
        pytest.param(LAYOUT | {"n2": {"cpu_ids": "1," * LONGEST_CORES}}, id="cut off"),
        pytest.param(LAYOUT | {"n2": 7}, id="nonsense"),
    ],
)
def test_what_is_not_told_by_node_is_spread_evenly(layout):
    held = {"allocated_tres": "cpu=7,mem=2000,node=2,gres/gpu:a=2", "layout": layout}
    assert a_job(**RUNNING, **held).allocation == tuple(
        NodeShare(node=node, cpus=4, memory_mb=1000, gres=(("gpu:a", 1),)) for node in ("n1", "n2")
    )


@pytest.mark.parametrize(
    "values",
    [
        {"id": None},
        {"id": "12"},
        {"state": 7},
        {"state": "MEDITATING"},
        {"submit_time": "yesterday"},
        {"name": ["a"]},
        {"name": {"error": "UnicodeDecodeError: ..."}},
        {"cpus": {"error": "OverflowError"}},
        {"time_limit": -5},
        {"dependencies": {"afterok": 5}},
        {"array_id": 12, "array_tasks_waiting": "0-99999999999"},
        {**RUNNING, "allocated_nodes": "n[1-"},
    ],
)
def test_a_job_that_makes_no_sense_is_set_aside(values):
    good = [PLAIN | {"id": number} for number in (1, 2, 3)]
    jobs, bad = parse_jobs(answer(*good, PLAIN | values), AROUND)
    assert len(jobs.pending) == 3
    assert [note.count for note in bad] == [1]


@pytest.mark.parametrize(
    "parse",
    [
        lambda text: parse_jobs(text, AROUND),
        parse_nodes,
        parse_partitions,
        lambda text: parse_reservations(text, {}),
        parse_licenses,
        lambda text: parse_associations(text, "lab"),
        parse_config,
        parse_diagnosis,
    ],
)
@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", '{"found": 7}', '{"found": [7]}', '{"found": [{}]}', '{"found": [{"'],
)
def test_nonsense_is_refused_as_a_whole(parse, text):
    with pytest.raises(SourceFormatError):
        parse(text)


def test_a_nodes_state_with_its_marks():
    record = {"name": "n1", "total_cpus": 4, "real_memory": 100, "state": "MIXED*+PLANNED"}
    ((node,), _) = parse_nodes(answer(record))
    assert (node.state.value, {flag.value for flag in node.flags}) == ("mixed", {"planned"})


@pytest.mark.parametrize(("held", "state"), [(0, "idle"), (3, "mixed"), (4, "allocated")])
def test_a_node_with_cpus_left_is_mixed_though_up_to_22_05_it_is_told_as_allocated(held, state):
    told = "ALLOCATED" if held else "IDLE"
    record = {"name": "n1", "effective_cpus": 4, "allocated_cpus": held, "state": told}
    assert parse_nodes(answer(record))[0][0].state.value == state


def test_flags_of_a_reservation_that_pyslurm_does_not_know():
    record = {"name": "r", "start_time": NOW, "end_time": NOW + 60}
    good = [record | {"name": str(n), "flags": "OVERLAP|PARTITION_NODES_ONLY"} for n in range(2)]
    unknown = record | {"flags": {"error": "ValueError: invalid value 33718272"}}
    found, bad = parse_reservations(answer(*good, unknown), {})
    assert found[0].flags == {ReservationFlag.OVERLAP, ReservationFlag.PARTITION_NODES}
    assert [note.example for note in bad] == ["r: flags: ValueError: invalid value 33718272"]


def test_shares_of_the_parent_and_limits_that_are_none():
    record = {"cluster": "lab", "account": "a", "shares": 0x7FFF_FFFF, "max_jobs": "UNLIMITED"}
    # What pyslurm tells of minutes that may be running together is another limit's value.
    told = {"group_tres": "cpu=12", "group_tres_mins": "cpu=9", "group_tres_run_mins": "cpu=9"}
    ((found,), _) = parse_associations(answer(record | told), "lab")
    assert found.limits.group_tres_minutes == (("cpu", 9),)
    assert found.limits.group_tres_run_minutes == ()
    assert (found.shares, found.limits.max_jobs) == (None, None)
    assert found.limits.group_tres == (("cpu", 12),)


def test_a_pool_of_licenses_of_another_cluster():
    ((found,), _) = parse_licenses(answer({"name": "m", "total": 3, "in_use": 1, "remote": 1}))
    assert found == License(name="m", total=3, used=1, remote=True)


def test_local_disk_that_a_job_asks_for():
    assert a_request().tmp_disk_mb == 0
    assert a_request(temporary_disk_per_node=2048).tmp_disk_mb == 2048


def test_the_local_disk_of_a_node():
    record = {"name": "n1", "total_cpus": 4, "real_memory": 100, "state": "IDLE"}
    ((plain, roomy), _) = parse_nodes(answer(record, record | {"temporary_disk_space": 9000}))
    assert (plain.tmp_disk_mb, roomy.tmp_disk_mb) == (0, 9000)
