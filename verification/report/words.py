"""How reports write figures: names in words, seconds and shares for people."""

from collections.abc import Mapping

from predictor.domain.durations import UNIT_S

UNKNOWN = "not known yet"
"""What stands where there is no figure."""
LARGE_S: Mapping[str, int] = {unit: length for unit, length in UNIT_S.items() if length > 1}
"""The units above the second, from the largest."""

WORDS: Mapping[str, str] = {
    "jobs_scored": "jobs scored",
    "answered": "answered",
    "decisions_precision": "decisions: precision",
    "decisions_recall": "decisions: recall",
    "mae_s": "mean absolute error",
    "median_abs_s": "median absolute error",
    "p90_abs_s": "90 % are off by at most",
    "bias_s": "bias (said minus real)",
    "sigma_s": "sigma",
    "within_60s": "within 1 minute",
    "within_600s": "within 10 minutes",
    "within_3600s": "within 1 hour",
    "within_factor2": "within a factor of 2",
    "kendall_tau": "agreement in order (Kendall)",
    "coverage80": "80 % windows hold",
    "width80_median_s": "width of 80 % windows, median",
    "winkler80_s": "Winkler score of 80 % windows",
    "broken95": "95 % promises broken",
    "false_starts": "false starts (of those that left)",
    "bounded": "errors known only at least",
    "windows_scored": "windows scored",
}
"""The headline figures, in the order in which they are told."""

SHARES = frozenset(
    {
        "answered",
        "decisions_precision",
        "decisions_recall",
        "coverage80",
        "broken95",
        "false_starts",
        "agreement",
        "lowest",
        "scored_share",
        "missing_share",
        "utilisation",
    }
)

PREDICTORS: Mapping[str, str] = {
    "ours": "queuecast",
    "slurm": "the batch system's own",
    "limits": "our replica with limits",
    "persistence": "as the last one waited",
    "class_median": "median of its class",
    "qbets": "QBETS-style bound",
    "now": "always now",
    "never": "never",
}


def told(name: str, value: object) -> str:
    """Return the figure of that name as people write it."""
    if value is None:
        return UNKNOWN
    if name == "verdict":
        return str(value).replace("_", " ")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    key = name.rpartition(".")[2]
    if key in SHARES or key.startswith("within_"):
        return f"{100 * value:.1f} %"
    if key.endswith("_s"):
        return seconds(value)
    whole = abs(value) >= 1000 or (value == round(value) and abs(value) >= 1)
    return f"{value:,.0f}" if whole else f"{value:.3g}"


def seconds(value: float) -> str:
    """Return a duration in the largest unit of which there are two: `95 s`, `12.5 min`, `3.1 h`."""
    for unit, length in LARGE_S.items():
        if abs(value) >= 2 * length:
            number = value / length
            return f"{number:.0f} {unit}" if abs(number) >= 100 else f"{number:.1f} {unit}"
    return f"{value:.0f} s"


def exact(value: float) -> str:
    """Return a duration of round numbers as shortly as can be: `10 s`, `1 min`, `6 h`, `90 min`."""
    for unit, length in LARGE_S.items():
        if value and value % length == 0:
            return f"{value / length:.0f} {unit}"
    return f"{value:.0f} s"


def signed(value: float | None) -> str:
    """Return a change of so many seconds, with its sign; a dash for None."""
    if value is None:
        return "-"
    return ("+" if value > 0 else "") + seconds(value)


def word(name: str) -> str:
    """Return a figure's name in words."""
    return WORDS.get(name, name.replace("_", " "))
