"""What a job asks for: its chunks as requests for equal hosts, one per kind of chunk."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from collectors.pbs.answers import Attributes
from collectors.pbs.hosts import CPUS, MEMORY, Hosts, kind
from collectors.pbs.queues import Queue, ends_of, features_of
from collectors.pbs.select import Chunks, Place, Wants, chunks, place
from collectors.pbs.words import amount, count, seconds, size_mb
from predictor.domain import Limit, Request, Sharing, Tres


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What else must be known to read a job."""

    taken_at: int
    hosts: Hosts = Hosts()
    queues: Mapping[str, Queue] = field(default_factory=dict)
    """By name."""
    default_chunk: Mapping[str, str] = field(default_factory=dict)
    """The server's."""
    alone: frozenset[str] = frozenset()
    """The queues in which a job has its hosts to itself unless it says otherwise."""
    pools: frozenset[str] = frozenset()
    """Resources of the server as a whole."""
    reservations: frozenset[str] = frozenset()
    """The names of advance reservations, which are those of their queues too."""
    qos: str = ""
    """The QOS that holds the server's limits; empty: it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One kind of chunk of a job."""

    request: Request
    chunks: int
    """So many of the job's chunks it stands for, in the order of the statement."""


def parts_of(told: Attributes, around: Surroundings) -> tuple[Part, ...]:
    """Return what the job asks for, one part per kind of chunk. Raises ValueError."""
    asked = told.part("Resource_List")
    laid_out = place(asked.text("place"))
    found = _merged(_chunks(told, asked, around), laid_out)
    common = Request(
        nodes=1,
        cpus=1,
        limit_s=_limit_s(asked),
        limit_min_s=seconds(asked.text("min_walltime")),
        licenses=_licenses(asked, around),
        sharing=_sharing(laid_out, told.text("queue"), around),
    )
    lay = {"pack": _packed, "free": _spread}.get(laid_out.arrangement, _scattered)
    return tuple(
        Part(
            request=lay(group, common, around),
            chunks=sum(chunk.count for chunk in group),
        )
        for group in found
    )


def _chunks(told: Attributes, asked: Attributes, around: Surroundings) -> tuple[Chunks, ...]:
    """Return the chunks, what they leave out filled in as the server does."""
    if complete := told.long_text("schedselect"):
        return chunks(complete, {})
    first = next(
        (around.queues[name] for name in routed(told, around) if name in around.queues), None
    )
    of_queue = first.default_chunk if first else {}
    defaults = {k.lower(): v for k, v in {**around.default_chunk, **of_queue}.items()}
    if select := asked.long_text("select"):
        return chunks(select, defaults)
    number = max(1, count(asked.text("nodect"), 1))
    cpus = -(-count(asked.text(CPUS), 1) // number)
    memory = size_mb(asked.text(MEMORY, "0")) // number
    given = {CPUS: str(cpus)} | ({MEMORY: f"{memory}mb"} if memory else {})
    return (Chunks(count=number, wants=tuple(sorted({**defaults, **given}.items()))),)


def _merged(found: Sequence[Chunks], laid_out: Place) -> tuple[tuple[Chunks, ...], ...]:
    """Return the chunks by part: those alike but for the host they name; all where packed."""
    if laid_out.arrangement == "pack":
        return (tuple(found),)
    groups: list[tuple[Wants, list[Chunks]]] = []
    for chunk in found:
        rest = tuple(want for want in chunk.wants if want[0] not in ("host", "vnode"))
        if groups and groups[-1][0] == rest:
            groups[-1][1].append(chunk)
        else:
            groups.append((rest, [chunk]))
    return tuple(tuple(group) for _, group in groups)


def _scattered(group: Sequence[Chunks], common: Request, around: Surroundings) -> Request:
    """Return the request for equal chunks, each on a host of its own."""
    return _equal(group, common, around, together=1)


def _spread(group: Sequence[Chunks], common: Request, around: Surroundings) -> Request:
    """Return the request for equal chunks of which hosts take as many as fit."""
    each = _amounts(dict(group[0].wants), around)
    together = 1 if _named(group, around) else _fitting(each, around)
    return _equal(group, common, around, together=together)


def _equal(
    group: Sequence[Chunks], common: Request, around: Surroundings, *, together: int
) -> Request:
    wants, number = dict(group[0].wants), sum(chunk.count for chunk in group)
    each = _amounts(wants, around)
    nodes = -(-number // together)
    on_one = -(-number // nodes)
    return replace(
        common,
        nodes=nodes,
        nodes_max=number if number > nodes else None,
        cpus=number * each.cpus,
        cpus_per_node=on_one * each.cpus if on_one > 1 else None,
        memory_per_node_mb=on_one * each.memory_mb or None,
        gres_per_node=tuple((name, on_one * n) for name, n in each.gres),
        features="&".join(features_of(wants, around.hosts)),
        required_nodes=_named(group, around),
    )


def _packed(group: Sequence[Chunks], common: Request, around: Surroundings) -> Request:
    """Return the request for chunks that all go to one host."""
    gres: dict[str, int] = {}
    cpus = memory_mb = 0
    features: dict[str, None] = {}
    for chunk in group:
        each = _amounts(dict(chunk.wants), around)
        cpus += chunk.count * each.cpus
        memory_mb += chunk.count * each.memory_mb
        for name, number in each.gres:
            gres[name] = gres.get(name, 0) + chunk.count * number
        features |= dict.fromkeys(features_of(dict(chunk.wants), around.hosts))
    return replace(
        common,
        cpus=cpus,
        memory_per_node_mb=memory_mb or None,
        gres_per_node=tuple(sorted(gres.items())),
        features="&".join(features),
        required_nodes=_named(group, around)[:1],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Amounts:
    """What one chunk takes."""

    cpus: int
    memory_mb: int
    gres: Tres


def _amounts(wants: Mapping[str, str], around: Surroundings) -> _Amounts:
    gres = ((kind(name), amount(wants[name]) or 0) for name in around.hosts.counted & wants.keys())
    return _Amounts(
        cpus=max(1, count(wants.get(CPUS, ""), 1)),
        memory_mb=size_mb(wants.get(MEMORY, "0")),
        gres=tuple(sorted((name, number) for name, number in gres if number)),
    )


def _fitting(each: _Amounts, around: Surroundings) -> int:
    """Return how many such chunks the most spacious host holds when it is empty; at least 1."""
    shapes = {(node.cpus, node.memory_mb, node.gres) for node in around.hosts.nodes}
    return max((_fit(each, *shape) for shape in shapes), default=1) or 1


def _fit(each: _Amounts, cpus: int, memory_mb: int, gres: Tres) -> int:
    has = dict(gres)
    most = [cpus // each.cpus, *(has.get(name, 0) // number for name, number in each.gres)]
    return min(most + ([memory_mb // each.memory_mb] if each.memory_mb else []))


def _named(group: Iterable[Chunks], around: Surroundings) -> tuple[str, ...]:
    """Return the hosts that the chunks ask for by name."""
    found: dict[str, None] = {}
    for chunk in group:
        wants = dict(chunk.wants)
        if name := wants.get("host") or around.hosts.host_of.get(wants.get("vnode", ""), ""):
            found[name] = None
    return tuple(found)


def _limit_s(asked: Attributes) -> Limit:
    return seconds(asked.text("walltime") or asked.text("max_walltime"))


def _licenses(asked: Attributes, around: Surroundings) -> Tres:
    wanted = [name for name in asked.names() if name.lower() in around.pools]
    found = ((name.lower(), amount(asked.text(name)) or 0) for name in wanted)
    return tuple(sorted((name, number) for name, number in found if number))


def _sharing(laid_out: Place, queue: str, around: Surroundings) -> Sharing:
    if laid_out.sharing:
        return Sharing.SHARED if laid_out.sharing == "shared" else Sharing.EXCLUSIVE
    return Sharing.EXCLUSIVE if queue in around.alone else Sharing.SHARED


def routed(told: Attributes, around: Surroundings) -> tuple[str, ...]:
    """Return the queues in which the job may start: its own, or those its queue sends it to.

    Of several, those whose bounds it keeps, as the server goes through them; all if none.
    """
    name = told.text("queue")
    ends = ends_of(name, around.queues)
    if len(ends) < 2:
        return (ends[0].name,) if ends else ((name,) if name else ())
    asked = told.part("Resource_List")
    kept = tuple(queue.name for queue in ends if _keeps(asked, queue))
    return kept or tuple(queue.name for queue in ends)


def _keeps(asked: Attributes, queue: Queue) -> bool:
    return all(
        (least is None or least <= has) and (most is None or has <= most)
        for name in queue.least.keys() | queue.most.keys()
        if (has := _measure(name, asked.text(name))) is not None
        for least in (_measure(name, queue.least.get(name, "")),)
        for most in (_measure(name, queue.most.get(name, "")),)
    )


def _measure(name: str, text: str) -> int | None:
    if name == "walltime":
        return seconds(text)
    return amount(text)
