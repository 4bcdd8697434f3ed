"""The order of the queue where a QOS names those that make room for it: a sort by halves."""

from dataclasses import replace
from itertools import permutations

from clusters import NOW, cluster, running, waiting
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import ArrayTasks, Eviction, PassSettings, Preemption, Qos, SchedulerSettings
from predictor.opening import opening, staged
from predictor.simulation.dependencies import single_ids
from predictor.site import default, overlay

QOS = (Qos(name="scrap"), Qos(name="dear"), Qos(name="urgent", preempts=("scrap",)))
SETTINGS = SchedulerSettings(
    passes=PassSettings(), preemption=Preemption(eviction=Eviction.ENDED, by_qos=True)
)
jobs = st.lists(
    st.tuples(st.sampled_from(["scrap", "dear", "urgent"]), st.integers(1, 5), st.booleans()),
    min_size=2,
    max_size=9,
)
"""QOS and priority of each, and whether it is an array of three tasks."""


def record(number, qos, priority, is_array):
    job = waiting(
        str(number),
        1,
        10,
        of_job={"qos": qos, "priority": priority, "submitted_at": NOW - 1000 + number},
    )
    if not is_array:
        return job
    array = ArrayTasks(job_id=str(number), tasks=(1, 2, 3))
    return replace(job, spec=replace(job.spec, id=f"{number}_[1-3]", array=array))


def full(number, qos, priority):
    """Return an array of which no more tasks may run, as one does."""
    job = record(number, qos, priority, True)
    array = replace(job.spec.array, max_running=1)
    return replace(job, spec=replace(job.spec, array=array))


def task_of(record):
    array = replace(record.spec.array, tasks=(9,))
    return running(f"{array.job_id}_9", "n2", 50, qos="urgent", array=array)


def lined_up(records, *there):
    """Return who waits, in the order in which a pass looks at them."""
    busy, site = running("99", "n1", 50, qos="urgent"), default()
    seen = overlay(site, cluster(2, busy, *there, *records, qos=QOS, settings=SETTINGS))
    stage = staged(seen, site, opening(seen, site))
    return [entrant.id for entrant in stage.play.waiting(stage.play.forward(stage.rules))]


def before(one, other):
    mine, its = one.spec, other.spec
    if {mine.qos, its.qos} == {"urgent", "scrap"}:
        return mine.qos == "urgent"
    return (-mine.priority, mine.submitted_at) < (-its.priority, its.submitted_at)


def by_halves(records):
    """Return the records as the C library sorts them."""
    if len(records) < 2:
        return list(records)
    half = len(records) // 2
    one, other, found = by_halves(records[:half]), by_halves(records[half:]), []
    while one and other:
        found.append((other if before(other[0], one[0]) else one).pop(0))
    return found + one + other


@given(jobs, st.randoms(use_true_random=False))
def test_it_is_sorted_from_the_order_of_the_snapshot_on(given_jobs, chance):
    records = [record(number, *one) for number, one in enumerate(given_jobs, start=1)]
    chance.shuffle(records)
    wanted = [id_ for one in by_halves(records) for id_ in single_ids(one.spec)]
    assert lined_up(records) == wanted


def test_that_order_makes_a_difference():
    three = [record(1, "scrap", 3, False), record(2, "dear", 2, False)]
    three.append(record(3, "urgent", 1, False))
    assert len({tuple(lined_up(records)) for records in permutations(three)}) > 1


def test_an_array_of_which_no_more_tasks_may_run_is_not_sorted_with_the_others():
    # Sorted with them it would move the middle at which they are halved.
    array = full(7, "dear", 9)
    kinds = (("scrap", 4), ("dear", 3), ("urgent", 2), ("scrap", 1))
    four = [record(number, *kind, False) for number, kind in enumerate(kinds, start=1)]
    moves = []
    for others in permutations(four):
        found = lined_up([array, *others], task_of(array))
        wanted = [one.spec.id for one in by_halves(others)]
        assert [id_ for id_ in found if id_ in wanted] == wanted
        moved = [one.spec.id for one in by_halves([array, *others]) if one is not array]
        moves.append(moved != wanted)
    assert any(moves)
