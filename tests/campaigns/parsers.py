"""Hostile inputs for everything that reads bytes from outside: no crash, no hang, bounded memory.

    PYTHONPATH=.:tests python tests/campaigns/parsers.py --cases 1000000 [--seed 1] [--only NAME]
    PYTHONPATH=.:tests python tests/campaigns/parsers.py --seconds 600 [--processes 2]
    PYTHONPATH=.:tests python tests/campaigns/parsers.py --cases 2000 --seeded-fault

Each reader runs in a process of its own. Cases and time are divided by the readers' weights: a word
is read a hundred thousand times in a second, a whole look a hundred times. Prints a line of JSON;
what became of each reader goes to standard error, and what is worth a look to files in `--keep`.
Exit status 1 if there are findings. With `--seeded-fault` there are faults in three readers, and
the status is 1 if all of them are found.
"""

import argparse
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from campaigns import kept_readers, own_readers, slurm_readers, source_readers
from campaigns.hunting import Hunt, Read, Target, divided, hunted, shown


def targets(scratch: Path) -> list[Target]:
    """Return all readers there are."""
    groups = (
        slurm_readers.answers_in_text(),
        slurm_readers.answers_in_json(),
        slurm_readers.whole_looks(),
        source_readers.words_of_slurm(),
        source_readers.answers_of_pbs(),
        source_readers.slurmrestd(),
        source_readers.configurations(scratch),
        source_readers.captures(scratch),
        own_readers.documents(scratch),
        own_readers.sites(scratch),
        own_readers.formulas(),
        own_readers.words(),
        kept_readers.models(scratch),
        kept_readers.experiments(scratch),
        own_readers.scripts(scratch),
        kept_readers.traces(scratch),
        kept_readers.recordings(scratch),
        kept_readers.what_is_kept(scratch),
        own_readers.questions(),
        own_readers.who_asks(),
        own_readers.daemons_answers(),
    )
    return [target for group in groups for target in group]


def hunts(
    chosen: Sequence[Target], *, seed: int, cases: int, seconds: float, processes: int = 1
) -> Iterator[Hunt]:
    """Yield what came of each reader; cases or seconds are those of all together."""
    whole = sum(target.weight for target in chosen)

    def one(share: tuple[Target, int]) -> Hunt:
        target, own = share
        own_s = seconds * processes * target.weight / whole
        return hunted(target, seed=seed, cases=own if cases else 0, seconds=own_s)

    if processes == 1:
        yield from map(one, divided(chosen, cases))
        return
    with ThreadPoolExecutor(processes) as pool:
        yield from pool.map(one, divided(chosen, cases))


def total(found: Iterable[Hunt]) -> dict[str, Any]:
    """Return the figures of all readers together."""
    every = list(found)
    slowest = max(every, key=lambda hunt: hunt.cpu_s)
    largest = max(every, key=lambda hunt: hunt.memory_bytes)
    return {
        "readers": len(every),
        "cases": sum(hunt.cases for hunt in every),
        "wall_s": round(sum(hunt.wall_s for hunt in every)),
        "worst_cpu_s": round(slowest.cpu_s, 3),
        "worst_cpu": f"{slowest.name}, {len(slowest.slowest)} bytes",
        "worst_memory_mib": round(largest.memory_bytes / 2**20, 1),
        "worst_memory": f"{largest.name}, {len(largest.largest)} bytes",
        "findings": sum(len(hunt.findings) for hunt in every),
    }


# -- can it find anything?


def faulty(chosen: Iterable[Target]) -> list[Target]:
    """Return three readers with a fault each: a crash, a hang, and memory that grows."""
    by_name = {target.name: target for target in chosen}
    faults = {"durations": _crash, "sprio": _burn, "hostlists": _hoard}
    return [
        replace(by_name[name], read=fault(by_name[name].read), weight=1)
        for name, fault in faults.items()
    ]


def _crash(read: Read) -> Read:
    def broken(data: bytes) -> object:
        if data.count(b":") == 3:
            raise KeyError("a key that nobody thought of")
        return read(data)

    return broken


def _burn(read: Read) -> Read:
    burnt: list[bytes] = []

    def broken(data: bytes) -> object:
        if b"NaN" in data and burnt in ([], [data], [data] * 2):  # what is slow is read again
            burnt.append(data)
            until_s = time.process_time() + 2
            while time.process_time() < until_s:
                pass
        return read(data)

    return broken


def _hoard(read: Read) -> Read:
    def broken(data: bytes) -> object:
        if data.count(b"[") > 2:
            bytearray(100 * 2**20)[:: 2**12] = bytes(100 * 2**8)
        return read(data)

    return broken


# -- the program


def keep(folder: Path, hunt: Hunt) -> None:
    """Write the inputs that did harm, and the slowest and largest, to files."""
    name = "".join(char if char.isalnum() else "-" for char in hunt.name)
    folder.mkdir(parents=True, exist_ok=True)
    named = [(f"finding-{n}", found.data) for n, found in enumerate(hunt.findings)]
    for what, data in (*named, ("slowest", hunt.slowest), ("largest", hunt.largest)):
        if data:
            (folder / f"{name}.{what}").write_bytes(data)


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    much = parser.add_mutually_exclusive_group(required=True)
    much.add_argument("--cases", type=int, default=0)
    much.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--only", default="", help="readers whose names contain this")
    parser.add_argument("--keep", type=Path, help="a folder for inputs worth a look")
    parser.add_argument("--seeded-fault", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        chosen = [one for one in targets(Path(scratch)) if given.only in one.name]
        if given.seeded_fault:
            chosen = faulty(chosen)
        done = []
        for hunt in hunts(
            chosen,
            seed=given.seed,
            cases=given.cases,
            seconds=given.seconds,
            processes=given.processes,
        ):
            done.append(hunt)
            sys.stderr.write(json.dumps(shown(hunt)) + "\n")
            for found in hunt.findings:
                digest = hashlib.sha256(found.data).hexdigest()[:8]
                told = f"  {digest} {found.what}\n    {found.data[:200]!r}\n{found.where}\n"
                sys.stderr.write(told)
            if given.keep:
                keep(given.keep, hunt)
    print(json.dumps({"seed": given.seed, **total(done)}))  # noqa: T201
    if given.seeded_fault:
        return 1 if all(hunt.findings for hunt in done) else 0
    return 1 if any(hunt.findings for hunt in done) else 0


if __name__ == "__main__":
    sys.exit(main())
