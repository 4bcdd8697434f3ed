"""The plan as LML's own Gantt chart: hours to the right, nodes in their order upward."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from predictor.domain import Forecast, Snapshot
from predictor.domain.durations import HOUR_S
from predictor.lml.escaping import flagged, quoted

LEAST_HOURS = 1.0


class Bar(NamedTuple):
    """A job on nodes that stand side by side, from one instant to another."""

    job_id: str
    lowest: int
    nodes: int
    start_at: int
    end_at: int | None
    """None: it has no end that anybody knows, and is drawn to the edge."""


def chart_lines(
    snapshot: Snapshot, forecast: Forecast, object_ids: Mapping[str, str]
) -> Iterator[str]:
    """Yield the lines of the chart; `object_ids` are those of the jobs, by job id.

    What has no object is not drawn.
    """
    bars = [bar for bar in _bars(snapshot, forecast) if bar.job_id in object_ids]
    now = snapshot.taken_at
    ends = (bar.end_at for bar in bars if bar.end_at is not None)
    width = max([(end - now) / HOUR_S for end in ends] + [LEAST_HOURS])
    yield '<chart id="forecast" title="Predicted schedule">'
    yield "<axes>"
    yield f'<x min="0" max="{width:.3f}" unit="hour" label="hours from snapshot"/>'
    yield f'<y min="0" max="{len(snapshot.nodes)}" unit="nodes" label="nodes"/>'
    yield "</axes>"
    yield '<data name="plan">'
    for bar in bars:
        oid, text = object_ids[bar.job_id], quoted(flagged(bar.job_id))
        left = max(bar.start_at - now, 0) / HOUR_S
        right = width if bar.end_at is None else max(bar.end_at - now, 0) / HOUR_S
        yield (
            f'<r x="{left:.3f}" y="{bar.lowest + bar.nodes}" w="{max(right - left, 0):.3f}"'
            f' h="{bar.nodes}" oid="{oid}" text="{text}"/>'
        )
    yield "</data>"
    yield "</chart>"


def _bars(snapshot: Snapshot, forecast: Forecast) -> Iterator[Bar]:
    place = {node.name: number for number, node in enumerate(snapshot.nodes)}
    for job in snapshot.running:
        for lowest, nodes in _runs(place, (share.node for share in job.allocation)):
            yield Bar(job.spec.id, lowest, nodes, snapshot.taken_at, job.ends_by)
    for told in forecast.predictions:
        for lowest, nodes in _runs(place, told.node_names):
            yield Bar(told.job_id, lowest, nodes, told.start_at, told.end_at)


def _runs(place: Mapping[str, int], names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield (lowest, count) of the nodes that stand side by side."""
    numbers = sorted({place[name] for name in names if name in place})
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        yield members[0], len(members)
