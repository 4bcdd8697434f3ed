"""A Slurm whose answers were recorded, to be asked like a live one."""

from collectors.commands import Printed
from collectors.slurm import questions
from collectors.slurm.source import SlurmSource

NOW = 1795206017.0


class Slurm:
    """Answers from recordings; some commands fail or take their time."""

    def __init__(self, printed, clock):
        self.printed = dict(printed)
        self.failing = {}
        self.slow = {}
        self.asked = []
        self.clock = clock

    def run(self, argv, timeout_s):
        name = next(q.name for q in questions.ALL if q.argv == tuple(argv))
        self.asked.append(name)
        self.clock.sleep(self.slow.get(name, 0.1))
        failure = self.failing.get(name)
        if isinstance(failure, Exception):
            raise failure
        if failure is not None:
            return failure
        return Printed(output=self.printed[name], duration_s=0.1, size_bytes=10)


def source_of(slurm, **settings):
    return SlurmSource(slurm.run, slurm.clock, account="root", **settings)
