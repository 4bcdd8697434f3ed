"""What Prometheus is told. No user, job or node ever becomes a label."""

from importlib.metadata import version

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from predictor.domain import Call
from predictor.service.accounts import Asked, State
from predictor.service.forecaster import Reply
from predictor.service.published import Board
from predictor.service.statemetrics import OTHER, PREFIX, ClusterState
from predictor.service.tick import KINDS, STAGES, TickReport

OUTCOMES = ("ok", "error", "late", "skipped")
TICK_BUCKETS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 120, 300)
HTTP_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
MOST_CALL_NAMES = 40


class Metrics:
    """All metrics of one service, in a registry of their own."""

    def __init__(self, board: Board) -> None:
        self.registry = CollectorRegistry()
        self._names: set[str] = set()
        self._past = State()
        count, time = self._counter, self._histogram
        self._ticks = count("ticks", "Ticks by how they ended.", "outcome")
        self._stages = time("tick_duration_seconds", "Time each stage of a tick took.", "stage")
        self._failures = count("tick_failures", "Stages that failed.", "stage", "kind")
        self._errors = count("collector_errors", "Looks that failed.", "source", "kind")
        self._looks = time("collector_duration_seconds", "Time a look took.", "source")
        self._calls = count("collector_calls", "Questions put to the batch system.", "call")
        self._call_s = count("collector_call_seconds", "Time they took.", "call")
        self._call_bytes = count("collector_call_bytes", "Size of the answers.", "call")
        self._call_errors = count("collector_call_errors", "Those that failed.", "call")
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

    def tick(self, report: TickReport, source: str) -> None:
        """Count a tick. `source` is the kind from the site file."""
        self._ticks.labels(report.outcome).inc()
        for stage in report.stages:
            self._stages.labels(stage.name).observe(stage.duration_s)
            if stage.name == "observe":
                self._looks.labels(source).observe(stage.duration_s)
        for stage in report.failures:
            self._failures.labels(stage.name, stage.kind).inc()
            if stage.name == "observe":
                self._errors.labels(source, stage.kind).inc()
        for call in report.calls:
            self._call(call)

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

    def asked(self, asked: Asked) -> None:
        """Count a question to accounting."""
        self._outcomes.inc(asked.new)
        for call in asked.calls:
            self._call(call)

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
        """Let the counters of a source begin at zero."""
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

    def _call(self, call: Call) -> None:
        if len(self._names) < MOST_CALL_NAMES:
            self._names.add(call.name)
        name = call.name if call.name in self._names else OTHER
        self._calls.labels(name).inc()
        self._call_s.labels(name).inc(call.duration_s)
        self._call_bytes.labels(name).inc(call.size_bytes)
        self._call_errors.labels(name).inc(0 if call.ok else 1)

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
