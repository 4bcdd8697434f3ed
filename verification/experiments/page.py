"""Experiments compared, as one page, and its plots as pictures of their own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from verification.experiments.cell import stem_of
from verification.experiments.document import Document, complaints, rows, told_apart
from verification.experiments.plots import MOST_WAYS, Named, bars, dispatch, over_time, waits
from verification.report.markup import Markup, element
from verification.report.standalone import standalone
from verification.report.tables import table

MEANING = (
    "Every experiment replays all jobs of a trace. Waits and slowdowns are those of its jobs; a run"
    " below 10 s counts as 10 s in a slowdown. Utilisation is over the time from the first"
    " submission to the last end."
)

QUEUE, USED = "Jobs that wait", "Utilisation"


def render_html(found: Document) -> str:
    """Return the document as a page. Whatever stands in files is escaped."""
    names = ", ".join(dict.fromkeys(one["trace"] for one in found["cells"]))
    return standalone(f"queuecast experiment: {names}", *_parts(found))


def pictures(found: Document) -> dict[str, str]:
    """Return each plot as an SVG file of its own, by name."""
    css = files("verification.report").joinpath("page.css").read_text(encoding="utf-8")
    style = element("style", Markup(f"{css}\nsvg {{ font-family: system-ui, sans-serif; }}"))
    return {
        name: plot.replace(">", f">{style}", 1) + "\n"
        for trace, cells in _by_trace(found)
        for name, _, plot in _plots(trace, _named(cells))
    }


def _parts(found: Document) -> Iterator[Markup]:
    yield element("h1", "Schedulers, allocators and durations compared")
    yield element("p", MEANING, class_="quiet")
    yield element("ul", *(element("li", one, class_="finding") for one in complaints(found)))
    for trace, cells in _by_trace(found):
        machine = cells[0]["machine"]
        yield element("h2", trace)
        about = (
            f"{cells[0]['figures']['jobs']:,} jobs on {machine['nodes']:,} nodes with"
            f" {machine['cores']:,} cores"
        )
        yield element("p", f"{about}.", class_="quiet")
        heading, body = rows(cells)
        yield table("All experiments", heading, body, wordy=range(len(told_apart(cells))))
        named = _named(cells)
        if len(cells) > MOST_WAYS:
            yield element(
                "p", f"Plots show the {MOST_WAYS} of least mean slowdown only.", class_="note"
            )
        for _, title, plot in _plots(trace, named):
            yield element("section", element("h3", title), plot, class_="pair wide")
    yield element("footer", element("p", f"queuecast experiment, {found['schema']}", class_="note"))


def _by_trace(found: Document) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
    for trace in dict.fromkeys(one["trace"] for one in found["cells"]):
        yield trace, [one for one in found["cells"] if one["trace"] == trace]


def _named(cells: Sequence[Mapping[str, Any]]) -> Named:
    """Return the experiments that plots show, with the words that tell them apart."""
    keys = [key for key in told_apart(cells) if key != "trace"]
    best = sorted(cells, key=lambda one: one["figures"]["mean_slowdown"] or 0.0)[:MOST_WAYS]
    return [(", ".join(one[key] for key in keys), one) for one in cells if one in best]


def _plots(trace: str, named: Named) -> Iterator[tuple[str, str, Markup]]:
    """Yield the name, the title and the plot of each comparison."""
    stem = stem_of(Path(trace))
    plots: Sequence[tuple[str, str, Callable[[str], Markup]]] = (
        ("slowdown", "Mean bounded slowdown", partial(bars, named, "mean_slowdown")),
        ("wait", "Mean wait", partial(bars, named, "mean_wait_s")),
        ("waits", "How long jobs waited", partial(waits, named)),
        ("queue", QUEUE, partial(over_time, named, "queue", QUEUE)),
        ("utilisation", USED, partial(over_time, named, "utilisation", USED)),
        ("dispatch", "CPU per dispatch, by jobs that wait", partial(dispatch, named)),
    )
    for name, title, drawn in plots:
        key = f"{stem}.{name}"
        yield key, title, drawn(key.replace(" ", "_"))
