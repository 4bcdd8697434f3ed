"""Documents of one cluster, one after the other: what stands there as before is not read again.

Our writer keeps the lines of what did not change. A document in exactly the form that it gives them
is read line by line, without an XML parser, and comes to the same; any other is read as a whole.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from predictor.errors import DocumentError
from predictor.lml.document import Document
from predictor.lml.findings import Notebook
from predictor.lml.guard import LONGEST_ATTRIBUTE, MOST_BYTES
from predictor.lml.own import OFFSET_KEY, UNKNOWN_KEY, Made
from predictor.lml.reader import document_of
from predictor.lml.records import Record, records
from predictor.lml.writer import HEAD, TAIL

BEGINS: Final = f"{HEAD}\n<objects>\n".encode()
BETWEEN: Final = b"</objects>\n<information>\n"
ENDS: Final = f"</information>\n{TAIL}".encode()
CLOSES: Final = b"</info>\n"
BOUNDED: Final = b'key="x_tasks'
"""What a document as a whole has a bound for is read each time."""

_MANY: Final = f"{{0,{LONGEST_ATTRIBUTE}}}"
_ANY: Final = rf'[^"<\n]{_MANY}'
_PLAIN: Final = rf"[ !#-%'-;=-~]{_MANY}"
"""What every XML parser takes as it stands: printable ASCII without quotes, `&` and `<`."""


def _object(attribute: str) -> re.Pattern[bytes]:
    named = rf'<object id="({attribute})"(?: name="({attribute})")? type="({attribute})"/>'
    return re.compile(named.encode())


def _info(attribute: str) -> re.Pattern[bytes]:
    data = rf'<data key="{attribute}" value="{attribute}"/>\n'
    return re.compile(rf'<info oid="({attribute})" type="short">\n((?:{data})*)'.encode())


_OBJECT, _INFO = _object(_PLAIN), _info(_PLAIN)
_ANY_OBJECT, _ANY_INFO = _object(_ANY), _info(_ANY)
_DATA: Final = re.compile(rf'<data key="({_PLAIN})" value="({_PLAIN})"/>\n')

Told = tuple[bytes, bytes]
"""The line of an object, and what is told of it."""


class Known(NamedTuple):
    """What was read of one object."""

    record: Record
    made: Made


class Series:
    """Reads documents, each as `read` does; fast where they are much like the one before."""

    def __init__(self) -> None:
        self._offset = ""
        self._known: Mapping[Told, Known] = {}
        """Of the last document."""

    def read(self, data: bytes, *, place: str = "") -> Document:
        """Return what the document says. Raises DocumentError, as `read`."""
        told = _cut(data)
        document = self._by_lines(told, place) if told is not None else None
        if document is None:
            self._known = {}
            notes = Notebook()
            document = document_of(records(data, place, notes), place, notes, {})
        return document

    def _by_lines(self, told: Sequence[Told], place: str) -> Document | None:
        """Return what a document says; None: it must be read as a whole."""
        known = [self._known.get(one) for one in told]
        new = [one for one, before in zip(told, known, strict=True) if before is None]
        try:
            read = iter(_read(new, place))
            found = [next(read) if one is None else one.record for one in known]
            offset = _offset(found)
            if len({one.oid for one in found}) < len(found):
                return None
            if offset != self._offset:
                self._known, self._offset = {}, offset
                return self._by_lines(told, place)
            made = {one.record.oid: one.made for one in known if one is not None}
            notes = Notebook()
            document = document_of(found, place, notes, made)
        except (DocumentError, _OtherForm):
            return None
        if any(note.rule != UNKNOWN_KEY for note in document.notes):
            return None
        self._known = {
            one: Known(record, made[record.oid])
            for one, record in zip(told, found, strict=True)
            if record.oid in made and BOUNDED not in one[1]
        }
        return document


class _OtherForm(Exception):
    """A line is not as our writer has it."""


def _cut(data: bytes) -> Sequence[Told] | None:
    """Return what is told of each object; None: the document has another form."""
    between = data.find(BETWEEN)
    if between < 0 or not data.startswith(BEGINS) or not data.endswith(ENDS):
        return None
    if len(data) > MOST_BYTES:
        return None
    *objects, last = data[len(BEGINS) : between].split(b"\n")
    *infos, rest = data[between + len(BETWEEN) : -len(ENDS)].split(CLOSES)
    if last or rest or len(objects) != len(infos):
        return None
    return list(zip(objects, infos, strict=True))


def _read(new: Sequence[Told], place: str) -> Iterator[Record]:
    """Yield what these objects are, and what is told of them, in order.

    Raises DocumentError, and _OtherForm.
    """
    plain = [_plain(*one) for one in new]
    odd = [one for one, record in zip(new, plain, strict=True) if record is None]
    parsed = iter(_parsed(odd, place))
    for record in plain:
        yield next(parsed) if record is None else record


def _plain(line: bytes, told: bytes) -> Record | None:
    """Return what these lines say; None: that is for an XML parser to tell."""
    named, info = _OBJECT.fullmatch(line), _INFO.fullmatch(told)
    if named is None or info is None or named[1] != info[1]:
        return None
    pairs = _DATA.findall(info[2].decode())
    texts = dict(pairs)
    if len(texts) < len(pairs):
        raise _OtherForm
    oid, name, type_ = ((part or b"").decode() for part in named.groups())
    return Record(oid=oid, type=type_, name=name, line=0, texts=texts)


def _parsed(odd: Sequence[Told], place: str) -> Sequence[Record]:
    """Return what an XML parser makes of these. Raises DocumentError, and _OtherForm."""
    if not odd:
        return ()
    for line, told in odd:
        named, info = _ANY_OBJECT.fullmatch(line), _ANY_INFO.fullmatch(told)
        if named is None or info is None or named[1] != info[1]:
            raise _OtherForm
    objects = b"".join(line + b"\n" for line, _ in odd)
    infos = b"".join(told + CLOSES for _, told in odd)
    notes = Notebook()
    found = records(BEGINS + objects + BETWEEN + infos + ENDS, place, notes)
    if notes.findings() or len(found) != len(odd):
        raise _OtherForm
    return found


def _offset(found: Sequence[Record]) -> str:
    """Return the offset from UTC that the document's instants have."""
    return next((one.texts.get(OFFSET_KEY, "") for one in found if one.type == "system"), "")
