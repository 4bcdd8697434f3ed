"""XML to elements, a few at a time and in bounded memory; all that can fail is one error."""

from collections.abc import Iterator
from io import BytesIO
from typing import cast

from lxml import etree

from predictor.errors import DocumentError

Element = etree._Element

DEEPEST = 64
NAMESPACES = (
    "http://eclipse.org/ptp/lml",
    "http://www.llview.de",
    "org.eclipse.ptp.lml",
    "http://org.eclipse.ptp/lml",
)
"""Today's first; then those of older files."""

_TOO_DEEP_BELOW = [
    etree.XPath(f"boolean({'/'.join('*' * (DEEPEST - above))})") for above in range(DEEPEST)
]
"""By the number of elements above one: whether too many are below it."""


def elements(data: bytes, place: str) -> Iterator[Element]:
    """Yield each `object` and `info` as it ends; what it held is forgotten afterwards.

    Last of all comes the root, with everything else still in it. `data` has passed the guard.
    Raises DocumentError with place, line and cause where it is not well-formed, too deep, or no
    LML by its root.
    """
    parsing = etree.iterparse(
        BytesIO(data),
        events=("end",),
        tag=("{*}object", "{*}info"),
        resolve_entities=False,
        no_network=True,
        huge_tree=False,
        load_dtd=False,
        remove_comments=True,
        remove_pis=True,
    )
    first = True
    try:
        for _, element in parsing:
            if first:
                _check_root(element.getroottree().getroot(), place)
                first = False
            _check_depth(element, place)
            yield element
            element.clear()
    except etree.XMLSyntaxError as error:
        cause = (error.msg or "not well-formed").partition(", line ")[0]
        raise DocumentError(cause.strip(), place=place, line=error.lineno) from error
    _check_root(parsing.root, place)
    _check_depth(parsing.root, place)
    yield parsing.root


def local_name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def namespace(element: Element) -> str:
    """Return an element's namespace; empty: it is in none."""
    return str(element.tag)[1:].rpartition("}")[0]


def line_of(element: Element) -> int:
    """Return the line on which an element begins, from 1."""
    return cast("int", element.sourceline)


def _check_root(root: Element, place: str) -> None:
    if local_name(root) != "lgui" or namespace(root) not in ("", *NAMESPACES):
        cause = f"the root is {str(root.tag)!r}, not lgui of {NAMESPACES[0]}"
        raise DocumentError(cause, place=place, line=line_of(root))


def _check_depth(element: Element, place: str) -> None:
    above = sum(1 for _ in element.iterancestors())
    if above >= DEEPEST or (len(element) and _TOO_DEEP_BELOW[above](element)):
        cause = f"elements are nested more than {DEEPEST} deep"
        raise DocumentError(cause, place=place, line=line_of(element))
