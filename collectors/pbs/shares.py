"""What a job holds of its hosts, chunk by chunk, out of its `exec_vnode`."""

from collections.abc import Iterable, Mapping, Sequence

from collectors.pbs.hosts import CPUS, MEMORY, kind
from collectors.pbs.requests import Surroundings
from collectors.pbs.select import vnode_chunks
from collectors.pbs.words import amount, count, size_mb
from predictor.domain import NodeShare


def shares(exec_vnode: str, around: Surroundings) -> tuple[tuple[NodeShare, ...], ...]:
    """Return what each chunk holds of its host."""
    return tuple(
        added([tuple(_share(name, held, around) for name, held in chunk)])
        for chunk in vnode_chunks(exec_vnode)
    )


def _share(vnode: str, held: Mapping[str, str], around: Surroundings) -> NodeShare:
    texts = {name.lower(): text for name, text in held.items()}
    counted = around.hosts.counted & texts.keys()
    gres = ((kind(name), amount(texts[name]) or 0) for name in counted)
    return NodeShare(
        node=around.hosts.host_of.get(vnode, vnode.partition("[")[0]),
        cpus=count(texts.get(CPUS, "")),
        memory_mb=size_mb(texts.get(MEMORY, "0")),
        gres=tuple(sorted((name, number) for name, number in gres if number)),
    )


def added(chunks: Iterable[Sequence[NodeShare]]) -> tuple[NodeShare, ...]:
    """Return what the chunks hold together, host by host."""
    found: dict[str, NodeShare] = {}
    for share in (share for chunk in chunks for share in chunk):
        known = found.get(share.node)
        found[share.node] = share if known is None else _sum(known, share)
    return tuple(found.values())


def _sum(one: NodeShare, other: NodeShare) -> NodeShare:
    gres = dict(one.gres)
    for name, number in other.gres:
        gres[name] = gres.get(name, 0) + number
    return NodeShare(
        node=one.node,
        cpus=one.cpus + other.cpus,
        memory_mb=one.memory_mb + other.memory_mb,
        gres=tuple(sorted(gres.items())),
    )


def hosts_in(chunks: Iterable[Sequence[NodeShare]]) -> tuple[str, ...]:
    """Return the hosts of the chunks, each once."""
    return tuple(dict.fromkeys(share.node for chunk in chunks for share in chunk))
