"""What of the past is open, and what is asked for next."""

from dataclasses import replace
from itertools import pairwise

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, running, spec, unread, waiting
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import (
    Fact,
    FinishedJob,
    Hidden,
    Outcome,
    Provenance,
    SchedulerSettings,
)
from predictor.domain.durations import DAY_S as DAY
from predictor.service import ledger
from predictor.service.past import (
    GATHER_S,
    GIVE_UP_S,
    HISTORY,
    NARROWEST_S,
    OVERLAP_S,
    OWED,
    SETTLED_S,
    UNSEEN,
    Past,
    begun,
    given_up,
    looked,
    narrowed,
    next_slice,
    told,
)

QUIET = Past(cluster="scene", first_at=NOW)
"""Nothing is open."""


def at(minutes, *jobs, shown_s=300, **more):
    settings = SchedulerSettings(min_job_age_s=shown_s)
    return cluster(4, *jobs, taken_at=NOW + minutes * MINUTE, settings=settings, **more)


def over(id_, ended_at=NOW):
    return FinishedJob(spec=spec(id_), ended_at=ended_at, outcome=Outcome.COMPLETED)


def after(past, *snapshots):
    for before, snapshot in zip((None, *snapshots), snapshots, strict=False):
        past = looked(past, before, snapshot, 14 * DAY)
    return past


def answered(past, now, *ids, **cost):
    asked = next_slice(past, now)
    assert asked is not None
    return told(past, asked, ids, now, **({"size_bytes": 100, "took_s": 0.1} | cost))


def test_a_beginner_asks_for_the_history_the_oldest_first_and_more_at_a_time():
    past, slices = begun("scene", NOW, 14 * DAY, NOW), []
    now = NOW
    while (asked := next_slice(past, now)) is not None or now < NOW + 10 * MINUTE:
        if asked is not None:
            slices.append(asked)
            past = answered(past, now)
        now += MINUTE
    assert slices[0].since == NOW - 14 * DAY
    assert [a.until for a in slices[:-1]] == [b.since for b in slices[1:]]
    assert slices[-1].until == NOW
    assert len(slices) < 10
    assert all(one.until - one.since >= GATHER_S for one in slices[:-1])
    assert not past.open


def test_what_has_just_ended_is_left_until_accounting_knows_of_it():
    asked = next_slice(begun("scene", NOW, HOUR, NOW), NOW)
    assert asked.until == NOW - SETTLED_S


def test_a_pause_shorter_than_ended_jobs_are_shown_leaves_nothing_open():
    assert after(QUIET, at(0), at(4)) == QUIET


def test_a_longer_pause_is_asked_for_as_a_whole():
    past = after(QUIET, at(0), at(5))
    assert next_slice(past, NOW + 5 * MINUTE) is None
    asked = next_slice(past, NOW + 6 * MINUTE)
    assert (asked.since, asked.until) == (NOW - OVERLAP_S, NOW + 5 * MINUTE)
    assert answered(past, NOW + 6 * MINUTE).open == {}


def test_a_batch_system_that_forgets_nobody_leaves_nothing_open():
    assert after(QUIET, at(0, shown_s=0), at(600, shown_s=0)) == QUIET


def test_where_jobs_are_soon_forgotten_all_time_is_asked_for_but_seldom():
    past, asked, covered = QUIET, [], []
    for number in range(60):
        pair = at(number, shown_s=2), at(number + 1, shown_s=2)
        past = looked(past, *pair, 14 * DAY)
        if one := next_slice(past, pair[1].taken_at):
            asked.append(one)
            covered.append((one.since, one.until))
            past = answered(past, pair[1].taken_at)
    assert len(asked) <= 60 * MINUTE // GATHER_S + 1
    assert all(a[1] >= b[0] for a, b in pairwise(covered))
    assert covered[0][0] <= NOW
    assert covered[-1][1] >= NOW + 60 * MINUTE - GATHER_S - 2 * SETTLED_S


def test_who_is_gone_without_a_word_is_missing_until_accounting_tells_of_it():
    past = after(
        QUIET, at(0, waiting("1"), running("2", "n1", 5), waiting("3")), at(1, waiting("3"))
    )
    assert set(past.missing) == {"1", "2"}
    assert answered(past, NOW + 3 * MINUTE, "1", "2", "9").missing == {}


@pytest.mark.parametrize(
    "later",
    [
        pytest.param({"pending": (waiting("1"),)}, id="still waiting"),
        pytest.param({"running": (running("1", "n1", 5),)}, id="running"),
        pytest.param({"finished": (over("1"),)}, id="shown as over"),
    ],
)
def test_who_is_shown_in_any_way_is_not_missing(later):
    assert after(QUIET, at(0, waiting("1")), at(1, **later)) == QUIET


TWO_OF_THREE = replace(array("7", 3), spec=replace(array("7", 2).spec, id="7_[0-1]"))


def test_of_an_array_its_tasks_are_missing_one_by_one():
    past = after(QUIET, at(0, array("7", 3), shown_s=60), at(1, TWO_OF_THREE, shown_s=60))
    assert set(past.missing) == {"7_2"}
    assert set(after(QUIET, at(0, array("7", 3)), at(1)).missing) == {"7_0", "7_1", "7_2"}


def test_the_tasks_of_an_array_that_waits_on_are_not_looked_at_one_by_one():
    some = unread(TWO_OF_THREE)
    assert after(QUIET, at(0, unread(array("7", 3))), at(1, some), at(2, some)) == QUIET


def test_tasks_given_up_out_of_an_array_are_not_waited_for():
    # Of these neither the queue nor accounting ever tells; one that had run would be shown.
    assert after(QUIET, at(0, array("7", 3)), at(1, TWO_OF_THREE)) == QUIET


def test_who_comes_back_is_not_missing_any_more():
    past = after(QUIET, at(0, waiting("1")), at(1), at(2, waiting("1")))
    assert past.missing == {}


def test_a_clock_that_was_set_back_opens_nothing():
    assert after(QUIET, at(9, waiting("1")), at(1)) == QUIET


def test_a_look_that_hides_jobs_misses_nobody():
    private = Provenance(source="s", hidden=(Hidden(fact=Fact.JOBS, why="private"),))
    assert after(QUIET, at(0, waiting("1")), at(9, provenance=private)) == QUIET


def test_accounting_that_knows_nothing_yet_is_asked_again_ever_more_seldom_and_given_up():
    past, asks = after(QUIET, at(0, waiting("1")), at(1)), []
    now = NOW + MINUTE
    while past.missing:
        if next_slice(past, now) is not None:
            asks.append(now)
            past = answered(past, now)
        past = given_up(past, now)
        now += MINUTE
    assert GIVE_UP_S <= now - NOW < GIVE_UP_S + 5 * MINUTE
    assert 5 < len(asks) < 20
    pauses = [b - a for a, b in pairwise(asks)]
    assert pauses[0] <= 2 * GATHER_S
    assert pauses == sorted(pauses)


def test_late_news_still_count():
    past = after(QUIET, at(0, waiting("1")), at(1))
    past = answered(past, NOW + 2 * MINUTE)
    assert set(past.open) == {OWED}
    past = answered(past, NOW + 10 * MINUTE, "1")
    assert (past.missing, past.open) == ({}, {})


def test_what_was_unseen_comes_before_the_history():
    past = looked(begun("scene", NOW - DAY, DAY, NOW - DAY), at(0), at(60), DAY)
    assert next_slice(past, NOW + 62 * MINUTE).of == UNSEEN
    past = answered(past, NOW + 62 * MINUTE)
    assert next_slice(past, NOW + 63 * MINUTE).of == HISTORY


def test_no_slice_reaches_from_before_the_recording_into_it():
    past = replace(begun("scene", NOW, DAY, NOW - HOUR), width_s=7 * DAY)
    assert next_slice(past, NOW).until == NOW - HOUR
    past = answered(past, NOW)
    assert next_slice(past, NOW).since == NOW - HOUR


def test_too_long_an_answer_is_asked_for_in_halves_down_to_a_minute():
    past = begun("scene", NOW, DAY, NOW)
    widths = []
    while (less := narrowed(past, next_slice(past, NOW))) is not None:
        widths.append(less.width_s)
        past = less
    assert widths[:2] == [3 * HOUR, HOUR * 3 // 2]
    assert widths[-1] == NARROWEST_S


@pytest.mark.parametrize("cost", [{"size_bytes": 10**7}, {"took_s": 9.0}])
def test_after_a_large_or_slow_answer_no_more_is_asked_for(cost):
    past = begun("scene", NOW, DAY, NOW)
    assert answered(past, NOW, **cost).width_s == past.width_s
    assert answered(past, NOW).width_s == 2 * past.width_s


@given(st.lists(st.integers(1, 60), min_size=1, max_size=30), st.integers(2, 900))
def test_every_second_between_two_looks_that_may_hide_an_end_is_asked_for(steps, shown_s):
    past, now, unseen, asked = QUIET, 0, set(), set()
    for step in steps:
        pair = at(now, shown_s=shown_s), at(now + step, shown_s=shown_s)
        past = looked(past, *pair, 14 * DAY)
        if step * MINUTE >= shown_s:
            unseen |= set(range(now, now + step))
        now += step
        if one := next_slice(past, pair[1].taken_at):
            asked |= set(range(one.since, one.until))
            past = answered(past, pair[1].taken_at)
    later = NOW + now * MINUTE + 2 * GATHER_S
    while one := next_slice(past, later):
        asked |= set(range(one.since, one.until))
        past = answered(past, later)
    assert {NOW + minute * MINUTE for minute in unseen} <= asked
    assert past.open == {}


def test_the_ledger_outlives_a_restart(tmp_path):
    file = ledger.file_of(tmp_path / "recording")
    past = looked(begun("scene", NOW, DAY, NOW - 9), at(0, waiting("1")), at(9), DAY)
    ledger.save(file, past)
    assert ledger.load(file, "scene") == past
    assert ledger.load(file, "elm") is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"schema":"queuecast.past/1"}', b"\xff"])
def test_a_damaged_ledger_is_begun_anew(tmp_path, content):
    file = tmp_path / "ledger"
    file.write_bytes(content)
    assert ledger.load(file, "scene") is None
