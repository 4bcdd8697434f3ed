from dataclasses import replace

import pytest
from clusters import nodes

from predictor.domain import Reservation, ReservationFlag
from predictor.domain.durations import DAY_S, HOUR_S, MINUTE_S
from predictor.scheduling.closures import (
    Closure,
    closures,
    floating,
    occurrences,
    open_nodes,
)
from predictor.scheduling.machine import Machine

FRIDAY = 1_700_179_200  # 2023-11-17 00:00 UTC


def reservation(*flags: ReservationFlag) -> Reservation:
    return Reservation(
        name="r",
        start_at=FRIDAY,
        end_at=FRIDAY + HOUR_S,
        node_names=("n1",),
        flags=frozenset(flags),
    )


@pytest.mark.parametrize(
    ("flags", "now", "days"),
    [
        ((), FRIDAY, [0]),
        ((), FRIDAY + HOUR_S, []),
        ((ReservationFlag.DAILY,), FRIDAY, [0, 1, 2, 3]),
        ((ReservationFlag.DAILY,), FRIDAY + HOUR_S, [1, 2, 3, 4]),
        ((ReservationFlag.WEEKDAY,), FRIDAY, [0, 3]),
        ((ReservationFlag.WEEKEND,), FRIDAY, [1, 2]),
        ((ReservationFlag.WEEKLY,), FRIDAY + DAY_S, [7]),
    ],
)
def test_which_occurrences_lie_ahead(flags, now, days):
    starts = occurrences(reservation(*flags), now, 4 * DAY_S, utc_offset_s=0)
    assert [(start - FRIDAY) / DAY_S for start in starts] == days


def test_days_are_the_sites_own():
    # Friday midnight UTC is still Thursday four hours further west.
    starts = occurrences(reservation(ReservationFlag.WEEKEND), FRIDAY, 4 * DAY_S, -4 * HOUR_S)
    assert [(start - FRIDAY) // DAY_S for start in starts] == [2, 3]


def closure(name: str, nodes: int, *, overlaps: bool = False, flexible: bool = False) -> Closure:
    return Closure(
        reservation=name, start_at=0, end_at=9, nodes=nodes, overlaps=overlaps, flexible=flexible
    )


@pytest.mark.parametrize(
    ("active", "asked", "expected"),
    [
        pytest.param([], "", 0b111, id="nothing reserved: everywhere"),
        pytest.param([closure("a", 0b001)], "", 0b110, id="others stay out"),
        pytest.param([closure("a", 0b001)], "a", 0b001, id="its own jobs only inside"),
        pytest.param([], "a", 0b000, id="and only while it lasts"),
        pytest.param([closure("a", 0b001, flexible=True)], "a", 0b111, id="unless it is flexible"),
        pytest.param(
            [closure("a", 0b011), closure("b", 0b001)], "a", 0b010, id="not where another one is"
        ),
        pytest.param(
            [closure("a", 0b011, overlaps=True), closure("b", 0b001)],
            "a",
            0b011,
            id="unless it may overlap",
        ),
    ],
)
def test_which_nodes_are_open_to_whom(active, asked, expected):
    assert open_nodes(active, 0b111, asked) == expected


@pytest.mark.parametrize(
    "flag",
    [
        ReservationFlag.HOURLY,
        ReservationFlag.DAILY,
        ReservationFlag.WEEKDAY,
        ReservationFlag.WEEKEND,
        ReservationFlag.WEEKLY,
    ],
)
@pytest.mark.parametrize("length_s", [7 * DAY_S, 30 * DAY_S + 1, 2**40])
def test_one_that_begins_anew_before_it_ends_is_a_few_closures_without_a_gap(flag, length_s):
    long = Reservation(
        name="r", start_at=FRIDAY - 2**41, end_at=FRIDAY - 2**41 + length_s, flags=frozenset({flag})
    )
    now, horizon_s = FRIDAY, 30 * DAY_S
    starts = occurrences(long, now, horizon_s, utc_offset_s=0)
    assert 1 <= len(starts) <= 7
    # A week of a kind's days may pass before the first one.
    closed_until = now + 7 * DAY_S
    for start in starts:
        assert start <= closed_until
        closed_until = max(closed_until, start + length_s)
    assert closed_until >= now + horizon_s


def test_one_that_moves_along_is_no_closure_but_a_bound():
    machine = Machine(nodes(2))
    float_ = replace(reservation(ReservationFlag.TIME_FLOAT), node_names=("n2",))
    now = FRIDAY - 30 * MINUTE_S + 1
    assert closures([float_], machine, now, DAY_S, utc_offset_s=0) == ()
    assert floating([float_, reservation()], machine, now) == ((30 * MINUTE_S, 0b10),)
