"""When another program's document was taken, and how far its local dates are from UTC."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from predictor.errors import DocumentError
from predictor.lml.codec import seconds_of_offset
from predictor.lml.findings import Notebook
from predictor.lml.foreign.dates import local_of, utc_of
from predictor.lml.foreign.texts import told
from predictor.lml.records import Record

QUARTER_S = 900
"""Offsets from UTC are whole quarters of an hour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instants:
    """The instant of a document and the reading of its dates."""

    taken_at: int
    offset_s: int

    def at(self, texts: Mapping[str, str], *keys: str) -> int | None:
        """Return the date under the first of these keys; None: not told. Raises ValueError."""
        text = told(texts, *keys)
        return utc_of(text, self.offset_s) if text else None


def instants_of(found: Sequence[Record], place: str, notes: Notebook) -> Instants:
    """Return when the document was taken. Raises DocumentError if nothing in it tells.

    LLview's files tell UTC in their collector's own timing and local time in the rest, so that
    both together give the offset from UTC.
    """
    systems = [record for record in found if record.type == "system"]
    line = systems[0].line if systems else None
    try:
        stated, utc = _stated(systems), _utc_now(found)
        local = _by_running_job(found) if stated is None else stated
        offset = told(systems[0].texts, "x_utc_offset") if systems else ""
        offset_s = seconds_of_offset(offset) if offset else _offset_s(local, utc, notes)
    except (ValueError, OverflowError) as error:
        raise DocumentError(f"its instant: {error}", place=place, line=line) from error
    if stated is None and utc is not None:
        return Instants(taken_at=utc, offset_s=offset_s)
    if local is None:
        local = max(_past_dates(found), default=None)
        notes.add("no-instant", "no system_time: the latest date of a job is taken instead")
    if local is None:
        raise DocumentError("nothing tells when it was taken: no system_time", place=place)
    return Instants(taken_at=local - offset_s, offset_s=offset_s)


def _stated(systems: Sequence[Record]) -> int | None:
    times = (told(record.texts, "system_time") for record in systems)
    return next((local_of(time) for time in times if time), None)


def _by_running_job(found: Sequence[Record]) -> int | None:
    """Return the local time at which a running job had run for as long as is told."""
    for record in found:
        start, ran_s = told(record.texts, "starttime"), told(record.texts, "runtime")
        if record.type == "job" and told(record.texts, "state") == "Running" and ran_s.isdigit():
            return local_of(start) + int(ran_s)
    return None


def _offset_s(local: int | None, utc: int | None, notes: Notebook) -> int:
    if local is not None and utc is not None:
        return round((local - utc) / QUARTER_S) * QUARTER_S
    notes.add("no-zone", "local time is taken for UTC: the document tells no zone")
    return 0


def _utc_now(found: Sequence[Record]) -> int | None:
    starts = (told(record.texts, "startts") for record in found if record.type == "pstat")
    return min((int(float(start)) for start in starts if start), default=None)


def _past_dates(found: Sequence[Record]) -> Iterator[int]:
    for record in found:
        for key in ("queuedate", "dispatchdate"):
            try:
                yield local_of(told(record.texts, key))
            except ValueError:
                continue
