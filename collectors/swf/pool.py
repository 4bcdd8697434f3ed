"""Which nodes a trace's jobs hold: traces do not tell, so they are given the fullest that fit."""

from collections.abc import Hashable

from predictor.domain import Node, NodeShare, NodeState


class Pool:
    """Nodes of equally many CPUs, but for the last, and who holds what of them."""

    def __init__(self, cpus: int, cpus_per_node: int) -> None:
        count = -(-cpus // cpus_per_node)
        width = len(str(count))
        self._names = [f"n{number:0{width}d}" for number in range(1, count + 1)]
        self._cpus = [cpus_per_node] * (count - 1) + [cpus - (count - 1) * cpus_per_node]
        self._free = list(self._cpus)
        self._held: dict[Hashable, dict[int, int]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The nodes' names in their order."""
        return tuple(self._names)

    def take(self, who: Hashable, cpus: int) -> None:
        """Give CPUs to somebody: of nodes that have enough the fullest, else of the emptiest.

        Where the trace lets more run than there is room for, he gets what is left.
        """
        enough = [place for place, free in enumerate(self._free) if free >= cpus]
        held: dict[int, int] = {}
        if enough:
            best = min(enough, key=lambda place: (self._free[place], place))
            held[best] = cpus
        else:
            for place in sorted(range(len(self._free)), key=lambda at: (-self._free[at], at)):
                got = min(self._free[place], cpus - sum(held.values()))
                if not got:
                    break
                held[place] = got
        for place, got in held.items():
            self._free[place] -= got
        self._held[who] = held

    def release(self, who: Hashable) -> tuple[str, ...]:
        """Take back what somebody holds; return the names of the nodes."""
        held = self._held.pop(who)
        for place, got in held.items():
            self._free[place] += got
        return tuple(self._names[place] for place in sorted(held))

    def shares(self, who: Hashable) -> tuple[NodeShare, ...]:
        """Return what somebody holds, in the nodes' order."""
        return tuple(
            NodeShare(node=self._names[place], cpus=got)
            for place, got in sorted(self._held[who].items())
        )

    def nodes(self) -> tuple[Node, ...]:
        """Return the nodes as they are now."""
        return tuple(
            Node(
                name=name,
                cpus=cpus,
                memory_mb=0,
                state=_state(cpus, free),
                cpus_allocated=cpus - free,
            )
            for name, cpus, free in zip(self._names, self._cpus, self._free, strict=True)
        )


def _state(cpus: int, free: int) -> NodeState:
    if free == cpus:
        return NodeState.IDLE
    return NodeState.MIXED if free else NodeState.ALLOCATED
