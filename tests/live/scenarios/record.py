"""Play scenarios on a real Slurm and write down what it did, for the comparison with the replica.

    PYTHONPATH=tests python -m live.scenarios.record [NAME ...] [--at-once 3] [--into DIR] [--log]

As root, with Debian's Slurm, slurmdbd and MariaDB. Without names: all of the catalogue; `lot-17` is
one drawn by lot, by that number (lots.py, broad.py). Writes a capture into a folder of its name, in
tests/recorded/scenarios or DIR; an older one is replaced. With --log: also what the controller says
of its passes.
"""

import argparse
import gzip
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
import zstandard
from live.accounts import PROGRAMS, start_accounting
from live.cluster import Slurm, missing, running
from live.scenarios.catalogue import SCENARIOS, named
from live.scenarios.judging import RECORDED
from live.scenarios.passes import LOG
from live.scenarios.playing import Notebook, outcomes, play
from live.scenarios.scenario import Scenario

from collectors.capture import OUTCOMES, RUNS

PRIORITY = -10
"""Of all the daemons: what else this machine does should not make them late."""
LOGGED = ("SlurmctldDebug=debug", "DebugFlags=Backfill", "LogTimeFormat=iso8601_ms")
"""What makes the controller log its passes."""
PACKING = zstandard.ZstdCompressionParameters.from_level(
    19, enable_ldm=True, window_log=25, write_checksum=True
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--at-once", type=int, default=3, help="so many clusters at a time")
    parser.add_argument("--into", type=Path, default=RECORDED)
    parser.add_argument("--log", action="store_true", help="also the controller's log")
    options = parser.parse_args()
    if lack := missing(*PROGRAMS):
        raise SystemExit(lack)
    names = options.names or list(SCENARIOS)
    if unknown := [name for name in names if named(name) is None]:
        raise SystemExit(f"no such scenario: {', '.join(sorted(unknown))}")
    if len(names) == 1 and (scenario := named(names[0])):
        record(logging(scenario) if options.log else scenario, options.into)
        return
    more = ("--into", str(options.into), *(["--log"] if options.log else []))
    with ThreadPoolExecutor(options.at_once) as players:
        codes = players.map(partial(in_a_process, more=more), names)
        failed = [name for name, code in zip(names, codes, strict=True) if code]
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


def logging(scenario: Scenario) -> Scenario:
    """Return the same, but for a controller that logs what its passes find."""
    settings = (*scenario.layout.settings, *LOGGED)
    return replace(scenario, layout=replace(scenario.layout, settings=settings))


def in_a_process(name: str, more: Sequence[str]) -> int:
    """Record a scenario in a process of its own, with more options; returns the exit code."""
    command = (sys.executable, "-m", "live.scenarios.record", name, *more)
    return subprocess.run(command, check=False).returncode


def record(scenario: Scenario, into: Path) -> None:
    """Play a scenario and write the capture into a folder of its name."""
    begun = time.monotonic()
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, PRIORITY)
    accounting = partial(start_accounting, told=scenario.accounting)
    with running(scenario.layout, accounting) as slurm:
        notes = play(scenario, slurm)
        write(into / scenario.name, scenario, slurm, notes, outcomes(slurm))
    click.echo(f"{scenario.name}: {time.monotonic() - begun:.0f} s")


def write(folder: Path, scenario: Scenario, slurm: Slurm, notes: Notebook, accounting: str) -> None:
    """Write the capture: what Slurm answered, the truth, and how it came about."""
    folder.mkdir(parents=True, exist_ok=True)
    anonymous = [{**run, "out": without_traces(str(run["out"]), slurm)} for run in notes.runs]
    lines = "".join(json.dumps(run) + "\n" for run in compacted(anonymous))
    packer = zstandard.ZstdCompressor(compression_params=PACKING)
    (folder / RUNS).write_bytes(packer.compress(lines.encode()))
    (folder / OUTCOMES).write_bytes(gzip.compress(accounting.encode(), mtime=0))
    about = {
        "scenario": scenario.name,
        "shows": scenario.shows,
        "slurm": slurm.run("sinfo", "--version").strip(),
        "settings": slurm.layout.settings,
        "done": notes.done,
        "load_average": {"mean": round(sum(notes.loads) / len(notes.loads), 2),
                         "most": max(notes.loads)},
    }  # fmt: skip
    if set(LOGGED) <= set(slurm.layout.settings):
        shutil.copyfile(slurm.root / "log" / LOG, folder / LOG)
    (folder / "about.json").write_text(json.dumps(about, indent=1) + "\n")


def without_traces(text: str, slurm: Slurm) -> str:
    """Return an answer without the names of a folder and a machine that are gone tomorrow."""
    return text.replace(str(slurm.root), "/slurm").replace(platform.release(), "6.1")


def compacted(runs: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Return the runs, JSON without the blanks between its words."""
    return [
        {**run, "out": json.dumps(json.loads(str(run["out"])), separators=(",", ":"))}
        if str(run["cmd"]).endswith("_json") and run["rc"] == 0
        else run
        for run in runs
    ]


if __name__ == "__main__":
    main()
