"""The page about the forecasts: how they come about, how good they were, what they leave out."""

from collections.abc import Iterator

from predictor.cli.lately import lately
from predictor.cli.terminal import plain
from predictor.domain import Lately
from predictor.domain.durations import duration
from predictor.service.alarms import alarm_sentence, recent
from predictor.service.published import Published
from predictor.web.frame import Frame
from predictor.web.words import REASONS, local


def about_page(current: Published | None, now: float, frame: Frame) -> str:
    """Return the page as HTML; there are no single jobs in it."""
    if current is None:
        return frame.page("about.html", None, now)

    def told(at: int) -> str:
        return local(at, current.utc_offset_s, now)

    return frame.page(
        "about.html",
        current,
        now,
        quality=lately(current.lately),
        classes=list(_classes(current)),
        alarms=[
            plain(alarm_sentence(alarm, told))
            for alarm in recent(current.alarms, current.snapshot_at)
        ],
        unpredicted=[
            (REASONS[cause], count) for cause, count in sorted(current.unpredicted.items())
        ],
        hidden=[plain(one) for one in current.hidden],
        quarantined=current.quarantined,
    )


def _classes(current: Published) -> Iterator[tuple[str, str, str, str]]:
    """Yield how good answers were by what the jobs have in common."""
    known: dict[str, Lately] = {}
    for row in current.rows:
        if row.outlook is not None and row.outlook.lately is not None:
            known[row.outlook.lately.like] = row.outlook.lately
    for like, one in sorted(known.items()):
        yield plain(like), f"{one.jobs:,}", duration(one.typical_error_s), f"{one.held80:.0%}"
