"""What a real accounting database tells of jobs that nobody looked at."""

import time
from dataclasses import replace
from functools import partial

import pytest
from live.accounts import PROGRAMS, start_accounting
from live.asking import asked
from live.cluster import running, wait_until
from live.needs import needs

from collectors.slurm.past import ended_within, with_past
from collectors.slurm.source import SlurmSource
from predictor.clock import SystemClock
from predictor.domain import Outcome
from predictor.experience import Experience
from predictor.site import default

pytestmark = pytest.mark.live


def test_who_has_ended_is_told_of_by_accounting_and_learned_from():
    needs(*PROGRAMS)
    with running(accounting=partial(start_accounting, told=())) as slurm:
        job = slurm.submit("-t", "7", "-p", "cores", "-n", "1", seconds=2)
        question = ended_within(3600)
        ask = partial(asked, slurm)
        wait_until(lambda: "COMPLETED" in ask(question.argv, 10).output, "a job that has ended")
        printed = ask(question.argv, 10)
        source = SlurmSource(ask, SystemClock(), account="root", past_s=3600)
        seen = source.observe()
        assert [call.name for call in seen.calls if call.name == "sacct" and call.ok]
        told = with_past(replace(seen.snapshot, finished=()), printed.output)
    (over,) = (one for one in told.finished if one.spec.id == job)
    assert over.outcome is Outcome.COMPLETED
    assert over.spec.request.limit_s == 7 * 60
    assert 1 <= over.ended_at - over.started_at <= 60
    assert abs(over.ended_at - time.time()) < 120
    experience = Experience.of(default())
    experience.learn(told)
    assert "no job like it" not in experience.run_times.estimate(over.spec, 420).because
