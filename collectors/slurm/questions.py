"""What we ask Slurm, and how. All of it only reads."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from collectors.commands import Printed
from collectors.slurm.objects.fields import decoded
from collectors.slurm.text import jobtable
from predictor.domain import Fact
from predictor.errors import SourceError

ANY_MARK = "0000"
"""Of a question that is to be asked with another one each time."""
LONGEST_WORD = 40
"""So much of each word of a command is shown."""

_REPORTED = re.compile(r'"errors"\s*:\s*\[\s*[^\]\s]')


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question whose answer holds facts."""

    name: str
    """As recorded captures call it."""
    argv: tuple[str, ...]
    """The command; for what is no command, the same as one would say it."""
    fact: Fact
    """The kind of fact that is missing without it."""
    slow: bool = False
    """Its answer changes so seldom that an older one may stand in for it."""
    always: bool = False
    """It is asked in each look though `slow`: only where it fails an older answer stands in."""
    vital: bool = False
    """Without its answer there is no snapshot, and nothing else is asked."""

    @property
    def command(self) -> str:
        """Return the command as one would type it, long words cut short."""
        return " ".join(
            word if len(word) <= LONGEST_WORD else f"{word[:LONGEST_WORD]}…" for word in self.argv
        )

    def refuse(self, printed: Printed) -> None:
        """Raise SourceError if the answer is a failure, be it with exit code 0."""
        if printed.exit_code:
            lines = printed.complaint.strip().splitlines()
            # Before it says that munge cannot be reached it says what to do if it can.
            told = [line for line in lines if "If munged is up" not in line]
            said = told or lines or [f"exit code {printed.exit_code}"]
            raise SourceError(f"{self.command}: {said[0][:200]}")
        if self._is_json and reports_errors(printed.output):
            decoded(printed.output, self.command)

    @property
    def _is_json(self) -> bool:
        return self.argv[0] == "GET" or any(word.startswith("--json") for word in self.argv)


def reports_errors(text: str) -> bool:
    """Return whether an answer in JSON seems to report errors, without decoding all of it."""
    return _REPORTED.search(text) is not None


JOBS = Question(
    name="squeue_json",
    argv=("squeue", "-a", "-t", "all", "--json"),
    fact=Fact.JOBS,
    vital=True,
)
JOBS_BEFORE = replace(JOBS, argv=(*JOBS.argv[:-1], "--json=v0.0.44"))
"""The same as the version before the newest tells it, which tells who shares nodes."""
JOBS_TABLE = Question(
    name="squeue_table", argv=jobtable.command(ANY_MARK), fact=Fact.JOBS, vital=True
)
JOBS_DETAILS = Question(
    name="jobs_details", argv=("scontrol", "-d", "-o", "show", "job"), fact=Fact.JOBS
)
NODES = Question(name="sinfo_json", argv=("sinfo", "--json"), fact=Fact.NODES)
RESERVATIONS = Question(
    name="reservations", argv=("scontrol", "-o", "show", "reservation"), fact=Fact.RESERVATIONS
)
PRIORITIES = Question(name="sprio", argv=("sprio", "-l"), fact=Fact.PRIORITIES)
SHARES = Question(name="sshare", argv=("sshare", "-a", "-l", "-P"), fact=Fact.FAIRSHARE)
DIAGNOSIS = Question(name="sdiag", argv=("sdiag",), fact=Fact.HEALTH)

CONFIG = Question(name="config", argv=("scontrol", "show", "config"), fact=Fact.SETTINGS, slow=True)
NODES_TEXT = Question(
    name="nodes_text", argv=("scontrol", "-o", "show", "nodes"), fact=Fact.NODES, slow=True
)
PARTITIONS = Question(
    name="partitions",
    argv=("scontrol", "-o", "show", "partition"),
    fact=Fact.PARTITIONS,
    slow=True,
    always=True,
)
GROUPS = Question(name="groups", argv=("getent", "group"), fact=Fact.PARTITIONS, slow=True)
"""To be asked with the names of those it is about."""
QOS = Question(name="qos", argv=("sacctmgr", "-P", "show", "qos"), fact=Fact.QOS, slow=True)
ASSOCIATIONS = Question(
    name="assoc", argv=("sacctmgr", "-P", "show", "assoc"), fact=Fact.ASSOCIATIONS, slow=True
)
USAGE = Question(
    name="assoc_mgr", argv=("scontrol", "-o", "show", "assoc_mgr"), fact=Fact.USAGE, slow=True
)
LICENSES = Question(
    name="licenses", argv=("scontrol", "-o", "show", "licenses"), fact=Fact.LICENSES, slow=True
)
TOPOLOGY = Question(
    name="topology", argv=("scontrol", "show", "topology"), fact=Fact.TOPOLOGY, slow=True
)
SWITCHES = Question(
    name="switches",
    argv=("squeue", "-aht", "PD", "-O", "JobID:20,ReqSwitch:12,Wait4Switch:20"),
    fact=Fact.TOPOLOGY,
)
JOBS_APART = Question(
    name="squeue_apart", argv=jobtable.command(ANY_MARK, only=(0,)), fact=Fact.JOBS
)
"""To be asked with the numbers of those it is about."""
ALL = (
    JOBS,
    JOBS_TABLE,
    JOBS_DETAILS,
    JOBS_APART,
    CONFIG,
    NODES,
    RESERVATIONS,
    PRIORITIES,
    SHARES,
    DIAGNOSIS,
    NODES_TEXT,
    PARTITIONS,
    GROUPS,
    QOS,
    ASSOCIATIONS,
    USAGE,
    LICENSES,
    TOPOLOGY,
    SWITCHES,
)
"""What can be asked; no way of looking asks all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the commands printed, by the name of the question, and why others failed."""

    printed: Mapping[str, str]
    failed: Mapping[str, str] = field(default_factory=dict)
