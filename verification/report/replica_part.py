"""The part of the page about the replica."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verification.report.diagnosed import watched, worst
from verification.report.document import windows_by_name
from verification.report.gantt import gantt
from verification.report.markup import Markup, element
from verification.report.plots import EDGES_S, error_distribution, shares_between
from verification.report.tables import POINTS, figure_table, pair, table
from verification.report.terminal import row_cells
from verification.report.words import seconds, signed

JUFO = ("test", "duration", "jobs", "mean", "median", "min", "max", "sigma", "/ duration")


def replica_part(figures: Mapping[str, Any]) -> Iterator[Markup]:
    """Yield what is told below the headline figures."""
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
    yield from watched(figures)
    yield from worst(figures)


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
    names = {**POINTS, "within_60s": "within 1 min", "missing_share": "missing"}
    found = {
        f"{name}{' (flagged)' if one['flagged'] else ''}": one
        for name, one in windows_by_name(windows).items()
    }
    caption = "Windows, each begun from its first snapshot and never corrected"
    return figure_table(caption, "window from", found, names, {})


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
