"""One turn of the service: look, commit, forecast, publish. What fails is a line in a report."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple, ParamSpec, TypeVar

from predictor.clock import Clock
from predictor.domain import Call, Forecast, Observation, Snapshot
from predictor.errors import (
    QueuecastError,
    SourceError,
    SourceFormatError,
    StorageError,
)
from predictor.service.carrying import carried
from predictor.service.doubt import Gate
from predictor.service.forecaster import Reply
from predictor.service.published import Board, Published, Terms, publication
from predictor.service.shown import Shown
from predictor.service.slips import continued
from predictor.service.worker import WorkerFailed

P = ParamSpec("P")
T = TypeVar("T")

STAGES = ("observe", "record", "forecast", "keep", "publish", "windows", "score")
KINDS = (
    *("timeout", "format", "unreachable", "empty", "unchanged"),
    *("doubted", "order", "future", "cluster"),
    *("storage", "worker", "bug"),
)
UNDISTURBED = frozenset({"doubted", "unchanged"})
"""Looks that brought no result although nothing was wrong with them."""
TOLD_BY = frozenset({"keep", "publish"})
MARGIN = 2
"""So many times what it takes to tell a result is left for telling it again, with windows."""
LAST_AT = 32_503_680_000
"""The year 3000: leaves room in the calendar for whatever is predicted."""


class EmptyCluster(SourceError):
    """The batch system shows no nodes at all: it is starting up, or we may not see them."""

    kind = "empty"


class NothingNew(SourceError):
    """The snapshot is the one that was published already."""

    kind = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """How one stage went."""

    name: str
    """One of STAGES."""
    duration_s: float
    kind: str = ""
    """What went wrong, one of KINDS; empty if nothing did."""
    cause: str = ""
    """The same as a sentence."""
    error: Exception | None = None
    """The exception itself, where it is a fault of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TickReport:
    """What a tick did."""

    stages: tuple[Stage, ...]
    calls: tuple[Call, ...] = ()
    """The questions put to the batch system."""
    published: Published | None = None
    """The new result; None if the last one stays up."""

    @property
    def failures(self) -> tuple[Stage, ...]:
        """The stages that failed."""
        return tuple(stage for stage in self.stages if stage.kind)

    @property
    def outcome(self) -> str:
        """`ok`, `skipped` if there was nothing new to forecast, else `error`."""
        if not self.failures:
            return "ok"
        return "skipped" if self.failures[0].kind == "unchanged" else "error"


class _Steps:
    """Runs the stages one by one and notes how each went."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.done: list[Stage] = []

    def run(self, name: str, step: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return what `step` returns; None if it raised."""
        begun = self._clock.monotonic()
        result, error = None, None
        try:
            result = step(*args, **kwargs)
        # The one place where every error ends: a tick must never end the service.
        except Exception as caught:
            error = caught
        self.done.append(_stage(name, self._clock.monotonic() - begun, error))
        return result


class Looked(NamedTuple):
    """When we looked."""

    at: float
    """By our own clock, which may be set."""
    steady_s: float | None
    """By the one that never jumps; None: not known."""


def _unjudged(_published: Published) -> None:
    """Judge nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What a tick works with, besides the cluster and the recording."""

    complete: Callable[[Snapshot], Snapshot]
    """Adds what the batch system did not say."""
    predict: Callable[[Snapshot], Forecast]
    """Takes the snapshot as it was seen."""
    windows: Callable[[float], Reply]
    """Gives the last forecast anew, with windows, in about so many seconds; perhaps it cannot."""
    keep: Callable[[Forecast], object]
    """Commits what is about to be published, before anybody can know how it goes."""
    board: Board
    clock: Clock
    terms: Terms
    drawing_s: float
    """How long windows may take; 0: there are none."""
    gate: Gate = field(default_factory=Gate)
    """Keeps out what is not to be believed."""
    score: Callable[[Published], object] = _unjudged
    """Judges by a tick's last result the answers before it."""


def tick(
    observe: Callable[[], Observation],
    commit: Callable[[Snapshot], object],
    desk: Desk,
    within_s: float | None = None,
) -> TickReport:
    """Look once, commit what was seen, forecast, and put the result on the board.

    The result goes there twice: at once, and again with windows as soon as they are worked out,
    for which there is as much time as is left until the next tick, less that for telling it; that
    one is due in `within_s`, None: in an interval. Never raises. Without a look there is nothing
    to do; what could not be committed is forecast all the same; without a forecast the last
    result stays on the board.
    """
    steps, begun = _Steps(desk.clock), desk.clock.monotonic()
    calls: list[Call] = []
    seen = steps.run("observe", _look, observe, desk, calls)
    if seen is None:
        if steps.done[0].kind not in UNDISTURBED:
            desk.gate.interrupted()
        return TickReport(stages=tuple(steps.done), calls=tuple(calls))
    looked = _looked(desk)
    steps.run("record", commit, seen.snapshot)
    published = _forecast(steps, seen.snapshot, looked, desk)
    if published is not None:
        spent_s = desk.clock.monotonic() - begun
        left_s = _time_for_windows(steps.done, spent_s, desk.terms.interval_s, within_s)
        published = _sure(steps, seen.snapshot, published, left_s, desk)
        steps.run("score", desk.score, published)
    return TickReport(stages=tuple(steps.done), calls=tuple(calls), published=published)


def _time_for_windows(
    done: Iterable[Stage], spent_s: float, interval_s: float, within_s: float | None
) -> float:
    """Return the seconds until the next look, less those for telling the windows.

    Half of an interval at least, less what was spent: a service that is always late tells
    windows all the same.
    """
    due_s = interval_s if within_s is None else max(within_s, interval_s / 2)
    telling_s = MARGIN * sum(stage.duration_s for stage in done if stage.name in TOLD_BY)
    left_s = due_s - spent_s
    return max(left_s - telling_s, left_s / 2)


def _look(observe: Callable[[], Observation], desk: Desk, calls: list[Call]) -> Observation:
    """Return what is seen, if it is worth a forecast, and note in `calls` what that cost."""
    try:
        seen = observe()
    except SourceError as error:
        calls += (call for call in error.calls if isinstance(call, Call))
        raise
    calls += seen.calls
    return worth_a_forecast(seen, desk)


def revive(snapshot: Snapshot, desk: Desk, seen_by: float | None = None) -> TickReport:
    """Forecast the last snapshot of a recording, so that an answer exists at once, with its age.

    `seen_by`: when it had been seen, by our own clock; None: only the snapshot's date is known.
    """
    desk.gate.believe(snapshot)
    steps = _Steps(desk.clock)
    looked = _looked_before(snapshot, desk, seen_by)
    published = _forecast(steps, snapshot, looked, desk)
    return TickReport(stages=tuple(steps.done), published=published)


def _looked_before(snapshot: Snapshot, desk: Desk, seen_by: float | None = None) -> Looked:
    """Return when it was seen before a restart; from here on at least it grows old as we do."""
    # The batch system's clock may be ahead.
    seen_at = snapshot.taken_at if seen_by is None else min(snapshot.taken_at, seen_by)
    age_s = max(0.0, desk.clock.now() - seen_at)
    shown = desk.board.current
    if shown is not None and shown.snapshot_at == snapshot.taken_at and shown.looked_s is not None:
        # Our clock may have been set back since it was hung up.
        age_s = max(age_s, desk.clock.monotonic() - shown.looked_s)
    return Looked(desk.clock.now() - age_s, desk.clock.monotonic() - age_s)


def recall(shown: Shown, desk: Desk) -> TickReport:
    """Hang up the result of before a restart, with its own dates."""
    desk.gate.believe(shown.snapshot)
    steps = _Steps(desk.clock)
    published = steps.run("publish", _recalled, shown, desk)
    return TickReport(stages=tuple(steps.done), published=published)


def _recalled(shown: Shown, desk: Desk) -> Published:
    seen, looked = (
        desk.complete(shown.snapshot),
        _looked_before(shown.snapshot, desk, shown.made_at),
    )
    result = publication(seen, shown.forecast, desk.terms, looked.at, shown.made_at)
    result = replace(result, looked_s=looked.steady_s)
    desk.board.put(result)
    return result


def _looked(desk: Desk) -> Looked:
    """Return when what was just admitted was first seen: it may be shown again."""
    now, steady_s = desk.clock.now(), desk.clock.monotonic()
    first_s = steady_s if desk.gate.first_s is None else desk.gate.first_s
    return Looked(now - (steady_s - first_s), first_s)


def worth_a_forecast(seen: Observation, desk: Desk) -> Observation:
    """Return `seen`. Raises SourceError if the board is better left as it is."""
    last, taken_at = desk.board.current, seen.snapshot.taken_at
    if not 0 <= taken_at <= LAST_AT:
        raise SourceFormatError(f"a snapshot taken at {taken_at}, which is no date")
    if not desk.complete(seen.snapshot).nodes:
        raise EmptyCluster("the batch system shows no nodes")
    if last is not None and last.snapshot_at == taken_at:
        raise NothingNew("the snapshot is the one published already")
    desk.gate.admit(seen.snapshot, desk.clock.now(), desk.clock.monotonic())
    return seen


def _forecast(steps: _Steps, snapshot: Snapshot, looked: Looked, desk: Desk) -> Published | None:
    forecast = steps.run("forecast", desk.predict, snapshot)
    if forecast is None:
        return None
    told = carried(forecast, snapshot, desk.board.current)
    return _told(steps, snapshot, told, looked, desk)


def _sure(
    steps: _Steps, snapshot: Snapshot, published: Published, left_s: float, desk: Desk
) -> Published:
    """Return the result with windows; the one without if there are none."""
    reply = steps.run("windows", desk.windows, max(min(desk.drawing_s, left_s), 0))
    if reply is None or reply.forecast is None:
        return published
    looked = Looked(published.observed_at, published.looked_s)
    told = _told(steps, snapshot, reply.forecast, looked, desk, reply)
    return told or published


def _told(
    steps: _Steps,
    snapshot: Snapshot,
    forecast: Forecast,
    looked: Looked,
    desk: Desk,
    reply: Reply | None = None,
) -> Published | None:
    steps.run("keep", desk.keep, forecast)
    return steps.run("publish", _publish, snapshot, forecast, looked, desk, reply)


def _publish(
    snapshot: Snapshot,
    forecast: Forecast,
    looked: Looked,
    desk: Desk,
    reply: Reply | None,
) -> Published:
    """Hang up a result: the first of its snapshot, but for who has a `reply` with windows."""
    seen, last = desk.complete(snapshot), desk.board.current
    result = replace(
        publication(seen, forecast, desk.terms, looked.at, desk.clock.now()),
        looked_s=looked.steady_s,
        first=reply is None and desk.drawing_s > 0,
        alarms=() if last is None else last.alarms if reply is None else reply.alarms,
        past=desk.board.past,
        history=desk.board.history if last is None else last.history,
    )
    if not result.first:
        told = continued(result.history, desk.board.settled, result)
        result = replace(result, history=told)
    desk.board.put(result)
    return result


def _stage(name: str, duration_s: float, error: Exception | None) -> Stage:
    if error is None:
        return Stage(name=name, duration_s=duration_s)
    expected = isinstance(error, QueuecastError)
    return Stage(
        name=name,
        duration_s=duration_s,
        kind=_kind(error),
        cause=str(error) if expected else f"{type(error).__name__}: {error}",
        error=None if expected else error,
    )


def _kind(error: Exception) -> str:
    if isinstance(error, SourceError):
        return error.kind
    if isinstance(error, StorageError):
        return "storage"
    return "worker" if isinstance(error, WorkerFailed) else "bug"
