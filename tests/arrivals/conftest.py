"""Days of submissions, as one snapshot after the other shows them."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, cluster, waiting

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
