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


def lined_up(records):
    """Return who waits, in the order in which a pass looks at them."""
    busy, site = running("99", "n1 n2", 50, qos="urgent"), default()
    seen = overlay(site, cluster(2, busy, *records, qos=QOS, settings=SETTINGS))
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
