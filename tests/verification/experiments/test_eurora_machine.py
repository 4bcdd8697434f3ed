"""The machine file of Eurora, and the workload that is like its own."""

from itertools import islice

import pytest

from predictor.swf import Header
from verification.experiments.machine_file import load_machine
from verification.workloads.eurora import CORES, GPU, KINDS, MIC, SORTS, UNIT_CORES, eurora
from verification.workloads.generate import generate
from verification.workloads.written import write_trace

NODES = {GPU: range(32), MIC: range(32, 64)}


@pytest.fixture(scope="module")
def machine():
    return load_machine("eurora")


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    path = tmp_path_factory.mktemp("traces") / "eurora.swf"
    write_trace(path, islice(generate(eurora(), 1), 600), Header(max_procs=CORES), {})
    return path


def test_the_machine_is_the_published_one(machine):
    assert (machine.nodes, machine.cores) == (64, CORES)
    assert machine.total("gpu") == machine.total("mic") == 64
    assert set(machine.scarce) == {"gpu", "mic"}
    assert set(machine.queues) == {sort.queue for sort in SORTS}


def test_the_workload_speaks_of_its_kinds(machine):
    assert set(machine.kinds) == {kind for kind, _ in KINDS}
    assert all(machine.unit_of(kind)["core"] == cores for kind, cores in UNIT_CORES.items())


@pytest.mark.parametrize("scheduler", ["easy", "priority-rule"])
def test_everybody_runs_where_the_accelerators_are(replayed, machine, trace, scheduler):
    recorder = replayed(trace, machine, scheduler=scheduler)
    assert len(recorder.courses) == 600
    accelerator = {machine.resources.index("gpu"): GPU, machine.resources.index("mic"): MIC}
    for course in recorder.courses:
        for resource, _ in course.need:
            if resource in accelerator:
                nodes = {node for node, _ in course.places}
                assert nodes <= set(NODES[accelerator[resource]])
