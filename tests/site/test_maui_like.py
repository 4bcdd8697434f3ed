"""What follows from Maui's rules, by the ready site file."""

from dataclasses import replace
from itertools import combinations

import pytest
from clusters import HOUR, MINUTE, NOW, cluster
from hypothesis import given, settings
from hypothesis import strategies as st
from other_systems import DEEP, MAUI, busy, job, ready, starts

from predictor.domain import Cause, Reservation
from predictor.forecast import forecast


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


@settings(deadline=None)
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
