"""The windows of the minute before, shown until those of this minute are worked out."""

from dataclasses import replace

from predictor.domain import Forecast, Outlook, Prediction, Snapshot
from predictor.service.published import Published


def carried(made: Forecast, seen: Snapshot, last: Published | None) -> Forecast:
    """Return the forecast of `seen` with the windows that hang on the board, where they make sense.

    They do if the new likely start lies within them, and if they were worked out for the result
    on the board itself: windows are carried over once. What of them is past by now is cut off.
    Of a job that goes by the id of another one, submitted before, they tell nothing.
    """
    if last is None or last.first or last.cluster != made.cluster:
        return made
    submitted = {job.spec.id: job.spec.submitted_at for job in seen.pending}
    known = {
        row.spec.id: row.outlook
        for row in last.rows
        if row.outlook is not None and submitted.get(row.spec.id) == row.spec.submitted_at
    }
    now = made.snapshot_at
    told = tuple(_with(one, known.get(one.job_id), now) for one in made.predictions)
    return replace(made, predictions=told)


def _with(made: Prediction, outlook: Outlook | None, now: int) -> Prediction:
    if outlook is None or made.outlook is not None or not outlook.quantiles:
        return made
    (_, earliest_at), (_, latest_at) = outlook.quantiles[0], outlook.quantiles[-1]
    if not earliest_at <= made.start_at <= latest_at:
        return made
    return replace(made, outlook=_from(now, outlook))


def _from(now: int, outlook: Outlook) -> Outlook:
    """Return the outlook of a job of which it is known that it has not started before `now`."""
    return replace(
        outlook,
        likely_at=max(outlook.likely_at, now),
        low_at=max(outlook.low_at, now),
        high_at=max(outlook.high_at, now),
        by_at=max(outlook.by_at, now),
        quantiles=tuple((level, max(at, now)) for level, at in outlook.quantiles),
    )
