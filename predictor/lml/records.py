"""Any LML document as plain records: an object and the `data` of its `info`."""

from collections.abc import Iterable
from dataclasses import dataclass

from predictor.lml.elements import Element, line_of, local_name
from predictor.lml.findings import Notebook
from predictor.lml.parsing import parsed


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One object of a document with what is told of it."""

    oid: str
    type: str
    name: str
    line: int
    """That of its `info`, or of the object if it has none."""
    texts: dict[str, str]


def records(data: bytes, place: str, notes: Notebook) -> tuple[Record, ...]:
    """Return the document's records in the order of its objects. Raises DocumentError.

    Tolerated and noted: values that are not well-formed in LLview's own way, repeated keys,
    a second `info` for an object, `info` without object (left out).
    """
    return parsed(data, place, notes, lambda found, fresh: _Reading(fresh).records(found))


class _Reading:
    def __init__(self, notes: Notebook) -> None:
        self._notes = notes
        self._objects: dict[str, Record] = {}
        self._infos: dict[str, tuple[int, dict[str, str]]] = {}

    def records(self, found: Iterable[Element]) -> tuple[Record, ...]:
        for element in found:
            if local_name(element) == "info":
                self._info(element)
            elif local_name(element) == "object":
                self._object(element)
        for oid in sorted(self._infos.keys() - self._objects.keys()):
            text = f"info about {oid!r}, which is no object; left out"
            self._notes.add("no-object", text, self._infos[oid][0])
        return tuple(self._told(record) for record in self._objects.values())

    def _told(self, record: Record) -> Record:
        line, texts = self._infos.get(record.oid, (record.line, {}))
        return Record(oid=record.oid, type=record.type, name=record.name, line=line, texts=texts)

    def _object(self, element: Element) -> None:
        oid, line = element.get("id", ""), line_of(element)
        if oid in self._objects:
            self._notes.add("repeated-object", f"object {oid!r} again; left out", line)
            return
        type_, name = element.get("type", ""), element.get("name", "")
        self._objects[oid] = Record(oid=oid, type=type_, name=name, line=line, texts={})

    def _info(self, element: Element) -> None:
        oid, line = element.get("oid", ""), line_of(element)
        if oid in self._infos:
            self._notes.add("repeated-info", f"a second info about {oid!r}; left out", line)
            return
        texts: dict[str, str] = {}
        for data in element:
            key, text = data.get("key"), data.get("value", "")
            if key is None:
                self._notes.add("no-key", f"a {data.tag} without a key", line_of(data))
            elif key in texts:
                self._notes.add("repeated-key", f"{key!r} again; the first counts", line_of(data))
            else:
                texts[key] = text
        self._infos[oid] = (line, texts)
