"""What becomes of a tick's report: log lines, metrics, a word to systemd."""

import logging
from typing import Any

from predictor.service.accounts import Asked
from predictor.service.logs import log
from predictor.service.metrics import Metrics
from predictor.service.published import Published
from predictor.service.systemd import notify
from predictor.service.tick import TickReport


def tell(report: TickReport, metrics: Metrics, now: float) -> None:
    """Log the report, count it, and ping the watchdog unless the fault is ours."""
    metrics.tick(report, now)
    for stage in report.failures:
        level = logging.INFO if report.outcome == "skipped" else logging.ERROR
        fields = {"stage": stage.name, "kind": stage.kind, "cause": stage.cause}
        log("stage failed", level=level, error=stage.error, **fields)
    log("tick", outcome=report.outcome, **_seconds(report), **_numbers(report.published))
    if report.published is not None:
        # After a result only: a timer would also ping while the predictor hangs.
        notify("READY=1", "WATCHDOG=1", f"STATUS={_status(report.published, now)}")
    elif report.failures and report.failures[0].name == "observe" and not _is_ours(report):
        # A batch system that stays away is no fault that another start of ours would mend.
        notify("WATCHDOG=1", f"STATUS={_missing(report.failures[0].kind)}")


def _missing(kind: str) -> str:
    return "nothing new" if kind == "unchanged" else f"the cluster cannot be seen: {kind}"


def _is_ours(report: TickReport) -> bool:
    return any(stage.kind == "bug" for stage in report.failures)


def tell_asked(asked: Asked, metrics: Metrics, now: float) -> None:
    """Log how a question to accounting went, and count it."""
    metrics.asked(asked, now)
    fields: dict[str, Any] = {
        "of": asked.slice.of,
        "since": asked.slice.since,
        "until": asked.slice.until,
        "jobs": asked.jobs,
        "new": asked.new,
        "behind_s": asked.state.behind_s,
        "missing": asked.state.missing,
    }
    if asked.error is None:
        log("accounting asked", **fields)
    else:
        log("accounting did not answer", level=logging.WARNING, cause=str(asked.error), **fields)


def _seconds(report: TickReport) -> dict[str, Any]:
    seconds: dict[str, float] = {}
    for stage in report.stages:  # a result may be published twice
        name = f"{stage.name}_s"
        seconds[name] = round(seconds.get(name, 0) + stage.duration_s, 3)
    return seconds


def _numbers(published: Published | None) -> dict[str, Any]:
    if published is None:
        return {}
    return {
        "cluster": published.cluster,
        "snapshot_at": published.snapshot_at,
        "waiting": _waiting(published),
        "unpredicted": sum(published.unpredicted.values()),
    }


def _status(published: Published, now: float) -> str:
    return f"{_waiting(published)} waiting, snapshot {published.age_s(now)} s old"


def _waiting(published: Published) -> int:
    return sum(1 for row in published.rows if row.waits)
