"""The whole report as one page."""

from collections.abc import Iterator, Mapping
from typing import Any

from verification.report.document import Document
from verification.report.ladder_part import ladder_part
from verification.report.markup import Markup, element, together
from verification.report.online_part import online_part
from verification.report.replica_part import replica_part
from verification.report.standalone import standalone
from verification.report.tables import cards
from verification.report.terminal import MEANING
from verification.report.words import told

TITLES: Mapping[str, str] = {
    "replica": "Replica: is the scheduler modelled truly?",
    "online": "Online: what users get",
    "ladder": "Ladder: what each truth is worth",
}


def render_html(found: Document) -> str:
    """Return the document as a page. Whatever users wrote is escaped."""
    names = ", ".join(one["name"] for one in found["recordings"])
    return standalone(f"queuecast verify: {names}", *_parts(found))


def _parts(found: Document) -> Iterator[Markup]:
    yield element("h1", "How wrong the predictions are, and why")
    for recording in found["recordings"]:
        yield _recording(recording)
    modes = {"replica": replica_part, "online": online_part, "ladder": ladder_part}
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
