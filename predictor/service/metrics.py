"""What Prometheus is told. No user, job or node ever becomes a label."""

from collections.abc import Callable
from importlib.metadata import version

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
)

from predictor.service.accounts import Asked, State
from predictor.service.answermetrics import AnswerMetrics
from predictor.service.callmetrics import CallMetrics
from predictor.service.forecaster import Reply
from predictor.service.published import Board, Published
from predictor.service.room import Room
from predictor.service.scoring import Scores
from predictor.service.statemetrics import OTHER, PREFIX, ClusterState
from predictor.service.tick import KINDS, STAGES, TickReport
from predictor.service.watches.counts import NoticeCounts
from predictor.service.whatif.asking import OUTCOMES_OF_ASKING

OUTCOMES = ("ok", "error", "late", "skipped")
TICK_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300)
HTTP_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


class Metrics:
    """All metrics of one service, in a registry of their own."""

    def __init__(self, board: Board) -> None:
        # Else each counter and histogram would bring one series more, which nobody asks for.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        self.registry = CollectorRegistry()
        self._source = OTHER
        self._past = State()
        count, time = self._counter, self._histogram
        self._ticks = count("ticks", "Ticks by how they ended.", "outcome")
        self._stages = time("tick_duration_seconds", "Time each stage of a tick took.", "stage")
        self._failures = count("tick_failures", "Stages that failed.", "stage", "kind")
        self._errors = count("collector_errors", "Looks that failed.", "source", "kind")
        self._looks = time("collector_duration_seconds", "Time a look took.", "source")
        self._seen = Gauge(
            "collector_success_timestamp_seconds",
            "When a look brought something new last.",
            ["source"],
            namespace=PREFIX,
            registry=self.registry,
        )
        self._calls = CallMetrics(self.registry)
        self.notices = NoticeCounts(self.registry)
        self._answers = AnswerMetrics(self.registry)
        self._fingerprint: str | None = None
        self._changed = self._gauge(
            "config_change_timestamp_seconds",
            "When the batch system was seen to be configured otherwise; 0: never so far.",
        )
        self._supposed = count("suppositions", "Jobs supposed, by what became of it.", "outcome")
        self._listeners = self._gauge("sse_clients", "Clients that listen for events.")
        self._recording = self._gauge("recording_bytes", "Size of the recording.")
        self._free = self._gauge("recording_free_bytes", "Room left where the recording lies.")
        self._total = self._gauge("recording_total_bytes", "Room there is in all.")
        self._reloads = count("reloads", "Site files read again.", "outcome")
        self._learned_bytes = self._gauge("experience_bytes", "Size of what was learned.")
        self._learned_at = self._gauge(
            "experience_timestamp_seconds", "The snapshot it was last learned from."
        )
        self._draws = count("draws", "Courses that windows were read from.")
        self._outcomes = count("accounting_outcomes", "Ends of jobs first heard of by accounting.")
        self._repaired = count("outcomes_repaired", "Unseen ends that accounting told of later.")
        self._unrepaired = count("outcomes_unrepaired", "Unseen ends that nobody ever told of.")
        self._missing = self._gauge("outcomes_missing", "Unseen ends nobody has told of yet.")
        self._behind = self._gauge(
            "accounting_behind_seconds", "Time that accounting is still to be asked about."
        )
        self._requests = time(
            "http_request_duration_seconds",
            "Time an answer took.",
            *("route", "method", "code"),
            buckets=HTTP_BUCKETS,
        )
        info = Gauge(
            "build_info",
            "Which queuecast this is.",
            ["version"],
            namespace=PREFIX,
            registry=self.registry,
        )
        info.labels(version("queuecast")).set(1)
        self.registry.register(ClusterState(board))
        self._begin_at_zero()

    def tick(self, report: TickReport, now: float) -> None:
        """Count a tick that ended `now`, in UTC epoch seconds."""
        source = self._source
        self._ticks.labels(report.outcome).inc()
        for stage in report.stages:
            self._stages.labels(stage.name).observe(stage.duration_s)
            if stage.name == "observe":
                self._looks.labels(source).observe(stage.duration_s)
        for stage in report.failures:
            self._failures.labels(stage.name, stage.kind).inc()
            if stage.name == "observe":
                self._errors.labels(source, stage.kind).inc()
        if report.stages and report.stages[0].name == "observe" and not report.stages[0].kind:
            self._seen.labels(source).set(now)
        for call in report.calls:
            self._calls.add(call, source, now)
        if report.published is not None:
            self._configured(report.published)

    def scored(self, scores: Scores, current: Published) -> None:
        """Count what a result told of the answers before it."""
        names = (partition.name for partition in current.snapshot.partitions)
        self._answers.scored(scores, current.cluster, names)

    def stored(self, room: Room) -> None:
        """Take note of how large the recording is."""
        self._recording.set(room.recording)
        self._free.set(room.free)
        self._total.set(room.total)

    def supposed(self, outcome: str, jobs: int) -> None:
        """Count jobs that somebody supposed. `outcome` is one of OUTCOMES_OF_ASKING."""
        self._supposed.labels(outcome).inc(jobs)

    def listened_to_by(self, listeners: Callable[[], int]) -> None:
        """From now on ask this for how many listen."""
        self._listeners.set_function(listeners)

    def missed(self, outcome: str) -> None:
        """Count a tick that never began: `late`."""
        self._ticks.labels(outcome).inc()

    def reloaded(self, *, accepted: bool) -> None:
        """Count a site file read again."""
        self._reloads.labels("ok" if accepted else "refused").inc()

    def learned(self, reply: Reply) -> None:
        """Take note of how much is learned, and drawn from it, as the worker tells."""
        if reply.saved_bytes is not None:
            self._learned_bytes.set(reply.saved_bytes)
        if reply.learned_until is not None:
            self._learned_at.set(reply.learned_until)
        if reply.draws:
            self._draws.inc(reply.draws)

    def asked(self, asked: Asked, now: float) -> None:
        """Count a question to accounting that was answered, or not, `now`."""
        self._outcomes.inc(asked.new)
        for call in asked.calls:
            self._calls.add(call, self._source, now)

    def past(self, state: State) -> None:
        """Take note of how much of the past is known."""
        self._missing.set(state.missing)
        self._behind.set(state.behind_s)
        self._repaired.inc(state.repaired - self._past.repaired)
        self._unrepaired.inc(state.unrepaired - self._past.unrepaired)
        self._past = state

    def answered(self, route: str | None, method: str, code: int, duration_s: float) -> None:
        """Count a request. `route` is the pattern it matched, None if it matched none."""
        known = method if method in METHODS else OTHER
        self._requests.labels(route or OTHER, known, str(code)).observe(duration_s)

    def source(self, kind: str) -> None:
        """Count for a source of this kind from now on, beginning at zero."""
        self._source = kind
        self._looks.labels(kind)
        for failure in KINDS:
            self._errors.labels(kind, failure)

    def _configured(self, current: Published) -> None:
        fingerprint = current.forecast.fingerprint
        if self._fingerprint is not None and fingerprint != self._fingerprint:
            self._changed.set(current.snapshot_at)
        self._fingerprint = fingerprint

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(name, text, namespace=PREFIX, registry=self.registry)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, namespace=PREFIX, registry=self.registry)

    def _histogram(
        self, name: str, text: str, *labels: str, buckets: tuple[float, ...] = TICK_BUCKETS
    ) -> Histogram:
        return Histogram(
            name, text, labels, namespace=PREFIX, registry=self.registry, buckets=buckets
        )

    def _begin_at_zero(self) -> None:
        """Alerts on series that are not there yet would never fire."""
        for outcome in OUTCOMES:
            self._ticks.labels(outcome)
        for outcome in ("ok", "refused"):
            self._reloads.labels(outcome)
        for outcome in OUTCOMES_OF_ASKING:
            self._supposed.labels(outcome)
        for stage in STAGES:
            self._stages.labels(stage)
            for kind in KINDS:
                self._failures.labels(stage, kind)
