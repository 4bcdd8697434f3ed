"""Where sockets go whole: tasks are dealt over those that are free; memory is asked last.

Source: Slurm 22.05, _cyclic_sync_core_bitmap and _job_test; a log of a real one's passes.
"""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, partition, spec, waiting

from predictor.domain import (
    CpuGranularity,
    Node,
    NodeShare,
    NodeSharing,
    NodeState,
    PassSettings,
    Request,
    RunningJob,
    SchedulerSettings,
)
from predictor.domain.durations import HOUR_S as HOUR
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

NODE = Node(name="n1", cpus=8, sockets=2, memory_mb=8_000, state=NodeState.IDLE)
SETTINGS = SchedulerSettings(
    multifactor=False,
    passes=PassSettings(interval_s=1, arrival_delay_s=0),
    granularity=CpuGranularity.SOCKET,
)


def tasks(id_, count, per_cpu_mb=500):
    """A job of so many tasks on one node."""
    asked = Request(
        nodes=1, cpus=count, uneven=count > 1, limit_s=HOUR, memory_per_cpu_mb=per_cpu_mb
    )
    job = waiting(id_)
    return replace(job, spec=replace(job.spec, request=asked))


def on_one_socket(per_cpu_mb=500):
    """Somebody who runs there for another hour."""
    asked = replace(tasks("r", 1, per_cpu_mb).spec.request, limit_s=2 * HOUR)
    share = NodeShare(node="n1", cpus=4, memory_mb=4 * per_cpu_mb)
    held = replace(spec("r"), request=asked)
    return RunningJob(spec=held, started_at=NOW - HOUR, allocation=(share,))


def scene(*jobs):
    shared = partition("batch", (NODE,), sharing=NodeSharing.NO)
    return cluster(1, *jobs, nodes=(NODE,), partitions=(shared,), settings=SETTINGS)


def starts(*jobs):
    made = forecast(scene(*jobs), default())
    return {each.job_id: each.start_at - NOW for each in made.predictions}


@pytest.mark.parametrize(("count", "second"), [(1, 0), (2, HOUR), (4, HOUR), (5, HOUR)])
def test_two_tasks_and_more_take_both_sockets(count, second):
    assert starts(tasks("1", count), tasks("2", 1)) == {"1": 0, "2": second}


def test_one_of_them_if_only_that_is_free():
    assert starts(on_one_socket(), tasks("1", 4)) == {"1": 0}


def test_who_would_take_more_memory_with_all_their_cpus_than_is_left_does_not_start():
    # Two CPUs of 1,500 MB fit, eight do not; four on the socket left would, beside 2,000 MB.
    assert starts(tasks("1", 2, 1_500)) == {}
    assert starts(on_one_socket(), tasks("1", 2, 1_500)) == {"1": 0}


def test_but_keeps_the_node_in_every_plan():
    made = plan(scene(tasks("1", 2, 1_500), tasks("2", 1)), default())
    assert {id_: each.start_at - NOW >= HOUR - 60 for id_, each in made.items()} == {
        "1": False,
        "2": True,
    }
