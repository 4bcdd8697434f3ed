"""Any LML document as plain records: an object and the `data` of its `info`."""

from dataclasses import dataclass, replace

from predictor.errors import DocumentError
from predictor.lml.elements import Element, elements, line_of
from predictor.lml.findings import Notebook
from predictor.lml.guard import admit
from predictor.lml.repair import mend


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
    data = admit(data, place)
    try:
        reading = _Reading()
        reading.take(data, place)
    except DocumentError as error:
        mended = mend(data)
        if not mended.lines:
            raise
        reading = _Reading()
        reading.take(mended.data, place)
        text = f"values that were not well-formed and have been mended ({error.cause})"
        reading.notes.add("not-well-formed", text, error.line, mended.lines)
    notes.extend(reading.notes)
    return reading.records()


class _Reading:
    def __init__(self) -> None:
        self.notes = Notebook()
        self._objects: dict[str, Record] = {}
        self._infos: dict[str, tuple[int, dict[str, str]]] = {}

    def take(self, data: bytes, place: str) -> None:
        for element in elements(data, place, "object", "info"):
            if element.tag == "info":
                self._info(element)
            elif element.tag == "object":
                self._object(element)

    def records(self) -> tuple[Record, ...]:
        for oid in self._infos.keys() - self._objects.keys():
            self.notes.add("no-object", f"info about {oid!r}, which is no object; left out")
        return tuple(self._told(record) for record in self._objects.values())

    def _told(self, record: Record) -> Record:
        line, texts = self._infos.get(record.oid, (record.line, {}))
        return replace(record, line=line, texts=texts)

    def _object(self, element: Element) -> None:
        oid, line = element.get("id", ""), line_of(element)
        if oid in self._objects:
            self.notes.add("repeated-object", f"object {oid!r} again; left out", line)
            return
        type_, name = element.get("type", ""), element.get("name", "")
        self._objects[oid] = Record(oid=oid, type=type_, name=name, line=line, texts={})

    def _info(self, element: Element) -> None:
        oid, line = element.get("oid", ""), line_of(element)
        if oid in self._infos:
            self.notes.add("repeated-info", f"a second info about {oid!r}; left out", line)
            return
        texts: dict[str, str] = {}
        for data in element:
            key, text = data.get("key"), data.get("value", "")
            if key is None:
                self.notes.add("no-key", f"a {data.tag} without a key", line_of(data))
            elif key in texts:
                self.notes.add("repeated-key", f"{key!r} again; the first counts", line_of(data))
            else:
                texts[key] = text
        self._infos[oid] = (line, texts)
