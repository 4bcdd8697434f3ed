"""What we ask PBS, and how. All of it only reads."""

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
ALWAYS = (JOBS, NODES, RESERVATIONS, QUEUES, SERVER, SCHEDULER)


def sched_config(path: str) -> Question:
    """Return the question for the scheduler's own file."""
    return Question(name=SCHED_CONFIG, argv=("cat", path), fact=Fact.SETTINGS, slow=True)


def asked(path: str | None) -> tuple[Question, ...]:
    """Return what a look asks; the scheduler's own file lies at `path`, None: nobody told."""
    more = () if path is None else (sched_config(path),)
    return (*ALWAYS, *more)


ALL = (*ALWAYS, sched_config(SCHED_CONFIG), HISTORY)
"""What can be asked."""
