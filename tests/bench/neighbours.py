"""Measure how fast kinds of programs run beside one another on this machine's first two cores.

    python tests/bench/neighbours.py [--seconds 1] [--rounds 5]

Prints the table `speedups` of a machine file. Two cores stand for the two halves of a node: beside
its like is how a job runs that has the node to itself (speed 1), beside another kind how it runs
that shares it, beside nobody how it runs on halves with the others idle. Counted is work by second
of CPU time, in the best of the rounds, so that what else the machine does matters less; it should
do nothing else all the same.
"""

import argparse
import os
import time
from collections.abc import Callable, Mapping
from multiprocessing import Event, Process, Queue
from types import MappingProxyType
from typing import Any, Final

import numpy

LARGE: Final = 4_000_000
"""Numbers of eight bytes: more than caches hold."""
SMALL: Final = 20_000
CORES: Final = tuple(sorted(os.sched_getaffinity(0)))[:2]


def matrices() -> Callable[[], object]:
    one = numpy.random.default_rng(1).random((96, 96))
    return lambda: one @ one


def stream() -> Callable[[], object]:
    one, two = numpy.ones(LARGE), numpy.zeros(LARGE)
    return lambda: numpy.multiply(one, 3.0, out=two)


def scattered() -> Callable[[], object]:
    chance = numpy.random.default_rng(1)
    one, order = chance.random(LARGE), chance.permutation(LARGE)[: LARGE // 16]
    return lambda: one.take(order).sum()


def sorting() -> Callable[[], object]:
    one = numpy.random.default_rng(1).random(SMALL)
    return lambda: numpy.sort(one)


def interpreted() -> Callable[[], object]:
    return lambda: sum(n * n for n in range(5_000))


KINDS: Final[Mapping[str, Callable[[], Callable[[], object]]]] = MappingProxyType(
    {
        "matrices": matrices,
        "stream": stream,
        "scattered": scattered,
        "sorting": sorting,
        "interpreted": interpreted,
    }
)


def company(kind: str, ready: Any, over: Any) -> None:
    os.sched_setaffinity(0, {CORES[1]})
    step = KINDS[kind]()
    ready.set()
    while not over.is_set():
        step()


def worker(kind: str, seconds: float, found: Any) -> None:
    os.sched_setaffinity(0, {CORES[0]})
    step = KINDS[kind]()
    step()
    steps, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        step()
        steps += 1
    found.put(steps / (time.process_time() - begun))


def pace(kind: str, beside: str | None, seconds: float) -> float:
    """Return the steps a second of CPU time of one kind beside another; None: beside nobody."""
    ready, over, found = Event(), Event(), Queue()
    other = Process(target=company, args=(beside, ready, over))
    if beside is not None:
        other.start()
        ready.wait()
    one = Process(target=worker, args=(kind, seconds, found))
    one.start()
    steps: float = found.get()
    one.join()
    over.set()
    if beside is not None:
        other.join()
    return steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if len(CORES) < 2:
        raise SystemExit("needs two cores")
    pairs = [(kind, beside) for kind in KINDS for beside in (*KINDS, None)]
    best = dict.fromkeys(pairs, 0.0)
    for _ in range(options.rounds):
        for pair in pairs:
            best[pair] = max(best[pair], pace(*pair, options.seconds))
    speeds = {(kind, other): steps / best[kind, kind] for (kind, other), steps in best.items()}
    print("[speedups]")
    print(f"kinds = {list(KINDS)}".replace("'", '"'))
    rows = ([round(speeds[kind, other], 2) for other in KINDS] for kind in KINDS)
    print("beside = [", *(f"  {row}," for row in rows), "]", sep="\n")
    print(f"alone = {[round(speeds[kind, None], 2) for kind in KINDS]}")


if __name__ == "__main__":
    main()
