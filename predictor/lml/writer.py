"""Snapshots and forecasts to LML 1.1: objects, information, and a chart of the plan.

Equal values give equal bytes. A thing that did not change keeps its lines and its object id, so
that consecutive documents differ only where the cluster did.
"""

from collections.abc import Iterator
from itertools import chain
from operator import attrgetter

from predictor.domain import Forecast, Snapshot
from predictor.lml.answers import answer_lines
from predictor.lml.binding import Binding
from predictor.lml.chart import chart_lines
from predictor.lml.escaping import flagged
from predictor.lml.keys_cluster import FORECAST, SCHEDULER, SYSTEM
from predictor.lml.objects import SECTIONS, Section
from predictor.lml.sheet import Sheet
from predictor.lml.splitting import data_lines
from predictor.lml.standard import FORMAT, FORMAT_KEY, Derived
from predictor.lml.unmaking import Lines

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<lml:lgui xmlns:lml="http://eclipse.org/ptp/lml"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://eclipse.org/ptp/lml http://eclipse.org/ptp/schemas/v1.1/lgui.xsd"
          version="1.1">"""
TAIL = "</lml:lgui>\n"


def write(snapshot: Snapshot, forecast: Forecast | None = None, *, compat: bool = False) -> bytes:
    """Return the document of `snapshot`: UTF-8, one element per line.

    With `forecast`, its answers stand at the waiting jobs and the plan as a chart; `compat` also
    fills `dispatchdate` and `enddate` of waiting jobs, which clients of 2012 display.
    Raises ValueError if the forecast speaks of a job that does not wait in the snapshot.
    """
    binding = Binding(snapshot.utc_offset_s)
    sheet = Sheet()
    sheet.add("system", "sys", snapshot.cluster, _system(snapshot, binding))
    sheet.add("scheduler", "sched", "", _scheduler(snapshot, forecast, binding))
    answers: dict[str, list[str]] = {}
    if forecast is not None:
        waiting = (job.spec.id for job in snapshot.pending)
        answers = answer_lines(forecast, waiting, binding, compat=compat)
    derived = Derived(snapshot, binding)
    object_ids = {}
    for section in SECTIONS:
        object_ids[section.field] = _add(sheet, section, snapshot, binding, derived, answers)
    jobs = object_ids["running"] | object_ids["pending"]
    chart = () if forecast is None else chart_lines(snapshot, forecast, jobs)
    return "\n".join(chain((HEAD,), sheet.lines(), chart, (TAIL,))).encode()


def _add(
    sheet: Sheet,
    section: Section,
    snapshot: Snapshot,
    binding: Binding,
    derived: Derived,
    answers: dict[str, list[str]],
) -> dict[str, str]:
    """Add the members of one tuple; return the object ids by name."""
    lines, name_of = Lines(section.kind, binding), attrgetter(section.name_path)
    object_ids = {}
    for value in getattr(snapshot, section.field):
        name = name_of(value)
        extra = (line for key, text in derived.of(value) for line in data_lines(key, flagged(text)))
        answer = answers.get(name, ()) if section.field == "pending" else ()
        data = chain(lines.of(value), extra, answer)
        object_ids[name] = sheet.add(section.type, section.prefix, name, data)
    return object_ids


def _system(snapshot: Snapshot, binding: Binding) -> Iterator[str]:
    yield from data_lines(FORMAT_KEY, FORMAT)
    yield from data_lines("type", "Cluster")
    yield from Lines(SYSTEM, binding).of(snapshot)


def _scheduler(snapshot: Snapshot, forecast: Forecast | None, binding: Binding) -> Iterator[str]:
    yield from Lines(SCHEDULER, binding).of(snapshot)
    if forecast is not None:
        yield from Lines(FORECAST, binding).of(forecast)
