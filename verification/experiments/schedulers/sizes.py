"""Jobs that wait, by class, kind and size: of each only the first can be the next to start."""

from collections.abc import Callable, Iterator

from sortedcontainers import SortedKeyList

from verification.experiments.course import Queued
from verification.experiments.state import Shape

Order = tuple[int, ...]


class Sizes:
    """Jobs of one class, kind and size are kept in an order that time does not change."""

    def __init__(self, order: Callable[[Queued], Order]) -> None:
        self._order = order
        self._lists: dict[tuple[int, Shape, int], SortedKeyList[Queued, Order]] = {}
        self.count = 0

    def add(self, class_: int, queued: Queued) -> None:
        """Let a job wait."""
        key = (class_, queued.shape, queued.units)
        found = self._lists.get(key)
        if found is None:
            found = self._lists[key] = SortedKeyList(key=self._order)
        found.add(queued)
        self.count += 1

    def take(self, class_: int, queued: Queued) -> None:
        """Let a job wait no longer."""
        key = (class_, queued.shape, queued.units)
        found = self._lists[key]
        found.remove(queued)
        if not found:
            del self._lists[key]
        self.count -= 1

    def fitting(self) -> Iterator[tuple[int, Queued]]:
        """Yield the class and the first of each class, kind and size that would fit now."""
        for (class_, shape, units), jobs in self._lists.items():
            if units <= shape.total:
                yield class_, jobs[0]
