"""Work on independent items in several processes: of this machine, or of a Dask cluster."""

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar

from predictor.errors import QueuecastError

Item = TypeVar("Item")
Result = TypeVar("Result")


class Pool(Protocol):
    """Applies a function to items. To go to other machines, both must be picklable."""

    @property
    def width(self) -> int:
        """How many items may be worked on at a time."""
        ...

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results in the order of the items. What the function raises is raised here."""
        ...


class Processes:
    """Up to `jobs` processes of this machine: copies of this one, begun when iterated."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs

    @property
    def width(self) -> int:
        """How many processes there may be."""
        return self._jobs

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results in the order of the items. What the function raises is raised here.

        Copies need nothing handed over, which for a recording would take longer than the work; so
        here the function may be anything. Results must be picklable.
        """
        jobs = min(self._jobs, len(items))
        if jobs <= 1:
            yield from map(work, items)
        else:
            yield from in_order(_spread(work, items, jobs))


def in_order(numbered: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """Yield the results that come with their numbers, from 0 and without a gap, in order."""
    early: dict[int, Result] = {}
    due = 0
    for number, result in numbered:
        early[number] = result
        while due in early:
            yield early.pop(due)
            due += 1


def _spread(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[tuple[int, Result]]:
    """Yield the results with the items' numbers, as they come."""
    context = get_context("fork")
    channels: list[Connection] = []
    workers = []
    for first in range(jobs):
        receiving, sending = context.Pipe(duplex=False)
        mine = range(first, len(items), jobs)
        worker = context.Process(target=_share, args=(work, items, mine, sending), daemon=True)
        worker.start()
        sending.close()
        channels.append(receiving)
        workers.append(worker)
    try:
        yield from _received(channels)
    finally:
        for worker in workers:
            worker.terminate()
            worker.join()


def _share(
    work: Callable[[Any], Any], items: Sequence[Any], mine: Iterable[int], sending: Connection
) -> None:
    """Work on some of the items; runs in a process of its own."""
    # To search a whole recording for garbage again and again costs more than the work.
    gc.freeze()
    try:
        for number in mine:
            sending.send((True, (number, work(items[number]))))
        sending.send((True, None))
    except Exception as error:  # told to the process that waits
        sending.send((False, error))


def _received(channels: list[Connection]) -> Iterator[Any]:
    while channels:
        for channel in wait(channels):
            assert isinstance(channel, Connection)  # noqa: S101 - we gave it nothing else
            try:
                fine, result = channel.recv()
            except EOFError:
                raise QueuecastError("a worker process died; is there enough memory?") from None
            if not fine:
                raise result
            if result is None:
                channels.remove(channel)
            else:
                yield result
