"""A Slurm whose answers were recorded, to be asked like a live one."""

from collectors.commands import Printed
from collectors.slurm import questions
from collectors.slurm.source import SlurmSource
from predictor.errors import SourceTimeout

NOW = 1795206017.0
MARKED = ",Name:<"


def name_of(argv):
    """Return the name of the question that is asked; tables of jobs have marks of their own."""
    if argv[0] == "squeue" and MARKED in argv[-1]:
        return (questions.JOBS_APART if "-j" in argv else questions.JOBS_TABLE).name
    asked = argv[:2] if tuple(argv[:2]) == questions.GROUPS.argv else argv
    known = (*questions.ALL, questions.JOBS_BEFORE)
    return next(question.name for question in known if question.argv == tuple(asked))


class Slurm:
    """Answers from recordings; some commands fail or take their time."""

    def __init__(self, printed, clock):
        self.printed = dict(printed)
        self.failing = {}
        self.slow = {}
        self.asked = []
        self.clock = clock

    def run(self, argv, timeout_s):
        name = name_of(argv)
        self.asked.append(name)
        took_s = self.slow.get(name, 0.1)
        self.clock.sleep(min(took_s, timeout_s))
        if took_s > timeout_s:
            raise SourceTimeout(f"{' '.join(argv)}: no answer within {timeout_s:g} s")
        failure = self.failing.get(name)
        if isinstance(failure, Exception):
            raise failure
        if failure is not None:
            return failure
        return Printed(output=self.printed[name], duration_s=0.1, size_bytes=10)


def source_of(slurm, **settings):
    return SlurmSource(slurm.run, slurm.clock, account="root", **settings)
