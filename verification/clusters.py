"""A Dask cluster as a place to work: running already, started here, or out of a batch system."""

import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from predictor.errors import QueuecastError
from verification.parallel import in_order

DASHBOARD = "127.0.0.1:0"
"""Dask's own would be one port for all, open to the network."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class DaskPool:
    """The workers of a Dask cluster. Recordings must lie where these can read them."""

    def __init__(self, client: Any) -> None:
        self._client = client

    @property
    def width(self) -> int:
        """How many threads its workers have by now; at least 1."""
        return max(1, int(sum(self._client.nthreads().values())))

    def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
        """Yield the results in the order of the items. What the function raises is raised here."""
        from distributed import as_completed

        # What the work carries may be a whole recording: each worker gets it once.
        held = self._client.scatter(work, broadcast=True, hash=False)
        # Not pure: the same recording may hold more when it is read again.
        futures = self._client.map(_apply, items, work=held, pure=False)
        numbers = {future.key: number for number, future in enumerate(futures)}
        done = as_completed(futures, with_results=True)
        try:
            yield from in_order((numbers[future.key], result) for future, result in done)
        finally:
            self._client.cancel(futures)

    def submit(self, work: Callable[[Item], Result], item: Item) -> Any:
        """Hand over an item alone, and return what stands for its result until it is there."""
        return self._client.submit(work, item, pure=False)

    def ended(self, futures: Sequence[Any], within_s: float) -> Sequence[Any]:
        """Return which of `futures` ended, once one has; after so many seconds none."""
        from distributed import TimeoutError, wait

        try:
            return list(wait(futures, within_s, return_when="FIRST_COMPLETED").done)
        except TimeoutError:
            return []


def _apply(item: Item, work: Callable[[Item], Result]) -> Result:
    return work(item)


@contextmanager
def dask_pool(where: str, jobs: int, *, deaths: int | None = None) -> Iterator[DaskPool]:
    """Yield the cluster at an address (`tcp://head:8786`); `local` and `slurm` begin one.

    `local` has `jobs` processes of this machine; `slurm` asks for as many batch jobs, set up by
    dask-jobqueue's own configuration. `deaths`: over how many workers' deaths an item is tried
    again by one that is begun here; None: as Dask is configured. Raises QueuecastError if the extra
    `dask` is not installed, or nobody answers there.
    """
    with ExitStack() as open_:
        try:
            if deaths is not None:
                import dask

                open_.enter_context(
                    dask.config.set({"distributed.scheduler.allowed-failures": deaths})
                )
            client = open_.enter_context(_client(where, jobs, open_))
        except ImportError:
            raise QueuecastError("--dask needs an extra: pip install 'queuecast[dask]'") from None
        except (OSError, ValueError) as error:
            raise QueuecastError(f"--dask {where}: {error}") from error
        yield DaskPool(client)


def _client(where: str, jobs: int, open_: ExitStack) -> Any:
    from distributed import Client, LocalCluster

    if where == "local":
        # One thread each: what is done holds Python's lock most of the time.
        cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=DASHBOARD)
        return Client(open_.enter_context(cluster))
    if where == "slurm":
        import dask
        from dask_jobqueue import SLURMCluster

        # The shell that runs the batch job would split a path with a space in it.
        python = dask.config.get("jobqueue.slurm.python", None) or shlex.quote(sys.executable)
        options = dask.config.get("jobqueue.slurm.scheduler-options", None) or {}
        options = {"dashboard_address": DASHBOARD, **options}
        batch = open_.enter_context(SLURMCluster(python=python, scheduler_options=options))
        batch.scale(jobs=jobs)
        return Client(batch)
    return Client(where)
