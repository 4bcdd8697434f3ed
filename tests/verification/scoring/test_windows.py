from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import case

from verification.judging.case import Said
from verification.scoring.columns import Weighting, columns_of
from verification.scoring.distributions import (
    crps_s,
    distributions,
    levels_of,
    pinball_s,
    spread,
)
from verification.scoring.promises import promises
from verification.scoring.windows import Held, winkler_s

NOON = 43_200
WINDOW = Said(likely_at=NOON, low_at=NOON - 100, high_at=NOON + 300, by_at=NOON + 500)

instants = st.integers(0, 1000)
told = st.lists(st.tuples(st.integers(1, 99), instants), min_size=1, max_size=6).map(
    lambda pairs: tuple(
        zip(
            sorted({level / 100 for level, _ in pairs}), sorted(at for _, at in pairs), strict=False
        )
    )
)


def of_windows(cases):
    columns = columns_of(cases)
    return Held.of(columns, columns.said("ours"), columns.weights(Weighting.PER_JOB)).windows()


def of_promises(cases):
    columns = columns_of(cases)
    return promises(columns, columns.said("ours"))


@pytest.mark.parametrize(
    ("fate", "expected"),
    [
        pytest.param({"started_at": NOON}, (1, 0, 0), id="inside"),
        pytest.param({"started_at": NOON - 100}, (1, 0, 0), id="its ends belong to it"),
        pytest.param({"started_at": NOON - 101}, (0, 1, 0), id="before"),
        pytest.param({"started_at": NOON + 301}, (0, 0, 1), id="after"),
        pytest.param({"known_until": NOON + 301}, (0, 0, 1), id="still waiting after its end"),
        pytest.param({"known_until": NOON + 300}, (None,) * 3, id="may yet start inside"),
        pytest.param({"removed_at": NOON + 999}, (None,) * 3, id="left: it says nothing"),
    ],
)
def test_what_becomes_of_a_window(fate, expected):
    found = of_windows([case(ours=WINDOW, **fate)])
    assert (found.coverage80, found.missed_early80, found.missed_late80) == expected


def test_no_window_is_no_score():
    found = of_windows([case(started_at=NOON, ours=NOON)])
    assert (found.coverage80, found.width80_median_s, found.winkler80_s) == (None,) * 3


def test_outside_costs_ten_times_the_way_to_the_window():
    assert of_windows([case(ours=WINDOW, started_at=NOON + 310)]).winkler80_s == pytest.approx(500)
    assert of_windows([case(ours=WINDOW, started_at=NOON)]).winkler80_s == 400


@given(instants, instants, instants)
def test_winkler_is_the_pinball_loss_of_both_ends(one, other, started_at):
    low, high = sorted((one, other))
    both = pinball_s(0.1, low, started_at) + pinball_s(0.9, high, started_at)
    assert winkler_s(low, high, started_at) == pytest.approx(both * 2 / 0.2)


@pytest.mark.parametrize(
    ("fate", "broken", "undecided"),
    [
        pytest.param({"started_at": NOON + 500}, 0, 0, id="kept to the second"),
        pytest.param({"started_at": NOON + 501}, 1, 0, id="broken"),
        pytest.param({"known_until": NOON + 501}, 1, 0, id="broken whatever comes"),
        pytest.param({"known_until": NOON + 500}, None, 1, id="not known yet"),
        pytest.param({"removed_at": NOON + 501}, 1, 0, id="left in vain"),
        pytest.param({"removed_at": NOON + 500}, None, 0, id="left in time"),
    ],
)
def test_what_becomes_of_a_promise(fate, broken, undecided):
    found = of_promises([case(ours=WINDOW, **fate)])
    assert (found.broken95, found.promises_open) == (broken, undecided)


def test_the_first_promise_and_the_latest_may_differ():
    later = Said(likely_at=NOON, by_at=NOON + 5000)
    found = of_promises(
        [
            case(seen_at=60, ours=later, started_at=NOON + 900),
            case(seen_at=0, ours=WINDOW, started_at=NOON + 900),
        ]
    )
    assert (found.broken95, found.broken95_latest) == (1, 0)


@given(st.floats(0.01, 0.99), st.lists(instants, min_size=1, max_size=9))
def test_no_instant_has_a_smaller_pinball_loss_than_the_quantile(level, starts):
    def loss(said_at):
        return sum(pinball_s(level, said_at, at) for at in starts)

    assert min(map(loss, starts)) == pytest.approx(min(map(loss, range(1001))))


@given(instants, instants)
def test_of_one_instant_crps_is_how_far_off_it_is(said_at, started_at):
    assert crps_s(((0.5, said_at),), started_at) == pytest.approx(abs(said_at - started_at))


@given(told, instants)
def test_crps_is_the_square_between_what_was_told_and_what_happened(quantiles, started_at):
    """The same score from the other end: over instants, not over levels."""
    levels = [Fraction(0), *(Fraction(level) for level, _ in quantiles), Fraction(1)]
    at = [quantiles[0][1], *(at for _, at in quantiles), quantiles[-1][1]]
    total = Fraction(max(0, at[0] - started_at) + max(0, started_at - at[-1]))
    for place in range(1, len(at) - 2):
        for low_at, high_at in ((at[place], started_at), (started_at, at[place + 1])):
            low_at, high_at = max(low_at, at[place]), min(high_at, at[place + 1])
            if low_at < high_at:
                slope = (levels[place + 1] - levels[place]) / (at[place + 1] - at[place])
                ends = [levels[place] + slope * (end - at[place]) for end in (low_at, high_at)]
                a, b = (end - (low_at >= started_at) for end in ends)
                total += Fraction(high_at - low_at) * (a * a + a * b + b * b) / 3
    assert crps_s(quantiles, started_at) == pytest.approx(float(total), abs=1e-6)


@given(told, instants)
def test_a_start_lies_at_one_place_of_what_was_told(quantiles, started_at):
    low, high = levels_of(quantiles, started_at)
    assert 0 <= low <= high <= 1
    bins = dict(spread(low, high))
    assert sum(bins.values()) == pytest.approx(1)
    assert all(0 <= bin_ < 10 for bin_ in bins)


@pytest.mark.parametrize(
    ("quantiles", "started_at", "levels"),
    [
        pytest.param(((0.1, 10), (0.9, 90)), 50, (0.5, 0.5), id="half way between"),
        pytest.param(((0.1, 10), (0.9, 90)), 5, (0, 0.1), id="before all"),
        pytest.param(((0.1, 10), (0.9, 90)), 95, (0.9, 1), id="after all"),
        pytest.param(((0.1, 7), (0.5, 7), (0.9, 9)), 7, (0, 0.5), id="on what was told twice"),
        pytest.param(((0.1, 7), (0.9, 7)), 7, (0, 1), id="on all that was told"),
    ],
)
def test_levels_of_a_start(quantiles, started_at, levels):
    assert levels_of(quantiles, started_at) == pytest.approx(levels)


def test_every_told_start_lies_in_one_of_ten_bins():
    quantiles = ((0.1, 10), (0.5, 50), (0.9, 90))
    cases = [
        case(str(at), started_at=at, ours=Said(likely_at=50, quantiles=quantiles))
        for at in range(2, 100, 5)
    ]
    columns = columns_of(cases)
    found = distributions(columns, columns.said("ours"), columns.weights(Weighting.PER_JOB))
    assert sum(found.pit) == pytest.approx(len(cases))
    assert found.pit[0] == found.pit[9] == pytest.approx(2)
    assert list(found.pinball_s) == ["0.1", "0.5", "0.9"]
    assert found.pinball_s["0.5"] == pytest.approx(
        sum(abs(at - 50) for at in range(2, 100, 5)) / 40
    )
