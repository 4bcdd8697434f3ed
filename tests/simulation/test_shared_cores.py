"""Several jobs a core: in rows of cores, each of which is as a machine of its own.

Source: slurm.conf(5), `OverSubscribe`; what nodes are shared by whom as seen of Slurm 22.05.
"""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    NodeShare,
    NodeSharing,
    PassSettings,
    Preemption,
    SchedulerSettings,
    Sharing,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.opening import opening, staged
from predictor.plan import plan
from predictor.simulation.replica import TwoPasses
from predictor.site import default

SETTINGS = SchedulerSettings(
    multifactor=False, passes=PassSettings(interval_s=30, step_s=1), memory_is_consumable=False
)
TWO = nodes(2)
FORCED = partition("batch", TWO, sharing=NodeSharing.FORCE, jobs_per_cpu=2)
AGREED = replace(FORCED, sharing=NodeSharing.YES)
PLAIN = partition("plain", TWO[1:], sharing=NodeSharing.NO)


def job(id_, cpus, count=1, sharing=Sharing.SHARED, where="batch"):
    """Each lasts 10 minutes."""
    one = waiting(id_, count, of_job={"partitions": (where,)})
    request = replace(one.spec.request, cpus=cpus, sharing=sharing)
    return replace(one, spec=replace(one.spec, request=request))


def busy(id_, name, cpus, minutes_left=20, sharing=Sharing.SHARED, where="batch"):
    one = running(id_, name, minutes_left, partitions=(where,))
    held = (NodeShare(node=name, cpus=cpus, memory_mb=0),)
    request = replace(one.spec.request, cpus=cpus, sharing=sharing)
    return replace(one, spec=replace(one.spec, request=request), allocation=held)


def told(*jobs, partitions=(FORCED,), settings=SETTINGS, count=1):
    """When, in minutes, and where each starts; or why that is not told."""
    made = forecast(
        cluster(count, *jobs, partitions=partitions, settings=settings, nodes=TWO[:count]),
        default(),
    )
    starts = {
        p.job_id: ((p.start_at - NOW) / MINUTE, " ".join(p.node_names)) for p in made.predictions
    }
    return starts | {a.job_id: a.cause for a in made.abstentions}


def starts(*jobs, **more):
    return {id_: found[0] for id_, found in told(*jobs, **more).items()}


def test_as_many_jobs_have_a_core_as_the_partition_lets():
    assert starts(job("1", 4), job("2", 4), job("3", 4)) == {"1": 0, "2": 0, "3": 10}


def test_a_job_has_all_its_cores_in_one_row():
    found = starts(job("1", 3), job("2", 3), job("3", 1), job("4", 2))
    assert found == {"1": 0, "2": 0, "3": 0, "4": 10}


def test_so_it_has_on_several_nodes():
    there = busy("a", "n1", 4), busy("b", "n1", 4), busy("c", "n2", 4)
    assert told(*there, job("1", 4), job("2", 8, 2), count=2) == {
        "1": (0, "n2"),
        "2": (20, "n1 n2"),
    }


def test_who_runs_is_sorted_into_rows_by_where_each_is_not_by_when_each_began():
    """As on a real Slurm 22.05.8 (lot 43): which row one was first in is forgotten once any ends.

    Were `a` in one row with `c` as they began, and `b` in the other, the job had to wait for `c`.
    """
    both = busy("b", "n1", 4, 30)
    both = replace(both, allocation=(*both.allocation, NodeShare(node="n2", cpus=1)))
    there = busy("a", "n1", 3, 5), both, busy("c", "n2", 3, 20)
    assert told(*there, job("1", 8, 2), count=2) == {"1": (5, "n1 n2")}


def test_to_ask_for_nodes_of_its_own_gives_it_one_row():
    alone = job("1", 1, sharing=Sharing.EXCLUSIVE)
    assert starts(alone, job("2", 4), job("3", 1)) == {"1": 0, "2": 0, "3": 10}


def test_memory_is_not_shared():
    settings = replace(SETTINGS, memory_is_consumable=True)
    greedy = [job(id_, 1) for id_ in "12"]
    greedy = [
        replace(
            one,
            spec=replace(one.spec, request=replace(one.spec.request, memory_per_node_mb=6_000)),
        )
        for one in greedy
    ]
    assert starts(*greedy, settings=settings) == {"1": 0, "2": 10}


@pytest.mark.parametrize(
    ("there", "starts_at"),
    [
        pytest.param(busy("a", "n1", 1, where="plain"), {"1": 20, "2": 0}, id="one that does not"),
        pytest.param(busy("a", "n1", 1), {"1": 0, "2": 20}, id="one that does"),
    ],
)
def test_who_shares_cores_is_on_no_node_with_who_does_not(there, starts_at):
    partitions = FORCED, replace(PLAIN, node_names=("n1",))
    found = starts(there, job("1", 1), job("2", 1, where="plain"), partitions=partitions)
    assert found == starts_at


@pytest.mark.parametrize(
    ("there", "starts_at"),
    [
        pytest.param(busy("a", "n1", 1, where="plain"), {"1": 20, "2": 0, "3": 20}, id="from whom"),
        pytest.param(busy("a", "n1", 1), {"1": 0, "2": 0, "3": 10}, id="from those like itself"),
    ],
)
def test_who_may_share_its_cores_with_nobody_but_must_keeps_off_who_need_not(there, starts_at):
    """As on a real Slurm 22.05.8 (broad-7), where others come beside it all the same."""
    forced = replace(FORCED, jobs_per_cpu=1)
    plain = replace(PLAIN, node_names=("n1",))
    waiting = job("1", 1), job("2", 1, where="plain"), job("3", 1)
    assert starts(there, *waiting, partitions=(forced, plain)) == starts_at


def test_where_jobs_must_agree_only_those_share_cores_that_do():
    agreeing = [job(id_, 4, sharing=Sharing.AGREES) for id_ in "123"]
    found = starts(*agreeing, job("4", 4), job("5", 4), partitions=(AGREED,))
    assert found == {"1": 0, "2": 0, "3": 10, "4": 20, "5": 30}


def test_who_does_not_agree_may_have_idle_cores_beside_who_does_and_not_the_other_way():
    there = busy("a", "n1", 2, sharing=Sharing.AGREES)
    found = starts(there, job("1", 2), job("2", 1, sharing=Sharing.AGREES), partitions=(AGREED,))
    assert found == {"1": 0, "2": 10}


@pytest.mark.parametrize(
    ("partitions", "settings", "why"),
    [
        pytest.param((FORCED,), {"preemption": Preemption()}, "make room", id="preemption"),
        pytest.param((replace(FORCED, jobs_per_cpu=17),), {}, "so many as 17", id="a crowd"),
        pytest.param(
            (replace(FORCED, name="a", jobs_per_cpu=9), replace(FORCED, jobs_per_cpu=8)),
            {},
            "so many as 17",
            id="a crowd of two partitions",
        ),
        pytest.param((replace(FORCED, exclusive_user=True),), {}, "to themselves", id="owners"),
    ],
)
def test_what_is_not_modelled_is_named(partitions, settings, why):
    scene = cluster(
        2,
        job("1", 1, sharing=Sharing.AGREES),
        nodes=TWO,
        partitions=partitions,
        settings=replace(SETTINGS, **settings),
    )
    (one,) = forecast(scene, default()).abstentions
    assert one.cause is Unpredictable.UNSUPPORTED
    assert one.detail.startswith("jobs of partition batch share CPUs, which is not modelled")
    assert why in one.detail


# n1   full twice over, by jobs of the one partition       n2   free
@pytest.mark.parametrize(("where", "name", "start"), [("batch", "n2", 0), ("other", "n1", 0)])
def test_in_rows_of_another_partition_nobody_is_in_the_way(where, name, start):
    other = replace(FORCED, name="other", node_names=("n1",), jobs_per_cpu=3)
    there = busy("a", "n1", 4), busy("b", "n1", 4)
    found = told(*there, job("1", 4, where=where), partitions=(FORCED, other), count=2)
    assert found == {"1": (start, name)}


MANY = ("batch", "other", "other", "batch", "other")


def test_where_several_share_cores_each_has_as_many_rows_as_it_says():
    other = replace(FORCED, name="other", jobs_per_cpu=3)
    jobs = [job(id_, 4, where=where) for id_, where in zip("12345", MANY, strict=True)]
    found = starts(*jobs, job("6", 4), job("7", 4, where="other"), partitions=(FORCED, other))
    assert found == dict.fromkeys("12345", 0) | {"6": 10, "7": 10}


# n1   of both      n2   of the second alone, which still begins behind the rows of the first
def test_whole_nodes_are_free_once_no_row_is_in_use():
    other = replace(FORCED, name="other", node_names=("n1", "n2"), jobs_per_cpu=2)
    first = replace(FORCED, node_names=("n1",))
    wide = partition("wide", TWO)
    there = busy("a", "n1", 1), busy("b", "n2", 1, 30, where="other")
    found = told(
        *there,
        waiting("1", 1, of_job={"partitions": ("wide",)}),
        waiting("2", 2, of_job={"partitions": ("wide",)}),
        partitions=(first, other, wide),
        count=2,
    )
    assert found == {"1": (20, "n1"), "2": (30, "n1 n2")}


# n1 n2   free        n3   busy        n4   free, of the partition whose jobs share cores
def test_a_node_whose_cores_are_shared_is_no_larger_than_others_where_it_is_chosen():
    four = nodes(4)
    whole = partition("whole", four)
    shared = replace(FORCED, node_names=("n4",))
    made = forecast(
        cluster(
            4,
            busy("1", "n3", 4, where="whole"),
            waiting("2", of_job={"partitions": ("whole",)}),
            partitions=(whole, shared),
            settings=SETTINGS,
        ),
        default(),
    )
    assert made.predictions[0].node_names == ("n4",)


# n1   two that share   n2   two that share        n3   of ada, 20 minutes
def test_those_who_share_do_so_beside_partitions_whose_nodes_go_to_one_user_at_a_time():
    three = nodes(3)
    shared = partition("batch", three[:2], sharing=NodeSharing.FORCE, jobs_per_cpu=2)
    owned = partition("owned", three[2:], sharing=NodeSharing.NO, exclusive_user=True)
    wide = partition("wide", three, sharing=NodeSharing.EXCLUSIVE)
    passes = replace(SETTINGS.passes, owners_leave=False)
    bob = replace(busy("2", "n1", 4), spec=replace(busy("2", "n1", 4).spec, user="bob"))
    there = busy("1", "n1", 4), bob, busy("3", "n3", 4, where="owned")
    asking = job("4", 4), job("5", 4), job("6", 8, 2, Sharing.EXCLUSIVE, "wide")
    found = plan(
        cluster(
            3,
            *there,
            *asking,
            nodes=three,
            partitions=(shared, owned, wide),
            settings=replace(SETTINGS, passes=passes),
        ),
        default(),
    )
    told = {id_: ((one.start_at - NOW) / MINUTE, one.node_names) for id_, one in found.items()}
    assert told == {"4": (0, ("n2",)), "5": (0, ("n2",)), "6": (20, ("n1", "n2"))}


WISHED = replace(AGREED, name="wished", node_names=("n1",))
HALF = {
    "none": {"where": "plain"},
    "forced": {"where": "batch"},
    "wished": {"where": "wished", "sharing": Sharing.AGREES},
    "refused": {"where": "wished"},
    "refused elsewhere": {"where": "other"},
}
"""Two of four cores: of a partition where none are shared, of others who share, and do not."""


@pytest.mark.parametrize(
    ("there", "beside"),
    [
        ("none", {"none", "refused", "refused elsewhere"}),
        ("forced", {"forced", "wished"}),
        ("wished", {"forced", "wished", "refused"}),
        ("refused", {"refused"}),
    ],
)
@pytest.mark.parametrize("comes", HALF)
def test_who_comes_beside_whom_on_nodes_of_several_partitions(there, beside, comes):
    """Source: Slurm 22.05, select/cons_tres (_verify_node_state), and as measured."""
    partitions = FORCED, WISHED, replace(WISHED, name="other"), replace(PLAIN, node_names=("n1",))
    found = starts(
        busy("a", "n1", 2, **HALF[there]), job("1", 2, **HALF[comes]), partitions=partitions
    )
    assert found == {"1": 0 if comes in beside else 20}


@pytest.mark.parametrize(
    ("there", "comes", "start"), [("none", "refused", 0), ("refused", "none", 20)]
)
@pytest.mark.parametrize("preemption", [None, Preemption()])
def test_so_it_is_where_nobody_shares_cores_though_some_may(there, comes, start, preemption):
    """As Slurm 22.05.8 did, where jobs may have to make room for others."""
    found = starts(
        busy("a", "n1", 2, **HALF[there]),
        job("1", 2, **HALF[comes]),
        partitions=(WISHED, replace(PLAIN, node_names=("n1",))),
        settings=replace(SETTINGS, preemption=preemption),
    )
    assert found == {"1": start}


@pytest.mark.parametrize("shared", [FORCED, PLAIN])
def test_a_whole_node_has_its_cpus_once(shared):
    snapshot = cluster(2, job("1", 1), partitions=(shared,), settings=SETTINGS)
    site = default()
    scheduler = staged(snapshot, site, opening(snapshot, site))
    assert isinstance(scheduler, TwoPasses)
    layout = scheduler.play.forward(scheduler.rules).placer.layout
    assert list(layout.width_cpus) == [TWO[0].cpus]
