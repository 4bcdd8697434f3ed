"""Giving one reader many hostile inputs, in a process of its own, and measuring what each costs.

A finding is any error that the reader does not promise, a process that dies, more than `MOST_CPU_S`
of processor time for one input, or more memory than `MEMORY_FACTOR` times the input and
`MOST_MEMORY_BYTES`. The input that is being read stands in memory shared with whoever started the
process, so that it is known even if nothing else is left.
"""

import faulthandler
import gc
import mmap
import multiprocessing
import os
import resource
import struct
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from campaigns.mutation import LONGEST, Mutator

from predictor.errors import QueuecastError

MOST_CPU_S = 1.0
MEMORY_FACTOR = 4
MOST_MEMORY_BYTES = 64 * 2**20
SILENT_S = 60.0
"""A process that has read no further input for so long hangs."""
MOST_ADDRESS_BYTES = 6 * 2**30
MOST_FINDINGS = 5
"""Of one reader; then it is left."""
LONGEST_MESSAGE = 4_096
"""Of an error that is shown to people."""
BATCH_BYTES, BATCH = 2**20, 200
"""Memory is measured of so many inputs together first."""
WORTH_A_LOOK_BYTES = 2**20
SHARED_BYTES = 2**22
READ, REFUSED, HARMED = "read", "refused", "harmed"
HEAD = struct.Struct("<QI")

Read = Callable[[bytes], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A reader of bytes from outside."""

    name: str
    read: Read
    seeds: Sequence[bytes]
    """Good inputs."""
    refuses: tuple[type[Exception], ...]
    """The errors that it promises."""
    words: Sequence[bytes] = ()
    """Words of the format."""
    weight: float = 1.0
    """How much of the campaign's time it gets, beside others."""
    most_memory_bytes: int = MOST_MEMORY_BYTES
    """Beyond four times the input; more than usual only where a bound of the reader's says so."""
    longest: int = LONGEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An input that did harm."""

    what: str
    data: bytes
    where: str = ""


@dataclass(slots=True, kw_only=True)
class Hunt:
    """What came of the inputs given to one reader."""

    name: str
    cases: int = 0
    refused: int = 0
    ways: int = 0
    """In so many ways inputs were answered: places that refuse, and being read."""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    """The most for one input."""
    slowest: bytes = b""
    memory_bytes: int = 0
    """The most for one input."""
    largest: bytes = b""
    findings: list[Finding] = field(default_factory=list)


def hunted(target: Target, *, seed: int, cases: int = 0, seconds: float = 0.0) -> Hunt:
    """Give the reader so many inputs, or as many as it takes in a time, in another process."""
    shared = mmap.mmap(-1, SHARED_BYTES)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    worker = context.Process(target=_work, args=(target, seed, cases, seconds, shared, there))
    # Whatever collects garbage in the new process would copy all of ours, object by object.
    gc.freeze()
    worker.start()
    gc.unfreeze()
    there.close()
    told = _told(here, shared)
    if told is None:
        worker.kill()
    worker.join()
    here.close()
    if told is not None:
        return told
    tried, data = _current(shared)
    died = f"died: exit code {worker.exitcode}" if worker.exitcode != -9 else "hung, or was killed"
    found = Finding(what=died, data=data)
    return Hunt(name=target.name, cases=tried, findings=[found])


def _told(here: Connection, shared: mmap.mmap) -> Hunt | None:
    """Return what the process tells in the end; None: it is dead, or silent."""
    tried = -1
    while not here.poll(SILENT_S):
        before, tried = tried, _current(shared)[0]
        if before == tried:
            return None
    try:
        told: Hunt = here.recv()
    except EOFError:
        return None
    return told


def _current(shared: mmap.mmap) -> tuple[int, bytes]:
    tried, size = HEAD.unpack_from(shared)
    return tried, shared[HEAD.size : HEAD.size + size]


def _work(
    target: Target, seed: int, cases: int, seconds: float, shared: mmap.mmap, there: Connection
) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_ADDRESS_BYTES, MOST_ADDRESS_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    there.send(Hunter(target, seed, shared).go(cases, seconds))
    there.close()
    os._exit(0)


class Hunter:
    """Reads one input after the other, and takes notes."""

    def __init__(self, target: Target, seed: int, shared: mmap.mmap) -> None:
        self._target = target
        self._shared = shared
        rng = Random(f"{seed} {target.name}")  # noqa: S311
        self._mutator = Mutator(target.seeds, target.words, rng, longest=target.longest)
        self._ways: set[object] = set()
        self._hunt = Hunt(name=target.name)

    def go(self, cases: int, seconds: float) -> Hunt:
        """Read until there were so many inputs, or so much time is over."""
        hunt, begun = self._hunt, time.monotonic()
        for seed in self._target.seeds:
            self._try(seed, new=False)
        while len(hunt.findings) < MOST_FINDINGS:
            if (hunt.cases >= cases) if cases else (time.monotonic() - begun >= seconds):
                break
            self._batch(cases - hunt.cases if cases else BATCH)
        hunt.ways, hunt.wall_s = len(self._ways), time.monotonic() - begun
        return hunt

    def _batch(self, most: int) -> None:
        batch: list[bytes] = []
        size = 0
        while len(batch) < min(BATCH, most) and size < BATCH_BYTES:
            batch.append(self._mutator.one())
            size += len(batch[-1])
        before = _peak_reset()
        for data in batch:
            self._try(data)
        if _peak() - before > max(self._hunt.memory_bytes, WORTH_A_LOOK_BYTES):
            for data in batch:
                self._weigh(data)

    def _try(self, data: bytes, *, new: bool = True) -> None:
        hunt, shared = self._hunt, self._shared
        kept = data[: SHARED_BYTES - HEAD.size]
        HEAD.pack_into(shared, 0, hunt.cases, len(kept))
        shared[HEAD.size : HEAD.size + len(kept)] = kept
        hunt.cases += 1
        begun = time.process_time()
        way = self._way(data)
        took_s = time.process_time() - begun
        hunt.refused += way[0] is REFUSED
        if took_s > hunt.cpu_s:
            took_s = min(took_s, self._again_s(data))
            if took_s > hunt.cpu_s:
                hunt.cpu_s, hunt.slowest = took_s, data
            if took_s > MOST_CPU_S:
                self._note(f"{took_s:.1f} s of processor time", data)
        if way not in self._ways:
            self._ways.add(way)
            if new and len(data) <= self._target.longest:
                self._mutator.keep(data)

    def _way(self, data: bytes) -> tuple[object, ...]:
        """Return what stands for how the input was answered."""
        try:
            self._target.read(data)
        except self._target.refuses as error:
            said = str(error)
            if not said or (isinstance(error, QueuecastError) and len(said) > LONGEST_MESSAGE):
                self._note(f"an error that says {len(said)} characters", data)
            return REFUSED, _place(error)
        except BaseException as error:  # whatever it is, it is not promised
            if isinstance(error, KeyboardInterrupt):
                raise
            told = f"{type(error).__name__}: {str(error)[:200]}"
            way = HARMED, _place(error)
            if way not in self._ways:
                self._ways.add(way)
                self._note(told, data, "".join(traceback.format_tb(error.__traceback__)[-4:]))
            return way
        return (READ,)

    def _again_s(self, data: bytes) -> float:
        """Return the least time of two more attempts: others use this machine, too."""
        least = float("inf")
        for _ in range(2):
            begun = time.process_time()
            self._way(data)
            least = min(least, time.process_time() - begun)
        return least

    def _weigh(self, data: bytes) -> None:
        """Measure what one input takes by itself."""
        gc.collect()
        before = _peak_reset()
        self._way(data)
        took = _peak() - before
        if took > self._hunt.memory_bytes:
            self._hunt.memory_bytes, self._hunt.largest = took, data
        if took > MEMORY_FACTOR * len(data) + self._target.most_memory_bytes:
            self._note(f"{took / 2**20:.0f} MiB for {len(data)} bytes", data)

    def _note(self, what: str, data: bytes, where: str = "") -> None:
        self._hunt.findings.append(Finding(what=what, data=data, where=where))


def _place(error: BaseException) -> object:
    """Return where an error was raised: the last lines of ours that it passed."""
    trace, lines = error.__traceback__, []
    while trace is not None:
        lines.append((id(trace.tb_frame.f_code), trace.tb_lineno))
        trace = trace.tb_next
    return type(error), tuple(lines[-3:])


def _peak_reset() -> int:
    """Forget the most memory that this process had; return what it has now, in bytes."""
    Path("/proc/self/clear_refs").write_text("5")
    return _peak()


def _peak() -> int:
    with open("/proc/self/status", "rb") as status:  # noqa: PTH123 - a hundred times a second
        for line in status:
            if line.startswith(b"VmHWM:"):
                return int(line.split()[1]) * 1024
    raise OSError("no peak of memory is told here")


def shown(hunt: Hunt) -> dict[str, Any]:
    """Return the figures of one reader."""
    rate = hunt.cases / hunt.wall_s if hunt.wall_s else 0.0
    return {
        "reader": hunt.name,
        "cases": hunt.cases,
        "per_s": round(rate),
        "refused": round(hunt.refused / max(hunt.cases, 1), 3),
        "ways": hunt.ways,
        "cpu_ms": round(1000 * hunt.cpu_s, 1),
        "memory_mib": round(hunt.memory_bytes / 2**20, 1),
        "findings": len(hunt.findings),
    }


def divided(targets: Iterable[Target], cases: int) -> list[tuple[Target, int]]:
    """Return how many of the cases each reader gets."""
    every = list(targets)
    whole = sum(target.weight for target in every)
    return [(target, max(1, round(cases * target.weight / whole))) for target in every]
