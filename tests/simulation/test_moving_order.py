"""The queue's order moves with what everybody has used."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    Association,
    Fairshare,
    NodeSharing,
    PassSettings,
    PendingJob,
    PriorityFactors,
    PriorityWeights,
    RunState,
    SchedulerSettings,
    Sharing,
)
from predictor.forecast import forecast
from predictor.site import default

SETTINGS = SchedulerSettings(
    passes=PassSettings(interval_s=30, step_s=1),
    weights=PriorityWeights(age=1_000, fairshare=1_000),
    priority_max_age_s=10_000,
    priority_period_s=300,
    priority_half_life_s=0,
)
USED = {"ada": 1_000, "ben": 1_500, "eve": 9_000}
SHARES = (
    Association(account="root", fairshare=Fairshare(usage_raw=11_500)),
    Association(account="a", parent="root", fairshare=Fairshare(usage_raw=11_500)),
    *(
        Association(account="a", user=user, fairshare=Fairshare(usage_raw=usage))
        for user, usage in USED.items()
    ),
)


def wide(id_: str, user: str, fairshare: int) -> PendingJob:
    """A job for both nodes, whose age was 800 s at the last recomputation: 200 s ago."""
    shown = PriorityFactors(partition="batch", priority=80 + fairshare, age=80, fairshare=fairshare)
    of_job = {"user": user, "account": "a", "accrues_age_since": NOW - 1_000}
    return waiting(id_, 2, 10, of_job=of_job, priorities=(shown,))


# minute  0           10          20          30     both users wait for both nodes
# n1      [ eve       ][    ?     ][    ?     ]
# n2      [ ada's last ]                             worth 800 since the last recomputation
@pytest.mark.parametrize(
    ("state", "first", "second"),
    [
        pytest.param(RunState.COMPLETING, "ada", "ben", id="charged already, at its end"),
        pytest.param(RunState.RUNNING, "ben", "ada", id="charged for all the time it runs"),
    ],
)
def test_who_used_less_comes_first(state, first, second):
    last = replace(running("8", "n2", 10, user="ada", account="a"), state=state)
    others = running("9", "n1", 10, user="eve", account="a")
    snapshot = cluster(
        2,
        last,
        others,
        wide("1", "ada", 1_000),
        wide("2", "ben", 667),
        associations=SHARES,
        settings=SETTINGS,
    )
    made = forecast(snapshot, default())
    users = {"1": "ada", "2": "ben"}
    assert made.policy == "two-pass"
    assert {users[p.job_id]: (p.start_at - NOW) / MINUTE for p in made.predictions} == {
        first: 10,
        second: 20,
    }


BY_SIZE = replace(SETTINGS, weights=PriorityWeights(job_size=1_000))


def sized(id_: str, cpus: int, points: int, sharing: Sharing) -> PendingJob:
    """A job for both nodes that asks for so many of their eight CPUs."""
    shown = PriorityFactors(partition="batch", priority=points, job_size=points)
    job = waiting(id_, 2, 10, priorities=(shown,))
    request = replace(job.spec.request, cpus=cpus, sharing=sharing)
    return replace(job, spec=replace(job.spec, request=request))


# minute  0           10          20       30     both wait for both nodes, which nobody has yet
# n1      [ running  ][  whole   ][ part ]        whole takes all CPUs, which counts once it has a
# n2      [ running  ][          ][      ]        slot: 1000 points instead of 625; part has 875
def test_who_is_planned_for_later_counts_with_all_it_takes_from_the_next_recomputation_on():
    partition = replace(cluster(2).partitions[0], sharing=NodeSharing.NO)
    jobs = (
        running("9", "n1 n2", 10),
        sized("part", 6, 875, Sharing.SHARED),
        sized("whole", 2, 625, Sharing.EXCLUSIVE),
    )
    made = forecast(cluster(2, *jobs, settings=BY_SIZE, partitions=(partition,)), default())
    starts = {one.job_id: (one.start_at - NOW) / MINUTE for one in made.predictions}
    assert starts == {"whole": 10, "part": 20}


def single(id_: str, nice: int) -> PendingJob:
    """A job for one whole node, of which it asks for one CPU; so it still counts."""
    size = round(1_000 * (1 / 2 + 1 / 12) / 2)
    shown = PriorityFactors(
        partition="batch", priority=size - nice, job_size=size, age=0, fairshare=0, nice=nice
    )
    return waiting(id_, 1, 30, priorities=(shown,))


# minute  0        6        7                     1 is before 2 until it is known that 1 would have
# n1      [ running ][   ?                        the 4 CPUs of n1, and 2 the 8 of n2
# n2      [ running          ][   ?
@pytest.mark.parametrize(
    ("widths", "starts"),
    [
        pytest.param((4, 8), {"1": 7, "2": 6}, id="nodes of two widths"),
        pytest.param((4, 4), {"1": 6, "2": 7}, id="of one"),
    ],
)
def test_whole_nodes_count_with_the_cpus_of_those_found(widths, starts):
    members = tuple(replace(node, cpus=cpus) for node, cpus in zip(nodes(2), widths, strict=True))
    jobs = running("8", "n1", 6), running("9", "n2", 7), single("1", 0), single("2", 1)
    made = forecast(
        cluster(
            2,
            *jobs,
            nodes=members,
            partitions=(partition("batch", members),),
            settings=BY_SIZE,
        ),
        default(),
    )
    assert {one.job_id: (one.start_at - NOW) / MINUTE for one in made.predictions} == starts
