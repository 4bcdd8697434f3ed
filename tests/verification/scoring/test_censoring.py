from collections import namedtuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import case

from verification.judging.case import Said
from verification.scoring.censoring import censoring, inverse_probabilities
from verification.scoring.columns import Weighting, columns_of
from verification.scoring.strata import leads

Span = namedtuple("Span", "length_s decided weight")
spans = st.lists(
    st.builds(Span, st.integers(0, 8), st.booleans(), st.integers(1, 3).map(float)), max_size=12
)


def handed_on(some):
    """Whoever is undecided hands what it has to all who were watched longer, by their weight."""
    has = [span.weight for span in some]
    own = [span.weight for span in some]
    for place in sorted(range(len(some)), key=lambda k: (some[k].length_s, k)):
        if some[place].decided:
            continue
        after = [
            k
            for k, span in enumerate(some)
            if span.length_s > some[place].length_s
            or (span.length_s == some[place].length_s and not span.decided and k > place)
        ]
        for k in after:
            has[k] += has[place] * own[k] / sum(own[other] for other in after)
        has[place] = 0.0
    return has


def columns_from(some):
    return zip(*some, strict=True) if some else ([], [], [])


@given(spans)
def test_weights_are_what_the_undecided_hand_on(some):
    found = inverse_probabilities(*columns_from(some))
    assert list(found) == pytest.approx(handed_on(some), abs=1e-9)


def test_without_undecided_nothing_changes():
    assert inverse_probabilities([3, 1, 2], [True] * 3, [2.0] * 3) == [2, 2, 2]


def found(cases):
    columns = columns_of(cases)
    said = columns.said("ours")
    return censoring(columns, said, columns.weights(Weighting.PER_JOB), leads(columns, said))


def test_who_is_known_stands_for_those_who_waited_as_long():
    cases = [
        case("quick", started_at=100, ours=400),
        case("open", known_until=200, ours=400),
        case("slow", started_at=500, ours=400),
    ]
    assert found(cases).mae_weighted_s == pytest.approx((300 + 2 * 100) / 3)
    assert found(cases).mae_pessimistic_s == pytest.approx((300 + 200 + 100) / 3)
    assert found(cases).open_share == pytest.approx(1 / 3)


def test_only_those_of_the_same_lead_stand_for_one_another():
    cases = [
        case("open", known_until=200, ours=90_000),
        case("slow", started_at=500, ours=400),
        case("far", started_at=95_000, ours=90_000),
    ]
    assert found(cases).mae_weighted_s == pytest.approx((100 + 2 * 5000) / 3)


def test_a_window_is_decided_when_it_is_over():
    def window(high_at):
        return Said(likely_at=100, low_at=50, high_at=high_at)

    cases = [
        case("kept", started_at=150, ours=window(200)),
        case("missed", known_until=300, ours=window(200)),
        case("open", known_until=100, ours=window(200)),
    ]
    assert found(cases).coverage80_weighted == pytest.approx(0.5)


def test_who_leaves_is_told_apart():
    told = found([case("a", removed_at=100, ours=5), case("b", started_at=10, ours=5)])
    assert (told.removed_share, told.open_share, told.mae_weighted_s) == (0.5, 0, 5)
