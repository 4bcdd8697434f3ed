"""A task that was sent back waits by itself: its array stays as old as it is."""

from dataclasses import replace

from clusters import NOW, cluster, nodes, partition, waiting

from predictor.domain import (
    ArrayTasks,
    Eviction,
    PassSettings,
    Preemption,
    PriorityFactors,
    PriorityWeights,
    SchedulerSettings,
)
from predictor.simulation.story import Story, retell

SETTINGS = SchedulerSettings(
    passes=PassSettings(interval_s=1, arrival_delay_s=0),
    weights=PriorityWeights(age=1_000),
    priority_max_age_s=1_000,
    priority_period_s=300,
    priority_half_life_s=0,
    sent_back_s=20,
)
MEMBERS = nodes(1)
TIERS = (partition("low", MEMBERS), partition("high", MEMBERS, tier=5))
RUN_S = {"1_1": 30, "1_2": 10, "1_3": 10, "5": 10, "7": 10}


def aged(id_, age, **of_job):
    """A job that was so old, in seconds and points, at the last recomputation: just now."""
    shown = PriorityFactors(partition="low", priority=age, age=age)
    told = {"partitions": ("low",), "accrues_age_since": NOW - age, "priority": age, **of_job}
    return waiting(id_, of_job=told, priorities=(shown,))


def told(story, *others, preemption=None):
    array = aged("1_[1-3]", 500, array=ArrayTasks(job_id="1", tasks=(1, 2, 3)))
    settings = replace(SETTINGS, preemption=preemption)
    snapshot = cluster(1, array, *others, partitions=TIERS, settings=settings)
    found = retell(snapshot, replace(story, run_s=RUN_S), NOW + 2_000)
    return {id_: start.at - NOW for id_, start in found.items()}


# second  0      30    40    50    60              1_1 is sent back at 30, ready at 100; the others
# n1      [ 1_1 ][ 1_2 ][ 1_3 ][ 5  ]              of its array stay as old as they are, before 5
def test_the_rest_of_an_array_keeps_its_age_when_a_task_is_sent_back():
    story = Story(later_runs={"1_1": ((NOW + 100, 20),)})
    assert told(story, aged("5", 400)) == {"1_1": 0, "1_2": 30, "1_3": 40, "5": 50}


# second  0     20    31    41    51               high 7 sends 1_1 back, which may start again 20 s
# n1      [ 1_1 ][ 7  ][ 1_2 ][ 1_3 ][ 5  ]        after it was ended
def test_the_rest_of_an_array_keeps_its_age_when_a_task_makes_room():
    comer = aged("7", 0, partitions=("high",), submitted_at=NOW + 20)
    sends_back = Preemption(eviction=Eviction.SENT_BACK)
    found = told(Story(arrivals=(comer,)), aged("5", 400), preemption=sends_back)
    assert found["1_2"] < found["1_3"] < found["5"]
