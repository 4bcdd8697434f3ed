"""What a sweep found, as one page."""

from collections.abc import Iterator, Mapping
from typing import Any

from verification.report.markup import Markup, element
from verification.report.standalone import standalone
from verification.report.tables import pair, table
from verification.report.words import seconds, told
from verification.sweep.plots import effect_plot, trade_off
from verification.sweep.wording import (
    against,
    best_first,
    choice_lines,
    failed_lines,
    named,
    spelled,
)

MOST_POINTS = 200
BESIDE = ("utilisation", "mean_slowdown")
"""What is drawn against the figure that is judged, the first that there is."""


def render_html(found: Mapping[str, Any]) -> str:
    """Return the document as a page. Whatever somebody wrote is escaped."""
    return standalone(f"queuecast sweep: {', '.join(found['inputs'])}", *_parts(found))


def _parts(found: Mapping[str, Any]) -> Iterator[Markup]:
    runs, judged = found["runs"], found["judged"]
    yield element("h1", f"{named(judged).capitalize()}, by settings")
    yield element("p", _about(found), class_="quiet")
    yield element("ul", *(element("li", one, class_="finding") for one in failed_lines(found)))
    yield element(
        "dl",
        _card("points", f"{len(found['points']):,}"),
        _card("runs done", f"{runs['done']:,}"),
        _card("runs failed", f"{runs['failed']:,}"),
        _card("replications of each point", f"{found['replications']:,}"),
        _card("work", seconds(runs["took_s"])),
        class_="figures",
    )
    if found["choice"]:
        yield element("h2", "What was chosen")
        for sentence in choice_lines(found):
            yield element("p", sentence)
    yield from _best(found)
    yield from _effects(found)
    yield from _against(found)
    yield from _rests_on(found["manifest"])


def _about(found: Mapping[str, Any]) -> str:
    seeds = found["manifest"]["seeds"]
    draws = f"{seeds['draws']} draws" if seeds["draws"] > 1 else "one draw"
    return (
        f"Runs of kind {found['kind']} on {', '.join(found['inputs'])}, {draws} of each; all points"
        " share inputs and seeds, so what differs between them is no chance of the draw."
    )


def _card(what: str, value: str) -> Markup:
    return element("div", element("dt", what), element("dd", value))


def _best(found: Mapping[str, Any]) -> Iterator[Markup]:
    judged, base = found["judged"], found["base"]
    more = [name for name in found["figures"] if name != judged]
    heading = (
        "point",
        *found["varied"],
        named(judged),
        f"against point {base}",
        "95 %",
        "",
        *map(named, more),
        "runs",
    )
    rows = [
        (
            str(one["point"]),
            *(spelled(one["settings"].get(name)) for name in found["varied"]),
            told(judged, one["figures"].get(judged)),
            *against(judged, one),
            *(told(name, one["figures"].get(name)) for name in more),
            str(one["runs"]),
        )
        for one in best_first(found)[:MOST_POINTS]
    ]
    left = len(found["points"]) - len(rows)
    caption = "All points, the best first" + (f"; {left:,} more in the JSON" if left else "")
    yield element("h2", "Points")
    yield element("section", table(caption, heading, rows), class_="pair wide")


def _effects(found: Mapping[str, Any]) -> Iterator[Markup]:
    judged = found["judged"]
    yield element("h2", "What each setting does")
    if not found["effects"]:
        text = "Not every point was tried on the same runs, so means over them would not compare."
        yield element("p", text, class_="quiet")
        return
    text = "Each value's mean over all that the others may be; lines are 95 % intervals."
    yield element("p", text, class_="quiet")
    means = [(found["judged"], one) for values in found["effects"].values() for one in values]
    ends = [end for _, one in means for end in (one["interval"] or [one["mean"]])]
    for number, (name, values) in enumerate(found["effects"].items()):
        rows = [
            (spelled(one["value"]), told(judged, one["mean"]), *against(judged, one))
            for one in values
        ]
        first = f"against {spelled(values[0]['value'])}"
        heading = ("value", named(judged), first, "95 %", "")
        plot = effect_plot(f"effect-{number}", name, judged, values, (min(ends), max(ends)))
        yield pair(name, plot, table(name, heading, rows), shape="even")


def _against(found: Mapping[str, Any]) -> Iterator[Markup]:
    judged = found["judged"]
    beside = next((one for one in BESIDE if one != judged and one in found["figures"]), None)
    if beside is None:
        return
    points = [
        one
        for one in found["points"]
        if one["figures"].get(judged) is not None and one["figures"].get(beside) is not None
    ]
    if len(points) > 1:
        yield element("h2", f"{named(judged).capitalize()} against {named(beside)}")
        yield element("section", trade_off(found, points, judged, beside), class_="pair wide")


def _rests_on(manifest: Mapping[str, Any]) -> Iterator[Markup]:
    yield element("h2", "What it rests on")
    rows = [(one["name"], one["role"] or "-", one["sha256"][:16]) for one in manifest["inputs"]]
    yield table("Inputs, with the hash of their content", ("input", "used to", "SHA-256"), rows)
    about = (
        f"queuecast {manifest['version']} (code {manifest['code_sha256'][:16]}, engine"
        f" {manifest['engine']}), Python {manifest['python']} on {manifest['platform']}, begun"
        f" {manifest['begun']}. Any run can be made again: queuecast sweep repeat FOLDER POINT."
    )
    yield element("footer", element("p", about, class_="note"))
