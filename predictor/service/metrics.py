"""What Prometheus is told. No user, job or node ever becomes a label."""

from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from predictor.service.accounts import Asked, State
from predictor.service.callmetrics import CallMetrics
from predictor.service.forecaster import Reply
from predictor.service.published import Board
from predictor.service.statemetrics import OTHER, PREFIX, ClusterState
from predictor.service.tick import KINDS, STAGES, TickReport

OUTCOMES = ("ok", "error", "late", "skipped")
TICK_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300)
HTTP_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


class Metrics:
    """All metrics of one service, in a registry of their own."""

    def __init__(self, board: Board) -> None:
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
        for stage in STAGES:
            self._stages.labels(stage)
            for kind in KINDS:
                self._failures.labels(stage, kind)
