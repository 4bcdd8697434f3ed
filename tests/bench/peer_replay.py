"""Replay traces with us and with sim-runner in turn, and compare processor time and results.

    python tests/bench/peer_replay.py SIM_RUNNER TRACES_DIR [--runs 5]

SIM_RUNNER is the program of that name from github.com/ErenAri/HPC-workload-optimizer, built with
its release profile. TRACES_DIR holds SDSC-SP2-1998-4.2-cln.swf, HPC2N-2002-2.2-cln.swf and
RICC-2010-2.swf of the Parallel Workloads Archive, or the same with `.gz` behind.

Both replay EASY backfilling with known run times. Columns, median user seconds of all runs: the
peer's whole process, which reads its own kind of JSON; ours, reading the uncompressed trace and
replaying, within a process; and our whole process, the start of Python included. Exits with 1 if
the mean waits differ.
"""

import argparse
import gzip
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from predictor.engine.kind import kind_of
from verification.traces.jobs import NEEDED, normalise
from verification.traces.swf import read

MACHINES = {"SDSC-SP2-1998-4.2-cln": 128, "HPC2N-2002-2.2-cln": 240, "RICC-2010-2": 8192}

OURS = """
import resource, sys
from pathlib import Path
from verification.traces.replay import Policy, Semantics, replay
begun = resource.getrusage(resource.RUSAGE_SELF).ru_utime
made = replay(Path(sys.argv[1]), Policy.EASY, Semantics.PERFECT, int(sys.argv[2]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_utime - begun, made.mean_wait_s)
"""


def main() -> int:
    """Print one line for each trace; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sim_runner", type=Path)
    parser.add_argument("traces", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    print(f"our engine: {kind_of('verification/traces').words}")
    print(f"{'':24}{'sim-runner':>12}{'ours':>12}{'our process':>12}{'mean wait':>14}")
    same = True
    with tempfile.TemporaryDirectory() as scratch:
        for trace, machine in MACHINES.items():
            plain = unpack(given.traces, trace, Path(scratch))
            same &= compare(given.sim_runner, plain, machine, given.runs)
    return 0 if same else 1


def unpack(folder: Path, trace: str, scratch: Path) -> Path:
    """Return the trace as an uncompressed file."""
    plain = folder / f"{trace}.swf"
    if plain.exists():
        return plain
    unpacked = scratch / plain.name
    with gzip.open(folder / f"{trace}.swf.gz") as source, unpacked.open("wb") as target:
        shutil.copyfileobj(source, target)
    return unpacked


def compare(sim_runner: Path, trace: Path, machine: int, runs: int) -> bool:
    """Run both in turn and print the figures; return whether the mean waits are the same."""
    our_command = [sys.executable, "-P", "-c", OURS, str(trace), str(machine)]
    with tempfile.TemporaryDirectory() as scratch:
        table = Path(scratch, "jobs.json")
        table.write_text(json.dumps(peer_jobs(trace, machine)))
        peers, our_calls, our_processes = [], [], []
        for _ in range(runs):
            spent, output = user_seconds(peer_command(sim_runner, table, machine))
            peers.append(spent)
            peer_wait = json.loads(output)["metrics"]["mean_wait_sec"]
            spent, output = user_seconds(our_command)
            our_processes.append(spent)
            call, our_wait = map(float, output.split())
            our_calls.append(call)
    figures = "".join(f"{median(column):12.3f}" for column in (peers, our_calls, our_processes))
    print(f"{trace.stem:24}{figures}{our_wait:14.2f}{'' if our_wait == peer_wait else ' DIFFERS'}")
    return bool(our_wait == peer_wait)


def peer_jobs(trace: Path, machine: int) -> list[dict[str, int]]:
    """Return the normalised jobs as sim-runner reads them."""
    jobs = normalise(read(trace, NEEDED), machine)
    names = ("job_id", "submit_ts", "runtime_actual_sec", "requested_cpus")
    rows = zip(range(1, len(jobs) + 1), jobs.submits, jobs.runs, jobs.procs, strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


def peer_command(sim_runner: Path, table: Path, machine: int) -> list[str]:
    """Return how sim-runner is called."""
    policy = ["--policy", "EASY_BACKFILL_BASELINE", "--capacity-cpus", str(machine)]
    return [str(sim_runner), "--input", str(table), *policy]


def user_seconds(command: list[str]) -> tuple[float, str]:
    """Run a command; return its user seconds and its output. Raises CalledProcessError."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done.stdout


if __name__ == "__main__":
    sys.exit(main())
