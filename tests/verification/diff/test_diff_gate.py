"""Bounds on changes, and who breaks them."""

import pytest

from verification.diff.gate import complaints, parse


def figure(base, new, *, detected=True, low=0.0, **more):
    share = (new - base) / base
    return {
        "base": base,
        "new": new,
        "change": new - base,
        "low": low,
        "share": share,
        "detected": detected,
    } | more


FOUND = {
    "starved": 2,
    "measures": {
        "mean_wait_s": figure(100.0, 120.0, better=-1),
        "utilisation": figure(0.8, 0.7, better=1),
        "makespan_s": None,
        "mean_queue": figure(3.0, 3.0, better=-1, detected=False, low=None),
        "fairness": figure(0.5, 0.1, better=1, detected=False),
    },
    "classes": {"qos": {"low": figure(100.0, 300.0), "high": figure(100.0, 50.0)}},
}


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        pytest.param("mean_wait_s=+10%", 1, id="by a fifth is more than by a tenth"),
        pytest.param("mean_wait_s=+20%", 0, id="exactly so much is allowed"),
        pytest.param("mean_wait=+19s", 1, id="without its unit, by so many seconds"),
        pytest.param("mean_wait_s=+1m", 0, id="in minutes"),
        pytest.param("mean_wait_s=110", 1, id="no more than that"),
        pytest.param("utilisation=-10%", 1, id="no less than a tenth less"),
        pytest.param("utilisation=-13%", 0, id="an eighth less is allowed"),
        pytest.param("utilisation=0.75", 1, id="no less than that"),
        pytest.param("fairness=-1%", 0, id="what may be luck breaks no bound on a change"),
        pytest.param("fairness=0.2", 1, id="but one on the figure itself"),
        pytest.param("starved=1", 1, id="too many starve"),
        pytest.param("starved=2", 0, id="so many may"),
        pytest.param("qos.low=+100%", 1, id="a class"),
        pytest.param("qos.high=+0%", 0, id="another class, which wins"),
        pytest.param("makespan_s=+1%", 1, id="what is not known"),
        pytest.param("mean_queue=+50%", 1, id="a change of which two draws tell nothing"),
        pytest.param("mean_queue=4", 0, id="but its figure they tell"),
        pytest.param("starved=0, qos.low=+1h,mean_wait_s=+0%", 2, id="several"),
    ],
)
def test_bounds(text, broken):
    assert len(complaints(FOUND, parse(text))) == broken


def test_durations_have_a_unit():
    said = complaints(FOUND, parse("qos.low=+1m, mean_wait=1m, utilisation=0.75"))
    assert said == [
        "qos.low changes by +200 s (3.3 min), allowed by qos.low=+1m",
        "mean_wait becomes 120 s (2.0 min), allowed by mean_wait=1m",
        "utilisation becomes 0.7, allowed by utilisation=0.75",
    ]


@pytest.mark.parametrize("text", ["", "mean", "mean_wait_s=", "mean_wait_s=ten", "a=5x", "=5"])
def test_bounds_that_make_no_sense(text):
    with pytest.raises(ValueError, match="expected"):
        parse(text)


@pytest.mark.parametrize("text", ["wait=+1%", "qos.none=+1%", "colour.red=1"])
def test_names_that_there_are_not(text):
    with pytest.raises(ValueError, match="there is no figure"):
        complaints(FOUND, parse(text))
