"""One job of each kind, submitted to a real Slurm 22.05 and read back."""

import pytest

from collectors.slurm.objects.jobs import parse_jobs
from collectors.slurm.surroundings import Surroundings
from predictor.domain import Dependency, DependencyKind, Hold, Sharing

TAKEN_AT = 1772428700


@pytest.fixture
def job(recorded):
    text = (recorded / "slurm-22.05" / "submissions" / "squeue.json").read_text()
    found, bad = parse_jobs(text, Surroundings(taken_at=TAKEN_AT, widest=8))
    assert not bad
    jobs = {job.spec.id: job for job in (*found.pending, *found.running)}
    return jobs.__getitem__


def test_whole_nodes_that_run(job):  # -N8 -t 60
    running = job("1")
    assert running.spec.request.nodes == 8
    assert running.ends_by == running.started_at + 3600
    assert [share.cpus for share in running.allocation] == [8] * 8


def test_tasks_alone_ask_for_as_many_nodes_as_they_need(job):  # -n 20, 8 CPUs a node
    request = job("2").spec.request
    assert (request.nodes, request.nodes_max, request.cpus) == (3, 20, 20)


def test_a_range_of_nodes(job):  # -N2-4
    request = job("3").spec.request
    assert (request.nodes, request.nodes_max) == (2, 4)


def test_several_partitions_and_a_name_with_everything(job):  # -p batch,shared -J 'mu|ti <&>"'
    assert job("4").spec.partitions == ("batch", "shared")
    assert job("4").spec.name.raw == 'mu|ti <&>"'


def test_an_array_with_steps_and_a_limit(job):  # --array=1-9:2%2
    array = job("5_[1,3,5,7,9%2]").spec.array
    assert (array.job_id, array.tasks, array.max_running) == ("5", (1, 3, 5, 7, 9), 2)


def test_a_held_job(job):  # -H
    assert job("6").hold is Hold.USER


def test_a_begin_time(job):  # --begin=now+2hours
    assert job("7").begin_at == job("7").spec.submitted_at + 7200
    assert job("7").estimate.start_at == job("7").begin_at


@pytest.mark.parametrize(
    ("job_id", "conditions"),
    [
        ("8", (Dependency(kind=DependencyKind.AFTER_OK, job_id="1"),)),
        (  # afterany:1?after:2+5
            "9",
            (
                Dependency(kind=DependencyKind.AFTER_ANY, job_id="1", any_of=True),
                Dependency(kind=DependencyKind.AFTER, job_id="2", delay_s=300, any_of=True),
            ),
        ),
        ("10", (Dependency(kind=DependencyKind.SINGLETON),)),
        ("17", (Dependency(kind=DependencyKind.AFTER_OK, job_id="5_3"),)),
    ],
)
def test_dependencies(job, job_id, conditions):
    assert job(job_id).dependencies == conditions


def test_the_components_of_a_heterogeneous_job(job):  # -n1 : -n2
    assert [job(id_).spec.request.cpus for id_ in ("11+0", "11+1")] == [1, 2]
    assert job("11+1").spec.het.job_id == "11"


def test_kinds_of_sharing(job):  # --exclusive=user, --exclusive, -s
    assert [job(id_).spec.request.sharing for id_ in ("13", "14", "16")] == [
        Sharing.USER,
        Sharing.EXCLUSIVE,
        Sharing.AGREES,
    ]


def test_memory_per_node_all_of_it_and_per_cpu(job):  # --mem=500, --mem=0, the partition's
    assert job("15").spec.request.memory_per_node_mb == 500
    assert job("14").spec.request.memory_per_node_mb == 0
    assert job("16").spec.request.memory_per_cpu_mb == 1000


def test_tasks_spread_over_nodes(job):  # -n4 --ntasks-per-node=2 -c2
    request = job("15").spec.request
    assert (request.nodes, request.cpus, request.cpus_per_node) == (2, 8, 4)
    assert not request.uneven


def test_required_and_excluded_nodes(job):  # -w n003 -x n001,n002 --contiguous
    request = job("18").spec.request
    assert (request.required_nodes, request.excluded_nodes) == (("n003",), ("n001", "n002"))
    assert request.contiguous
