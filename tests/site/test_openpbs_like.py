"""What follows from OpenPBS's rules, by the ready site files."""

from dataclasses import replace

from clusters import HOUR, NOW, nodes, partition
from other_systems import DEEP, FILES, OPENPBS, STRICT, busy, job, ready, starts

from predictor.domain import NodeSharing, PassSettings, SchedulerSettings
from predictor.site import load


def test_openpbs_without_strict_ordering_protects_nobody():
    """Whoever fits runs: wide waits for them all, though it comes first."""
    jobs = (job("wide", "ada", 4, 60, 300), job("long", "bob", 2, 240, 60), busy("n1 n2", 30))
    assert starts(ready(OPENPBS), *jobs) == {"wide": 240, "long": 0}
    assert starts(ready(STRICT), *jobs) == {"wide": 30, "long": 90}


def test_openpbs_backfills_around_so_many_top_jobs():
    assert starts(ready(STRICT), *DEEP) == {"top": 30, "second": 90, "filler": 150}
    default = ready(STRICT, policy={"reservations": 1})
    assert starts(default, *DEEP) == {"top": 30, "second": 120, "filler": 0}


def test_openpbs_with_backfill_depth_0_stops_at_the_first_blocked_job():
    site = ready(STRICT, policy={"name": "fcfs", "reservations": None})
    jobs = (job("wide", "ada", 4, 60, 300), job("short", "bob", 1, 10, 60), busy("n1 n2", 30))
    assert starts(site, *jobs) == {"wide": 30, "short": 90}
    assert starts(ready(STRICT), *jobs) == {"wide": 30, "short": 0}


def test_openpbs_plans_top_jobs_by_the_cpu():
    """Of 8 CPUs, 6 are held until 10. `top` takes 4 then, so small's 2 are in nobody's way.

    Slurm keeps the whole node for `top`, and sees only at 10 that both fit.
    """
    members = nodes(1, cpus=8)
    shared = partition("batch", members, sharing=NodeSharing.NO)
    held = busy("n1", 10)
    held = replace(held, allocation=(replace(held.allocation[0], cpus=6, memory_mb=500),))
    top, small = (with_cpus(job(*a), n) for a, n in ((TOP, 4), (SMALL, 2)))
    scene = {"nodes": members, "partitions": (shared,)}
    assert starts(ready(STRICT), top, small, held, **scene) == {"top": 10, "small": 0}
    told = SchedulerSettings(passes=PassSettings())
    slurm = starts(load(FILES / "slurm.toml"), top, small, held, settings=told, **scene)
    assert {id_: int(minute) for id_, minute in slurm.items()} == {"top": 10, "small": 10}


TOP, SMALL = ("top", "ada", 1, 60, 90), ("small", "bob", 1, 30, 60)


def with_cpus(one, cpus):
    request = replace(one.spec.request, cpus=cpus, memory_per_node_mb=500)
    return replace(one, spec=replace(one.spec, request=request))


def test_openpbs_takes_all_of_the_first_queue_first_if_by_queue():
    """The formula favours `old` by 98 hours' eligible time; a tier stands over every formula."""
    members = nodes(1)
    queues = tuple(partition(name, members) for name in ("batch", "express"))
    old = job("old", "ada", 1, 60, 99 * 60)
    new = job("new", "bob", 1, 60, 60, partitions=("express",))
    jobs = (old, new, busy("n1", 30))
    one_queue = starts(ready(OPENPBS), *jobs, count=1, partitions=queues)
    assert one_queue == {"old": 30, "new": 90}
    by_queue = ready(OPENPBS, queues=[{"name": "express", "tier": 150}])
    assert starts(by_queue, *jobs, count=1, partitions=queues) == {"new": 30, "old": 90}


def test_openpbs_counts_the_time_in_which_a_job_may_run():
    """`old` was submitted first but held until half an hour ago: 5 points, to 10 of `new`."""
    old = job("old", "ada", 1, 60, 600, eligible_at=NOW - HOUR // 2)
    jobs = (old, job("new", "bob", 1, 60, 60), busy("n1", 30))
    assert starts(ready(OPENPBS), *jobs, count=1) == {"new": 30, "old": 90}
