from dataclasses import replace

from clusters import HOUR, NOW, cluster, partition

from predictor.simulation.story import Start
from verification.diagnostics.drift import drift
from verification.fidelity.history import history_of
from verification.fidelity.looks import Look

BEFORE = cluster(2)
AFTER = replace(BEFORE, partitions=(partition("batch", BEFORE.nodes, tier=9),))


def scene(*right, changed_at=10**9):
    """Hourly looks, of which some were right, and a configuration that changes at some look."""
    snapshots = [
        replace(AFTER if n >= changed_at else BEFORE, taken_at=NOW + n * HOUR)
        for n in range(len(right))
    ]
    looks = [
        Look(
            number=n,
            since=NOW + n * HOUR,
            until=NOW + n * HOUR + 600,
            real={"a": NOW + n * HOUR},
            said={"a" if good else "b": Start(at=NOW + n * HOUR, node_names=(), partition="")},
        )
        for n, good in enumerate(right)
    ]
    return drift(history_of(snapshots, []), looks)


def test_each_configuration_has_a_period_of_its_own():
    first, second = scene(*[True] * 4, *[False] * 2, changed_at=4)
    assert (first.looks, first.agreement) == (4, 1)
    assert (second.looks, second.agreement, second.since) == (2, 0, NOW + 4 * HOUR)
    assert first.fingerprint != second.fingerprint


def test_agreement_that_falls_is_drift():
    (period,) = scene(*[True] * 12, *[False] * 3)
    assert period.drifted
    assert (period.lowest, period.lowest_at) == (3 / 9, NOW + 14 * HOUR)  # three hit, six do not


def test_agreement_that_stays_low_is_none():
    (period,) = scene(*[True, False] * 10)
    assert not period.drifted


def test_a_period_too_short_for_a_span_has_no_lowest():
    (period,) = scene(True, False)
    assert (period.lowest, period.drifted) == (None, False)


def test_no_start_is_no_agreement():
    history = history_of([BEFORE], [])
    (period,) = drift(history, [Look(number=0, since=NOW, until=NOW + 600, real={}, said={})])
    assert (period.agreement, period.lowest) == (None, None)
    assert drift(history, []) == ()
