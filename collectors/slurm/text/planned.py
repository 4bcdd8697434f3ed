"""The nodes planned for waiting jobs, out of `squeue -O JobID,SchedNodes`."""

from collections.abc import Mapping

from collectors.slurm.words import units
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Quarantined


def parse_planned(text: str) -> tuple[Mapping[int, str], tuple[Quarantined, ...]]:
    """Return the hostlists by Slurm's internal job number."""
    found, bad = sorted_out(Fact.JOBS, text.splitlines(), _planned)
    return {job: nodes for job, nodes in found if nodes}, bad


def _planned(line: str) -> tuple[int, str]:
    job, first, nodes = line.partition("|")
    if not (first and job.strip().isdecimal()):
        raise ValueError(f"expected a job and its nodes, not {line[:80]!r}")
    return int(job), units.said(nodes.removesuffix("|").strip())
