"""Records of a document that we wrote, back to exactly the values it was written from."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from predictor.domain import Snapshot
from predictor.errors import DocumentError
from predictor.lml.answers import AnswerReader
from predictor.lml.binding import Binding
from predictor.lml.codec import OFFSET
from predictor.lml.document import Document
from predictor.lml.findings import Notebook
from predictor.lml.keys_cluster import SCHEDULER, SYSTEM
from predictor.lml.making import Values
from predictor.lml.objects import PENDING, SECTIONS, Section, section_of
from predictor.lml.records import Record
from predictor.lml.splitting import joined
from predictor.lml.vocabulary import unknown_of

OFFSET_KEY = "x_utc_offset"
UNKNOWN_KEY = "unknown-key"
"""The rule of notes about keys that nobody is known to use."""


class Made(NamedTuple):
    """What a record comes to."""

    value: Any
    unknown: list[str]
    """Its keys that nobody is known to use."""


def document(
    found: Sequence[Record], system: Record, place: str, notes: Notebook, made: dict[str, Made]
) -> Document:
    """Return what the records say. Raises DocumentError if the system's or scheduler's do not.

    `made` holds what is made of records already, by object id; what is made of others is added.
    """
    try:
        binding = Binding(OFFSET.decode(system.texts.get(OFFSET_KEY, "+00:00")))
        head: dict[str, Any] = Values(SYSTEM, binding).of(joined(system.texts))
    except ValueError as error:
        raise DocumentError(str(error), place=place, line=system.line) from error
    reading = _Reading(binding, notes, made)
    scheduler = Record(oid="", type="scheduler", name="", line=system.line, texts={})
    for record in found:
        if record.type == "scheduler":
            scheduler = record
        elif record is not system:
            reading.take(record)
    try:
        texts = joined(scheduler.texts)
        fields = head | Values(SCHEDULER, binding).of(texts) | reading.members()
        forecast = reading.answers.forecast(texts)
    except ValueError as error:
        raise DocumentError(str(error), place=place, line=scheduler.line) from error
    for key, count in Counter(chain.from_iterable(map(reading.unknown, found))).items():
        notes.add(UNKNOWN_KEY, f"key {key!r} is not known here", None, count)
    return Document(snapshot=Snapshot(**fields), forecast=forecast, notes=notes.findings())


class _Reading:
    """Sorts records into the tuples of a snapshot."""

    def __init__(self, binding: Binding, notes: Notebook, made: dict[str, Made]) -> None:
        self._notes = notes
        self._made = made
        self._values = {section.field: Values(section.kind, binding) for section in SECTIONS}
        self._members: dict[str, list[Any]] = {section.field: [] for section in SECTIONS}
        self.answers = AnswerReader(binding)

    def take(self, record: Record) -> None:
        section = section_of(record.type, record.texts)
        if section is None:
            self._notes.add("unknown-type", f"{record.type!r} {record.name!r}", record.line)
            return
        try:
            made = self._made.get(record.oid) or self._make(section, record)
            if section is PENDING:
                self.answers.add(made.value.spec.id, joined(record.texts))
        except ValueError as error:
            text = f"{record.type} {record.name!r} left out: {error}"
            self._notes.add("unreadable", text, record.line)
        else:
            self._made[record.oid] = made
            self._members[section.field].append(made.value)

    def _make(self, section: Section, record: Record) -> Made:
        value = self._values[section.field].of(joined(record.texts))
        return Made(value, unknown_of(record))

    def unknown(self, record: Record) -> list[str]:
        """Return the keys of a record that nobody is known to use."""
        made = self._made.get(record.oid)
        return unknown_of(record) if made is None else made.unknown

    def members(self) -> dict[str, tuple[Any, ...]]:
        return {field: tuple(values) for field, values in self._members.items()}
