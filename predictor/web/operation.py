"""The page for operators: how good answers are, whether all is seen, what is recorded."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from math import inf
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain.durations import HOUR_S, duration
from predictor.service.alarms import alarm_sentence, recent
from predictor.service.answering import trouble_sentence
from predictor.service.published import Published
from predictor.web.accuracy import accuracy
from predictor.web.figures import Figures
from predictor.web.frame import Frame
from predictor.web.recorded import DAYS, Recorded
from predictor.web.words import REASONS, local

HOURS = 24
LONGEST = 200
STAGE = "tick_duration_seconds"
FULL = 0.995
"""From here on an hour counts as wholly recorded."""
SHADES = (FULL, 0.5, 0.001)
"""The shares from which an hour is shown as full, most, some; else nothing."""


def operation_page(
    current: Published | None,
    figures: Figures,
    kept: Recorded | None,
    now: float,
    frame: Frame,
) -> str:
    """Return the page as HTML. What it quotes of records may name jobs."""
    if current is None:
        return frame.page("operation.html", None, now)
    return frame.page(
        "operation.html",
        current,
        now,
        accuracy=accuracy(current, figures),
        alarms=[
            plain(alarm_sentence(alarm, lambda at: local(at, current.utc_offset_s, now)))
            for alarm in recent(current.alarms, current.snapshot_at)
        ],
        health=_health(current, figures, now),
        recorded=None if kept is None else _recorded(kept, current, now),
    )


def _health(current: Published, figures: Figures, now: float) -> Mapping[str, Any]:
    provenance = current.snapshot.provenance
    return {
        "source": plain(current.source),
        "hidden": [plain(one) for one in current.hidden],
        "quarantined": [
            (one.fact.value, one.count, plain(one.example, LONGEST))
            for one in provenance.quarantined
        ],
        "unpredicted": [(REASONS[cause], n) for cause, n in sorted(current.unpredicted.items())],
        "trouble": "" if current.trouble is None else plain(trouble_sentence(current.trouble)),
        "past": current.past,
        "behind": duration(current.past.behind_s),
        "past_error": plain(current.past.error),
        "changed": _changed(current, figures, now),
        "ticks": [(labels["outcome"], int(n)) for labels, n in figures.each("ticks_total") if n],
        "stages": list(_stages(figures)),
        "failures": [
            (labels["stage"], labels["kind"], int(n))
            for labels, n in figures.each("tick_failures_total")
            if n
        ],
        "calls": list(_calls(figures, now)),
    }


def _changed(current: Published, figures: Figures, now: float) -> str:
    """Return when the batch system was seen to be configured otherwise; empty: never so far."""
    at = int(figures.sum("config_change_timestamp_seconds"))
    return local(at, current.utc_offset_s, now) if at else ""


def _stages(figures: Figures) -> Iterator[Mapping[str, str]]:
    for stage in figures.names(f"{STAGE}_count", "stage"):
        took = figures.summed(STAGE, stage=stage)
        if took.count:
            most = took.up_to(0.95)
            bound = took.buckets[-2][0]
            yield {
                "name": stage,
                "count": f"{took.count:,}",
                "mean": f"{took.mean:.2g} s",
                "most": f"about {most:.2g} s" if most < inf else f"over {bound:.0f} s",
            }


def _calls(figures: Figures, now: float) -> Iterator[Mapping[str, str]]:
    for labels, asked in figures.each("collector_calls_total"):
        if not asked:
            continue
        own = {"source": labels["source"], "call": labels["call"]}
        at = figures.sum("collector_call_success_timestamp_seconds", **own)
        yield {
            "name": plain(labels["call"]),
            "asked": f"{int(asked):,}",
            "took": f"{figures.sum('collector_call_seconds_total', **own) / asked:.2g} s",
            "size": size(figures.sum("collector_call_bytes_total", **own) / asked),
            "failed": f"{int(figures.sum('collector_call_errors_total', **own)):,}",
            "answered": f"{duration(int(now - at))} ago" if at else "never",
        }


def _recorded(kept: Recorded, current: Published, now: float) -> Mapping[str, Any]:
    def told(at: int | None) -> str:
        return "" if at is None else local(at, current.utc_offset_s, now)

    return {
        "snapshots": f"{kept.snapshots:,}",
        "since": told(kept.first_at),
        "until": told(kept.last_at),
        "size": size(kept.size_bytes),
        "segments": kept.segments,
        "damaged": kept.damaged,
        "days": list(_days(kept, current, now)),
        "gaps": [
            (told(gap.since), told(gap.until), duration(gap.until - gap.since)) for gap in kept.gaps
        ],
    }


def _days(
    kept: Recorded, current: Published, now: float
) -> Iterator[tuple[str, list[Mapping[str, Any]]]]:
    """Yield each of the last days, the newest first, with its hours."""
    expected = HOUR_S / current.terms.interval_s
    this_hour = _hour_of(int(now), current)
    today, begun = this_hour // HOURS, _hour_of(kept.first_at or 0, current)
    for day in range(today, today - DAYS, -1):
        hours = range(day * HOURS, (day + 1) * HOURS)
        if not any(kept.hours.get(hour) for hour in hours):
            continue
        title = datetime.fromtimestamp(day * HOURS * HOUR_S, UTC)
        yield (
            f"{title:%a %d %b}",
            [
                _hour(kept.hours.get(hour, 0) / expected, begun <= hour <= this_hour)
                for hour in hours
            ],
        )


def _hour_of(at: int, current: Published) -> int:
    return (at + current.utc_offset_s) // HOUR_S


def _hour(share: float, inside: bool) -> Mapping[str, Any]:
    if not inside:
        return {"text": "", "shade": "none"}
    percent = min(100, round(100 * share))
    return {"text": str(percent), "shade": str(sum(share < bound for bound in SHADES))}


def size(count: float) -> str:
    """Return a number of bytes in the largest unit of which there is one at least."""
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1_000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1_000
    return f"{count:.1f} TB"
