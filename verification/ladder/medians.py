"""How long jobs run, as simply as can be: the median of the same user's last jobs of its kind.

A placeholder until the predictor itself estimates run times.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from statistics import median_low

from predictor.domain import JobSpec, Snapshot
from predictor.domain.defaults import planned_s
from predictor.simulation.dependencies import single_ids
from verification.fidelity.history import History
from verification.ladder.truths import Estimates

REMEMBERED = 20
"""So many of the last jobs of a kind count."""
ENOUGH = 3
"""With fewer a less special kind is asked."""

Kind = tuple[object, ...]


class Medians:
    """The run times known so far, by kinds of jobs. A job is of several, the most special first."""

    def __init__(self) -> None:
        self._known: dict[Kind, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def learn(self, kinds: Iterable[Kind], run_s: int) -> None:
        """Note how long a job of these kinds ran that has ended after all known before."""
        for kind in kinds:
            self._known[kind].append(run_s)

    def run_s(self, kinds: Iterable[Kind], limit_s: int, elapsed_s: int = 0) -> int:
        """Return how long a job is taken to run: more than it has, at most its limit.

        Only jobs that ran longer than it has tell something; the limit if too few did.
        """
        for kind in kinds:
            longer = [one for one in self._known.get(kind, ()) if one > elapsed_s]
            if len(longer) >= ENOUGH:
                return max(1, min(median_low(longer), limit_s))
        return max(1, limit_s)


def estimates(history: History, snapshot: Snapshot, ids: Mapping[str, JobSpec]) -> Estimates:
    """Return what was to be expected at the snapshot of those in `ids` and of those who run.

    Only jobs that had ended by then are known.
    """
    now = snapshot.taken_at
    limits = {partition.name: partition for partition in snapshot.partitions}
    known = Medians()
    for spec, run_s in _ended(history, now):
        known.learn(kinds_of(spec), run_s)

    def limit_s(spec: JobSpec) -> int:
        return planned_s(spec.request, limits.get(next(iter(spec.partitions), "")))

    ends_at = {
        id_: job.started_at
        + known.run_s(kinds_of(job.spec), limit_s(job.spec), now - job.started_at)
        for job in snapshot.running
        for id_ in single_ids(job.spec)
    }
    return Estimates(
        run_s={id_: known.run_s(kinds_of(spec), limit_s(spec)) for id_, spec in ids.items()},
        ends_at={id_: at for id_, at in ends_at.items() if at > now},
    )


def _ended(history: History, now: int) -> Sequence[tuple[JobSpec, int]]:
    found = [
        (run.ended_at, id_, run.spec, run.ended_at - run.started_at)
        for id_, runs in history.runs.items()
        for run in runs
        if run.ended_at is not None and run.ended_at <= now
    ]
    found.sort(key=lambda one: one[:2])
    return [(spec, run_s) for _, _, spec, run_s in found]


def kinds_of(spec: JobSpec) -> tuple[Kind, ...]:
    """Return the kinds that a job is of, the most special first."""
    request = spec.request
    return (
        ("job", spec.user, spec.name.raw.rstrip("0123456789"), request.limit_s, request.nodes),
        ("limit", spec.user, request.limit_s),
        ("user", spec.user),
        ("partition", spec.partitions[:1], request.limit_s),
    )
