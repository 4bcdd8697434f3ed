"""The table of jobs that `squeue -O` prints, in a form that no name and no comment can forge.

What users write freely, the name and the comment, stands between marks made anew for each call:
whoever submitted a job earlier cannot know them. All other fields are words of Slurm's and of
administrators' choice, and `BAR` stands behind each.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from predictor.errors import SourceFormatError

BAR = "~"
PLAIN = (
    "JobID",
    "JobArrayID",
    "ArrayJobID",
    "Cluster",
    "UserID",
    "UserName",
    "GroupName",
    "Account",
    "QOS",
    "Partition",
    "Reservation",
    "State",
    "Reason",
    "SubmitTime",
    "EligibleTime",
    "AccrueTime",
    "StartTime",
    "EndTime",
    "LastSchedEval",
    "TimeUsed",
    "TimeLimit",
    "MinTime",
    "Nice",
    "PriorityLong",
    "Dependency",
    "Requeue",
    "RestartCnt",
    "exit_code",
    "NumNodes",
    "MaxNodes",
    "NumCPUs",
    "NumTasks",
    "cpus-per-task",
    "MinCPUs",
    "MinMemory",
    "NTPerNode",
    "Sockets",
    "tres-per-job",
    "tres-per-node",
    "tres-per-socket",
    "tres-per-task",
    "tres-alloc",
    "Licenses",
    "Feature",
    "ReqNodes",
    "Contiguous",
    "OverSubscribe",
    "ReqSwitch",
    "Wait4Switch",
    "NodeList",
    "SchedNodes",
)
"""What no user writes freely, by squeue's names for it; the versions from 22.05 on know all."""
FREE = ("Name", "Comment")

Row = Mapping[str, str]
"""Fields by squeue's names."""

_HEADING = re.compile(rf"JOBID{BAR}[^\n]*?(?P<mark><[0-9a-f]+>)NAME(?P=mark)COMMENT(?P=mark)")


def command(token: str, only: Iterable[int] = ()) -> tuple[str, ...]:
    """Return the command; `token` is a number in hexadecimal that nobody could foresee.

    With `only` it asks for array tasks of these numbers, each in a row of its own.
    """
    mark = f"<{token}>"
    bars = [BAR] * (len(PLAIN) - 1) + [mark] * (1 + len(FREE))
    wanted = (f"{name}:{bar}" for name, bar in zip(PLAIN + FREE, bars, strict=True))
    # Named twice, for of a single job that is gone meanwhile squeue would say it is an error.
    numbers = ",".join(str(number) for number in only for _ in range(2))
    single = ("-r", "-j", numbers) if numbers else ()
    return ("squeue", "-a", "-t", "all", *single, "--noconvert", "-O", ",".join(wanted))


def rows_of(text: str) -> list[str | Row]:
    """Return the rows; one that has not as many fields as asked for stays text.

    The heading comes before anything that a user wrote, and tells the mark. Raises
    SourceFormatError if there is none, or if the table is cut off.
    """
    heading = _HEADING.match(text)
    if heading is None:
        raise SourceFormatError(f"squeue: no heading as asked for in {text[:80]!r}")
    pieces = text[heading.end() :].split(heading["mark"])
    if pieces.pop() != "\n" or len(pieces) % (1 + len(FREE)):
        raise SourceFormatError("squeue: the table is cut off")
    return [
        _row(pieces[at], pieces[at + 1 : at + 1 + len(FREE)])
        for at in range(0, len(pieces), 1 + len(FREE))
    ]


def _row(plain: str, free: list[str]) -> str | Row:
    words = plain.removeprefix("\n").split(BAR)
    if len(words) != len(PLAIN):
        return plain.strip()
    return dict(zip(PLAIN + FREE, words + free, strict=True))


Chance = Callable[[], str]
"""Gives a token for the next call."""
