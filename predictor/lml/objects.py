"""What becomes of each tuple of a snapshot: object type, id prefix, table of keys."""

from collections.abc import Mapping
from dataclasses import dataclass

from predictor.lml import keys_cluster, keys_jobs
from predictor.lml.kinds import Kind
from predictor.lml.standard import HOLDS, KIND_KEY, OVER, SUSPENDED, WAITING


@dataclass(frozen=True, slots=True)
class Section:
    """One tuple of a snapshot and how its members become objects."""

    field: str
    type: str
    prefix: str
    name_path: str
    kind: Kind


RUNNING = Section("running", "job", "j", "spec.id", keys_jobs.RUNNING)
PENDING = Section("pending", "job", "j", "spec.id", keys_jobs.PENDING)
FINISHED = Section("finished", "job", "j", "spec.id", keys_jobs.FINISHED)
NODES = Section("nodes", "node", "nd-", "name", keys_cluster.NODE)
PARTITIONS = Section("partitions", "partition", "p-", "name", keys_cluster.PARTITION)
QOS = Section("qos", "class", "c-", "name", keys_cluster.QOS)
ASSOCIATIONS = Section("associations", "queue", "a-", "account", keys_cluster.ASSOCIATION)
LICENSES = Section("licenses", "queue", "l-", "name", keys_cluster.LICENSE)
RESERVATIONS = Section("reservations", "reservation", "r-", "name", keys_cluster.RESERVATION)

SECTIONS = (
    NODES,
    PARTITIONS,
    QOS,
    ASSOCIATIONS,
    LICENSES,
    RESERVATIONS,
    RUNNING,
    PENDING,
    FINISHED,
)
"""In the order of the document."""

_BY_STATUS = {WAITING: PENDING, HOLDS: RUNNING, SUSPENDED: RUNNING, OVER: FINISHED}
_BY_KIND = {section.field: section for section in (ASSOCIATIONS, LICENSES)}
_BY_TYPE = {section.type: section for section in (NODES, PARTITIONS, QOS, RESERVATIONS)}


def section_of(type_: str, texts: Mapping[str, str]) -> Section | None:
    """Return where an object of one of our own documents belongs; None: nowhere that we know."""
    if type_ == "job":
        return _BY_STATUS.get(texts.get("status", ""))
    if type_ == "queue":
        return _BY_KIND.get(texts.get(KIND_KEY, ""))
    return _BY_TYPE.get(type_)
