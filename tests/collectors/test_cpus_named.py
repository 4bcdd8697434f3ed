import pytest

from collectors.slurm.objects.fields import Fields
from collectors.slurm.objects.requests import request_of


# On nodes of 16 cores with two CPUs each.
@pytest.mark.parametrize(
    ("told", "nodes", "cpus", "of_task"),
    [
        pytest.param({"tasks": 40}, 2, 40, None, id="two tasks may share a core"),
        pytest.param({"tasks": 40, "tasks_per_core": 1}, 3, 80, 2, id="they may not"),
        pytest.param({"tasks": 40, "tasks_per_core": 2}, 2, 40, None, id="they need not"),
        pytest.param(
            {"tasks": 3, "tasks_per_core": 1, "cpus_per_task": 3}, 1, 12, 4, id="of three CPUs"
        ),
        pytest.param(
            {"tasks": 3, "tasks_per_core": 1, "tres_req_str": "cpu=9,node=1"}, 1, 12, 4, id="untold"
        ),
        pytest.param(
            {"tasks": 40, "tasks_per_core": 1, "threads_per_core": 1},
            3,
            40,
            None,
            id="half of each",
        ),
        pytest.param(
            {"tasks": 8, "tasks_per_core": 1, "tasks_per_node": 4, "minimum_cpus_per_node": 4},
            2,
            16,
            4,
            id="so many on each node",
        ),
    ],
)
def test_whose_tasks_have_their_cores_to_themselves(told, nodes, cpus, of_task):
    asked = told["tasks"] * told.get("cpus_per_task", 1)
    job = {"tres_req_str": f"cpu={asked},node=1", "cpus": asked, "minimum_cpus_per_node": 1} | told
    request = request_of(Fields(job), widest=32, threads=2)
    assert (request.nodes, request.cpus, request.cpus_per_node) == (nodes, cpus, of_task)
    named = int(job["tres_req_str"].partition("=")[2].partition(",")[0])
    assert request.cpus_named == (named if named < cpus else None)


def test_cpus_that_gpus_bring_are_named_too():
    gpu = {"cpus_per_tres": "gres:gpu:6", "tres_per_job": "gres:gpu:1"}
    job = {"tres_req_str": "cpu=4,node=1,gres/gpu=1", "tasks": 4, "tasks_per_core": 1} | gpu
    request = request_of(Fields(job), widest=32, threads=2)
    assert (request.cpus, request.cpus_named) == (8, 6)
