"""Work on independent items in several processes that share what is in memory already."""

import gc
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

from predictor.errors import QueuecastError

Item = TypeVar("Item")
Result = TypeVar("Result")


class Spread(Generic[Item, Result]):
    """Applies a function to items; the processes are copies of this one, begun when iterated."""

    def __init__(self, work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> None:
        self._work = work
        self._items = items
        self._jobs = max(1, min(jobs, len(items)))

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Result]:
        """Yield results as they come, in any order. What the function raises is raised here."""
        if self._jobs == 1:
            yield from map(self._work, self._items)
            return
        # Copies need nothing handed over, which for a recording would take longer than the work.
        context = get_context("fork")
        channels: list[Connection] = []
        workers = []
        for first in range(self._jobs):
            receiving, sending = context.Pipe(duplex=False)
            worker = context.Process(target=self._share, args=(first, sending), daemon=True)
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

    def _share(self, first: int, sending: Connection) -> None:
        """Work on every n-th item; runs in a process of its own."""
        # To search a whole recording for garbage again and again costs more than the work.
        gc.freeze()
        try:
            for item in self._items[first :: self._jobs]:
                sending.send((True, self._work(item)))
            sending.send((True, None))
        except Exception as error:  # told to the process that waits
            sending.send((False, error))


def _received(channels: list[Connection]) -> Iterator[Result]:
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
