"""Assert what is known about whole traces: mean waits that others found, and their start vectors.

    python tests/bench/trace_digits.py TRACES_DIR

TRACES_DIR holds traces of the Parallel Workloads Archive under their names there, with `.swf` or
`.swf.gz` behind. Prints one line for each replay; exits with 1 if a digit differs or a trace is
missing.

The others are PYSS (github.com/dinesh121991/pyss, commit 44a2423) and sim-runner
(github.com/ErenAri/HPC-workload-optimizer, commit 02c2997), given the same normalised jobs. Where a
hash stands, the start of every single job was compared. FCFS has one right answer: AccaSim 1.1.3
has the same means as both.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

from verification.traces.jobs import NEEDED, Jobs, normalise
from verification.traces.replay import Policy, Semantics, replay_jobs
from verification.traces.swf import read

SDSC, HPC2N = "SDSC-SP2-1998-4.2-cln", "HPC2N-2002-2.2-cln"
CTC, RICC = "CTC-SP2-1996-3.1-cln", "RICC-2010-2"
MACHINES = {SDSC: 128, HPC2N: 240, CTC: 338, RICC: 8192}
FCFS, EASY, CONSERVATIVE = Policy.FCFS, Policy.EASY, Policy.CONSERVATIVE
PER_INSTANT, PER_EVENT, PERFECT = Semantics.PER_INSTANT, Semantics.PER_EVENT, Semantics.PERFECT
EVERYBODY, PYSS, SIM_RUNNER = "everybody", "PYSS", "sim-runner"
NOBODY = "nobody yet, ours"


@dataclass(frozen=True, slots=True)
class Known:
    """What one replay must give: the mean wait in seconds, and whose result that is."""

    trace: str
    policy: Policy
    semantics: Semantics
    mean_wait: str
    origin: str
    starts_sha256: str = ""
    first: int | None = None
    """Only so many jobs, those submitted first."""


SDSC_EASY = "6a4853e62c5023cd9720e4ede93f8ac4087546bf914b98dfa9dfb883f9c5a1fd"
SDSC_CONSERVATIVE = "e07250b0c3e30d69d765b2a189c612e9c64ae3920eb01523f498b86458bbaf67"
FIRST_FCFS = "af1329725fdb4ffe93ff333a96c3fac188616de194eb217628a34c6be08ee8a6"
FIRST_EASY = "fb21daa4dafe75d1184d5166b8191e0295208742e8d4a8541371a8150dec1909"
FIRST_CONSERVATIVE = "93bc449ed03de68f58dc5f9c3c36f4b8f1b401a1eca99faf5c2cd52cfdaabd49"

KNOWN = (
    Known(SDSC, FCFS, PER_INSTANT, "1551989.43", EVERYBODY),
    Known(SDSC, EASY, PER_INSTANT, "21183.67", NOBODY),
    Known(SDSC, EASY, PER_EVENT, "21226.33", PYSS, SDSC_EASY),
    Known(SDSC, EASY, PERFECT, "22886.21", SIM_RUNNER),
    Known(SDSC, CONSERVATIVE, PER_EVENT, "23459.23", PYSS, SDSC_CONSERVATIVE),
    Known(SDSC, FCFS, PER_INSTANT, "20342.62", EVERYBODY, FIRST_FCFS, 5000),
    Known(SDSC, EASY, PER_EVENT, "4089.00", PYSS, FIRST_EASY, 5000),
    Known(SDSC, CONSERVATIVE, PER_EVENT, "4311.37", PYSS, FIRST_CONSERVATIVE, 5000),
    Known(HPC2N, FCFS, PER_INSTANT, "16189.15", EVERYBODY),
    Known(HPC2N, EASY, PER_INSTANT, "10800.03", NOBODY),
    Known(HPC2N, EASY, PER_EVENT, "10806.18", PYSS),
    Known(HPC2N, EASY, PERFECT, "11192.71", SIM_RUNNER),
    Known(CTC, EASY, PER_INSTANT, "14990.20", NOBODY),
    Known(CTC, EASY, PER_EVENT, "14564.67", PYSS),
    Known(RICC, FCFS, PER_INSTANT, "321771.70", SIM_RUNNER),
    Known(RICC, EASY, PERFECT, "49895.65", SIM_RUNNER),
)


def main(folder: Path) -> int:
    """Replay all that is known; return the exit code."""
    wrong = 0
    for trace, machine in MACHINES.items():
        file = find(folder, trace)
        if file is None:
            print(f"{trace}: not in {folder}")
            wrong += 1
            continue
        jobs = normalise(read(file, NEEDED), machine)
        wrong += sum(not holds(known, jobs) for known in KNOWN if known.trace == trace)
    return 1 if wrong else 0


def find(folder: Path, trace: str) -> Path | None:
    """Return the file of a trace; None if there is none."""
    files = (folder / f"{trace}{suffix}" for suffix in (".swf", ".swf.gz"))
    return next((file for file in files if file.exists()), None)


def holds(known: Known, jobs: Jobs) -> bool:
    """Return whether a replay gives what is known, and print that."""
    made = replay_jobs(jobs.first(known.first or len(jobs)), known.policy, known.semantics)
    mean_wait = f"{made.mean_wait_s:.2f}"
    right = mean_wait == known.mean_wait and known.starts_sha256 in ("", made.starts_sha256)
    verdict = "right" if right else f"WRONG, expected {known.mean_wait}"
    what = f"{known.trace} {known.policy.value} {known.semantics.value} {made.jobs} jobs"
    print(f"{what}: mean wait {mean_wait} s as {known.origin}, {verdict}")
    print(f"    starts {made.starts_sha256}")
    return right


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
