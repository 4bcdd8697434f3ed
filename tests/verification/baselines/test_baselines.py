from dataclasses import replace
from math import comb

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, partition, spec, waiting
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.domain import FinishedJob, Outcome
from predictor.domain.shift import shifted
from predictor.site import default
from verification.baselines.everybody import everybody
from verification.baselines.qbets import FEWEST, LEVELS, MOST, Qbets, Waits, bound_rank
from verification.baselines.simple import ClassMedian, Never, Now, Persistence
from verification.baselines.starts import NO_HISTORY, Starts
from verification.judging.case import Said


def started(id_, wait_s, at=NOW - MINUTE, count=1, minutes=10, **of_job):
    """A job that is over, and had waited so long before it started at an instant."""
    return FinishedJob(
        spec=spec(id_, count, minutes, submitted_at=at - wait_s, **of_job),
        started_at=at,
        ended_at=at + 1,
        outcome=Outcome.COMPLETED,
    )


def waits(id_, waited_s=0, count=1, minutes=10, **of_job):
    return waiting(id_, count, minutes, of_job={"submitted_at": NOW - waited_s, **of_job})


def told(predictor, snapshot, *before):
    for one in (*before, snapshot):
        predictor.learn(one)
    return predictor.say(snapshot)


def seen(*finished, pending=(), **more):
    return replace(cluster(4, *pending), finished=finished, **more)


def test_a_start_is_told_once():
    starts = Starts()
    first = seen(started("1", 60), started("2", 30))
    assert [start.wait_s for start in starts.learn(first)] == [60, 30]
    assert starts.learn(first) == ()
    again = seen(started("1", 60), started("1", 5, at=NOW + 600))
    assert [start.wait_s for start in starts.learn(again)] == [5]


def test_who_left_without_a_start_teaches_nothing():
    left = replace(started("1", 60), started_at=None)
    assert Starts().learn(seen(left)) == ()


def test_a_wait_begins_when_the_job_may_start():
    late = started("1", 600, eligible_at=NOW - 2 * MINUTE)
    assert [start.wait_s for start in Starts().learn(seen(late))] == [MINUTE]


def test_now_and_never():
    snapshot = cluster(4, waiting("1"))
    assert told(Now(), snapshot) == {"1": Said(likely_at=NOW)}
    assert told(Never(), snapshot) == {"1": Said(why_not="never")}


def test_the_last_wait_is_repeated():
    snapshot = seen(
        started("old", 9000, at=NOW - HOUR),
        started("new", 600),
        started("wide", 7200, count=2),
        pending=(waits("a", 200), waits("b", 700), waits("c", 0, count=3), waits("d", 0, count=9)),
    )
    assert told(Persistence(), snapshot) == {
        "a": Said(likely_at=NOW + 400),
        "b": Said(likely_at=NOW),
        "c": Said(likely_at=NOW + 7200),
        "d": NO_HISTORY,
    }


def test_the_median_is_that_of_the_narrowest_kind_with_enough_starts():
    short = [started(f"s{n}", wait_s) for n, wait_s in enumerate((10, 20, 30, 40, 5000))]
    long = [started(f"l{n}", 7000, minutes=600) for n in range(4)]
    snapshot = seen(*short, *long, pending=(waits("a"), waits("b", minutes=600)))
    answers = told(ClassMedian(), snapshot)
    assert answers["a"] == Said(likely_at=NOW + 30)
    assert answers["b"] == Said(likely_at=NOW + 5000)  # four are too few: of both kinds together


def test_only_recent_starts_count():
    old = [seen(started(str(n), 9000, at=NOW - HOUR)) for n in range(100)]
    new = [seen(started(f"n{n}", 60)) for n in range(51)]
    snapshot = seen(pending=(waits("a"),))
    assert told(ClassMedian(), snapshot, *old, *new)["a"].likely_at == NOW + 60


def test_all_tasks_of_an_array_wait_alike():
    answers = told(Persistence(), seen(started("1", 7200), pending=(array("7", 3),)))
    assert answers.keys() == {"7_[0-2]", "7_0", "7_1", "7_2"}
    assert len(set(answers.values())) == 1


def test_nobody_knows_what_no_snapshot_showed():
    snapshot = cluster(4, waiting("1"))
    for predictor in (Persistence(), ClassMedian(), Qbets()):
        assert told(predictor, snapshot) == {"1": NO_HISTORY}


def test_partitions_have_their_own_history():
    both = (partition("batch", ()), partition("other", ()))
    snapshot = seen(started("1", 60, partitions=("other",)), pending=(waits("a"),), partitions=both)
    assert told(Persistence(), snapshot) == {"a": NO_HISTORY}


@pytest.mark.parametrize(
    ("count", "rank"),
    [
        pytest.param(58, None, id="58 waits bound nothing"),
        pytest.param(59, 59, id="of 59 the longest does"),
        pytest.param(92, 92, id="so it does of 92"),
        pytest.param(93, 92, id="of 93 the second longest does"),
    ],
)
def test_the_rank_of_a_bound(count, rank):
    assert bound_rank(count) == rank


@settings(deadline=None)
@given(st.integers(1, 200), st.sampled_from([0.5, 0.9, 0.95]))
def test_a_bound_is_the_first_that_is_sure_enough(count, level):
    def chance(rank):
        """That at most `rank - 1` of the waits lie under the quantile, so the bound above it."""
        return sum(
            comb(count, below) * level**below * (1 - level) ** (count - below)
            for below in range(rank)
        )

    sure = (rank for rank in range(1, count + 1) if chance(rank) >= 0.95)
    assert bound_rank(count, level) == next(sure, None)


def test_waits_are_forgotten_when_they_have_changed():
    known = Waits()
    for _ in range(200):
        known.add(10)
    assert known.bound_s == 10
    known.add(5000)
    known.add(5000)
    assert len(known) == 202
    known.add(5000)
    assert (len(known), known.bound_s) == (FEWEST, 5000)


def test_one_surprise_among_others_changes_nothing():
    known = Waits()
    for wait_s in [10] * 200 + [5000, 10] * 5:
        known.add(wait_s)
    assert len(known) == 210


@settings(deadline=None)
@given(st.lists(st.integers(0, 9), max_size=80))
def test_a_history_is_bounded_and_ordered(some):
    known = Waits()
    for wait_s in some:
        known.add(wait_s)
    assert len(known) <= MOST
    if len(known):
        assert list(known.quantiles_s()) == sorted(known.quantiles_s())
    assert (known.bound_s is None) == (len(known) < FEWEST)


def test_a_bound_is_a_promise_with_a_window():
    history = [started(str(n), 100 * (99 - n), at=NOW - HOUR + n) for n in range(100)]
    said = told(Qbets(), seen(*history, pending=(waits("a", 100),)))["a"]
    assert said.likely_at == NOW + 100 * 50 - 100
    assert (said.low_at, said.high_at) == (NOW + 900, NOW + 8800)
    assert said.by_at == NOW + 100 * (bound_rank(100) - 1) - 100
    assert tuple(level for level, _ in said.quantiles) == LEVELS


def test_nobody_promises_the_past():
    history = [started(str(n), 100) for n in range(100)]
    said = told(Qbets(), seen(*history, pending=(waits("a", HOUR),)))["a"]
    assert {said.likely_at, said.low_at, said.high_at, said.by_at} == {NOW}


def test_everybody_has_a_name_of_their_own_and_does_not_mind_the_date():
    history = [started(str(n), 10 * n, count=1 + n % 3) for n in range(200)]
    pending = (waits("a", 30), waits("b", 0, count=3, minutes=600), array("7", 2))
    scene = seen(*history, pending=pending)
    week_s = 7 * 24 * HOUR
    then, later = everybody(default()), everybody(default())
    assert len({one.name for one in then}) == len(then)
    for one, other in zip(then, later, strict=True):
        before = told(one, scene)
        after = told(other, shifted(scene, week_s))
        assert {id_: moved(said, week_s) for id_, said in before.items()} == after


def moved(said, by_s):
    def at(instant):
        return None if instant is None else instant + by_s

    return replace(
        said,
        likely_at=at(said.likely_at),
        low_at=at(said.low_at),
        high_at=at(said.high_at),
        by_at=at(said.by_at),
        quantiles=tuple((level, instant + by_s) for level, instant in said.quantiles),
    )
