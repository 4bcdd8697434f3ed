"""Rules about elements and attributes: what the schema says, and what it leaves to the reader."""

import re
from collections.abc import Iterator, Mapping

from predictor.lml.elements import NAMESPACES, Element, line_of, local_name, namespace
from predictor.lml.findings import Notebook
from predictor.lml.parsing import parsed

SECTIONS = frozenset(
    {"objects", "relations", "information", "table", "usagebar", "text", "infobox"}
    | {"nodedisplay", "chart", "chartgroup", "splitlayout", "abslayout", "nodedisplaylayout"}
    | {"usagebarlayout", "chartlayout", "tablelayout", "infoboxlayout", "textlayout"}
)

_ATTRIBUTES: Mapping[tuple[str, str], frozenset[str]] = {
    ("", "lgui"): frozenset({"version", "layout"}),
    ("lgui", "objects"): frozenset(),
    ("objects", "object"): frozenset({"id", "type", "name", "color"}),
    ("lgui", "information"): frozenset(),
    ("information", "info"): frozenset({"oid", "type", "description"}),
    ("info", "data"): frozenset({"key", "value"}),
}
"""By parent and element: those that may stand there."""

_NCNAME = re.compile(r"[^\W\d][\w.\-]*")
_COLOUR = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")


def check_structure(data: bytes, place: str, errors: Notebook, warnings: Notebook) -> None:
    """Note what breaks the rules. Raises DocumentError where there is nothing to judge."""

    def judge(found: Iterator[Element], fresh: Notebook) -> None:
        last = None
        for last in found:
            _judge(last, fresh)
        if last is not None:
            _judge_sections(last, fresh, warnings)

    fresh = Notebook()
    parsed(data, place, fresh, judge)
    for finding in fresh.findings():
        # Told already by whoever read the records of the same bytes.
        if finding.rule != "not-well-formed":
            errors.take(finding)


def _judge(element: Element, errors: Notebook) -> None:
    for inner in element.iter():
        name, line = local_name(inner), line_of(inner)
        parent = inner.getparent()
        if parent is not None and inner.tag != name:
            errors.add("namespace", f"{name} is in a namespace; only the root may be", line)
        above = "" if parent is None else local_name(parent)
        known = _ATTRIBUTES.get((above, name))
        for attribute in inner.attrib if known is not None else ():
            if known is not None and attribute not in known and not str(attribute).startswith("{"):
                errors.add("attribute", f"{name} has no attribute {attribute!r}", line)
    if local_name(element) == "object":
        _judge_object(element, errors)


def _judge_object(element: Element, errors: Notebook) -> None:
    oid, colour = element.get("id", ""), element.get("color")
    if not _NCNAME.fullmatch(oid):
        errors.add("object-id", f"{oid!r} is no XML name", line_of(element))
    if colour is not None and not _COLOUR.fullmatch(colour):
        errors.add("colour", f"{colour!r} is neither #RGB nor #RRGGBB", line_of(element))


def _judge_sections(root: Element, errors: Notebook, warnings: Notebook) -> None:
    if not namespace(root):
        errors.add("root", f"the root is not in the namespace {NAMESPACES[0]}", line_of(root))
    elif namespace(root) != NAMESPACES[0]:
        warnings.add("root", f"an older namespace: {namespace(root)}", line_of(root))
    if root.get("version") is None:
        warnings.add("version", "the root tells no version", line_of(root))
    for number, section in enumerate(root):
        name, line = local_name(section), line_of(section)
        if name == "request" and number > 0:
            errors.add("section-order", "a request stands before everything else, and once", line)
        elif name not in SECTIONS and name != "request":
            errors.add("section", f"{name!r} is no section of LML", line)
