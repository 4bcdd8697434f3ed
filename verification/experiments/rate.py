"""How fast jobs run, given where they are and beside whom."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from verification.experiments.course import Running


class Company:
    """Who runs on which node."""

    def __init__(self, nodes: int) -> None:
        self._on: list[dict[Running, int]] = [{} for _ in range(nodes)]

    def on(self, node: int) -> dict[Running, int]:
        """Return who runs on a node, and with how many units, in order of start."""
        return self._on[node]

    def beside(self, running: Running) -> Iterator[tuple[int, Sequence[Running]]]:
        """Yield each node of a job, with the others that run there."""
        for node, _ in running.places:
            yield node, [other for other in self._on[node] if other is not running]

    def come(self, running: Running) -> None:
        """Take note that a job runs."""
        for node, units in running.places:
            self._on[node][running] = units

    def go(self, running: Running) -> None:
        """Take note that a job runs no longer."""
        for node, _ in running.places:
            del self._on[node][running]

    def touched(self, nodes: Iterable[int]) -> Iterator[Running]:
        """Yield each job that runs on one of these nodes once."""
        yield from dict.fromkeys(running for node in nodes for running in self._on[node])


class Rate(Protocol):
    """Tells how fast a job runs. Its work is what it does in its run time at speed 1."""

    def speed(self, running: Running, company: Company) -> float:
        """Return the speed of a job with its places among its company, more than 0.

        It is asked whenever a job starts, and whenever its company changes on one of its nodes.
        """
        ...
