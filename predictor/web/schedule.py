"""The page of the schedule: a picture drawn by a script, and the same as a table without one."""

from collections.abc import Iterator, Mapping
from itertools import islice

from predictor import hostlists
from predictor.cli.terminal import plain
from predictor.service.asking.viewers import Sight
from predictor.service.published import Published
from predictor.service.schedule import Frame as Part
from predictor.service.schedule import bars, nodes_of
from predictor.web.frame import Frame
from predictor.web.words import local

MOST_ROWS = 500
LONGEST = 60


def schedule_page(
    current: Published | None, partition: str, seen: Sight, now: float, frame: Frame
) -> str:
    """Return the page as HTML, for who sees so much."""
    if current is None:
        return frame.page("schedule.html", None, now)
    rows = list(islice(_rows(current, partition, seen, now), MOST_ROWS + 1))
    return frame.page(
        "schedule.html",
        current,
        now,
        name=current.cluster,
        utc_offset_s=current.utc_offset_s,
        drawn=len(nodes_of(current, Part(partition=partition))),
        chosen=plain(partition),
        partitions=[plain(one.name) for one in current.snapshot.partitions],
        blind=seen.nothing,
        rows=rows[:MOST_ROWS],
        more=len(rows) > MOST_ROWS,
        most=MOST_ROWS,
    )


def _rows(
    current: Published, partition: str, seen: Sight, now: float
) -> Iterator[Mapping[str, str]]:
    for bar in bars(current):
        if seen.shows(bar.spec) and partition in ("", bar.partition):
            yield {
                "id": plain(bar.spec.id, LONGEST),
                "user": plain(bar.spec.user),
                "partition": plain(bar.partition),
                "what": "will run" if bar.waits else "runs",
                "start": local(bar.start_at, current.utc_offset_s, now),
                "end": local(bar.end_at, current.utc_offset_s, now),
                "nodes": plain(hostlists.folded(bar.nodes), LONGEST),
            }
