"""The two sections of raw LML under construction: objects, and information about them."""

import re
from collections.abc import Iterable, Iterator

from predictor.lml.escaping import quoted
from predictor.lml.ids import Ids

# Readers that know no XML part the attributes of an object at white space.
_NOT_IN_OBJECT_NAMES = re.compile(r"[^!-~]")


class Sheet:
    """Collects objects and their data, in the order they are added."""

    def __init__(self) -> None:
        self._ids = Ids()
        self._objects: list[str] = []
        self._information: list[str] = []

    def add(self, type_: str, prefix: str, name: str, data: Iterable[str]) -> str:
        """Add one object with its `data` lines; return its id."""
        oid = self._ids.new(prefix, name)
        shown = quoted(_NOT_IN_OBJECT_NAMES.sub("_", name))
        named = f' name="{shown}"' if shown else ""
        self._objects.append(f'<object id="{oid}"{named} type="{type_}"/>')
        self._information.append(f'<info oid="{oid}" type="short">')
        self._information.extend(data)
        self._information.append("</info>")
        return oid

    def lines(self) -> Iterator[str]:
        """Yield the lines of both sections."""
        yield "<objects>"
        yield from self._objects
        yield "</objects>"
        yield "<information>"
        yield from self._information
        yield "</information>"
