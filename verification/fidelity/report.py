"""Fidelity as numbers with names, and as a table for a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from verification.fidelity.looks import Look
from verification.fidelity.scores import Decisions, Window, kendall_tau

Figures = Mapping[str, float | int | None]


def decision_figures(looks: Sequence[Look]) -> Figures:
    """Return what decisions are worth, pooled over all looks; the names are those of the JSON."""
    pooled = Decisions.pooled(Decisions.of(look.real, look.said_at) for look in looks)
    return {
        "looks": len(looks),
        "hits": pooled.hits,
        "false": pooled.false,
        "missed": pooled.missed,
        "precision": _rounded(pooled.precision),
        "recall": _rounded(pooled.recall),
        "within_60s_of_hits": _rounded(pooled.close_share),
    }


def window_figures(looks: Sequence[Look]) -> Figures:
    """Return what windows are worth, pooled; all None without a window."""
    if not looks:
        return {"windows": 0}
    windows = [window_of(look) for look in looks]
    pooled = Window.pooled(windows)
    sigma_s = pooled.sigma_s
    return {
        "windows": len(windows),
        "window_s": pooled.length_s,
        "jobs": pooled.jobs,
        "started_and_said": len(pooled.pairs),
        "missed": pooled.missed,
        "false": len(pooled.bounds_s) - pooled.missed,
        "within_60s": _rounded(pooled.close_share),
        "median_s": pooled.off_s(0.5),
        "p90_s": pooled.off_s(0.9),
        "mean_s": _rounded(pooled.mean_s, 1),
        "sigma_s": _rounded(sigma_s, 1),
        "sigma_of_window": _rounded(None if sigma_s is None else sigma_s / pooled.length_s),
        "kendall_tau": _rounded(kendall_tau(window.pairs for window in windows)),
    }


def window_of(look: Look) -> Window:
    """Return a look's jobs as one window."""
    return Window.of(look.real, look.said_at, look.since, look.until)


WORDS = {
    "looks": "snapshots looked from",
    "hits": "said to start in ten minutes, and did",
    "false": "said to start, did not",
    "missed": "started, not said",
    "precision": "precision",
    "recall": "recall",
    "within_60s_of_hits": "hits within 60 s",
    "windows": "windows",
    "window_s": "length of a window (s)",
    "jobs": "jobs that started or were said to",
    "started_and_said": "both",
    "within_60s": "within 60 s of the real start",
    "median_s": "median off by, at least (s)",
    "p90_s": "90 % off by at most (s)",
    "mean_s": "mean error of both (s)",
    "sigma_s": "sigma (s)",
    "sigma_of_window": "sigma / window",
    "kendall_tau": "agreement in order (Kendall)",
}


def table(title: str, figures: Figures) -> Iterator[str]:
    """Yield the lines of a table."""
    yield title
    for name, value in figures.items():
        yield f"  {WORDS[name]:<40} {'-' if value is None else value:>10}"


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
