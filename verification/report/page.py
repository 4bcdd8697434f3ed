"""The whole report as one page that needs nothing else: no script, no font, no network."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from verification.report.document import Document
from verification.report.gantt import gantt
from verification.report.markup import Markup, element, together
from verification.report.plots import (
    EDGES_S,
    error_by_lead,
    error_distribution,
    reliability,
    shares_between,
)
from verification.report.tables import cards, figure_table, pair, table
from verification.report.terminal import MEANING, row_cells
from verification.report.waterfall import waterfall
from verification.report.words import PREDICTORS, seconds, signed, told, word

TITLES: Mapping[str, str] = {
    "replica": "Replica: is the scheduler modelled truly?",
    "online": "Online: what users get",
    "ladder": "Ladder: what each truth is worth",
}
LEADS: Mapping[str, str] = {
    "jobs_scored": "jobs",
    "mae_s": "mean",
    "median_abs_s": "median",
    "p90_abs_s": "90 %",
    "within_600s": "within 10 min",
}
AGAINST: Mapping[str, str] = {
    "mae_s": "mean",
    "median_abs_s": "median",
    "answered": "answered",
    "mae_ratio": "ours / theirs",
}
WORST: Mapping[str, str] = {
    "off_s": "off by",
    "cause": "cause",
    "detail": "detail",
    "from": "looked from",
    "real_at": "real start",
    "said_at": "said start",
    "partitions": "partitions",
    "nodes": "nodes",
    "limit_s": "limit",
    "user": "user",
    "reason": "reason shown",
}
JUFO = ("test", "duration", "jobs", "mean", "median", "min", "max", "sigma", "/ duration")


def render_html(found: Document) -> str:
    """Return the document as a page. Whatever users wrote is escaped."""
    names = ", ".join(one["name"] for one in found["recordings"])
    style = Markup(files("verification.report").joinpath("page.css").read_text(encoding="utf-8"))
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup("""<meta http-equiv="Content-Security-Policy" content="default-src 'none'; """),
        Markup("""style-src 'unsafe-inline'">"""),
        element("title", f"queuecast verify: {names}"),
        element("style", style),
    )
    body = element("body", element("main", *_parts(found)))
    return "<!doctype html>\n" + element("html", head, body, lang="en") + "\n"


def _parts(found: Document) -> Iterator[Markup]:
    yield element("h1", "How wrong the predictions are, and why")
    for recording in found["recordings"]:
        yield _recording(recording)
    modes = {"replica": _replica, "online": _online, "ladder": _ladder}
    for name, figures in found["modes"].items():
        yield element("h2", TITLES.get(name, name))
        yield element("p", f"{MEANING.get(name, '')}.".capitalize(), class_="quiet")
        yield cards(figures)
        if name in modes:
            yield from modes[name](figures)
    yield element("footer", element("p", f"queuecast verify, {found['schema']}", class_="note"))


def _recording(recording: Mapping[str, Any]) -> Markup:
    missing = told("missing_share", recording["missing_share"])
    text = (
        f"{recording['name']}: cluster {recording['cluster']}, {recording['snapshots']} snapshots"
        f" from {recording['from']} to {recording['to']}, {missing} missing"
    )
    faults = (element("li", one, class_="finding") for one in recording["findings"])
    return together(
        element("p", text, class_="quiet"),
        element("ul", *faults) if recording["findings"] else None,
    )


# -- replica -------------------------------------------------------------------------------


def _replica(figures: Mapping[str, Any]) -> Iterator[Markup]:
    rule = figures["jufo_rule"]
    published = rule["published"]
    yield pair(
        "Distribution of errors, by JuFo's rule",
        error_distribution(rule["errors_s"], published["together"]),
        _tests("Here: real minus said, in seconds", rule["tests"], rule["together"]),
        _tests("JuFo on JUROPA, Table 1", published["tests"], published["together"]),
        _distribution(rule["errors_s"]),
        shape="even",
    )
    yield element(
        "p",
        "JuFo scores jobs that started inside a window and were said to. What that leaves out:",
        class_="note",
    )
    yield _counts({"JuFo's rule": rule["counts"], "told all run times": figures["counts"]})
    yield _windows(figures["windows"])
    if figures.get("gantt"):
        window = figures["gantt"]
        yield pair(f"A window from {window['from']}", gantt(window), _bars(window), shape="wide")
    yield from _worst(figures)


def _tests(
    caption: str, tests: Sequence[Mapping[str, Any]], together_: Mapping[str, Any]
) -> Markup:
    whole = [together_[name] for name in ("mean_s", "sigma_s", "worst_s")]
    mean, sigma, worst = ("-" if one is None else f"{one:.0f}" for one in whole)
    part = together_["sigma_of_duration"]
    last = ("together", "", str(together_["jobs"]), mean, "", "", f"±{worst}", sigma)
    rows = [*map(row_cells, tests), (*last, "-" if part is None else f"{part:.2f}")]
    return table(caption, JUFO, rows, strong=len(rows) - 1)


def _distribution(errors_s: Sequence[int]) -> Markup:
    edges = ["less", *(signed(edge) for edge in EDGES_S)]
    shares = shares_between(errors_s)
    rows = [(f"from {edge}", f"{one:.1%}") for edge, one in zip(edges, shares, strict=True)]
    return element(
        "details", element("summary", "The plot as a table"), table("Shares", ("error", ""), rows)
    )


def _counts(found: Mapping[str, Mapping[str, Any]]) -> Markup:
    names = {
        "scored": "started and said",
        "too_pessimistic": "started, said later",
        "too_optimistic": "said, not started",
        "neither": "neither",
        "scored_share": "scored of those started",
    }
    return figure_table("Jobs by what became of them inside the windows", "", found, names, {})


def _windows(windows: Sequence[Mapping[str, Any]]) -> Markup:
    names = ("jobs_scored", "mae_s", "median_abs_s", "within_60s", "kendall_tau", "missing_share")
    rows = [
        (
            f"{one['from']}{' (flagged)' if one['flagged'] else ''}",
            *(told(name, one[name]) for name in names),
            one["fingerprint"],
        )
        for one in windows
    ]
    heading = ("window", *map(word, names), "configuration")
    return table("Windows, each begun from its first snapshot and never corrected", heading, rows)


def _bars(window: Mapping[str, Any]) -> Markup:
    said = {one["job"]: one["start_s"] for one in window["said"]}
    rows = [
        (
            one["job"],
            seconds(one["start_s"]),
            seconds(said[one["job"]]) if one["job"] in said else "-",
            str(sum(count for _, count in one["nodes"])),
        )
        for one in window["real"]
        if one["start_s"] > 0
    ]
    heading = ("job", "started after", "said after", "nodes")
    content = table("Starts from the beginning of the window", heading, rows)
    return element("details", element("summary", "The plot as a table"), content)


# -- online --------------------------------------------------------------------------------


def _online(figures: Mapping[str, Any]) -> Iterator[Markup]:
    yield element("p", _confidence(figures), class_="note")
    by = figures.get("by") or {}
    baselines = figures.get("baselines") or {}
    if by.get("lead"):
        theirs = ((baselines.get("slurm") or {}).get("by") or {}).get("lead") or {}
        yield pair(
            "Error by lead",
            error_by_lead(by["lead"], theirs),
            figure_table("By how far ahead the start was said", "lead", by["lead"], LEADS, {}),
        )
    pit = figures.get("pit") or ()
    yield pair("Reliability", reliability(pit), _pit(pit))
    if baselines:
        table_ = figure_table(
            "The same jobs at the same instants", "predictor", baselines, AGAINST, PREDICTORS
        )
        yield element("section", element("h3", "Against others"), table_, class_="pair wide")
    for name, strata in by.items():
        if name != "lead" and strata:
            content = figure_table(f"By {word(name)}", word(name), strata, LEADS, {})
            yield element("details", element("summary", f"By {word(name)}"), content)
    if figures.get("weightings"):
        yield figure_table(
            "The same by what counts as one", "weighting", figures["weightings"], LEADS, {}
        )
    yield from _worst(figures)


def _confidence(figures: Mapping[str, Any]) -> str:
    text = "Each job weighs 1, spread evenly over the snapshots that show it waiting."
    known = figures.get("intervals") or {}
    if "blocks" not in known:
        return f"{text} How far chance may move the figures is not known yet."
    text += f" Intervals: {known['level']:.0%}, from {known['blocks']} blocks of"
    text += f" {seconds(known['block_s'])} drawn again and again."
    return f"{text} Indicative: that is too little time." if known["indicative"] else text


def _pit(pit: Sequence[float]) -> Markup:
    total = sum(pit) or 1
    rows = [
        (f"{k / len(pit):.0%} to {(k + 1) / len(pit):.0%}", f"{one / total:.1%}")
        for k, one in enumerate(pit)
    ]
    return table("Starts by the level told for them; even is best", ("told", "starts"), rows)


# -- ladder --------------------------------------------------------------------------------


def _ladder(figures: Mapping[str, Any]) -> Iterator[Markup]:
    rungs = {f"{one['rung']} {one['name']}": one for one in figures["rungs"]}
    names = {key: name for key, name in LEADS.items() if key != "jobs_scored"}
    yield pair(
        "The error as truths are taken away",
        waterfall(figures["rungs"]),
        figure_table("Rung by rung", "rung", rungs, names, {}),
    )
    both = zip(figures["alone"], figures["restored"], strict=True)
    rows = [
        (word(one["truth"]), signed(one["cost_s"]), signed(other["cost_s"])) for one, other in both
    ]
    heading = ("one truth", "taken alone from all", "given back alone to none")
    yield table("What a change of one truth does to the mean absolute error", heading, rows)


def _worst(figures: Mapping[str, Any]) -> Iterator[Markup]:
    rows = figures.get("worst") or ()
    if rows:
        names = [name for name in WORST if any(name in row for row in rows)]
        cells = [
            (str(row.get("job")), *(_worst_cell(name, row.get(name)) for name in names))
            for row in rows
        ]
        heading = ("job", *(WORST[name] for name in names))
        content = table(
            "The jobs furthest off, with what speaks for the cause", heading, cells, words=True
        )
        yield element("section", element("h3", "Worst misses"), content, class_="pair wide")


def _worst_cell(name: str, value: object) -> str:
    if value is None:
        return "-"
    if name == "limit_s" and str(value).isdecimal():
        return seconds(int(str(value)))
    return told(name, value)
