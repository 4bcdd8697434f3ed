"""The keys that LML programs are known to use, by object type, besides our own."""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

from predictor.lml.answers import ORDER
from predictor.lml.keys_cluster import FORECAST, SCHEDULER, SYSTEM
from predictor.lml.keys_jobs import ABSTENTION, PREDICTION
from predictor.lml.kinds import Kind
from predictor.lml.objects import SECTIONS
from predictor.lml.records import Record
from predictor.lml.standard import DERIVED_KEYS

TYPES = frozenset(
    {"job", "node", "system", "queue", "scheduler", "class"}
    | {"partition", "partmap", "smallpartition", "reservation"}
)
"""The object types of the schema."""

MANDATORY_OF_JOBS = (
    *("step", "owner", "group", "queue", "status", "detailedstatus"),
    *("totalcores", "totaltasks", "nodelist"),
)
"""Those that LML_da's attribute list marks as mandatory and shown."""

_STANDARD: Mapping[str, str] = {
    "job": """step owner group queue status detailedstatus state totalcores totaltasks nodelist
        wall wallsoft queuedate eligdate dispatchdate enddate starttime endtime prenodelist
        totalgpus gpulist vnodelist name comment executable command spec dependency qos account
        reservation restart reason runtime numnodes ppn tpt ArrayJobId ArrayTaskId HetJobId
        HetJobIdSet HetJobOffset classprio groupprio userprio sysprio systemprio favored topdog
        eligible""",
    "node": """id ncores physmem availmem freemem allocmem memU state detailedstate load features
        gpus classes reason currentwatts""",
    "system": "hostname type system_time motd",
    "class": """name max_jobs_pa max_jobs_pu max_submit_pa max_submit_pu max_size min_size
        max_tres_pa max_tres_pu max_tres_pn max_wall Priority UsageFactor GraceTime Flags""",
    "reservation": """resid starttime endtime wall state nodelist nodecnt corecnt userlist
        accounts flags""",
}
_STANDARD_PREFIXES = ("bg_", "bgp_", "fs_", "memU_", "load_", "__nelems")


def keys_of(kind: Kind) -> frozenset[str]:
    """Return all keys of a table, those of its parts included."""
    parts = (keys_of(part.kind) for part in kind.parts)
    return frozenset(key.name for key in kind.keys).union(*parts)


_OWN = frozenset({ORDER}).union(
    DERIVED_KEYS,
    *(keys_of(section.kind) for section in SECTIONS),
    *(keys_of(kind) for kind in (SYSTEM, SCHEDULER, FORECAST, PREDICTION, ABSTENTION)),
)
_KNOWN = {type_: _OWN.union(_STANDARD.get(type_, "").split()) for type_ in TYPES}


def unknown_keys(found: Iterable[Record]) -> Counter[str]:
    """Return how often each key occurs, as `type.key`, that nobody is known to use."""
    return Counter(chain.from_iterable(map(unknown_of, found)))


def unknown_of(record: Record) -> list[str]:
    """Return the keys of a record, as `type.key`, that nobody is known to use."""
    known = _KNOWN.get(record.type)
    if known is None:
        return []
    # A long value stands in pieces.
    names = [key.partition("~")[0] for key in record.texts if key not in known]
    return [
        f"{record.type}.{name}"
        for name in names
        if name not in known and not name.startswith(_STANDARD_PREFIXES)
    ]
