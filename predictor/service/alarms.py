"""Alarms: since when, and for whom, answers are other than they were."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from predictor.domain.durations import WEEK_S
from predictor.service.chances import instant
from predictor.windows.drift import Alarm, Figure

RECENT_S = WEEK_S
"""Alarms that were raised longer ago are no news."""
MOST = 20
SHARES = frozenset({Figure.HELD, Figure.AGREEMENT})
"""Figures that are shares; the others are factors."""


def recent(alarms: Iterable[Alarm], now: int) -> list[Alarm]:
    """Return the alarms of the last week, the newest first, and not too many."""
    return [alarm for alarm in alarms if now - alarm.raised_at <= RECENT_S][::-1][:MOST]


def alarm_sentence(alarm: Alarm, told: Callable[[int], str]) -> str:
    """Return the alarm in English. `told` writes an instant; `whom` is as the site names it."""
    before, after = (_shown(alarm.what, value) for value in (alarm.before, alarm.after))
    return (
        f"Since {told(alarm.since_at)}, {alarm.whom}: {alarm.what.value} is {after},"
        f" and was {before}."
    )


def alarm_body(alarm: Alarm) -> Mapping[str, Any]:
    """Return the alarm as the API tells it."""
    return {
        "figure": alarm.what.name.lower(),
        "what": alarm.what.value,
        "whom": alarm.whom,
        "since": instant(alarm.since_at),
        "raised": instant(alarm.raised_at),
        "before": round(alarm.before, 4),
        "after": round(alarm.after, 4),
        "sentence": alarm_sentence(alarm, lambda at: instant(at) or "?"),
    }


def _shown(figure: Figure, value: float) -> str:
    return f"{value:.0%}" if figure in SHARES else f"{value:.2g}"
