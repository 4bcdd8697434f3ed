"""Replay traces with us and with peers written in Python in turn: processor time, memory, waits.

    python tests/bench/python_peers.py TRACES_DIR [--accasim PYTHON] [--elise PYTHON FOLDER]
                                       [--only TRACE:POLICY ...] [--elise-jobs 1000 3000 5000]
                                       [--patience 1800]

PYTHON is an interpreter with accasim 1.1.3 (its needs end at Python 3.9), or with what ELiSE needs
(procset, plotly, psutil, pyyaml, pymongo, pandas, numpy); FOLDER is a checkout of ELiSE,
github.com/nikosT/elise, of whose quadratic loop only the first jobs of each trace are asked.
TRACES_DIR holds SDSC-SP2-1998-4.2-cln.swf.gz, HPC2N-2002-2.2-cln.swf.gz and RICC-2010-2.swf.gz of
the Parallel Workloads Archive. All replay the same normalised jobs from the same file. Rows: who,
user seconds and peak memory of the whole process, mean wait, and how many times each of our first
two that is:

    pool    our compiled replay on a pool of processors (`queuecast bench swf`)
    nodes   our experiments, which place jobs on nodes (what `queuecast experiment` runs)
    command the command itself, its larger process

`reject` refuses every job: what reading and asking a dispatcher cost. A peer that takes longer than
`--patience` seconds of the clock is stopped, and told of by what it had taken so far. First it is
told what the interpreters take that do nothing. Exits with 1 if mean waits under FCFS differ.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from calendar import timegm
from collections.abc import Iterator
from pathlib import Path
from time import strptime
from typing import NamedTuple

from verification.traces.jobs import NEEDED, normalise
from verification.traces.swf import read

MACHINES = {
    "SDSC-SP2-1998-4.2-cln": (128, 1),
    "HPC2N-2002-2.2-cln": (120, 2),
    "RICC-2010-2": (1024, 8),
}
RUNS = (
    ("HPC2N-2002-2.2-cln", "reject"),
    ("RICC-2010-2", "reject"),
    ("HPC2N-2002-2.2-cln", "fcfs"),
    ("HPC2N-2002-2.2-cln", "easy"),
    ("SDSC-SP2-1998-4.2-cln", "fcfs"),
    ("SDSC-SP2-1998-4.2-cln", "easy"),
    ("HPC2N-2002-2.2-cln", "conservative"),
    ("SDSC-SP2-1998-4.2-cln", "conservative"),
)

POOL = """
import sys
from pathlib import Path
from verification.traces.replay import Policy, Semantics, replay
trace, nodes, cores, policy = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
print(replay(trace, Policy(policy), Semantics.PER_INSTANT, nodes * cores).mean_wait_s)
"""

NODES = """
import sys
from pathlib import Path
from time import process_time_ns
from verification.experiments.cell import Cell, experiment
from verification.experiments.machine import alike
machine = alike(int(sys.argv[2]), int(sys.argv[3]))
policy = {"reject": "rejecting"}.get(sys.argv[4], sys.argv[4])
made = experiment(Cell(trace=Path(sys.argv[1]), scheduler=policy, machine=machine), process_time_ns)
print(made["figures"]["mean_wait_s"])
"""

ACCASIM = """
import json, sys
from pathlib import Path
from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut, JobVerification
from accasim.base.simulator_class import Simulator
trace, nodes, cores, policy, folder = *sys.argv[1:5], Path(sys.argv[5])
system = folder / "system.json"
# A resource for memory makes its EASY divide by zero.
system.write_text(json.dumps({
    "system_name": "same", "start_time": 0, "equivalence": {"processor": {"core": 1}},
    "groups": {"all": {"core": int(cores)}}, "resources": {"all": int(nodes)},
}))
if policy == "reject":
    dispatcher = FirstInFirstOut(FirstFit(), job_check=JobVerification.REJECT)
else:
    dispatcher = {"fcfs": FirstInFirstOut, "easy": EASYBackfilling}[policy](FirstFit())
Simulator(
    trace, str(system), dispatcher, RESULTS_FOLDER_NAME=str(folder), LOG_LEVEL="INFO",
    pprint_output=False, scheduling_output=policy != "reject", benchmark_output=False,
    system_status=False, show_statistics=False,
).start_simulation(generate_plot=False)
"""

ELISE = """
import logging, os, sys
trace, nodes, _, policy, folder = sys.argv[1:6]
os.chdir(sys.argv[6] + "/framework")
sys.path[:0] = [os.getcwd(), sys.argv[6]]
from realsim.cluster.cluster import Cluster
from realsim.compengine import ComputeEngine
from realsim.database import Database
from realsim.generators.swf import SWFGenerator
from realsim.logger.logger import Logger
from realsim.scheduler.schedulers.easy import EASYScheduler
from realsim.scheduler.schedulers.fifo import FIFOScheduler
jobs = SWFGenerator().generate_jobs_set(trace)
for job in jobs:
    # It wants an even number of cores a node: two stand for a processor.
    job.job_name, job.num_of_processes = "x", 2 * job.num_of_processes
database, cluster = Database(jobs, {}), Cluster(int(nodes), (2,))
class Loads:
    def __getitem__(self, name):
        return self
    def get_med_speedup(self, co_load):
        return None
Loads.loads = Loads()
database.lm = Loads
scheduler = {"fcfs": FIFOScheduler, "easy": EASYScheduler}[policy]()
logger = Logger(debug=False)
engine = ComputeEngine(database, cluster, scheduler, logger)
engine.debug_logger = logging.getLogger("quiet")
engine.debug_logger.setLevel(logging.CRITICAL)
engine.setup_preloaded_jobs()
for part in (cluster, scheduler, logger):
    part.setup()
while database.preloaded_queue or cluster.waiting_queue or cluster.execution_list:
    engine.sim_step()
with open(folder + "/starts", "w") as starts:
    for name, event in logger.job_events.items():
        print(int(str(name).split(":")[0]) + 1, int(event["start time"]), file=starts)
"""


COMMAND = "from verification.cli.experiment import experiment; experiment()"

PEAK = """
with open("/proc/self/status") as status:
    print("peak", next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""
"""Ends each of these programs: what its process had at most, in KiB, not what its parent had."""


class Run(NamedTuple):
    """What one process cost, and the mean wait that came of it; None: it does not tell."""

    user_s: float
    peak_mib: float
    mean_wait_s: float | None
    stopped: bool = False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("traces", type=Path)
    parser.add_argument("--accasim", metavar="PYTHON")
    parser.add_argument("--elise", nargs=2, metavar=("PYTHON", "FOLDER"))
    parser.add_argument("--elise-jobs", type=int, nargs="+", default=[1000])
    parser.add_argument("--patience", type=float, metavar="SECONDS")
    parser.add_argument("--only", nargs="*", metavar="TRACE:POLICY")
    given = parser.parse_args()
    chosen = [run for run in RUNS if not given.only or ":".join(run) in given.only]
    same = True
    for name, python in (("ours", sys.executable), ("AccaSim's", given.accasim)):
        if python:
            print(f"bare interpreter, {name}: {run([python, '-c', PEAK]).peak_mib:.1f} MiB")
    with tempfile.TemporaryDirectory() as scratch:
        for trace, policy in chosen:
            same &= compared(trace, policy, given, Path(scratch))
    return 0 if same else 1


def compared(trace: str, policy: str, given: argparse.Namespace, scratch: Path) -> bool:
    """Print the rows of one trace and policy; return whether those agree that should."""
    whole = normalised(given.traces / f"{trace}.swf.gz", MACHINES[trace], scratch, None)
    places = [str(number) for number in MACHINES[trace]]
    us = [sys.executable, "-P", "-c"]
    print(f"{trace} {policy}", flush=True)
    rows = {"nodes": run([*us, NODES + PEAK, str(whole), *places, policy])}
    if policy == "reject":
        size = ("--nodes", places[0], "--cores", places[1], "--jobs", "1")
        asked = (str(whole), *size, "--schedulers", "rejecting")
        rows["command"] = run([*us, COMMAND, *asked])._replace(mean_wait_s=None)
    if policy != "reject":
        rows = {"pool": run([*us, POOL + PEAK, str(whole), *places, policy])} | rows
    if given.accasim and policy != "conservative":
        folder = fresh(scratch, "accasim")
        command = [given.accasim, "-c", ACCASIM + PEAK, str(whole), *places, policy, str(folder)]
        spent = run(command, given.patience)
        wait = None if spent.stopped else accasim_wait(folder, whole)
        rows["AccaSim"] = spent._replace(mean_wait_s=wait)
    tell(rows)
    if given.elise and MACHINES[trace][1] == 1 and policy in ("fcfs", "easy"):
        for many in given.elise_jobs:
            beside_elise(trace, policy, many, given, scratch)
    waits = {round(one.mean_wait_s, 2) for one in rows.values() if one.mean_wait_s is not None}
    return policy != "fcfs" or len(waits) == 1


def beside_elise(
    trace: str, policy: str, many: int, given: argparse.Namespace, scratch: Path
) -> None:
    """Print the rows of the first jobs of a trace."""
    first = normalised(given.traces / f"{trace}.swf.gz", MACHINES[trace], scratch, many)
    places = [str(number) for number in MACHINES[trace]]
    us = [sys.executable, "-P", "-c"]
    rows = {"pool": run([*us, POOL + PEAK, str(first), *places, policy])}
    rows["nodes"] = run([*us, NODES + PEAK, str(first), *places, policy])
    folder, (python, checkout) = fresh(scratch, "elise"), given.elise
    arguments = [str(first), *places, policy, str(folder), str(Path(checkout).resolve())]
    spent = run([python, "-c", ELISE + PEAK, *arguments], given.patience)
    wait = None if spent.stopped else elise_wait(folder, first)
    rows["ELiSE"] = spent._replace(mean_wait_s=wait)
    print(f"{trace} {policy}, first {many}")
    tell(rows)


def tell(rows: dict[str, Run]) -> None:
    ours = [rows[name] for name in ("pool", "nodes") if name in rows]
    for name, one in rows.items():
        wait = "" if one.mean_wait_s is None else f"{one.mean_wait_s:,.2f}"
        times = "".join(f" {one.user_s / base.user_s:7.1f} x" for base in ours)
        print(
            f"  {name:8} {one.user_s:9.2f} s {one.peak_mib:7.1f} MiB {wait:>14}{times}"
            + (" when it was stopped" if one.stopped else ""),
            flush=True,
        )


def normalised(path: Path, machine: tuple[int, int], scratch: Path, many: int | None) -> Path:
    """Write the jobs that all of us replay, limits no shorter than run times."""
    plain = scratch / f"{path.name}.{many or 'all'}.swf"
    if plain.exists():
        return plain
    jobs = normalise(read(unpacked(path, scratch), NEEDED), machine[0] * machine[1])
    rows = list(zip(jobs.submits, jobs.runs, jobs.procs, jobs.limits, strict=True))[:many]
    with plain.open("w") as file:
        for number, (submit, last, procs, limit) in enumerate(rows, 1):
            known = (number, submit, -1, last, procs, -1, -1, procs, limit, -1, 1, 1, 1, 1, 1, 1)
            print(*known, -1, -1, file=file)
    return plain


def unpacked(path: Path, scratch: Path) -> Path:
    target = scratch / path.name.removesuffix(".gz")
    if not target.exists():
        with gzip.open(path) as source:
            target.write_bytes(source.read())
    return target


def fresh(scratch: Path, name: str) -> Path:
    return Path(tempfile.mkdtemp(prefix=name, dir=scratch))


def run(command: list[str], patience_s: float | None = None) -> Run:
    """Run a process of its own, for no longer than that by the clock.

    What it prints last is the mean wait, if it is a number, and what `PEAK` has it say.
    """
    measure = (
        "import json, resource, subprocess, sys\n"
        "wait = float(sys.argv[1]) or None\n"
        "try:\n"
        "    said = subprocess.run(sys.argv[2:], check=True, stdout=subprocess.PIPE, text=True,"
        " stderr=subprocess.DEVNULL, timeout=wait).stdout[-80:]\n"
        "except subprocess.TimeoutExpired:\n"
        "    said = None\n"
        "spent = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps([spent.ru_utime, spent.ru_maxrss / 1024, said]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", measure, str(patience_s or 0), *command],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    user_s, peak_mib, text = json.loads(done.stdout)
    said = (text or "").split()
    if said[-2:-1] == ["peak"]:
        peak_mib = int(said.pop()) / 1024
        said.pop()
    last = said[-1] if said else ""
    wait = float(last) if last.replace(".", "", 1).isdigit() else None
    return Run(user_s, peak_mib, wait, stopped=text is None)


def submits(trace: Path) -> dict[int, int]:
    rows = (line.split() for line in trace.read_text().splitlines())
    return {int(row[0]): int(row[1]) for row in rows}


def mean_wait(starts: Iterator[tuple[int, int]], trace: Path) -> float | None:
    known = submits(trace)
    waits = [start - known[job] for job, start in starts]
    return sum(waits) / len(waits) if waits else None


def elise_wait(folder: Path, trace: Path) -> float | None:
    rows = (line.split() for line in (folder / "starts").read_text().splitlines())
    return mean_wait(((int(job), int(start)) for job, start in rows), trace)


def accasim_wait(folder: Path, trace: Path) -> float | None:
    return mean_wait(accasim_starts(folder), trace)


def accasim_starts(folder: Path) -> Iterator[tuple[int, int]]:
    """Yield job and start of its plan: `job;…__…__start;…`, as a date."""
    for plan in folder.glob("sched-*"):
        for line in plan.read_text().splitlines():
            parts = line.split("__")
            if len(parts) == 3:
                began = strptime(parts[2].split(";")[0], "%Y-%m-%d %H:%M:%S")
                yield int(line.split(";", 1)[0]), timegm(began)


if __name__ == "__main__":
    sys.exit(main())
