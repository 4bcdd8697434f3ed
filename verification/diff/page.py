"""A comparison as one page for the change ticket: no script, no font, no network; printable."""

from collections.abc import Iterator, Sequence

from verification.diff.figures import Document
from verification.diff.plot import changes
from verification.diff.words import (
    HEADING,
    KINDS,
    STARVING_HEADING,
    about,
    headline,
    outermost,
    row,
    starving_rows,
)
from verification.report.markup import Markup, element, together
from verification.report.standalone import standalone
from verification.report.tables import table

STYLE = Markup(
    "svg .span { stroke-width: 3; } svg line.worse { stroke: var(--warm); }"
    " svg line.better { stroke: var(--good); } svg line.before { stroke: var(--still); }"
    " .change li { font-family: ui-monospace, monospace; font-size: .9rem; }"
    " .fails { color: var(--bad); font-weight: 600; }"
    " @media print { h2 { margin-top: 1.4rem; break-after: avoid; }"
    " section { break-inside: avoid; }"
    " main > .scroll { padding: .4rem .6rem; } }"
)


def render_html(found: Document, complaints: Sequence[str] | None = None) -> str:
    """Return the document as a page. `complaints`: what bounds do not hold; None: none were set."""
    names = ", ".join(one["name"] for one in found["recordings"])
    return standalone(
        f"queuecast diff: {names}", element("style", STYLE), *_parts(found, complaints)
    )


def _parts(found: Document, complaints: Sequence[str] | None) -> Iterator[Markup]:
    yield element("h1", "What the change would have done")
    for one in found["recordings"]:
        text = f"{one['name']}: cluster {one['cluster']}, {one['jobs']} jobs from {one['from']} to"
        yield element("p", f"{text} {one['to']}", class_="quiet")
    yield element("h2", "The change")
    yield _listed(found["change"] or ["Nothing that is on paper differs."], "change")
    if found["without_effect"]:
        yield element("h3", "Without effect on paper")
        yield _listed(found["without_effect"], "change")
    yield element("h2", "In short")
    yield _listed(headline(found), "short")
    if complaints is not None:
        yield _verdict(complaints)
    yield element("h2", "Figures")
    told = [row(name, one) for name, one in found["measures"].items() if one is not None]
    yield table("Base and new configuration, means over the draws", HEADING, told)
    yield element("h2", "Who wins, who loses")
    for kind, classes in found["classes"].items():
        yield _kind(kind, found, len(classes))
    yield from _starving(found)
    yield element("h2", "How this came about")
    yield element("p", f"{about(found)}.")
    yield element(
        "p",
        "The recorded jobs came again under both configurations: the same submissions, run times,"
        " cancellations and failures, but no recorded start. Users are taken to do what they did;"
        " whoever would have submitted otherwise is not in here.",
    )
    yield element(
        "footer", element("p", f"queuecast {found['version']}, {found['schema']}", class_="note")
    )


def _listed(told: Sequence[str], class_: str) -> Markup:
    return element("ul", *(element("li", one) for one in told), class_=class_)


def _verdict(complaints: Sequence[str]) -> Markup:
    if not complaints:
        return element("p", "All bounds that were set hold.")
    return together(
        element("p", "Bounds that do not hold:", class_="fails"),
        element("ul", *(element("li", one, class_="finding") for one in complaints)),
    )


def _kind(kind: str, found: Document, count: int) -> Markup:
    classes = outermost(found["classes"][kind])
    caption = f"Mean wait by {KINDS[kind]}; jobs in brackets"
    if len(classes) < count:
        caption += f"; {count - len(classes)} in between are left out"
    title = f"{KINDS[kind]}: who loses most first"
    rows = [row("wait_s", one, name) for name, one in classes.items()]
    return element(
        "section",
        element("h3", title),
        changes(f"by-{kind}", title, classes),
        table(caption, (KINDS[kind], *HEADING[1:]), rows),
        class_="pair wide",
    )


def _starving(found: Document) -> Iterator[Markup]:
    yield element("h2", "Who starves")
    for key, title in (("starving", "For the change"), ("starved_no_more", "No more")):
        rows = starving_rows(found[key])
        if rows:
            more = found["starved"] - len(rows) if key == "starving" else 0
            caption = f"{title}; {more} more are not named" if more else title
            yield table(caption, STARVING_HEADING, rows)
        else:
            yield element("p", f"{title}: nobody.", class_="quiet")
