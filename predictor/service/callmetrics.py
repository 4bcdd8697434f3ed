"""What looking costs: the questions put to the batch system, by source and question."""

from prometheus_client import CollectorRegistry, Counter, Gauge

from predictor.domain import Call
from predictor.service.statemetrics import OTHER, PREFIX

MOST_CALL_NAMES = 40
"""The rest are summed up, so that no source can flood whoever scrapes us."""
KINDS = ("timeout", "format", "unreachable")
LABELS = ("source", "call")


class CallMetrics:
    """Counters of questions: how many, how long, how large, how many failed and of what."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._names: set[str] = set()

        def count(name: str, text: str, *more: str) -> Counter:
            return Counter(name, text, (*LABELS, *more), namespace=PREFIX, registry=registry)

        self._calls = count("collector_calls", "Questions put to the batch system.")
        self._seconds = count("collector_call_seconds", "Time they took.")
        self._bytes = count("collector_call_bytes", "Size of the answers.")
        self._errors = count("collector_call_errors", "Those that failed.", "kind")
        self._answered = Gauge(
            "collector_call_success_timestamp_seconds",
            "When it was answered last.",
            LABELS,
            namespace=PREFIX,
            registry=registry,
        )

    def add(self, call: Call, source: str, now: float) -> None:
        """Count a question. `source` is the kind from the site file, `now` UTC epoch seconds."""
        if len(self._names) < MOST_CALL_NAMES:
            self._names.add(call.name)
        name = call.name if call.name in self._names else OTHER
        self._calls.labels(source, name).inc()
        self._seconds.labels(source, name).inc(call.duration_s)
        self._bytes.labels(source, name).inc(call.size_bytes)
        for kind in (*KINDS, OTHER):
            self._errors.labels(source, name, kind)
        if call.ok:
            self._answered.labels(source, name).set(now)
        else:
            self._errors.labels(source, name, call.kind if call.kind in KINDS else OTHER).inc()
