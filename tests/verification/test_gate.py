"""Gates: which bounds may be given, which figures cross them, and what is said then."""

import pytest

from verification.gate import check_gate, check_modes, parse_gate

FIGURES = {
    "mae_s": 1800.0,
    "bias_s": -700.0,
    "coverage80": 0.7,
    "broken95": None,
    "baselines": {"slurm": {"mae_ratio": 0.5, "bias_s": -700.0}},
}


@pytest.mark.parametrize(
    ("text", "held"),
    [
        pytest.param("mae=30m", True, id="just as bad as allowed"),
        pytest.param("mae_s=1799", False, id="seconds without a unit"),
        pytest.param("mae=0.5h", True, id="a part of an hour"),
        pytest.param("mae=29min", False, id="too far off"),
        pytest.param("coverage80=0.75", False, id="of coverage less is worse"),
        pytest.param("coverage80=70%", True, id="percent"),
        pytest.param("bias=10m", False, id="far below 0 is as bad as far above"),
        pytest.param("baselines.slurm.bias=10m", False, id="of others too"),
        pytest.param("baselines.slurm.mae_ratio=0.6", True, id="within others"),
        pytest.param("baselines.slurm.mae_ratio=0.4", False, id="within others, too bad"),
    ],
)
def test_a_bound_holds_or_not(text, held):
    assert (check_gate(FIGURES, parse_gate(text)) == []) is held


def test_what_is_not_known_yet_does_not_pass():
    [said] = check_gate(FIGURES, parse_gate("mae=1h,broken95=0.05"))
    assert said == "broken95 is not known yet, so broken95=0.05 cannot be said to hold"


def test_each_failure_names_figure_and_bound():
    said = check_gate(FIGURES, parse_gate("mae=10m, coverage80=0.8"))
    assert said == [
        "mae_s is 1800 s (30.0 min), beyond 600 s (10.0 min)",
        "coverage80 is 0.7, below 0.8",
    ]


@pytest.mark.parametrize("text", ["", ",", "mae", "mae=", "=3", "mae=-3", "mae=3w", "mae==3"])
def test_what_is_no_bound_is_refused(text):
    with pytest.raises(ValueError, match=r"expected"):
        parse_gate(text)


def test_an_unknown_figure_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match=r"no figure mea; there are .*mae_s"):
        check_gate(FIGURES, parse_gate("mea=3"))


def test_of_several_modes_each_that_has_the_figure_is_bound():
    modes = {"replica": {"mae_s": 10.0, "recall": 0.9}, "online": {"mae_s": 100.0}}
    said = ["online: mae_s is 100 s, beyond 60 s"]
    assert check_modes(modes, parse_gate("mae=60s,recall=1")) == said
    with pytest.raises(ValueError, match="no figure wit"):
        check_modes(modes, parse_gate("wit=1"))


def test_a_bound_may_be_for_one_mode_alone():
    modes = {"replica": {"mae_s": 10.0}, "online": {"mae_s": 100.0}}
    assert check_modes(modes, parse_gate("replica.mae=60s,online.mae=2m")) == []
    said = ["online: mae_s is 100 s, beyond 60 s"]
    assert check_modes(modes, parse_gate("online.mae=60s")) == said
