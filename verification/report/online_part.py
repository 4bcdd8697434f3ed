"""The part of the page about the online mode."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verification.report.diagnosed import worst
from verification.report.document import leads_of
from verification.report.markup import Markup, element
from verification.report.plots import error_by_lead, reliability
from verification.report.tables import POINTS, figure_table, pair, table
from verification.report.words import PREDICTORS, exact, word

AGAINST: Mapping[str, str] = {
    "mae_s": "mean",
    "median_abs_s": "median",
    "answered": "answered",
    "mae_ratio": "ours / theirs",
    "verdict": "verdict",
}
OURSELVES: Mapping[str, object] = {"mae_ratio": "", "verdict": ""}
"""There is nothing to compare us with ourselves by."""


def online_part(figures: Mapping[str, Any]) -> Iterator[Markup]:
    """Yield what is told below the headline figures."""
    yield element("p", _confidence(figures), class_="note")
    by = figures.get("by") or {}
    baselines = figures.get("baselines") or {}
    leads = leads_of(figures)
    if leads:
        yield pair(
            "Error by lead",
            error_by_lead(leads, leads_of(baselines.get("slurm") or {})),
            figure_table("By how far ahead the start was said", "lead", leads, POINTS, {}),
        )
    pit = figures.get("pit") or ()
    if pit:
        yield pair("Reliability", reliability(pit), _pit(pit))
    else:
        text = "Reliability is not known yet: no distributions of starts were told."
        yield element("p", text, class_="note")
    if baselines:
        table_ = figure_table(
            "The same jobs at the same instants",
            "predictor",
            {"ours": {**figures, **OURSELVES}, **baselines},
            AGAINST,
            PREDICTORS,
        )
        yield element("section", element("h3", "Against others"), table_, class_="pair wide")
    for name, strata in by.items():
        if name != "lead" and strata:
            content = figure_table(f"By {word(name)}", word(name), strata, POINTS, {})
            yield element("details", element("summary", f"By {word(name)}"), content)
    if figures.get("weightings"):
        yield figure_table(
            "The same by what counts as one", "weighting", figures["weightings"], POINTS, {}
        )
    yield from worst(figures)


def _confidence(figures: Mapping[str, Any]) -> str:
    text = "Each job weighs 1, spread evenly over the snapshots that show it waiting."
    known = figures.get("intervals") or {}
    if "blocks" not in known:
        return f"{text} How far chance may move the figures is not known yet."
    text += f" Intervals: {known['level']:.0%}, from {known['blocks']} blocks of"
    text += f" {exact(known['block_s'])} drawn again and again."
    return f"{text} Indicative: that is too little time." if known["indicative"] else text


def _pit(pit: Sequence[float]) -> Markup:
    total = sum(pit) or 1
    rows = [
        (f"{k / len(pit):.0%} to {(k + 1) / len(pit):.0%}", f"{one / total:.1%}")
        for k, one in enumerate(pit)
    ]
    return table("Starts by the level told for them; even is best", ("told", "starts"), rows)
