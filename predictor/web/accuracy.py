"""How answers came out, in tables and as a picture of what was said beside what held."""

from collections.abc import Iterator, Mapping
from statistics import median_low
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain.durations import duration
from predictor.service.answermetrics import OURS, PAST, THEIRS
from predictor.service.published import Published
from predictor.service.scoring import LEADS, SIDES, lead_of
from predictor.web.figures import Figures, Summed

LEAD_WORDS = dict(
    zip(
        LEADS,
        ("5 min", "30 min", "2 h", "8 h", "a day", "three days", "longer"),
        strict=True,
    )
)
ERRORS = "start_error_seconds"
LEAST_SCORED = 20
"""A share of fewer is not drawn."""
SCORED, HELD = "interval_scored_total", "interval_covered_total"


def accuracy(current: Published, figures: Figures) -> Mapping[str, Any]:
    """Return what the page tells of how good answers are."""
    return {
        "levels": [f"{level:.0%}" for level in SIDES],
        "leads": list(_leads(current, figures)),
        "judged": f"{figures.summed(ERRORS).count:,}",
        "partitions": list(_partitions(figures)),
        "compared": list(_compared(figures, "compared_error_seconds", THEIRS)),
        "guessed": list(_compared(figures, "baseline_error_seconds", PAST)),
        "reliability": list(_reliability(figures)),
        "overdue": int(figures.sum("jobs_overdue")),
    }


def _leads(current: Published, figures: Figures) -> Iterator[Mapping[str, Any]]:
    widths = _widths(current)
    for lead, words in LEAD_WORDS.items():
        errors = figures.summed(ERRORS, lead=lead)
        if errors.count or lead in widths:
            yield {
                "lead": words,
                **_error(errors),
                "bias": _bias(figures.sum("start_bias_seconds", lead=lead), errors.count),
                "held": [_held(figures, level, lead=lead) for level in SIDES],
                "width": duration(widths[lead]) if lead in widths else "",
            }


def _widths(current: Published) -> Mapping[str, int]:
    """Return how wide windows of 80 % are now, half of them at most, by lead."""
    found: dict[str, list[int]] = {}
    for row in current.rows:
        if row.outlook is not None and row.waits:
            lead = lead_of(row.outlook.likely_at - current.snapshot_at)
            found.setdefault(lead, []).append(row.outlook.high_at - row.outlook.low_at)
    return {lead: median_low(widths) for lead, widths in found.items()}


def _partitions(figures: Figures) -> Iterator[Mapping[str, str]]:
    name = "partition_start_error_seconds"
    for partition in figures.names(f"{name}_count", "partition"):
        errors = figures.summed(name, partition=partition)
        if errors.count:
            yield {"name": plain(partition), **_error(errors)}


def _error(errors: Summed) -> Mapping[str, str]:
    if not errors.count:
        return {"judged": "0", "mean": "", "half": ""}
    half, last = errors.up_to(0.5), errors.buckets[-2][0]
    return {
        "judged": f"{errors.count:,}",
        "mean": duration(round(errors.mean)),
        "half": f"about {duration(round(half))}" if half <= last else f"over {duration(int(last))}",
    }


def _bias(late_s: float, judged: int) -> str:
    if not judged:
        return ""
    if abs(late_s) < 1:
        return "none"
    return f"{duration(round(abs(late_s)))} {'later' if late_s > 0 else 'sooner'}"


def _held(figures: Figures, level: float, **wanted: str) -> str:
    share, scored = _share(figures, level, **wanted)
    return f"{share:.0%} of {scored:,}" if scored else ""


def _share(figures: Figures, level: float, **wanted: str) -> tuple[float, int]:
    """Return which share of the windows of a level held, and of how many."""
    scored, held = (figures.sum(name, level=str(level), **wanted) for name in (SCORED, HELD))
    return (held / scored if scored else 0.0), int(scored)


def _compared(figures: Figures, name: str, other: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield by lead how many both answered, and the mean error of ours and of the other's."""
    for lead, words in LEAD_WORDS.items():
        ours, theirs = (figures.summed(name, by=by, lead=lead) for by in (OURS, other))
        if ours.count:
            means = tuple(duration(round(one.mean)) for one in (ours, theirs))
            yield words, f"{ours.count:,}", means[0], means[1]


def _reliability(figures: Figures) -> Iterator[Mapping[str, Any]]:
    """Yield the points of the picture, in per cent: what was said to the right, what held up."""
    for level in SIDES:
        share, scored = _share(figures, level)
        if scored >= LEAST_SCORED:
            yield {
                "x": round(100 * level, 1),
                "y": round(100 - 100 * share, 1),
                "said": f"{level:.0%}",
                "held": f"{share:.0%}",
                "of": f"{scored:,}",
            }
