"""Learning what was missed: oldest first, in bounded time, and to the very end."""

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import START, HandClock, ended, snapshot
from services import StandingClock

from predictor.service import catchup
from predictor.service.catchup import SPACING_S, CatchUp, spaced
from predictor.storage import open_for_reading, open_for_writing


@given(st.lists(st.integers(0, 10_000), unique=True).map(sorted))
def test_the_newest_is_among_those_chosen_and_others_are_far_enough_apart(instants):
    chosen = spaced(instants)
    assert set(chosen) <= set(instants)
    assert chosen[-1:] == instants[-1:]
    assert all(b - a >= SPACING_S for a, b in pairwise(chosen))
    between = [at for at in instants if all(abs(at - one) >= SPACING_S for one in chosen)]
    assert between == []


@dataclass
class Slow:
    """Learns at a price in time."""

    clock: StandingClock
    price_s: float

    def __post_init__(self):
        self.instants = []

    def __call__(self, snapshot):
        self.instants.append((snapshot.taken_at - START) // 60)
        self.clock.at += self.price_s


@pytest.fixture
def recorded(tmp_path):
    def record(numbers):
        with open_for_writing(tmp_path / "recording", clock=HandClock()) as writer:
            for number in numbers:
                writer.append(snapshot(START + 60 * number))
        return tmp_path / "recording"

    return record


def way(folder, since, clock):
    return CatchUp(open_for_reading(folder), START + 60 * since, clock)


def test_it_begins_after_what_was_learned_last(recorded):
    clock = StandingClock()
    learn = Slow(clock, 0.1)
    assert way(recorded(range(20)), 10, clock).go_on(learn, 60)
    assert learn.instants == [11, 15, 19]


def test_it_stops_when_its_time_is_over_and_goes_on_later(recorded):
    clock = StandingClock()
    learn = Slow(clock, 1)
    behind = way(recorded(range(25)), -1, clock)
    assert not behind.go_on(learn, 3)
    assert learn.instants == [0, 4, 8]
    assert behind.go_on(learn, 60)
    assert learn.instants == [0, 4, 8, 12, 16, 20, 24]


def test_what_comes_meanwhile_is_learned_too(recorded):
    clock = StandingClock()
    learn = Slow(clock, 1)
    folder = recorded(range(9))
    behind = way(folder, -1, clock)
    assert not behind.go_on(learn, 1)
    recorded(range(9, 14))
    assert behind.go_on(learn, 60)
    assert learn.instants == [0, 4, 8, 9, 13]


def test_if_there_is_too_much_the_oldest_of_it_are_left_out(recorded, monkeypatch):
    monkeypatch.setattr(catchup, "ALLOWED_S", 20)
    clock = StandingClock(START + 60 * 400)
    learn = Slow(clock, 1)
    assert way(recorded(range(0, 400, 4)), -1, clock).go_on(learn, 600)
    assert learn.instants[:8] == [0, 4, 8, 12, 16, 20, 24, 28]  # to know how long one takes
    assert learn.instants[8:] == list(range(352, 400, 4))


def test_of_what_is_too_old_nothing_is_learned(recorded, monkeypatch):
    monkeypatch.setattr(catchup, "LOOK_BACK_S", 600)
    clock = StandingClock()
    learn = Slow(clock, 0.1)
    assert way(recorded(range(40)), -1, clock).go_on(learn, 60)
    assert learn.instants == [31, 35, 39]


def test_who_cannot_be_learned_from_is_passed_over_the_next_time(recorded):
    clock = StandingClock()
    learn = Slow(clock, 0.1)
    behind = way(recorded(range(9)), -1, clock)

    def fail(_snapshot):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        behind.go_on(fail, 60)
    assert behind.go_on(learn, 60)
    assert learn.instants == [4, 8]


def noticed(folder, *notices):
    with open_for_writing(folder, clock=HandClock()) as writer:
        for minute, ids in notices:
            jobs = [ended(id_, START - 3600) for id_ in ids]
            writer.add_outcomes(jobs, learned_at=START + 60 * minute)


def test_who_ended_unseen_is_heard_of_when_that_was_known(recorded):
    folder = recorded(range(0, 20, 4))
    noticed(folder, (4, ["a", "b"]), (9, ["c"]))
    clock, told = StandingClock(), []
    learn = Slow(clock, 0.1)

    def hear(jobs):
        told.append((learn.instants[-1], [job.spec.id for job in jobs]))

    behind = way(folder, -1, clock)
    assert behind.go_on(learn, 60, hear)
    assert told == [(4, ["a", "b"]), (8, ["c"])]
    noticed(folder, (17, ["d"]))
    later = CatchUp(open_for_reading(folder), START + 60 * 99, clock, behind.told)
    assert later.go_on(learn, 60, hear)
    assert told[2:] == [(16, ["d"])]


def test_what_accounting_told_is_heard_bit_by_bit(recorded):
    folder = recorded([0])
    noticed(folder, *((n, [f"{n}"]) for n in range(5)))
    clock, told = StandingClock(), []

    def hear(jobs):
        told.append(jobs[0].spec.id)
        clock.at += 1

    behind = way(folder, -1, clock)
    while not behind.go_on(Slow(clock, 1), 1, hear):
        assert len(told) < 9
    assert told == ["0", "1", "2", "3", "4"]


def test_what_a_wrong_clock_dated_in_the_future_is_no_measure_of_what_is_old(recorded):
    clock = StandingClock()
    learn = Slow(clock, 0.1)
    ten_years = 10 * 365 * 24 * 60
    assert way(recorded([*range(20), ten_years]), 10, clock).go_on(learn, 60)
    assert learn.instants == [11, 15, 19]
