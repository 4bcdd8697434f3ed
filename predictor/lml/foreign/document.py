"""Records of another program's document to a snapshot, with what it does not tell."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from predictor.domain import (
    Fact,
    FinishedJob,
    Hidden,
    Node,
    PendingJob,
    Provenance,
    Qos,
    Quarantined,
    Reservation,
    RunningJob,
    Snapshot,
)
from predictor.lml.document import Document
from predictor.lml.findings import Notebook
from predictor.lml.foreign.instant import instants_of
from predictor.lml.foreign.jobs import Job, job_of
from predictor.lml.foreign.machine import node_of, partitions_of, qos_of, reservation_of, widest_of
from predictor.lml.foreign.texts import told
from predictor.lml.records import Record

SOURCE = "lml"

T = TypeVar("T")

_FACTS = {
    "job": Fact.JOBS,
    "node": Fact.NODES,
    "reservation": Fact.RESERVATIONS,
    "class": Fact.QOS,
}
_NEVER_TOLD = (
    Hidden(fact=Fact.PARTITIONS, why="the document tells no limits of partitions"),
    *(
        Hidden(fact=fact, why="the document does not tell")
        for fact in (
            Fact.PRIORITIES,
            Fact.FAIRSHARE,
            Fact.ASSOCIATIONS,
            Fact.USAGE,
            Fact.LICENSES,
            Fact.SETTINGS,
            Fact.HEALTH,
        )
    ),
)


def document(found: Sequence[Record], place: str, notes: Notebook) -> Document:
    """Return what the records say. Raises DocumentError if they do not tell their instant."""
    instants = instants_of(found, place, notes)
    reading = _Reading(found, notes)
    widest = widest_of(found)
    jobs = reading.all("job", lambda record: job_of(record, instants, widest), _job_id)
    running = tuple(job for job in jobs if isinstance(job, RunningJob))
    used = Counter[str]()
    for job in running:
        used.update({share.node: share.cpus for share in job.allocation})
    nodes = reading.all("node", lambda record: node_of(record, used), _name)
    reservations = reading.all(
        "reservation", lambda record: reservation_of(record, instants), _name
    )
    queues = {name: None for job in jobs for name in job.spec.partitions}
    partitions = partitions_of(found, nodes, tuple(queues))
    names = {partition.name for partition in partitions}
    qos = tuple(q for q in reading.all("class", qos_of, _name) if q.name not in names)
    snapshot = Snapshot(
        cluster=_cluster(found),
        taken_at=instants.taken_at,
        utc_offset_s=instants.offset_s,
        provenance=reading.provenance(),
        nodes=nodes,
        partitions=partitions,
        pending=tuple(job for job in jobs if isinstance(job, PendingJob)),
        running=running,
        finished=tuple(job for job in jobs if isinstance(job, FinishedJob)),
        qos=qos,
        reservations=reservations,
    )
    reading.note_other_types()
    return Document(snapshot=snapshot, notes=notes.findings())


class _Reading:
    """Reads the records of one type after the other and keeps account of those that fail."""

    def __init__(self, found: Sequence[Record], notes: Notebook) -> None:
        self._found = found
        self._notes = notes
        self._failed: dict[str, list[str]] = {}

    def all(
        self, type_: str, make: Callable[[Record], T], name_of: Callable[[T], str]
    ) -> tuple[T, ...]:
        """Return what is made of them, each name once: of two alike the first counts."""
        seen: dict[str, T] = {}
        for made in self._made(type_, make):
            name = name_of(made)
            if seen.setdefault(name, made) is not made:
                self._fail(type_, f"{type_} {name!r}: it stands twice in the document", None)
        return tuple(seen.values())

    def _made(self, type_: str, make: Callable[[Record], T]) -> Iterator[T]:
        for record in self._found:
            if record.type == type_:
                try:
                    yield make(record)
                except (ValueError, OverflowError) as error:
                    cause = f"{type_} {record.name or record.oid!r}: {error}"
                    self._fail(type_, cause, record.line)

    def _fail(self, type_: str, cause: str, line: int | None) -> None:
        self._failed.setdefault(type_, []).append(cause)
        self._notes.add("unreadable", f"{cause}; left out", line)

    def provenance(self) -> Provenance:
        quarantined = tuple(
            Quarantined(fact=_FACTS[type_], count=len(causes), example=causes[0])
            for type_, causes in self._failed.items()
        )
        return Provenance(source=SOURCE, hidden=tuple(self._hidden()), quarantined=quarantined)

    def _hidden(self) -> Iterator[Hidden]:
        types = {record.type for record in self._found}
        for type_, fact in _FACTS.items():
            if type_ not in types:
                yield Hidden(fact=fact, why=f"the document has no {type_}")
        yield from _NEVER_TOLD

    def note_other_types(self) -> None:
        others = Counter(record.type for record in self._found)
        for type_, count in others.items():
            if type_ not in (*_FACTS, "system", "partition"):
                self._notes.add("other-type", f"objects of type {type_!r}", None, count)


def _job_id(job: Job) -> str:
    return job.spec.id


def _name(made: Node | Reservation | Qos) -> str:
    return made.name


def _cluster(found: Sequence[Record]) -> str:
    systems = (record for record in found if record.type == "system")
    return next((told(r.texts, "hostname") or r.name for r in systems), "")
