"""On how many nodes a job may be at most, by all the limits that bind it, whoever runs."""

from predictor.domain import JobSpec, Snapshot
from predictor.limits.binding import Binder
from predictor.limits.blocked import Bound
from predictor.limits.groups import NODE
from predictor.limits.tables import Sort

AT_A_TIME = {Bound.TRES, Bound.JOB_TRES}


class Widest:
    """Answers for the jobs of one snapshot's limits, each sort of them once.

    Source: Slurm 22.05, acct_policy_get_max_nodes: limits of users, accounts and groups count as
    those of each job do.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._binder = Binder(snapshot)
        self._known: dict[Sort, int | None] = {}

    def __call__(self, spec: JobSpec, partition: str) -> int | None:
        """Return on how many nodes of the partition the job may be; None: on any number."""
        sort = Sort.of(spec, partition)
        if sort not in self._known:
            rules = self._binder.bind(sort).late
            caps = (r.cap for r in rules if r.bound in AT_A_TIME and r.resource == NODE)
            self._known[sort] = min(caps, default=None)
        return self._known[sort]
