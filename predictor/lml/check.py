"""The checker: what is wrong with a document, what is doubtful, and what is in it."""

from collections import Counter
from dataclasses import dataclass

from predictor.errors import DocumentError
from predictor.lml.check_content import check_content
from predictor.lml.check_structure import check_structure
from predictor.lml.findings import Finding, Notebook
from predictor.lml.records import Record, records
from predictor.lml.standard import FORMAT_KEY
from predictor.lml.vocabulary import TYPES, unknown_keys

_ERRORS = frozenset({"not-well-formed", "no-object", "repeated-object"})
"""Which of the things that a reader tolerates are errors all the same."""

MOST_UNKNOWN = 200
"""So many unknown keys are told, the most frequent ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the checker says about one document."""

    place: str
    errors: tuple[Finding, ...]
    """It breaks a rule that programs rely on."""
    warnings: tuple[Finding, ...]
    """It is doubtful, or says less than it should."""
    counters: tuple[tuple[str, int], ...] = ()
    """Objects by type (`objects.job`) and unknown keys (`unknown.job.key`), each sorted."""


def check(data: bytes, *, place: str = "") -> Report:
    """Return what is to be said about the document; never raises, whatever the bytes."""
    errors, warnings, notes = Notebook(), Notebook(), Notebook()
    found: tuple[Record, ...] = ()
    try:
        found = records(data, place, notes)
        check_structure(data, place, errors, warnings)
    except DocumentError as error:
        errors.add("refused", error.cause, error.line)
    for finding in notes.findings():
        (errors if finding.rule in _ERRORS else warnings).take(finding)
    _check_types(found, errors, warnings)
    check_content(found, warnings)
    return Report(
        place=place,
        errors=errors.findings(),
        warnings=warnings.findings(),
        counters=tuple(_counters(found)),
    )


def _check_types(found: tuple[Record, ...], errors: Notebook, warnings: Notebook) -> None:
    # Other programs have types of their own; a document of ours must keep to the schema.
    ours = any(FORMAT_KEY in record.texts for record in found if record.type == "system")
    notebook = errors if ours else warnings
    for record in found:
        if record.type not in TYPES:
            notebook.add("object-type", f"object type {record.type!r} is not LML's", record.line)


def _counters(found: tuple[Record, ...]) -> list[tuple[str, int]]:
    types = Counter(f"objects.{record.type}" for record in found)
    unknown = unknown_keys(found).most_common(MOST_UNKNOWN)
    return sorted(types.items()) + sorted((f"unknown.{key}", count) for key, count in unknown)
