"""The names that the figures of every mode have, and gates may be set on."""

from collections.abc import Mapping
from typing import Any

SHARED = (
    "jobs_scored",
    "answered",
    "decisions_precision",
    "decisions_recall",
    "mae_s",
    "median_abs_s",
    "p90_abs_s",
    "bias_s",
    "sigma_s",
    "within_60s",
    "within_600s",
    "kendall_tau",
    "coverage80",
    "width80_median_s",
    "winkler80_s",
    "broken95",
)
BASELINES = ("slurm", "limits", "persistence", "class_median", "qbets")
OF_BASELINES = ("mae_s", "median_abs_s", "answered", "mae_ratio")
"""What is told of each of BASELINES."""


def complete(figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the figures of a mode with all names; None stands for what it cannot know."""
    known = figures.get("baselines", {})
    return {
        **dict.fromkeys(SHARED),
        **figures,
        "baselines": {
            **{name: dict.fromkeys(OF_BASELINES) | known.get(name, {}) for name in BASELINES},
            **{name: one for name, one in known.items() if name not in BASELINES},
        },
    }
