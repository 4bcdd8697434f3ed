"""Formulas as of the submission, judged by a snapshot as it might have been taken then."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from predictor.domain import NodeShare, PendingJob, RunningJob, RunState
from predictor.priority.attributes import NAMES
from predictor.priority.formula import compile_formula
from predictor.priority.order import queue_order
from predictor.priority.past import NOT_TOLD

NOW = 1_700_000_000
who = st.fixed_dictionaries(
    {"user": st.sampled_from("ab"), "account": st.sampled_from("xy"), "waited_s": st.integers(0, 9)}
)
waits = st.lists(who, min_size=1, max_size=5)
runs = st.lists(st.tuples(who, st.integers(0, 9)), max_size=5)


@given(waits=waits, runs=runs)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@pytest.mark.parametrize("name", sorted(NAMES - NOT_TOLD - {"priority"}))
def test_a_value_is_that_of_a_snapshot_taken_at_the_submission(name, waits, runs, job, snapshot):
    rule = compile_formula(name, NAMES)
    pending = [submitted(job, str(i), **one) for i, one in enumerate(waits)]
    running = [
        started(submitted(job, f"r{i}", **one), min(since_s, one["waited_s"]))
        for i, (one, since_s) in enumerate(runs)
    ]
    whole = snapshot(*pending, running=tuple(running))
    made = {e.job.spec.id: e.priority for e in queue_order(whole, rule, as_submitted=True)}
    for one in pending:
        then = as_it_was(whole, one.spec.submitted_at)
        (there,) = (e for e in queue_order(then, rule) if e.job.spec.id == one.spec.id)
        assert made[one.spec.id] == there.priority


def submitted(job, id_, waited_s, **spec):
    return job(id_, wait_s=waited_s, eligible_at=NOW - waited_s, **spec)


def started(pending, since_s):
    share = NodeShare(node="n1", cpus=2, memory_mb=0)
    return RunningJob(spec=pending.spec, started_at=NOW - since_s, allocation=(share,))


def as_it_was(whole, at):
    """Return the snapshot of an earlier instant, of the jobs that wait or run now."""
    known = [job for job in (*whole.pending, *whole.running) if job.spec.submitted_at <= at]
    began = [job for job in known if isinstance(job, RunningJob) and job.started_at <= at]
    waited = [job if isinstance(job, PendingJob) else PendingJob(spec=job.spec) for job in known]
    ids = {job.spec.id for job in began}
    waited = [job for job in waited if job.spec.id not in ids]
    return replace(whole, taken_at=at, pending=tuple(waited), running=tuple(began))


def test_who_is_completing_counts_no_more(job, snapshot):
    ending = replace(started(job("r", wait_s=9, user="u"), 8), state=RunState.COMPLETING)
    rule = compile_formula("user_queued_jobs + user_running_jobs", NAMES)
    (entry,) = queue_order(snapshot(job("1"), running=(ending,)), rule, as_submitted=True)
    assert entry.priority == 1
