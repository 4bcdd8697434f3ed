"""What the batch system would announce: scenes measured on a real Slurm 22.05.8.

One node of 8 CPUs handed out one by one, one partition, first come first served, slots cut to
whole minutes. Times are minutes after the look, which falls on a whole minute.
"""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from clusters import HOUR, MINUTE, array, cluster, nodes, partition, running, waiting

from collectors.capture import Capture
from predictor.domain import (
    UNLIMITED,
    CpuGranularity,
    Dependency,
    DependencyKind,
    Fact,
    Hidden,
    Hold,
    NodeSharing,
    Obstacle,
    PassSettings,
    Provenance,
    SchedulerSettings,
)
from predictor.plan import plan
from predictor.simulation.story import Story, retell
from predictor.site import default

NOW = 1_700_000_040
PASSES = PassSettings(interval_s=30)
FIFO = SchedulerSettings(
    multifactor=False,
    granularity=CpuGranularity.CPU,
    memory_is_consumable=False,
    passes=PASSES,
)
[NODE] = nodes(1, cpus=8)
PARTITION = partition("p", (NODE,), sharing=NodeSharing.NO, max_time_s=UNLIMITED)


def on_one_node(*jobs, **more):
    """The cluster; the ids of jobs say in which order they were submitted."""
    content = {"taken_at": NOW, "nodes": (NODE,), "partitions": (PARTITION,), "settings": FIFO}
    return cluster(1, *jobs, **content | more)


def asks(id_, cpus, minutes, partition="p", **more):
    """A waiting job of so many CPUs; None: without a limit."""
    job = waiting(id_, 1, minutes or 1, of_job={"partitions": (partition,)}, **more)
    limit_s = minutes * MINUTE if minutes else UNLIMITED
    return replace(job, spec=replace(job.spec, request=sized(job, cpus, limit_s)))


def tasks(base, count, cpus, minutes):
    job = array(base, count, minutes)
    request = sized(job, cpus, minutes * MINUTE)
    return replace(job, spec=replace(job.spec, partitions=("p",), request=request))


def sized(job, cpus, limit_s):
    return replace(job.spec.request, cpus=cpus, limit_s=limit_s)


def runs(id_, cpus, minutes_left, started_at=NOW):
    """A running job of so many CPUs whose limit ends in so many minutes."""
    job = running(id_, "n1", 0, partitions=("p",))
    share = replace(job.allocation[0], cpus=cpus, memory_mb=0)
    request = sized(job, cpus, NOW - started_at + round(minutes_left * MINUTE))
    spec = replace(job.spec, request=request)
    return replace(job, spec=spec, started_at=started_at, allocation=(share,))


def announced(snapshot):
    return {id_: (told.start_at - NOW) / MINUTE for id_, told in plan(snapshot, default()).items()}


def retold(snapshot, minutes=120, **story):
    """Who really starts, in seconds after the look."""
    found = retell(snapshot, Story(**story), NOW + minutes * MINUTE)
    return {id_: start.at - NOW for id_, start in found.items()}


# -- a slot keeps the whole node -------------------------------------------------------------
# CPUs      10       70        100
#  1-4  A  | B        |         |    C would fit beside B, yet waits for the end of B's slot
#  5-6  A  |          | C       |
#  7-8  D  |          |         |    D is gone before B begins

WHOLE_NODE = runs("1", 6, 10), asks("2", 4, 60), asks("3", 2, 30), asks("4", 2, 5)


def test_a_slot_empties_the_node():
    assert announced(on_one_node(*WHOLE_NODE)) == {"2": 10, "3": 70, "4": 0}


def test_slots_end_on_the_minute_before():
    late = runs("1", 6, 10 + 25 / 60), *WHOLE_NODE[1:]
    assert announced(on_one_node(*late)) == {"2": 10 + 25 / 60, "3": 70, "4": 0}


def test_once_the_first_is_gone_both_start_together():
    found = retold(on_one_node(*WHOLE_NODE), ends_at={"1": NOW + 30}, run_s={"4": 20})
    assert found == {"4": 0, "2": 30, "3": 30}


def test_an_announcement_says_where():
    told = plan(on_one_node(*WHOLE_NODE), default())["2"]
    assert (told.node_names, told.partition) == (("n1",), "p")


# -- nobody is announced behind a job without a limit -----------------------------------------

UNLIMITED_AHEAD = (
    runs("1", 8, 3),
    asks("2", 1, None),
    tasks("3", 30, 1, 2),
    asks("4", 1, 1, dependencies=(Dependency(kind=DependencyKind.AFTER_ANY, job_id="2"),)),
    asks("5", 1, 1, hold=Hold.USER),
    asks("6", 1, 1, begin_at=NOW + HOUR),
)


def test_a_slot_without_an_end_hides_everybody_behind():
    # Slurm answers requests "would it start?" with a year far away then; here nobody is told.
    assert announced(on_one_node(*UNLIMITED_AHEAD)) == {"2": 3}


def test_yet_those_behind_start_as_soon_as_there_is_room():
    found = retold(on_one_node(*UNLIMITED_AHEAD), ends_at={"1": NOW + 40}, run_s={"2": 30})
    assert {found[id_] for id_ in ("2", "3_0", "3_6")} == {40}
    assert found["3_7"] > 40
    assert "5" not in found


# -- tasks of an array are announced one after another ----------------------------------------


def test_twenty_tasks_are_planned_every_five_minutes_and_a_job_behind_them():
    snapshot = on_one_node(runs("1", 8, 3), tasks("2", 30, 1, 5), asks("3", 1, 5))
    assert announced(snapshot) == {"2_[0-29]": 3, "3": 3 + 20 * 5}


def test_yet_as_many_as_fit_start_together():
    snapshot = on_one_node(runs("1", 8, 3), tasks("2", 30, 1, 5), asks("3", 1, 5))
    found = retold(snapshot, ends_at={"1": NOW + 30})
    assert [found[f"2_{task}"] for task in range(8)] == [30] * 8
    assert found["2_8"] == 30 + 5 * MINUTE


# -- ends of running jobs are seen in groups --------------------------------------------------


def ends(offset_s=0):
    """Eight jobs of one CPU each that end in 6, 7 ... 13 minutes, or so many seconds later."""
    return [runs(str(n), 1, n + offset_s / 60) for n in range(6, 14)]


@pytest.mark.parametrize(
    ("cpus", "minute", "offset_s"),
    [
        *product([1], [6], [1, 11, 29, 31, 59]),
        *product([3], [8], [0, 1, 11, 29, 31, 59]),
        *product([6], [13], [0, 1, 11, 29, 31, 59]),
        # The first end is on a mark itself, and the next just a minute behind it.
        (1, 7, 0),
        (1, 7, 30),
    ],
)
def test_ends_count_in_groups_that_grow(cpus, minute, offset_s):
    # 6 CPUs are free after 11 minutes, but that end falls into one group with those until 13.
    found = announced(on_one_node(*ends(offset_s), asks("20", cpus, 5)))
    assert found["20"] == pytest.approx(minute + offset_s / 60)


def test_without_groups_each_end_counts():
    each = replace(FIFO, passes=replace(PASSES, group_s=0))
    snapshot = on_one_node(*ends(), asks("20", 6, 5), settings=each)
    assert announced(snapshot) == {"20": 11}


# -- without looking ahead --------------------------------------------------------------------

TWO_QUEUES = (PARTITION, partition("q", (NODE,), sharing=NodeSharing.NO))
IDLE_CPUS = runs("1", 6, 10), asks("2", 4, 10), asks("3", 1, 1), asks("4", 1, 1, partition="q")


def test_nobody_is_announced_where_the_batch_system_does_not_look_ahead():
    blind = replace(FIFO, backfill=False)
    assert announced(on_one_node(*IDLE_CPUS, settings=blind, partitions=TWO_QUEUES)) == {}


def test_and_idle_cpus_stay_idle_in_all_partitions_of_the_node():
    blind = replace(FIFO, backfill=False)
    snapshot = on_one_node(*IDLE_CPUS, settings=blind, partitions=TWO_QUEUES)
    found = retold(snapshot, ends_at={"1": NOW + 40})
    assert found == {"2": 40, "3": 40, "4": 40}


# -- as it was announced, recorded -------------------------------------------------------------

RECORDED = Path(__file__).parent / "recorded" / "scenarios"


@pytest.mark.parametrize(
    ("scene", "least"),
    [("golden-1-whole-node-plan", 10), ("golden-5-ends-grouped", 25)],
)
def test_announced_to_the_second_what_a_real_scheduler_announced(scene, least):
    judged = 0
    for observation in Capture(RECORDED / scene).observations():
        snapshot = observation.snapshot
        told = plan(snapshot, default())
        for job in snapshot.pending:
            real = job.estimate.start_at
            if real is not None:
                assert (job.spec.id, told[job.spec.id].start_at) == (job.spec.id, real)
                judged += 1
    assert judged >= least


# -- who is told, and who not -----------------------------------------------------------------


def test_of_several_partitions_the_earliest_is_announced():
    members = nodes(2, cpus=8)
    queues = tuple(
        partition(name, (member,), sharing=NodeSharing.NO)
        for name, member in zip("pq", members, strict=True)
    )
    late, soon = runs("1", 8, 30), runs("2", 8, 10)
    soon = replace(soon, allocation=(replace(soon.allocation[0], node="n2"),))
    both = asks("3", 8, 5)
    both = replace(both, spec=replace(both.spec, partitions=("p", "q")))
    told = plan(on_one_node(late, soon, both, nodes=members, partitions=queues), default())
    assert {id_: (one.partition, one.node_names) for id_, one in told.items()} == {
        "3": ("q", ("n2",))
    }


def test_beyond_the_window_nobody_is_announced():
    near = replace(FIFO, passes=replace(PASSES, window_s=HOUR))
    snapshot = on_one_node(runs("1", 8, 50), asks("2", 8, 30), asks("3", 8, 30), settings=near)
    assert announced(snapshot) == {"2": 50}


def test_a_job_kept_back_by_an_administrator_is_not_announced():
    assert announced(on_one_node(asks("1", 1, 5, obstacle=Obstacle.ADMIN))) == {}


def test_nothing_is_told_where_others_jobs_are_hidden():
    hidden = Provenance(source="scene", hidden=(Hidden(fact=Fact.JOBS, why="private"),))
    assert announced(on_one_node(asks("1", 1, 5), provenance=hidden)) == {}


def test_nothing_is_told_of_a_scheduler_that_is_not_known_to_work_in_passes():
    unknown = replace(FIFO, passes=None)
    assert announced(on_one_node(asks("1", 1, 5), settings=unknown)) == {}


def test_equal_arguments_give_an_equal_plan():
    snapshot = on_one_node(*WHOLE_NODE)
    assert plan(snapshot, default()) == plan(snapshot, default())
