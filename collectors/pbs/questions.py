"""What we ask PBS, and how. All of it only reads."""

from collections.abc import Iterable

from collectors.commands import Printed
from collectors.slurm.questions import Question
from predictor.domain import Fact

_JSON = ("-F", "json")
JOBS = Question(name="qstat", argv=("qstat", "-t", "-f", *_JSON), fact=Fact.JOBS, vital=True)
NODES = Question(name="pbsnodes", argv=("pbsnodes", "-a", *_JSON), fact=Fact.NODES, vital=True)
RESERVATIONS = Question(name="pbs_rstat", argv=("pbs_rstat", "-F"), fact=Fact.RESERVATIONS)
QUEUES = Question(
    name="qstat_queues", argv=("qstat", "-Q", "-f", *_JSON), fact=Fact.PARTITIONS, slow=True
)
SERVER = Question(
    name="qstat_server", argv=("qstat", "-B", "-f", *_JSON), fact=Fact.SETTINGS, slow=True
)
SCHEDULER = Question(name="qmgr", argv=("qmgr", "-c", "list sched"), fact=Fact.SETTINGS, slow=True)
SCHED_CONFIG = "sched_config"
HISTORY = Question(name="qstat_history", argv=("qstat", "-x", "-t", "-f", *_JSON), fact=Fact.JOBS)
GONE = "qstat_gone"
ALWAYS = (JOBS, NODES, RESERVATIONS, QUEUES, SERVER, SCHEDULER)


def sched_config(path: str) -> Question:
    """Return the question for the scheduler's own file."""
    return Question(name=SCHED_CONFIG, argv=("cat", path), fact=Fact.SETTINGS, slow=True)


class ByIds(Question):
    """A question about some jobs, of which the server may have forgotten a few."""

    __slots__ = ()

    def refuse(self, printed: Printed) -> None:
        """Take what is told of the others."""
        if '"Jobs"' not in printed.output:
            super().refuse(printed)


def gone(ids: Iterable[str]) -> Question:
    """Return the question how these jobs ended."""
    return ByIds(name=GONE, argv=("qstat", "-x", "-f", *_JSON, *ids), fact=Fact.JOBS)


def asked(path: str | None) -> tuple[Question, ...]:
    """Return what a look asks; the scheduler's own file lies at `path`, None: nobody told."""
    more = () if path is None else (sched_config(path),)
    return (*ALWAYS, *more)


ALL = (*ALWAYS, sched_config(SCHED_CONFIG), HISTORY, gone(()))
"""What can be asked."""
