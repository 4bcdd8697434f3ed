"""How long jobs were to be expected to run, by what a service would have learned until then."""

from collections.abc import Iterator, Mapping

from predictor.domain import JobSpec, Outcome, Snapshot
from predictor.domain.defaults import longest_s
from predictor.runtimes.ended import Ended
from predictor.runtimes.models import DEFAULT, MODELS
from predictor.simulation.dependencies import single_ids
from verification.fidelity.history import History
from verification.ladder.truths import Estimates

MIDDLE = 0.5


def estimates(history: History, snapshot: Snapshot, ids: Mapping[str, JobSpec]) -> Estimates:
    """Return what was to be expected at the snapshot of those in `ids` and of those who run.

    Only jobs that had ended by then are known.
    """
    now = snapshot.taken_at
    partitions = {partition.name: partition for partition in snapshot.partitions}
    model = MODELS[DEFAULT]()

    def limit_s(spec: JobSpec) -> int:
        return longest_s(spec.request, partitions.get(spec.first_partition))

    def run_s(spec: JobSpec, elapsed_s: int = 0) -> int:
        return model.estimate(spec, limit_s(spec), elapsed_s).law.quantile(MIDDLE)

    model.learn(
        Ended(spec=spec, run_s=ran_s, limit_s=limit_s(spec), ended_at=at, outcome=outcome)
        for at, _, spec, ran_s, outcome in sorted(_ended(history, now), key=lambda one: one[:2])
    )
    return Estimates(
        run_s={id_: run_s(spec) for id_, spec in ids.items()},
        ends_at={
            id_: job.started_at + run_s(job.spec, max(0, now - job.started_at))
            for job in snapshot.running
            for id_ in single_ids(job.spec)
        },
    )


def _ended(history: History, now: int) -> Iterator[tuple[int, str, JobSpec, int, Outcome]]:
    for id_, runs in history.runs.items():
        for run in runs:
            if run.ended_at is not None and run.ended_at <= now:
                ran_s = run.ended_at - run.started_at
                yield run.ended_at, id_, run.spec, ran_s, run.outcome or Outcome.OTHER
