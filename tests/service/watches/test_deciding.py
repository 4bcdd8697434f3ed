"""What is worth telling: once, and not of every little change."""

from dataclasses import replace
from itertools import pairwise

import pytest
from clusters import MINUTE, NOW, array, cluster, running, spec, waiting
from hypothesis import given
from hypothesis import strategies as st
from watching import MINE, WATCH, publish, seen

from predictor.domain import FinishedJob, Outcome
from predictor.service.asking.viewers import EVERYTHING, Sight
from predictor.service.history import Entry
from predictor.service.watches.deciding import MOST_AT_ONCE, decided
from predictor.service.watches.watch import Kind, Told

SLIPS = replace(WATCH, kinds=frozenset({Kind.SLIPPED}))


def all_told(results, watch=WATCH, sees=EVERYTHING, before=None):
    """Return the notices of each result, one after the other, and what is known in the end."""
    ledger, notices = {}, []
    for now in results:
        decision = decided([watch], ledger, before, now, lambda _: sees)
        ledger, before = decision.ledger, now
        notices.append(decision.notices)
    return notices, ledger


def news(*results, **more):
    notices, _ = all_told(results, **more)
    return [" ".join(f"{n.kind}:{n.job_id}" for n in each) for each in notices]


def starts(*minutes, every=1):
    """Results one after the other, in which job 1 is to start at these minutes."""
    return [seen(now * every, j1=start) for now, start in enumerate(minutes)]


# -- soon


def test_soon_is_told_when_the_lead_is_short_and_only_once():
    assert news(*starts(33, 33, 33, 33, 33, 33)) == ["", "", "", "soon:1", "", ""]


def test_soon_is_told_again_only_if_the_start_had_moved_away_by_more_than_an_hour():
    only = replace(WATCH, kinds=frozenset({Kind.SOON}))
    assert news(*starts(20, 80, 20), watch=only) == ["soon:1", "", ""]
    assert news(*starts(20, 81, 20), watch=only) == ["soon:1", "", "soon:1"]


def test_whoever_wants_a_longer_lead_is_told_sooner():
    early = replace(WATCH, soon_s=120 * MINUTE)
    assert news(*starts(100), watch=early) == ["soon:1"]


# -- slipped


@pytest.mark.parametrize(
    ("first", "then", "told"),
    [
        pytest.param(60, 90, "", id="by half an hour: no"),
        pytest.param(60, 91, "slipped:1", id="by more than half an hour: yes"),
        pytest.param(600, 789, "", id="within a quarter of what is left: no"),
        pytest.param(600, 809, "slipped:1", id="by more than a quarter of it: yes"),
        pytest.param(600, 59, "", id="sooner: no"),
    ],
)
def test_what_a_slip_is(first, then, told):
    assert news(*starts(first, then), watch=SLIPS) == ["", told]


def test_a_slip_is_measured_from_what_was_told_last():
    """Ten minutes each time: told only when they have become more than half an hour."""
    results = starts(*range(60, 140, 10))
    assert [bool(each) for each in news(*results, watch=SLIPS)] == [
        *[False] * 4,
        True,
        *[False] * 3,
    ]


def test_a_slip_tells_what_was_told_before_and_what_moved_it():
    later = seen(1, j1=200)
    entry = Entry(told_at=NOW, likely_at=NOW + 200 * MINUTE, moved_by="3 jobs more ahead")
    notices, _ = all_told([seen(0, j1=60), replace(later, history={"1": (entry,)})])
    (slip,) = notices[1]
    assert (slip.before_at - NOW, slip.likely_at - NOW) == (60 * MINUTE, 200 * MINUTE)
    assert slip.moved_by == "3 jobs more ahead"


def test_a_job_that_slips_but_starts_soon_all_the_same_is_told_of_once():
    assert news(seen(0, j1=40), seen(60, j1=80)) == ["", "soon:1"]


# -- started


def test_a_start_is_told_once_and_nothing_after_it():
    results = [seen(0, j1=60), seen(1, j1=1), seen(2, j1=1), seen(3)]
    assert news(*results) == ["", "started:1", "", ""]


def test_a_start_tells_when_and_where():
    (notice,) = all_told([seen(0, j1=60), seen(9, j1=5)])[0][1]
    assert (notice.started_at, notice.nodelist) == (NOW + 5 * MINUTE, "n1")
    assert notice.likely_at is None


def test_the_watch_of_a_job_that_started_is_done_and_that_of_all_jobs_never():
    for watch, done in ((WATCH, {"w1"}), (MINE, set())):
        known = {watch.id: {"1": Told()}}
        decision = decided([watch], known, None, seen(1, j1=1), lambda _: EVERYTHING)
        assert decision.done == done
        assert len(decision.notices) == 1


def test_a_job_that_came_and_started_between_two_looks_is_told_of():
    assert news(seen(0), seen(2, j5=1), watch=MINE) == ["", "started:5"]


def test_after_a_restart_nobody_is_told_of_starts_that_cannot_be_compared():
    assert news(seen(5, j5=1), seen(6, j5=1), watch=MINE) == ["", ""]


def test_after_a_restart_a_start_is_told_that_was_waited_for_before():
    known = {"w2": {"5": Told(likely_at=NOW)}}
    decision = decided([MINE], known, None, seen(5, j5=1), lambda _: EVERYTHING)
    assert [n.kind for n in decision.notices] == [Kind.STARTED]


def test_what_ran_when_the_watch_was_made_is_not_told_of():
    late = replace(MINE, created_at=NOW + 10 * MINUTE)
    assert news(seen(0), seen(11, j5=5), seen(12, j5=5), watch=late) == ["", "", ""]


# -- jobs of several records, and of several runs


def of_an_array(minute, left, begun=()):
    """Array 12 of six tasks at that minute: so many wait for the 20th minute, some have begun."""
    whole = array("12", 6)
    members = replace(whole.spec.array, tasks=tuple(range(6 - left, 6)))
    rest = replace(whole.spec, id=f"12_[{6 - left}-5]", array=members)
    own = [replace(members, tasks=(task,)) for task in begun]
    runs = [
        replace(running(f"12_{one.tasks[0]}", "n1", 60, array=one), started_at=NOW + minute * 60)
        for one in own
    ]
    waits = [replace(whole, spec=rest)] if left else []
    scene = cluster(4, *waits, *runs, taken_at=NOW + minute * MINUTE)
    return publish(scene, {rest.id: NOW + 20 * MINUTE} if left else {})


@pytest.mark.parametrize("watch", [replace(WATCH, job="12"), MINE], ids=["its id", "all own jobs"])
def test_an_array_is_told_of_as_one_job(watch):
    results = [of_an_array(0, 6), of_an_array(1, 5, [0]), of_an_array(2, 3, [1, 2])]
    assert news(*results, watch=watch) == ["soon:12_[0-5]", "started:12_0", ""]


def test_a_task_may_be_watched_by_itself():
    results = [of_an_array(0, 6), of_an_array(1, 5, [0]), of_an_array(2, 3, [1, 2])]
    wish = {"kinds": frozenset({Kind.STARTED})}
    assert news(*results, watch=replace(WATCH, job="12_2", **wish)) == ["", "", "started:12_2"]


def test_a_job_that_was_sent_back_to_the_queue_waits_whatever_became_of_its_first_run():
    run = {"ended_at": NOW - 60, "started_at": NOW - 600, "outcome": Outcome.NODE_FAIL}
    over = FinishedJob(spec=spec("1"), **run)
    scene = cluster(4, waiting("1"), finished=(over,))
    assert news(publish(scene, {"1": NOW + 600}), seen(1, j1=1)) == ["soon:1", "started:1"]


# -- who, and which result


def test_a_result_whose_windows_are_to_come_tells_of_starts_only():
    results = [seen(0, j1=60), seen(1, first=True, j1=5), seen(2, first=True, j1=2)]
    assert news(*results) == ["", "", "started:1"]


def test_nothing_is_told_of_a_job_that_its_watcher_may_not_see():
    bobs = Sight(own="bob")
    assert news(seen(0, j1=20), seen(1, j1=1), sees=bobs) == ["", ""]
    assert news(seen(0, j1=20), seen(1, j1=1), sees=bobs, watch=MINE) == ["", ""]


def test_a_watch_of_what_can_no_longer_be_asked_for_is_done():
    watch = replace(WATCH, job="1_[0-999999999:2]")
    decision = decided([watch], {}, None, seen(0, j1=33), lambda _: EVERYTHING)
    assert (decision.notices, decision.done) == ((), {"w1"})


def test_what_is_not_wished_for_is_not_told():
    none = replace(WATCH, kinds=frozenset({Kind.STARTED}))
    assert news(seen(0, j1=10), seen(1, j1=200), watch=none) == ["", ""]


def test_of_a_job_without_a_prediction_nothing_is_told_until_it_starts():
    assert news(seen(0, j1=None), seen(1, j1=None), seen(2, j1=2)) == ["", "", "started:1"]


def test_a_job_that_is_missing_for_one_look_is_not_told_of_anew():
    assert news(seen(0, j1=10), seen(1), seen(2, j1=10)) == ["soon:1", "", ""]


def test_a_job_that_is_gone_for_a_day_is_forgotten_and_its_watch_done():
    day = 24 * 60
    results = [seen(0, j1=60), seen(1), seen(2 + day)]
    _, ledger = all_told(results[:2])
    assert ledger["w1"]["1"].gone_at == NOW + MINUTE
    decision = decided([WATCH], ledger, results[1], results[2], lambda _: EVERYTHING)
    assert (decision.ledger, decision.done) == ({"w1": {}}, {"w1"})


def test_whose_jobs_all_start_at_once_is_told_of_some_and_of_how_many_more():
    before = {f"j{n}": 600 for n in range(50)}
    notices, _ = all_told([seen(0, **before), seen(1, **dict.fromkeys(before, 1))], watch=MINE)
    assert len(notices[1]) == MOST_AT_ONCE
    assert sum(1 + notice.more for notice in notices[1]) == 50


minutes = st.integers(0, 3_000)


@given(st.lists(st.one_of(minutes, st.none()), max_size=40), st.integers(1, 500))
def test_never_the_same_twice_and_never_of_a_small_change(leads, soon):
    """Whatever a job's start does: each notice is new, and tells something else than the last."""
    watch = replace(WATCH, soon_s=soon * MINUTE)
    results = [seen(now, j1=None if lead is None else now + lead) for now, lead in enumerate(leads)]
    told = [n for each in all_told(results, watch=watch)[0] for n in each]
    assert len({n.id for n in told}) == len(told)
    assert [n.kind for n in told].count(Kind.STARTED) <= 1
    if told and Kind.STARTED in {n.kind for n in told}:
        assert told[-1].kind is Kind.STARTED
    for notice in told:
        if notice.kind is Kind.SLIPPED:
            moved_s = notice.likely_at - notice.before_at
            assert moved_s > max(1_800, 0.25 * (notice.likely_at - notice.at))
    soons = [n for n in told if n.kind is Kind.SOON]
    for one, two in pairwise(soons):
        between = [now + lead for now, lead in enumerate(leads) if lead and _minute(one) < now]
        assert max(between) * MINUTE + NOW - one.likely_at > 3_600
        assert one.at < two.at


def _minute(notice):
    return (notice.at - NOW) // MINUTE
