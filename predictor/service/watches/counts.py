"""How many notices went, failed, were given up, and wait. No user, job or address is a label."""

from prometheus_client import CollectorRegistry, Counter, Gauge

from predictor.service.statemetrics import PREFIX
from predictor.service.watches.watch import Kind, Method, Notice

LABELS = ("kind", "method")


class NoticeCounts:
    """Counters of notices, by kind and method."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def count(name: str, text: str) -> Counter:
            return Counter(name, text, LABELS, namespace=PREFIX, registry=registry)

        self._sent = count("notices_sent", "Notices that got there.")
        self._failed = count("notices_failed", "Attempts to send a notice that failed.")
        self._dropped = count("notices_dropped", "Notices that were given up.")
        self._queued = Gauge(
            "notices_queued",
            "Notices that wait to be sent.",
            LABELS,
            namespace=PREFIX,
            registry=registry,
        )
        for metric in (self._sent, self._failed, self._dropped, self._queued):
            for kind in Kind:
                for method in Method:
                    metric.labels(kind.value, method.value)

    def queued(self, notice: Notice) -> None:
        """Count one that waits from now on."""
        self._queued.labels(*_labels(notice)).inc()

    def sent(self, notice: Notice) -> None:
        """Count one that got there, and waits no more."""
        self._queued.labels(*_labels(notice)).dec()
        self._sent.labels(*_labels(notice)).inc()

    def failed(self, notice: Notice) -> None:
        """Count an attempt that failed."""
        self._failed.labels(*_labels(notice)).inc()

    def given_up(self, notice: Notice) -> None:
        """Count one that waited in vain."""
        self._queued.labels(*_labels(notice)).dec()
        self.refused(notice)

    def refused(self, notice: Notice) -> None:
        """Count one for which there was no room, or no way."""
        self._dropped.labels(*_labels(notice)).inc()


def _labels(notice: Notice) -> tuple[str, str]:
    return notice.kind.value, notice.watch.method.value
