"""What diagnostics found, as tables of the page."""

from collections.abc import Iterator, Mapping
from typing import Any

from verification.report.markup import Markup, element
from verification.report.tables import table
from verification.report.words import seconds, told

WORST: Mapping[str, str] = {
    "off_s": "off by",
    "cause": "cause",
    "detail": "detail",
    "from": "looked from (UTC)",
    "real_at": "real start",
    "said_at": "said start",
    "partitions": "partitions",
    "nodes": "nodes",
    "limit_s": "limit",
    "user": "user",
    "reason": "reason shown",
}
INSTANTS = frozenset({"from", "real_at", "said_at"})
WORDY = frozenset({"cause", "detail"})


def watched(figures: Mapping[str, Any]) -> Iterator[Markup]:
    """Yield what diagnostics found, if they were asked."""
    drift = figures.get("drift") or ()
    if drift:
        periods = [
            (
                f"{one['fingerprint']}{' (drifted)' if one['drifted'] else ''}",
                str(one["from"]),
                str(one["to"]),
                str(one["looks"]),
                told("agreement", one["agreement"]),
                f"{told('lowest', one['lowest'])} {one['lowest_at'] or ''}",
            )
            for one in drift
        ]
        heading = ("configuration", "from", "to", "looks", "agreement", "lowest over hours")
        yield table("How far decisions agree, by configuration", heading, periods)
    if figures.get("impossible"):
        yield from _impossible(figures["impossible"])
    idle = figures.get("idle_nodes") or ()
    if idle:
        stretches = [
            (
                str(one["node"]),
                str(one["from"]),
                str(one["to"]),
                seconds(one["idle_s"]),
                ", ".join(map(str, one["jobs"][:4])),
            )
            for one in idle
        ]
        count = figures["idle_nodes_found"]
        caption = f"Nodes that stayed idle though the replica would fill them: {count} stretches"
        content = table(caption, ("node", "from", "to", "for", "with jobs"), stretches)
        yield element("details", element("summary", caption), content)


def _impossible(found: Mapping[str, Any]) -> Iterator[Markup]:
    """Yield how real starts were judged by the model, and each that it refuses without a reason."""
    kinds = [(str(kind), str(count)) for kind, count in found["kinds"].items()]
    caption = f"{found['starts']} real starts put to the model of nodes, limits and reservations"
    yield table(caption, ("judged", "starts"), kinds)
    refused = [
        (str(one["job"]), str(one["at"]), str(one["kind"]), str(one["detail"]))
        for one in found["unexplained"]
    ]
    if refused:
        heading = ("job", "at", "refused by", "detail")
        yield table("Refused, though they happened", heading, refused, wordy=(3,))


def worst(figures: Mapping[str, Any]) -> Iterator[Markup]:
    """Yield the jobs furthest off, if any are told."""
    rows = figures.get("worst") or ()
    if rows:
        names = [name for name in WORST if any(name in row for row in rows)]
        cells = [
            (str(row.get("job")), *(_worst_cell(name, row.get(name)) for name in names))
            for row in rows
        ]
        heading = ("job", *(WORST[name] for name in names))
        wordy = [number for number, name in enumerate(names, start=1) if name in WORDY]
        caption = "The jobs furthest off, with what speaks for the cause"
        content = table(caption, heading, cells, wordy=wordy)
        yield element("section", element("h3", "Worst misses"), content, class_="pair wide")


def _worst_cell(name: str, value: object) -> str:
    if value is None:
        return "-"
    if name in INSTANTS:
        return str(value).replace("T", " ").removesuffix("Z")
    if name == "limit_s" and str(value).isdecimal():
        return seconds(int(str(value)))
    return told(name, value)
