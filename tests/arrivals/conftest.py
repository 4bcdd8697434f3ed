"""Days of submissions, as one snapshot after the other shows them."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, cluster, waiting
from hypothesis import strategies as st
from strategies import ints, snapshots, texts, values

from predictor.domain import FinishedJob, JobSpec, PendingJob, RunningJob

MIDNIGHT = NOW - NOW % (24 * HOUR)
"""A Tuesday, 00:00 UTC."""


@pytest.fixture
def watched():
    """Let somebody learn a queue in which each job shows for an hour, looked at every ten minutes.

    `times` are the hours after midnight at which jobs come, by id.
    """

    def learn(learner, times, until_h, since_h=0, **of_snapshot):
        for minute in range(round(since_h * 60), round(until_h * 60) + 1, 10):
            now = MIDNIGHT + minute * 60
            there = [
                _record(id_, MIDNIGHT + round(at_h * HOUR))
                for id_, at_h in times.items()
                if 0 <= minute / 60 - at_h <= 1
            ]
            learner.learn(cluster(4, *there, taken_at=now, **of_snapshot))
        return learner

    return learn


def _record(job, at):
    if isinstance(job, str):
        job = waiting(job)
    return replace(job, spec=replace(job.spec, submitted_at=at))


@pytest.fixture(scope="session")
def strange_looks():
    """Snapshots a minute apart, of jobs that came of late and are strange otherwise; or any."""
    users = st.sampled_from(("ada", "bob", "\x00", "\ud800"))
    near = st.integers(NOW - 3 * HOUR, NOW + 600)
    spec = values(JobSpec, id=texts, user=users, submitted_at=near | ints)
    jobs = st.lists(
        st.one_of(values(kind, spec=spec) for kind in (PendingJob, RunningJob, FinishedJob)),
        max_size=4,
    )
    return st.lists(jobs, max_size=4).map(_looks) | st.lists(snapshots(max_jobs=2), max_size=2)


def _looks(shown):
    return [_look(NOW + 60 * number, jobs) for number, jobs in enumerate(shown)]


def _look(at, jobs):
    over = tuple(job for job in jobs if isinstance(job, FinishedJob))
    others = (job for job in jobs if not isinstance(job, FinishedJob))
    return cluster(4, *others, taken_at=at, finished=over)
