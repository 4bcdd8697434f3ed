"""Rules about what a document says: jobs, nodes and dates that make sense together."""

from collections.abc import Iterator, Mapping, Sequence

from predictor.lml.codec import local_seconds
from predictor.lml.findings import Notebook
from predictor.lml.foreign.texts import names, told
from predictor.lml.records import Record
from predictor.lml.vocabulary import MANDATORY_OF_JOBS

DATES = ("queuedate", "eligdate", "dispatchdate", "enddate", "starttime", "endtime", "system_time")

_STATES = {
    "SUBMITTED": {"idle", "pending", "not queued", "user hold", "system hold", "suspended"},
    "RUNNING": {"running"},
    "SUSPENDED": {"running", "suspended"},
    "COMPLETED": {"completed", "removed", "cancelled", "canceled", "failed"},
}
"""Which states fit a status."""


def check_content(found: Sequence[Record], warnings: Notebook) -> None:
    """Note what is doubtful."""
    systems = [record for record in found if record.type == "system"]
    if not any(told(record.texts, "system_time") for record in systems):
        warnings.add("no-instant", "no system object tells the system_time")
    nodes = {told(r.texts, "id") or r.name for r in found if r.type == "node"}
    for record in found:
        for rule, text in _doubts(record, nodes):
            warnings.add(rule, f"{record.type} {record.name or record.oid!r}: {text}", record.line)


def _doubts(record: Record, nodes: set[str]) -> Iterator[tuple[str, str]]:
    for key in DATES:
        if (text := told(record.texts, key)) and not _is_date(text):
            yield "date", f"{key} is no date: {text[:80]!r}"
    if record.type == "job":
        yield from _doubts_of_job(record.texts)
    if record.type in ("job", "reservation") and nodes:
        yield from _doubts_of_nodes(told(record.texts, "nodelist"), nodes)


def _doubts_of_nodes(text: str, nodes: set[str]) -> Iterator[tuple[str, str]]:
    try:
        listed = names(text)
    except ValueError as error:
        yield "nodelist", f"nodelist is no list of nodes: {error}"
        return
    for node in listed:
        if node not in nodes:
            yield "unknown-node", f"{node!r} is not among the nodes"


def _doubts_of_job(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if missing := [key for key in MANDATORY_OF_JOBS if key not in texts]:
        yield "mandatory", f"lacks {', '.join(missing)}"
    status, state = told(texts, "status"), told(texts, "state").lower()
    if state and state not in _STATES.get(status, {state}):
        yield "contradiction", f"status {status} and state {state!r}"
    start = told(texts, "dispatchdate", "starttime")
    if status == "RUNNING" and not (start and told(texts, "nodelist")):
        yield "running", "runs, but without a start or nodes"
    # A predicted start may stand where an actual one belongs, if it is marked as one.
    if status == "SUBMITTED" and "dispatchdate" in texts and "x_pred_start" not in texts:
        yield "waiting", "waits, but has an actual start"
    wall = told(texts, "wall")
    if wall and wall != "UNLIMITED" and not (wall.isdigit() and int(wall) > 0):
        yield "wall", f"wall is no positive number of seconds: {wall[:80]!r}"


def _is_date(text: str) -> bool:
    try:
        local_seconds(text)
    except ValueError:
        # Beyond the year 9999 our own documents count seconds.
        return text[:1] == "@" and text[1:].removeprefix("-").isdigit()
    return True
