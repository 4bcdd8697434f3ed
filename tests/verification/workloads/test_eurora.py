"""A workload like Eurora's: what is published comes out."""

from collections import Counter

import pytest

from verification.workloads.eurora import (
    BEGINS_AT,
    DEBUG,
    JOBS,
    LONGPAR,
    PAR,
    SERIAL,
    TIME_ZONE_S,
    UNIT_CORES,
    eurora,
)
from verification.workloads.generate import generate
from verification.workloads.written import some

PARTS = 8
"""So many years are looked at in short: users come and go by the month."""


@pytest.fixture(scope="module")
def model():
    return eurora()


@pytest.fixture(scope="module")
def jobs(model):
    return [job for seed in range(PARTS) for job in some(generate(model, seed), None, 28)]


def test_a_year_has_as_many_jobs_as_were_recorded(jobs):
    assert len(jobs) / PARTS / 28 * 365 == pytest.approx(JOBS, rel=0.15)


def test_limits_are_off_by_310_minutes(jobs):
    off_s = sum(abs(job.limit_s - job.run_s) for job in jobs) / len(jobs)
    assert off_s / 60 == pytest.approx(310, rel=0.1)


def test_nobody_outlives_a_limit(jobs):
    assert all(1 <= job.run_s <= job.limit_s for job in jobs)


def test_queues_and_kinds_are_all_used(jobs):
    assert set(Counter(job.queue for job in jobs)) == {DEBUG, PAR, LONGPAR}
    assert set(Counter(job.partition for job in jobs)) == set(UNIT_CORES)
    others = (job for job in jobs if job.partition != SERIAL)
    assert all(job.procs % UNIT_CORES[job.partition] == 0 for job in others)


def test_it_begins_at_a_midnight_on_a_monday():
    local_at = BEGINS_AT + TIME_ZONE_S
    assert (local_at % 86_400, local_at // 86_400 % 7) == (0, 4)


def test_users_are_the_same_each_time(model):
    assert eurora() == model
