"""Two runs drawn beside one another: who waits, how full the machine is, and who runs where."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from predictor.domain.durations import DAY_S
from verification.measures import Ran, queue_size
from verification.measures.machine import cpus_held
from verification.measures.steps import Step, held
from verification.measures.streamed import Levels
from verification.replica.gantt import neighbours
from verification.report.gantt import Sides, gantt
from verification.report.markup import Markup, element
from verification.report.standalone import standalone
from verification.report.tables import table
from verification.report.words import seconds, told
from verification.sweep.kinds import Course, Figures
from verification.sweep.plots import Curve, curves
from verification.sweep.wording import named

SHOWN_S = DAY_S
"""The length of what is drawn job by job, unless told."""
MOST_BARS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two runs."""

    name: str
    """Such as `point 3`."""
    settings: str
    course: Course
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What is drawn job by job. Seconds from the begin of the run."""

    since_s: int | None = None
    """None: around when most jobs wait on the first side."""
    length_s: int = SHOWN_S


def render_picture(title: str, base: Side, other: Side, window: Window) -> str:
    """Return the page of two runs of the same jobs."""
    return standalone(f"queuecast sweep: {title}", *_parts(title, base, other, window))


def _parts(title: str, base: Side, other: Side, window: Window) -> Iterator[Markup]:
    yield element("h1", f"{base.name} and {other.name}")
    both = "; ".join(f"{one.name} is {one.settings}" for one in (base, other))
    yield element("p", f"On {title}. {both}.")
    rows = [
        (named(name), told(name, value), told(name, other.figures.get(name)))
        for name, value in base.figures.items()
    ]
    yield table("Figures of both runs", ("", base.name, other.name), rows)
    sides = (base, other)
    queues = [(one.name, list(queue_size(one.course.jobs, one.course.watch))) for one in sides]
    full = [(one.name, list(_held(one.course))) for one in sides]
    begin_s = _begin_s(queues[0][1], base.course, window)
    marked = (begin_s, begin_s + window.length_s)
    for key, heading, found, tops in (
        ("queue", "Jobs that wait", queues, (1, 1)),
        ("full", "Share of the machine in use", full, [one.course.watch.cpus for one in sides]),
    ):
        lines = [
            _curve(name, steps, one.course, most)
            for (name, steps), one, most in zip(found, sides, tops, strict=True)
        ]
        yield element("h2", heading)
        plot = curves(key, heading, lines, as_share=key == "full", marked=marked)
        yield element("section", plot, class_="pair wide")
    yield from _gantt(base, other, begin_s, window.length_s)


def _held(course: Course) -> Iterable[Step]:
    return held(cpus_held(course.jobs), course.watch.since, course.watch.until)


def _begin_s(queue: Sequence[Step], course: Course, window: Window) -> int:
    if window.since_s is not None:
        return window.since_s
    busiest = max(queue, key=lambda step: step[2])[0] - course.watch.since
    last = max(0, course.watch.span_s - window.length_s)
    return min(max(0, busiest - window.length_s // 2), last)


def _curve(name: str, steps: Iterable[Step], course: Course, most: int) -> Curve:
    """Return the means of an amount over equal spans of time, as shares of `most`."""
    levels = Levels(1)
    for _, end, height in steps:
        levels.hold(end - course.watch.since, (height,))
    values = [value / most for value in levels.series(0)]
    return Curve(name=name, step_s=levels.span_s, values=values)


def _gantt(base: Side, other: Side, begin_s: int, length_s: int) -> Iterator[Markup]:
    nodes = list(base.course.watch.node_cpus)
    if not nodes or nodes != list(other.course.watch.node_cpus):
        return
    places = {name: number for number, name in enumerate(nodes)}
    drawn = {
        side: list(_bars(one.course, begin_s, length_s, places))
        for side, one in (("real", base), ("said", other))
    }
    if max(map(len, drawn.values())) > MOST_BARS:
        return
    window: Mapping[str, Any] = {
        "from": f"{seconds(begin_s)} after the first",
        "length_s": length_s,
        "nodes": nodes,
        **drawn,
    }
    sides = Sides(
        real=f"{base.name}: {base.settings}",
        said=f"{other.name}: {other.settings}",
        late="later below",
        early="earlier below",
    )
    yield element("h2", f"Who runs where, for {seconds(length_s)}")
    yield element("section", gantt(window, sides), class_="pair wide")


def _bars(
    course: Course, begin_s: int, length_s: int, places: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    since = course.watch.since + begin_s
    for job in course.jobs:
        if job.start_at is not None and _overlaps(job, since, since + length_s):
            rows = sorted(places[name] for name in job.node_names if name in places)
            end_at = since + length_s if job.end_at is None else job.end_at
            yield {
                "job": job.id,
                "start_s": job.start_at - since,
                "end_s": end_at - since,
                "nodes": list(neighbours(rows)),
            }


def _overlaps(job: Ran, since: int, until: int) -> bool:
    assert job.start_at is not None  # noqa: S101 - the caller looked
    return job.start_at < until and (job.end_at is None or job.end_at > since)
