"""Scenes whose outcome follows from other schedulers' rules, by the ready site files.

In the drawings a column is a node and a row half an hour; `.` is free. Jobs are written
(id, user, nodes, minutes, minutes waited); whole nodes are handed out unless a scene says else.
"""

import tomllib
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, nodes, partition, running, waiting
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import Cause, NodeSharing, PassSettings, Reservation, SchedulerSettings
from predictor.forecast import forecast
from predictor.site import Site, load

FILES = Path(__file__).parents[2] / "config" / "sites"
MAUI, OPENPBS, STRICT, LOADLEVELER = (
    f"{name}-like.toml" for name in ("maui", "openpbs", "openpbs-strict", "loadleveler")
)


def ready(name, **tables):
    """Return a ready file's site; of `tables` each key stands over the file's own, None removes."""
    content = tomllib.loads((FILES / name).read_text())
    for table, values in tables.items():
        if isinstance(values, list):
            content[table] = values
        else:
            merged = content.get(table, {}) | values
            content[table] = {key: value for key, value in merged.items() if value is not None}
    return Site.model_validate(content)


def job(id_, user, count, minutes, waited=60, **of_job):
    at = NOW - waited * MINUTE
    return waiting(
        id_, count, minutes, of_job={"user": user, "submitted_at": at, "eligible_at": at, **of_job}
    )


def busy(names, minutes_left, user="eve", **more):
    return running(f"r{names}", names, minutes_left, user=user, **more)


def starts(site, *jobs, count=4, **more):
    """Return the minute at which each job starts."""
    made = forecast(cluster(count, *jobs, **more), site)
    assert not made.abstentions
    return {p.job_id: (p.start_at - NOW) / MINUTE for p in made.predictions}


# Side by side.
#
#      n1 n2 n3 n4      queue, by submission: 1 wide (3 nodes), 2 long (2 nodes, an hour),
#   0  r  r  .  .       3 ends before n1 and n2 are free, 4 is short and another user's
#  30  .  .  .  .
QUEUE = (
    job("1", "ada", 3, 60, 60),
    job("2", "ada", 2, 60, 50),
    job("3", "ada", 2, 25, 40),
    job("4", "bob", 2, 15, 30),
)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param(
            "slurm.toml",
            {"1": 30, "2": 90, "3": 0, "4": 90},
            id="slurm: by submission; 3 is gone when 1 has its slot, the others come after",
        ),
        pytest.param(
            STRICT,
            {"1": 30, "2": 90, "3": 0, "4": 90},
            id="openpbs strict: the same here, 1 and 2 being the top jobs",
        ),
        pytest.param(
            OPENPBS,
            {"1": 70, "2": 0, "3": 30, "4": 55},
            id="openpbs: who fits runs, so 2, then 3 and 4; nothing is kept free for 1",
        ),
        pytest.param(
            MAUI,
            {"1": 40, "2": 100, "3": 15, "4": 0},
            id="maui: short jobs have the greatest XFACTOR: 4, then 3, 1, 2",
        ),
        pytest.param(
            LOADLEVELER,
            {"1": 30, "2": 90, "3": 90, "4": 0},
            id="loadleveler: ada's later steps rank behind 4; 1 is the top dog",
        ),
    ],
)
def test_one_queue_under_four_schedulers(file, expected):
    told = SchedulerSettings(passes=PassSettings())
    made = starts(load(FILES / file), *QUEUE, busy("n1 n2", 30), settings=told)
    assert {id_: int(minute) for id_, minute in made.items()} == expected


# Maui.


def test_maui_xfactor_lets_a_short_job_pass_an_older_long_one():
    """100 * XFACTOR: 100 * (1 + 60/10) for the short, 100 * (1 + 120/600) for the long."""
    jobs = (job("long", "ada", 1, 600, 120), job("short", "bob", 1, 10, 60), busy("n1", 30))
    assert starts(ready(MAUI), *jobs, count=1) == {"short": 30, "long": 40}
    by_time = ready(MAUI, priority={"formula": "eligible_s / 60"})
    assert starts(by_time, *jobs, count=1) == {"long": 30, "short": 630}


def test_maui_weighs_credentials_beside_minutes():
    """USERWEIGHT 10 * PRIORITY 30 is worth 300 minutes in the queue; 240 were waited more."""
    jobs = (job("old", "ada", 1, 60, 300), job("liked", "bob", 1, 60, 299), busy("n1", 30))
    limits = [{"user": "bob", "priority": 30}]
    assert starts(ready(MAUI), *jobs, count=1) == {"old": 30, "liked": 90}
    assert starts(ready(MAUI, limits=limits), *jobs, count=1) == {"liked": 30, "old": 90}


#      n1 n2 n3 n4      top: 3 nodes, from 30 on; second: 4 nodes, from 90 on if kept free;
#   0  r  r  .  .       filler: one node until 120, beside top but in second's way
DEEP = (
    job("top", "ada", 3, 60, 300),
    job("second", "bob", 4, 60, 200),
    job("filler", "cy", 1, 120, 60),
    busy("n1 n2", 30),
)


def test_maui_reserves_for_one_job_only_unless_reservationdepth_says_more():
    assert starts(ready(MAUI), *DEEP) == {"top": 30, "second": 120, "filler": 0}
    for filling in ("first", "best", "greedy"):
        deeper = ready(MAUI, policy={"reservations": 2, "filling": filling})
        assert starts(deeper, *DEEP) == {"top": 30, "second": 90, "filler": 150}


def test_maui_starts_jobs_at_its_iterations_only():
    """The node is free after 100 s, and again 600 s after the start; beats are at 30 s."""
    first, second = job("1", "ada", 1, 10, 90), job("2", "bob", 1, 10, 60)
    ending = busy("n1", 30)
    request = replace(ending.spec.request, limit_s=10 * MINUTE + 100)
    ending = replace(ending, spec=replace(ending.spec, request=request))
    assert starts(ready(MAUI), first, second, ending, count=1) == {"1": 2, "2": 12}
    at_once = ready(MAUI, policy={"pass_every_s": None})
    assert starts(at_once, first, second, ending, count=1) == {"1": 100 / 60, "2": 700 / 60}


@pytest.mark.parametrize("reservations", [0, 1, "all"])
def test_iterations_that_no_plan_fits_delay_every_start(reservations):
    """Beats of 7 minutes: 10 minutes end at 14, 28 and so on, whatever is reserved."""
    site = ready(MAUI, policy={"reservations": reservations, "pass_every_s": 7 * MINUTE})
    jobs = [job(str(i), f"u{i}", 1, 10, 90 - i) for i in range(3)]
    assert starts(site, *jobs, count=1) == {"0": 0, "1": 14, "2": 28}


def test_maui_looks_at_four_idle_jobs_of_a_user():
    """Ada's fifth fits but is not looked at before one of her four has started, at 30."""
    wide = [job(f"wide{i}", "ada", 4, 60, 500 - i) for i in range(4)]
    fits = job("fifth", "ada", 1, 30, 60), job("bob's", "bob", 1, 30, 30)
    made = starts(ready(MAUI), *wide, *fits, busy("n1 n2", 30))
    assert made == {
        "wide0": 30, "wide1": 90, "wide2": 150, "wide3": 210, "fifth": 270, "bob's": 0,
    }  # fmt: skip
    more = ready(MAUI, policy={"eligible_per_user": 5})
    assert starts(more, *wide, *fits, busy("n1 n2", 30))["fifth"] == 0


def test_whom_only_the_bound_of_its_user_keeps_is_told_so():
    wide = [job(f"wide{i}", "ada", 4, 60, 500 - i) for i in range(4)]
    made = forecast(
        cluster(4, *wide, job("fifth", "ada", 1, 30, 60), busy("n1 n2", 30)), ready(MAUI)
    )
    assert {p.job_id: p.cause for p in made.predictions}["fifth"] is Cause.LIMIT


@pytest.mark.parametrize(("every_s", "then"), [(30, 0.5), (None, 0)])
def test_starts_make_room_among_the_jobs_looked_at(every_s, then):
    """All six fit; Maui looks at four, and at the other two in its next iteration."""
    site = ready(MAUI, policy={"pass_every_s": every_s})
    made = starts(site, *(job(str(i), "ada", 1, 60, 90 - i) for i in range(6)), count=6)
    assert list(made.values()) == [0, 0, 0, 0, then, then]


def test_a_start_that_nobody_s_end_permits_makes_room_too():
    """A maintenance of n1 and n2 ends at 30. Ada's first job needs them.

    Her second would fit on n3 all the time, and is looked at once the first has started.
    """
    closed = Reservation(
        name="m", start_at=NOW - HOUR, end_at=NOW + 30 * MINUTE, node_names=("n1", "n2")
    )
    first, second = job("first", "ada", 2, 60, 90), job("second", "ada", 1, 60, 60)
    request = replace(first.spec.request, required_nodes=("n1", "n2"))
    first = replace(first, spec=replace(first.spec, request=request))
    site = ready(MAUI, policy={"eligible_per_user": 1, "pass_every_s": None})
    made = starts(site, first, second, count=3, reservations=(closed,))
    assert made == {"first": 30, "second": 30}


def test_jobs_of_unknown_users_are_bound_by_nothing():
    jobs = [job(str(i), "", 1, 60, 90 - i) for i in range(6)]
    assert set(starts(ready(MAUI), *jobs, count=6).values()) == {0}


#      n1 n2 n3 n4 n5 n6 n7 n8      head needs all; five nodes are free for half an hour
#   0  .  .  .  .  .  r  r  r       in queue order: a 2, b 1, c 4, d 3 nodes
FILLERS = (("a", 2), ("b", 1), ("c", 4), ("d", 3))


@pytest.mark.parametrize(
    ("filling", "passing"),
    [
        pytest.param("first", {"a", "b"}, id="FIRSTFIT: a, then b; neither c nor d fit the rest"),
        pytest.param("best", {"b", "c"}, id="BESTFIT: c asks for most, then only b fits"),
        pytest.param("greedy", {"a", "d"}, id="GREEDY: a and d fill all; so do b and c, behind"),
    ],
)
@pytest.mark.parametrize("reservations", [0, 1])
def test_maui_chooses_whom_it_backfills(filling, passing, reservations):
    site = ready(MAUI, policy={"filling": filling, "reservations": reservations})
    fillers = [job(name, name, size, 30, 90 - i) for i, (name, size) in enumerate(FILLERS)]
    made = starts(site, job("head", "ada", 8, 60, 999), *fillers, busy("n6 n7 n8", 30), count=8)
    assert {id_ for id_, minute in made.items() if minute == 0} == passing
    if reservations:
        assert made["head"] == 30


@pytest.mark.parametrize("filling", ["best", "greedy"])
def test_whoever_is_not_behind_a_blocked_job_starts_in_queue_order(filling):
    """Nobody is blocked before b: the larger c gets nothing of what a and b take."""
    site = ready(MAUI, policy={"filling": filling})
    jobs = [job("a", "a", 2, 30, 90), job("b", "b", 1, 30, 80), job("c", "c", 4, 30, 30)]
    assert starts(site, *jobs, count=4) == {"a": 0, "b": 0, "c": 30}


@given(sizes=st.lists(st.integers(1, 6), max_size=6), free=st.integers(1, 6))
def test_greedy_fills_as_much_as_any_combination_and_the_others_no_more(sizes, free):
    head = job("head", "ada", 7, 60, 999)
    fillers = [job(str(i), str(i), size, 30, 90 - i) for i, size in enumerate(sizes)]
    held = busy(" ".join(f"n{i}" for i in range(free + 1, 8)), 30)
    filled = {}
    for filling in ("first", "best", "greedy"):
        site = ready(MAUI, policy={"filling": filling})
        made = starts(site, head, *fillers, held, count=7)
        filled[filling] = sum(size for i, size in enumerate(sizes) if made[str(i)] == 0)
    every = (sum(c) for n in range(len(sizes) + 1) for c in combinations(sizes, n))
    assert filled["greedy"] == max(total for total in every if total <= free)
    assert max(filled.values()) == filled["greedy"]


# OpenPBS.


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


# LoadLeveler.


def at_work(name, submitted, started):
    """A job of ada's that ends at 30; submitted and started so many minutes ago."""
    one = running(f"r{name}", name, 30, user="ada", submitted_at=NOW - submitted * MINUTE)
    request = replace(one.spec.request, limit_s=(started + 30) * MINUTE)
    spec = replace(one.spec, request=request)
    return replace(one, spec=spec, started_at=NOW - started * MINUTE)


def test_loadleveler_works_sysprio_out_when_a_step_is_queued():
    """When ada queued, nothing of hers ran or waited before; the two began afterwards.

    SYSPRIO -3600 for her step, as for bob's, and hers is older. As of now hers would be -10800.
    """
    jobs = (job("ada's", "ada", 2, 60, 100), job("bob's", "bob", 2, 60, 90))
    later = at_work("n1", 80, 10), at_work("n2", 80, 10)
    assert starts(ready(LOADLEVELER), *jobs, *later, count=2) == {"ada's": 30, "bob's": 90}
    now = ready(LOADLEVELER, priority={"as_of": "now"})
    assert starts(now, *jobs, *later, count=2) == {"bob's": 30, "ada's": 90}


def test_loadleveler_counts_the_steps_a_user_had_at_queueing():
    """The two were there already, one running and one waiting then: -10800 and an hour ahead."""
    jobs = (job("ada's", "ada", 2, 60, 100), job("bob's", "bob", 2, 60, 50))
    before = at_work("n1", 200, 110), at_work("n2", 200, 90)
    assert starts(ready(LOADLEVELER), *jobs, *before, count=2) == {"bob's": 30, "ada's": 90}


def test_loadleveler_protects_its_top_dog_only():
    assert starts(ready(LOADLEVELER), *DEEP) == {"top": 30, "second": 120, "filler": 0}
    two = ready(LOADLEVELER, policy={"reservations": 2})
    assert starts(two, *DEEP) == {"top": 30, "second": 90, "filler": 150}


#      n1 n2 | n3 n4    a class for each half; one of its two nodes is free until 30
#   0  r  .  | r  .
def test_loadleveler_may_have_a_top_dog_in_every_class():
    """MAX_TOP_DOGS 1 protects `one` only; a top dog for each class protects `two` as well."""
    members = nodes(4)
    classes = (partition("a", members[:2]), partition("b", members[2:]))
    jobs = (
        job("one", "ada", 2, 60, 300, partitions=("a",)),
        job("two", "bob", 2, 60, 200, partitions=("b",)),
        job("long", "cy", 1, 120, 60, partitions=("b",)),
        busy("n1", 30),
        busy("n3", 30),
    )
    made = starts(ready(LOADLEVELER), *jobs, partitions=classes)
    assert made == {"one": 30, "two": 120, "long": 0}
    by_class = ready(LOADLEVELER, policy={"scope": "partition"})
    assert starts(by_class, *jobs, partitions=classes) == {"one": 30, "two": 30, "long": 90}


def test_loadleveler_looks_at_three_idle_steps_of_a_user():
    """Three wide steps are in the queue: the small fourth follows when the first runs, at 30."""
    wide = [job(f"wide{i}", "ada", 4, 60, 500 - i) for i in range(3)]
    fits = job("fourth", "ada", 1, 30, 60), job("bob's", "bob", 1, 30, 30)
    made = starts(ready(LOADLEVELER), *wide, *fits, busy("n1 n2", 30))
    assert made == {"wide0": 30, "wide1": 90, "wide2": 150, "fourth": 210, "bob's": 0}
    more = ready(LOADLEVELER, policy={"eligible_per_user": 4})
    assert starts(more, *wide, *fits, busy("n1 n2", 30))["fourth"] == 0


def test_loadleveler_counts_running_steps_into_maxqueued():
    """Ada runs three, so one idle step is looked at: `wide`, until they end at 30."""
    runs = [busy(f"n{i}", 30, user="ada") for i in (1, 2, 3)]
    jobs = (job("wide", "ada", 4, 60, 90), job("small", "ada", 1, 30, 60))
    assert starts(ready(LOADLEVELER), *jobs, *runs) == {"wide": 30, "small": 90}
    more = ready(LOADLEVELER, policy={"queued_per_user": 5})
    assert starts(more, *jobs, *runs) == {"wide": 30, "small": 0}


def test_loadleveler_weighs_classes():
    """ClassSysprio 40 * 100 s is more than the hour by which `old` was queued earlier."""
    members = nodes(1)
    queues = tuple(partition(name, members) for name in ("batch", "urgent"))
    new = job("new", "bob", 1, 60, 30, partitions=("urgent",))
    jobs = (job("old", "ada", 1, 60, 90), new, busy("n1", 30))
    plain = ready(LOADLEVELER)
    assert starts(plain, *jobs, count=1, partitions=queues) == {"old": 30, "new": 90}
    weighed = ready(LOADLEVELER, queues=[{"name": "urgent", "job_factor": 40}])
    assert starts(weighed, *jobs, count=1, partitions=queues) == {"new": 30, "old": 90}


# Wrong files.


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "[policy]\nname = 'easy'\nreservationdepth = 1",
            "3: policy.reservationdepth: unknown key, did you mean 'reservations'?",
        ),
        (
            "[policy]\n\nreservations = -1",
            '3: policy.reservations: expected a whole number or "all", got -1',
        ),
        (
            "[policy]\neligible_per_user = 0",
            "2: policy.eligible_per_user: expected at least 1, got 0",
        ),
        (
            "[policy]\nqueued_per_user = 'ALL'",
            '2: policy.queued_per_user: expected a whole number, got "ALL"',
        ),
        (
            "[policy]\npass_every_s = 0",
            "2: policy.pass_every_s: expected at least 1, got 0",
        ),
        (
            "[policy]\nfilling = 'bestfit'",
            "2: policy.filling: expected 'first', 'best' or 'greedy', got \"bestfit\", "
            "did you mean 'best'?",
        ),
        (
            "[priority]\nformula = 'nodes'\nas_of = 'queueing'",
            "3: priority.as_of: expected 'now' or 'submission', got \"queueing\"",
        ),
        ("[priority]\nas_of = 'now'", "2: priority.as_of: there is no formula to work out"),
        (
            "[priority]\nformula = 'nodes + fairshare'\nas_of = 'submission'",
            "3: priority.as_of: the formula's fairshare is not known as of the submission",
        ),
    ],
)
def test_a_wrong_number_is_told_with_its_line(text, fault, faults):
    assert faults(text) == [fault]


def test_an_unknown_attribute_is_told_with_its_line(faults):
    first = faults("\n[priority]\nformula = 'queuetime * 2'")[0]
    assert first.startswith("3: priority.formula: ")
    assert "queuetime" in first
