"""The metrics of how answers came out, and how long jobs really waited."""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Summary

from predictor.service.bysize import SHAPES
from predictor.service.scoring import LEADS, SIDES, Scores
from predictor.service.statemetrics import OTHER, PREFIX, as_label

MOST_PARTITIONS = 50
"""Of so many there are histograms; the rest are summed up."""
ERROR_BUCKETS = (60, 300, 900, 1_800, 3_600, 7_200, 14_400, 28_800, 86_400, 259_200)
PARTITION_BUCKETS = (300, 1_800, 7_200, 28_800, 86_400)
WAIT_BUCKETS = (60, 600, 3_600, 14_400, 43_200, 86_400, 259_200)
MOST_FOR_BIAS = 500
"""The bias is that of so many of the last answers of a lead."""
OURS, THEIRS, PAST = "queuecast", "batch_system", "history"

Metric = Counter | Gauge | Histogram | Summary


class AnswerMetrics:
    """Counts what is scored. Whatever belongs to a partition that is gone vanishes with it."""

    def __init__(self, registry: CollectorRegistry) -> None:
        histogram = partial(Histogram, namespace=PREFIX, registry=registry)
        counter = partial(Counter, namespace=PREFIX, registry=registry)
        gauge = partial(Gauge, namespace=PREFIX, registry=registry)
        summary = partial(Summary, namespace=PREFIX, registry=registry)
        self._errors = histogram(
            "start_error_seconds",
            "How far starts were off what was told.",
            ["cluster", "lead"],
            buckets=ERROR_BUCKETS,
        )
        self._by_partition = histogram(
            "partition_start_error_seconds",
            "The same by partition, of all leads.",
            ["cluster", "partition"],
            buckets=PARTITION_BUCKETS,
        )
        self._bias = gauge(
            "start_bias_seconds",
            "By how much the last answers were too early (positive) or too late in the mean.",
            ["cluster", "lead"],
        )
        self._scored = counter(
            "interval_scored",
            "Windows of which it is known whether they held.",
            ["cluster", "level", "lead"],
        )
        self._covered = counter("interval_covered", "Those that did.", ["cluster", "level", "lead"])
        self._compared = summary(
            "compared_error_seconds",
            "How far starts were off, where the batch system announced one too.",
            ["cluster", "by", "lead"],
        )
        self._guessed = summary(
            "baseline_error_seconds",
            "How far starts were off, where the median of past waits told one too.",
            ["cluster", "by", "lead"],
        )
        self._waits = histogram(
            "actual_wait_seconds",
            "How long jobs waited that have started.",
            ["cluster", "partition", "shape"],
            buckets=WAIT_BUCKETS,
        )
        self._overdue = gauge(
            "jobs_overdue",
            "Waiting jobs that should have started a quarter of an hour ago.",
            ["cluster"],
        )
        self._cluster = ""
        self._partitions: frozenset[str] = frozenset()
        self._late_s: dict[str, deque[int]] = {}

    def scored(self, scores: Scores, cluster: str, partitions: Iterable[str]) -> None:
        """Count what one result told, whose cluster has these partitions."""
        cluster = as_label(cluster)
        self._meet(cluster, sorted({as_label(partition) for partition in partitions}))
        for miss in scores.misses:
            off_s, partition = abs(miss.late_s), self._named(miss.partition)
            self._errors.labels(cluster, miss.lead).observe(off_s)
            self._by_partition.labels(cluster, partition).observe(off_s)
            self._lean(miss.lead, miss.late_s)
            if miss.theirs_late_s is not None:
                self._compared.labels(cluster, OURS, miss.lead).observe(off_s)
                theirs_s = abs(miss.theirs_late_s)
                self._compared.labels(cluster, THEIRS, miss.lead).observe(theirs_s)
            if miss.guess_late_s is not None:
                self._guessed.labels(cluster, OURS, miss.lead).observe(off_s)
                self._guessed.labels(cluster, PAST, miss.lead).observe(abs(miss.guess_late_s))
        for window in scores.windows:
            labels = (cluster, str(window.level), window.lead)
            self._scored.labels(*labels).inc()
            self._covered.labels(*labels).inc(window.held)
        for wait in scores.waits:
            partition = self._named(wait.partition)
            self._waits.labels(cluster, partition, wait.shape).observe(wait.waited_s)
        self._overdue.labels(cluster).set(scores.overdue)

    def _lean(self, lead: str, late_s: int) -> None:
        last = self._late_s.setdefault(lead, deque(maxlen=MOST_FOR_BIAS))
        last.append(late_s)
        self._bias.labels(self._cluster, lead).set(sum(last) / len(last))

    def _named(self, partition: str) -> str:
        label = as_label(partition)
        return label if label in self._partitions else OTHER

    def _meet(self, cluster: str, partitions: Sequence[str]) -> None:
        """Begin at zero for all that there is, and let go of what is no more."""
        if cluster != self._cluster:
            self._forget()
            self._cluster = cluster
            self._begin(cluster)
        shown = frozenset(partitions[:MOST_PARTITIONS])
        for gone in self._partitions - shown:
            self._by_partition.remove(cluster, gone)
            for shape in SHAPES:
                self._waits.remove(cluster, gone, shape)
        for new in shown - self._partitions:
            self._begin_partition(cluster, new)
        self._partitions = shown

    def _forget(self) -> None:
        every: tuple[Metric, ...] = (
            *(self._errors, self._by_partition, self._bias, self._scored),
            *(self._covered, self._compared, self._guessed, self._waits, self._overdue),
        )
        for each in every:
            each.clear()
        self._partitions = frozenset()
        self._late_s = {}

    def _begin(self, cluster: str) -> None:
        for lead in LEADS:
            self._errors.labels(cluster, lead)
            for by in (OURS, THEIRS):
                self._compared.labels(cluster, by, lead)
            for by in (OURS, PAST):
                self._guessed.labels(cluster, by, lead)
            for level in SIDES:
                self._scored.labels(cluster, str(level), lead)
                self._covered.labels(cluster, str(level), lead)
        self._begin_partition(cluster, OTHER)

    def _begin_partition(self, cluster: str, partition: str) -> None:
        self._by_partition.labels(cluster, partition)
        for shape in SHAPES:
            self._waits.labels(cluster, partition, shape)
