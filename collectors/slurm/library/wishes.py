"""What jobs ask of generic resources that pyslurm does not tell, out of squeue."""

from collections.abc import Mapping

from collectors.slurm.words import units
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Quarantined

KEYS = ("tres_per_job", "tres_per_socket", "tres_per_task")
"""In the words of Slurm's JSON, as the columns after the job's number."""

Wishes = Mapping[int, Mapping[str, str]]
"""By the job's number."""


def parse_gres(text: str) -> tuple[Wishes, tuple[Quarantined, ...]]:
    """Return what each job asks for; jobs that ask for nothing are left out.

    Raises SourceFormatError.
    """
    found, bad = sorted_out(Fact.JOBS, text.splitlines(), _wish)
    return {number: wish for number, wish in found if wish}, bad


def _wish(line: str) -> tuple[int, dict[str, str]]:
    number, *words, end = line.split("|")
    if end or len(words) != len(KEYS):
        raise ValueError(f"expected {1 + len(KEYS)} columns, got {line[:80]!r}")
    pairs = zip(KEYS, map(str.strip, words), strict=True)
    return int(number), {key: word for key, word in pairs if units.said(word)}
