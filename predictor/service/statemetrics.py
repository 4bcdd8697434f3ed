"""The metrics that describe the cluster, read off the newest result when somebody asks."""

from collections import Counter
from collections.abc import Iterator

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from predictor.domain import Fact, Unpredictable
from predictor.domain.durations import DAY_S
from predictor.service.probes import HALF, MOST, Probes
from predictor.service.published import STATES, Board, Published
from predictor.windows.drift import Figure

PREFIX = "queuecast"
OTHER = "other"
MOST_PARTITIONS = 500
"""The rest are summed up, so that a cluster cannot flood whoever scrapes us."""

MOST_PROBED = 50
"""So many partitions' probes are told."""
PROBED = "What a new job of whole nodes would wait; by then it has started with that chance."

Samples = Iterator[tuple[tuple[str, ...], float]]


class ClusterState(Collector):
    """Reads the state of the cluster off the board when asked."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def collect(self) -> Iterator[Metric]:
        """Yield the families; empty ones before the first forecast."""
        current, probes = self._board.current, self._board.probes
        for family, samples in (
            (_gauge("snapshot_timestamp_seconds", "When the snapshot was taken."), _snapshot_at),
            (_gauge("forecast_timestamp_seconds", "When it was forecast."), _forecast_at),
            (_gauge("interval_seconds", "So often the cluster is looked at."), _interval),
            (_gauge("stale_after_seconds", "Older snapshots are stale."), _stale_after),
            (
                _gauge(
                    "backlog_node_seconds",
                    "Nodes times limit of waiting jobs.",
                    "partition",
                ),
                _backlog,
            ),
            (_gauge("jobs", "Jobs of the snapshot.", "partition", "state"), _jobs),
            (_gauge("jobs_unpredicted", "Waiting jobs without a start.", "cause"), _unpredicted),
            (_gauge("records_quarantined", "Records not understood."), _quarantined),
            (
                _gauge("facts_hidden", "Kinds of facts not seen, or not wholly.", "fact"),
                _hidden,
            ),
            (_gauge("window_coverage_ratio", "Share of 80 % windows that held of late."), _held),
            (_gauge("typical_error_seconds", "Half of the starts were not so far off."), _error),
            (_gauge("drift_alarms", "Alarms of the last day, by what changed.", "what"), _alarms),
        ):
            if current is not None:
                for labels, value in samples(current):
                    family.add_metric([as_label(one) for one in (current.cluster, *labels)], value)
            yield family
        waits = _gauge("probe_wait_seconds", PROBED, "partition", "shape", "chance")
        if current is not None:
            for labels, value in _probed(probes):
                waits.add_metric([as_label(one) for one in (current.cluster, *labels)], value)
        yield waits


def as_label(text: str) -> str:
    """Return the text as it can be sent: names may hold bytes that are no UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _gauge(name: str, text: str, *labels: str) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}_{name}", text, labels=["cluster", *labels])


def _snapshot_at(current: Published) -> Samples:
    yield (), current.snapshot_at


def _forecast_at(current: Published) -> Samples:
    yield (), current.computed_at


def _jobs(current: Published) -> Samples:
    partitions = sorted({partition for partition, _ in current.counts})
    shown = partitions[:MOST_PARTITIONS]
    for state in STATES:
        for partition in shown:
            yield (partition, state), current.counts.get((partition, state), 0)
        if rest := partitions[MOST_PARTITIONS:]:
            yield (OTHER, state), sum(current.counts.get((part, state), 0) for part in rest)


def _interval(current: Published) -> Samples:
    yield (), current.terms.interval_s


def _stale_after(current: Published) -> Samples:
    yield (), current.terms.stale_after_s


def _backlog(current: Published) -> Samples:
    shown = sorted(current.backlog)[:MOST_PARTITIONS]
    for partition in shown:
        yield (partition,), current.backlog[partition]
    if len(current.backlog) > len(shown):
        yield (OTHER,), sum(current.backlog.values()) - sum(map(current.backlog.__getitem__, shown))


def _probed(probes: Probes) -> Samples:
    shown = set(sorted({partition for partition, _ in probes})[:MOST_PROBED])
    for (partition, shape), one in sorted(probes.items()):
        if partition in shown:
            yield (partition, shape, str(HALF)), one.half_s
            yield (partition, shape, str(MOST)), one.most_s


def _unpredicted(current: Published) -> Samples:
    for cause in Unpredictable:
        yield (cause.value,), current.unpredicted.get(cause.value, 0)


def _held(current: Published) -> Samples:
    if current.lately is not None:
        yield (), current.lately[2]


def _error(current: Published) -> Samples:
    if current.lately is not None:
        yield (), current.lately[1]


def _alarms(current: Published) -> Samples:
    raised = Counter(
        alarm.what for alarm in current.alarms if current.snapshot_at - alarm.raised_at <= DAY_S
    )
    for figure in Figure:
        yield (figure.name.lower(),), raised[figure]


def _hidden(current: Published) -> Samples:
    named = Counter(sentence.partition(":")[0] for sentence in current.hidden)
    for fact in Fact:
        yield (fact.value,), named[fact.value]


def _quarantined(current: Published) -> Samples:
    yield (), current.quarantined
