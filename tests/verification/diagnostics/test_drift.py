from dataclasses import replace

from clusters import HOUR, NOW

from verification.diagnostics.drift import drift
from verification.diagnostics.figures import watch_figures
from verification.diagnostics.idle import Idle
from verification.diagnostics.watch import Watched
from verification.fidelity.scores import Decisions

HIT, MISS = Decisions(hits=1), Decisions(false=1, missed=1)


def watched(hour, decisions, fingerprint="before"):
    return Watched(at=NOW + hour * HOUR, fingerprint=fingerprint, decisions=decisions, idle=())


def scene(*right, changed_at=10**9):
    """Hourly looks, of which some were right, and a configuration that changes at some look."""
    return drift(
        watched(n, HIT if good else MISS, "after" if n >= changed_at else "before")
        for n, good in enumerate(right)
    )


def test_each_configuration_has_a_period_of_its_own():
    first, second = scene(*[True] * 4, *[False] * 2, changed_at=4)
    assert (first.looks, first.agreement) == (4, 1)
    assert (second.looks, second.agreement, second.since) == (2, 0, NOW + 4 * HOUR)
    assert (first.fingerprint, second.fingerprint) == ("before", "after")


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
    (period,) = drift([watched(0, Decisions())])
    assert (period.agreement, period.lowest) == (None, None)
    assert drift([]) == ()


def test_the_json_tells_idle_nodes_and_drift():
    idle = Idle(node="n1", since=NOW, until=NOW + HOUR, job_ids=("7",))
    looks = [replace(watched(n, HIT), idle=(idle,)) for n in range(2)]
    found = watch_figures({"lab": looks}, most=1)
    assert [(one["node"], one["idle_s"], one["jobs"]) for one in found["idle_nodes"]] == [
        ("n1", HOUR, ["7"])
    ]
    assert found["idle_nodes_found"] == 1
    assert [(one["looks"], one["agreement"]) for one in found["drift"]] == [(2, 1)]


def test_of_several_recordings_each_has_its_own_nodes_and_periods():
    long, longer = (
        replace(watched(0, HIT), idle=(Idle(node="n1", since=NOW, until=until, job_ids=("7",)),))
        for until in (NOW + HOUR, NOW + 2 * HOUR)
    )
    found = watch_figures({"lab": [long], "home": [longer]})
    assert [(one["recording"], one["idle_s"]) for one in found["idle_nodes"]] == [
        ("home", 2 * HOUR),
        ("lab", HOUR),
    ]
    assert [(one["recording"], one["looks"]) for one in found["drift"]] == [("lab", 1), ("home", 1)]
