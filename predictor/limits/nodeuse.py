"""How many jobs of a group use each node, so that a node counts once however many share it."""


class NodeUse:
    """Counts by node. Sets of nodes are bitmaps, numbered as the caller likes.

    Bit i of plane k is bit k of node i's count: adding a set costs a few operations on whole
    bitmaps, whatever its size. Equal counts have equal planes.
    """

    __slots__ = ("_planes",)

    def __init__(self) -> None:
        self._planes: list[int] = []

    @property
    def used(self) -> int:
        """The nodes that at least one job uses."""
        union = 0
        for plane in self._planes:
            union |= plane
        return union

    def add(self, nodes: int) -> None:
        """Count one more job on each of `nodes`."""
        planes, carry, k = self._planes, nodes, 0
        while carry:
            if k == len(planes):
                planes.append(carry)
                return
            planes[k], carry = planes[k] ^ carry, planes[k] & carry
            k += 1

    def remove(self, nodes: int) -> None:
        """Count one job less on each of `nodes`. Raises ValueError if one has none."""
        if nodes & ~self.used:
            raise ValueError("a node cannot be left more often than it was used")
        planes, borrow, k = self._planes, nodes, 0
        while borrow:
            planes[k], borrow = planes[k] ^ borrow, ~planes[k] & borrow
            k += 1
        while planes and not planes[-1]:
            planes.pop()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeUse) and self._planes == other._planes

    __hash__ = None  # type: ignore[assignment]
