"""Which fields of a snapshot each way of looking tells, by recorded answers: a table to read.

    PYTHONPATH=tests python -m told

writes it into config/SOURCES.md. A field counts as told where any record of the recordings holds
something else there than when nothing is known.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import partial
from pathlib import Path

from compared import RECORDS
from permitted import WAYS
from recorded_forms import VERSIONS, read

from predictor.domain import Snapshot

PAGE = Path(__file__).parents[1] / "config" / "SOURCES.md"
BEGIN, END = "<!-- made by tests/told.py -->\n", "<!-- until here -->\n"
ELSEWHERE = frozenset({"qos", "associations"})
"""Told by the database of accounts, which the recorded clusters have not."""

Told = frozenset[tuple[str, str]]
"""Kinds of records, and paths of the fields below."""


def of_instant(form: str, version: str) -> Snapshot:
    """Return what a form tells of the recorded zoo of a version."""
    return read(version).snapshot(form)


COLUMNS: Mapping[str, Callable[[], Snapshot]] = {
    f"{form} {version}": partial(of_instant, form, version)
    for form in ("text", "json", "rest")
    for version in VERSIONS
}
"""Looks at one zoo of jobs, by the names that `permitted` has for them. A new way adds its own."""


def told_by(snapshot: Snapshot) -> Told:
    """Return the fields that any record of the snapshot tells."""
    return frozenset(_of_snapshot(snapshot))


def _of_snapshot(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    for kind in (*(RECORDS.keys() - ELSEWHERE), "settings", "health"):
        found = getattr(snapshot, kind)
        for record in found if isinstance(found, tuple) else (found,):
            if record is not None:
                yield from ((kind, path) for path in _paths(record, ""))


def _paths(record: object, above: str) -> Iterator[str]:
    for field in fields(record):  # type: ignore[arg-type]
        value, path = getattr(record, field.name), f"{above}{field.name}"
        inner = value if isinstance(value, tuple) else (value,)
        below = [each for each in inner if is_dataclass(each) and hasattr(each, "__slots__")]
        if below and not hasattr(below[0], "raw"):
            for each in below:
                yield from _paths(each, f"{path}.")
        elif not _is_nothing(field, value):
            yield path


def _is_nothing(field: Field[object], value: object) -> bool:
    if field.default is not MISSING:
        return value == field.default
    return value is None or value == "" or value == ()


def page(columns: Mapping[str, Told]) -> str:
    """Return the table with what stands below it."""
    every = sorted({pair for told in columns.values() for pair in told})
    lines = []
    for kind in dict.fromkeys(kind for kind, _ in every):
        paths = [path for each, path in every if each == kind]
        common = [path for path in paths if all((kind, path) in told for told in columns.values())]
        shown = ", ".join(f"`{path}`" for path in common) or "nothing"
        lines += [f"### {kind}", "", f"Told by all: {shown}.", ""]
        lines += _table(columns, kind, [path for path in paths if path not in common])
    return "\n".join([*lines, *_exceptions()])


def _table(columns: Mapping[str, Told], kind: str, paths: list[str]) -> list[str]:
    if not paths:
        return []
    rows = [
        [f"`{path}`", *("yes" if (kind, path) in told else "" for told in columns.values())]
        for path in paths
    ]
    head = ["field", *columns]
    return [*(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)), ""]


def _exceptions() -> list[str]:
    said = [
        f"| {way} | `{permit.kind}` | `{permit.field}` | {permit.why} |"
        for way, permits in WAYS.items()
        for permit in permits
    ]
    return ["### Told otherwise than by other ways", "",
            "| way | record | field | why |", "|---|---|---|---|", *said, ""]  # fmt: skip


def renewed(text: str) -> str:
    """Return the page with the part that is made, made anew."""
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2]
    made = page({name: told_by(snapshot()) for name, snapshot in COLUMNS.items()})
    return f"{head}{BEGIN}{made}\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text()))
