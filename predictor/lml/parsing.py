"""From bytes to elements: guarded, strict first, and once more after mending what LLview breaks."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from predictor.errors import DocumentError
from predictor.lml.elements import Element, elements
from predictor.lml.findings import Notebook
from predictor.lml.guard import admit
from predictor.lml.repair import mend

T = TypeVar("T")


def parsed(
    data: bytes,
    place: str,
    notes: Notebook,
    take: Callable[[Iterator[Element], Notebook], T],
) -> T:
    """Return what `take` makes of the document's elements; its notes are added to `notes`.

    `take` may be called twice, each time with a fresh notebook: the second time on the mended
    document, which is then noted. Raises DocumentError.
    """
    data = admit(data, place)
    fresh = Notebook()
    try:
        result = take(elements(data, place), fresh)
    except DocumentError as error:
        mended = mend(data)
        if not mended.lines:
            raise
        fresh = Notebook()
        result = take(elements(mended.data, place), fresh)
        text = f"values that were not well-formed and have been mended ({error.cause})"
        notes.add("not-well-formed", text, error.line, mended.lines)
    notes.extend(fresh)
    return result
