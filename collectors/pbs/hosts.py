"""Hosts, out of `pbsnodes -a -F json`: vnodes of one host are one node to us.

A chunk is taken from one host, be it from several of its vnodes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collectors.pbs.answers import LONGEST_TEXT, Attributes, read
from collectors.pbs.words import amount, count, size_mb, truth
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Node, NodeFlag, NodeState, Quarantined, Tres

PBSNODES = "pbsnodes -a -F json"
CPUS = "ncpus"
MEMORY = "mem"
GPUS = "ngpus"
LONGEST_REASON = 200
_OWN_WORDS = frozenset({CPUS, MEMORY, "host", "vnode"})
_NO_PART_OF_A_WORD = str.maketrans(dict.fromkeys("&|()*[] \t\r\n", "_"))

_DOWN = frozenset({"down", "unresolvable", "stale", "state-unknown", "initializing"})
_BUSY = frozenset({"job-busy", "job-exclusive"})
_KNOWN = _DOWN | _BUSY | {"free", "busy", "offline", "offline_by_mom", "resv-exclusive"}
_FLAGS = {
    "offline": frozenset({NodeFlag.DRAIN}),
    "offline_by_mom": frozenset({NodeFlag.DRAIN}),
    "maintenance": frozenset({NodeFlag.DRAIN, NodeFlag.MAINTENANCE}),
    "resv-exclusive": frozenset({NodeFlag.RESERVED}),
    "sleep": frozenset({NodeFlag.POWERED_DOWN}),
    "provisioning": frozenset({NodeFlag.POWERING_UP}),
    "wait-provisioning": frozenset({NodeFlag.POWERING_UP}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Vnode:
    """A vnode as it stands in the answer."""

    name: str
    host: str
    states: frozenset[str]
    cpus: int
    cpus_used: int
    memory_mb: int
    memory_used_mb: int
    has: Mapping[str, str]
    """All resources by name in lower case."""
    assigned: frozenset[str]
    """The names of those that are used up by jobs."""
    queue: str
    """The one queue whose jobs it runs; empty: any of those that are bound to none."""
    partition: str
    sharing: str
    comment: str

    @property
    def usable(self) -> bool:
        """Whether jobs can be planned on it."""
        return not self.states & (_DOWN | {"offline", "offline_by_mom", "maintenance"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """All hosts, and what their resources are like."""

    nodes: tuple[Node, ...] = ()
    host_of: Mapping[str, str] = field(default_factory=dict)
    """By vnode."""
    counted: frozenset[str] = frozenset()
    """Resources that jobs use up, besides CPUs and memory."""
    words: frozenset[str] = frozenset()
    """Resources with texts by which jobs choose hosts."""
    truths: frozenset[str] = frozenset()
    """Resources that are true or false, by which they do so too."""
    bound: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The hosts that run jobs of one queue only, by queue."""
    partitions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The hosts of each scheduler's own part of the cluster, by its name."""
    alone: frozenset[str] = frozenset()
    """Those on which a job is alone unless it says otherwise."""
    always_alone: frozenset[str] = frozenset()
    """Those on which it is alone whatever it says."""


def parse_hosts(text: str) -> tuple[Hosts, tuple[Quarantined, ...]]:
    """Return the hosts in the order in which their vnodes are told. Raises SourceError."""
    answer = read(text, "nodes", PBSNODES)
    vnodes, bad = sorted_out(Fact.NODES, answer.records.items(), lambda item: _vnode(*item))
    by_host: dict[str, list[Vnode]] = {}
    for vnode in vnodes:
        by_host.setdefault(vnode.host, []).append(vnode)
    truths, words = _words(vnodes)
    counted = _counted(vnodes)
    groups = tuple(by_host.values())
    return Hosts(
        nodes=tuple(_node(group, counted, words, truths) for group in groups),
        host_of={vnode.name: vnode.host for vnode in vnodes},
        counted=counted,
        words=words,
        truths=truths,
        bound=_named(groups, lambda vnode: vnode.queue),
        partitions=_named(groups, lambda vnode: vnode.partition),
        alone=_sharing(groups, ("force_excl", "default_excl")),
        always_alone=_sharing(groups, ("force_excl",)),
    ), bad


def _vnode(name: str, record: object) -> Vnode:
    told = Attributes(record)
    if told.has("Error"):
        raise ValueError(f"node {name!r}: {told.long_text('Error')}")
    try:
        return _readable(name, told)
    except ValueError as error:
        raise ValueError(f"node {name[:LONGEST_TEXT]!r}: {error}") from error


def _readable(name: str, told: Attributes) -> Vnode:
    has = {key.lower(): text for key, text in told.part("resources_available").texts().items()}
    used = {key.lower(): text for key, text in told.part("resources_assigned").texts().items()}
    if len(name) > LONGEST_TEXT:
        raise ValueError(f"a name of more than {LONGEST_TEXT} characters")
    return Vnode(
        name=name,
        host=has.get("host") or name.partition("[")[0],
        states=frozenset(told.text("state").replace(" ", "").split(",")),
        cpus=count(has.get(CPUS, "")),
        cpus_used=count(used.get(CPUS, "")),
        memory_mb=size_mb(has.get(MEMORY, "0")),
        memory_used_mb=size_mb(used.get(MEMORY, "0")),
        has=has,
        assigned=frozenset(used),
        queue=told.text("queue"),
        partition=told.text("partition"),
        sharing=told.text("sharing"),
        comment=told.long_text("comment")[:LONGEST_REASON],
    )


def _words(vnodes: Iterable[Vnode]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the resources that are true or false, and those that are texts."""
    values: dict[str, set[str]] = {}
    for vnode in vnodes:
        for name, text in vnode.has.items():
            values.setdefault(name, set()).add(text)
    told = {name: texts for name, texts in values.items() if name not in _OWN_WORDS}
    truths = {name for name, texts in told.items() if texts <= {"True", "False"}}
    amounts = {name for name, texts in told.items() if all(amount(t) is not None for t in texts)}
    return frozenset(truths), frozenset(told.keys() - truths - amounts)


def _counted(vnodes: Iterable[Vnode]) -> frozenset[str]:
    """Return what is used up: what is assigned somewhere, and GPUs."""
    names = {name for vnode in vnodes for name in vnode.assigned}
    return frozenset((names | {GPUS}) - {CPUS, MEMORY, "vmem"})


def _named(
    groups: Iterable[Sequence[Vnode]], name_of: Callable[[Vnode], str]
) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for group in groups:
        for name in dict.fromkeys(filter(None, map(name_of, group))):
            found.setdefault(name, []).append(group[0].host)
    return {name: tuple(hosts) for name, hosts in found.items()}


def _sharing(groups: Iterable[Sequence[Vnode]], begins: tuple[str, ...]) -> frozenset[str]:
    return frozenset(
        group[0].host for group in groups if all(v.sharing.startswith(begins) for v in group)
    )


def _node(
    group: Sequence[Vnode], counted: frozenset[str], words: frozenset[str], truths: frozenset[str]
) -> Node:
    """Return the node that a host's vnodes make: of several, those in use that can be used."""
    usable = [vnode for vnode in group if vnode.usable] or list(group)
    states = frozenset[str]().union(*(vnode.states for vnode in usable))
    cpus = sum(vnode.cpus for vnode in usable)
    used = sum(vnode.cpus_used for vnode in usable)
    return Node(
        name=group[0].host,
        cpus=cpus,
        memory_mb=sum(vnode.memory_mb for vnode in usable),
        state=_state(states, used, cpus),
        flags=frozenset[NodeFlag]().union(*(_FLAGS.get(word, ()) for word in states)),
        gres=_gres(usable, counted),
        features=tuple(_features(usable, words, truths)),
        cpus_allocated=used,
        memory_allocated_mb=sum(vnode.memory_used_mb for vnode in usable),
        reason=next((vnode.comment for vnode in usable if vnode.comment), ""),
    )


def _state(words: frozenset[str], used: int, cpus: int) -> NodeState:
    if words & _DOWN:
        return NodeState.DOWN
    if not words & (_KNOWN | _FLAGS.keys()):
        return NodeState.UNKNOWN
    if used >= cpus > 0 or words & {"job-exclusive"}:
        return NodeState.ALLOCATED
    return NodeState.MIXED if used or words & _BUSY else NodeState.IDLE


def _gres(vnodes: Iterable[Vnode], counted: frozenset[str]) -> Tres:
    found: dict[str, int] = {}
    for vnode in vnodes:
        for name in counted & vnode.has.keys():
            found[kind(name)] = found.get(kind(name), 0) + (amount(vnode.has[name]) or 0)
    return tuple(sorted((name, number) for name, number in found.items() if number))


def kind(resource: str) -> str:
    """Return what a counted resource is called among generic ones."""
    return "gpu" if resource == GPUS else resource


def _features(
    vnodes: Sequence[Vnode], words: frozenset[str], truths: frozenset[str]
) -> Iterable[str]:
    for name in sorted(words):
        for text in dict.fromkeys(vnode.has.get(name, "") for vnode in vnodes):
            yield from (feature(name, part) for part in text.split(",") if part)
    for name in sorted(truths):
        # A truth value that is not set counts as false.
        yield feature(name, str(any(truth(vnode.has.get(name, "")) for vnode in vnodes)))


def feature(name: str, value: str) -> str:
    """Return a resource's value as one word by which hosts can be chosen."""
    return f"{name}={value}".translate(_NO_PART_OF_A_WORD)
