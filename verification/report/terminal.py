"""The report for a terminal: tables no wider than it, in characters that do no harm."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from predictor.cli.terminal import plain
from verification.report.columns import NARROWEST, Row, table
from verification.report.document import Document, leads_of, windows_by_name
from verification.report.words import PREDICTORS, UNKNOWN, WORDS, signed, told, word

MEANING: Mapping[str, str] = {
    "replica": "told all but the starts: how truly the scheduler is modelled",
    "online": "told only what was known: what users get",
    "ladder": "one truth less on each rung: what each of them is worth",
}


def render_terminal(found: Document, width: int = 80) -> str:
    """Return the document as text, no line wider than `width` characters (or NARROWEST)."""
    width = max(width, NARROWEST)
    return "\n".join(line.rstrip() for line in _lines(found, width)) + "\n"


def _lines(found: Document, width: int) -> Iterator[str]:
    for recording in found["recordings"]:
        yield plain(_recording(recording), width)
        for finding in recording["findings"]:
            yield plain(f"  ! {finding}", width)
    parts = {"replica": _replica, "online": _online, "ladder": _ladder}
    for name, figures in found["modes"].items():
        yield ""
        yield plain(f"{name.upper()}  {MEANING.get(name, '')}".rstrip(), width)
        yield from _headline(figures, width)
        if name in parts:
            yield from parts[name](figures, width)


def _recording(recording: Mapping[str, Any]) -> str:
    return (
        f"{recording['name']} ({recording['cluster']}): {recording['snapshots']} snapshots,"
        f" {recording['from']} to {recording['to']},"
        f" {told('missing_share', recording['missing_share'])} missing"
    )


def _headline(figures: Mapping[str, Any], width: int) -> Iterator[str]:
    intervals = figures.get("intervals") or {}
    names = [name for name in WORDS if name in figures]
    for name in names:
        if figures[name] is not None:
            between = _between(name, intervals.get(name))
            yield plain(f"  {word(name):<34} {told(name, figures[name]):>14}{between}", width)
    if unknown := ", ".join(word(name) for name in names if figures[name] is None):
        lines = wrap(f"{UNKNOWN}: {unknown}", width - 4, subsequent_indent="  ")
        yield from (plain(f"  {line}", width) for line in lines)
    if intervals.get("indicative"):
        yield plain("  indicative: too few blocks of time for intervals to rely on", width)


def _between(name: str, interval: Any) -> str:
    if not isinstance(interval, list | tuple) or len(interval) != 2:
        return ""
    return f"  ({told(name, interval[0])} to {told(name, interval[1])})"


def _replica(figures: Mapping[str, Any], width: int) -> Iterator[str]:
    rule = figures["jufo_rule"]
    heading = ("date", "duration", "jobs", "mean", "median", "min", "max", "sigma", "/dur")
    yield ""
    yield plain("  JuFo rule (seconds, real minus said)", width)
    yield from table(heading, [row_cells(test) for test in rule["tests"]], width)
    for name, part in (("here", rule["together"]), ("JuFo 2012", rule["published"]["together"])):
        yield plain(f"  {name}: {_together(part)}", width)
    yield from _counts("  JuFo rule", rule["counts"], width)
    yield from _counts("  all truths", figures["counts"], width)
    for name, one in windows_by_name(figures["windows"]).items():
        if one["flagged"]:
            text = f"  window from {name}: flagged, too much of the recording is missing"
            yield plain(text, width)
    yield from _watched(figures, width)
    yield from _worst(figures.get("worst") or (), width)


def _watched(figures: Mapping[str, Any], width: int) -> Iterator[str]:
    """Yield what diagnostics found, if they were asked."""
    if "idle_nodes_found" in figures:
        count = figures["idle_nodes_found"]
        yield plain(f"  nodes idle that the replica would fill: {count} stretches", width)
    if "impossible" in figures:
        starts = figures["impossible"]
        count = len(starts["unexplained"])
        text = f"real starts that the model refuses, unexplained: {count} of {starts['starts']}"
        yield plain(f"  {text}", width)
    for one in figures.get("drift") or ():
        agreement = told("agreement", one["agreement"])
        text = f"configuration {one['fingerprint']}: {one['looks']} looks, agreement {agreement}"
        yield plain(f"  {text}{', DRIFTED' if one['drifted'] else ''}", width)


def row_cells(test: Mapping[str, Any]) -> Row:
    """Return a line of JuFo's table, sigma as a part of the duration included."""
    hours, rest = divmod(int(test["duration_s"]), 3600)
    numbers = [test[name] for name in ("mean_s", "median_s", "min_s", "max_s", "sigma_s")]
    part = test["sigma_of_duration"]
    return (
        str(test["date"]),
        f"{hours:02}:{rest // 60:02}:{rest % 60:02}",
        str(test["jobs"]),
        *map(_number, numbers),
        "-" if part is None else f"{part:.2f}",
    )


def _together(part: Mapping[str, Any]) -> str:
    names = {
        "mean_of_means_s": "mean |mean|",
        "mean_of_medians_s": "mean |median|",
        "sigma_s": "sigma",
        "worst_s": "worst",
    }
    found = (f"{text} {_number(part[name])}" for name, text in names.items())
    return f"{part['jobs']} jobs; {', '.join(found)} s"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def _counts(name: str, counts: Mapping[str, Any], width: int) -> Iterator[str]:
    yield plain(
        f"{name}: {counts['scored']} scored"
        f" ({told('scored_share', counts['scored_share'])} of those started),"
        f" {counts['too_pessimistic']} said later, {counts['too_optimistic']} said only,"
        f" {counts['neither']} neither",
        width,
    )


def _online(figures: Mapping[str, Any], width: int) -> Iterator[str]:
    baselines = figures.get("baselines") or {}
    names = ("mae_s", "median_abs_s", "answered", "mae_ratio")
    if baselines:
        heading = ("compared with", "mean abs", "median", "answered", "ours/theirs")
        yield ""
        ours = {"ours": {**figures, "mae_ratio": ""}}
        yield from table(heading, _rows({**ours, **baselines}, names, PREDICTORS), width)
    leads = leads_of(figures)
    names = ("jobs_scored", "mae_s", "median_abs_s", "within_600s")
    if leads:
        heading = ("said to start in", "jobs", "mean abs", "median", "within 10 min")
        yield ""
        yield from table(heading, _rows(leads, names, {}), width)
    yield from _worst(figures.get("worst") or (), width)


def _rows(
    found: Mapping[str, Mapping[str, Any]], names: Row, words: Mapping[str, str]
) -> Sequence[Row]:
    return [
        (words.get(label, label), *(told(name, one.get(name)) for name in names))
        for label, one in found.items()
    ]


def _ladder(figures: Mapping[str, Any], width: int) -> Iterator[str]:
    names = ("mae_s", "median_abs_s", "within_600s")
    rungs = [
        (
            f"{one['rung']} {one['name']}",
            signed(one["cost_s"]),
            *(told(name, one[name]) for name in names),
        )
        for one in figures["rungs"]
    ]
    yield ""
    yield from table(("rung", "cost", "mean abs", "median", "within 10 min"), rungs, width)
    both = zip(figures["alone"], figures["restored"], strict=True)
    truths = [
        (one["truth"].replace("_", " "), signed(one["cost_s"]), signed(other["cost_s"]))
        for one, other in both
    ]
    yield ""
    yield from table(("one truth", "taken alone", "given back alone"), truths, width)


def _worst(rows: Sequence[Mapping[str, Any]], width: int) -> Iterator[str]:
    if rows:
        yield ""
        yield plain("  furthest off", width)
    for row in rows:
        off = told("off_s", row.get("off_s"))
        yield plain(f"  {row.get('job')}: off by {off}: {row.get('cause') or '-'}", width)
