"""Scenes worked out by hand, on a real Slurm now, and as they were recorded."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from live.accounts import PROGRAMS
from live.needs import needs
from live.scenarios.golden import (
    ARRAY_PLANNED,
    ENDS_GROUPED,
    NO_LOOKING_AHEAD,
    UNLIMITED_HIDES,
    WHOLE_NODE_PLAN,
)
from live.scenarios.judging import RECORDED, Verdict, verdict
from live.scenarios.record import record

PLAYED = (WHOLE_NODE_PLAN, UNLIMITED_HIDES, ARRAY_PLANNED, NO_LOOKING_AHEAD)
"""Those that are played anew, all at once."""
MOMENT_S = 3


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Path:
    """Where the scenes are recorded that were played just now."""
    needs(*PROGRAMS)
    into = tmp_path_factory.mktemp("scenarios")
    with ThreadPoolExecutor(len(PLAYED)) as players:
        list(players.map(partial(record, into=into), PLAYED))
    return into


@pytest.fixture(params=["recorded", pytest.param("played", marks=pytest.mark.live)])
def scenes(request) -> Path:
    """Where the scenes are, as recorded once and as played now."""
    return request.getfixturevalue("played") if request.param == "played" else RECORDED


def real(found: Verdict) -> dict[str, int]:
    """Return the real starts, of an array that of the first task."""
    return {row.name: row.real_s for row in reversed(found.rows) if row.real_s is not None}


def test_who_fits_starts_when_a_job_ends_early_whatever_was_planned(scenes):
    found = verdict(scenes / WHOLE_NODE_PLAN.name)
    starts = real(found)
    assert starts["D"] < starts["B"] - 20
    assert abs(starts["B"] - starts["C"]) <= MOMENT_S


def test_tasks_that_were_planned_one_after_another_start_together(scenes):
    found = verdict(scenes / ARRAY_PLANNED.name)
    tasks = sorted(row.real_s for row in found.rows if row.name == "array")
    assert tasks[7] - tasks[0] <= MOMENT_S < tasks[8] - tasks[0]


def test_behind_a_job_without_a_limit_all_start_when_there_is_room(scenes):
    found = verdict(scenes / UNLIMITED_HIDES.name)
    starts = real(found)
    assert abs(starts["array"] - starts["B"]) <= MOMENT_S
    assert starts["after"] > starts["B"] + 25
    assert min(starts["held"], starts["later"]) > 60


def test_without_a_look_ahead_idle_cores_stay_idle_in_both_partitions(scenes):
    found = verdict(scenes / NO_LOOKING_AHEAD.name)
    starts = real(found)
    assert min(starts["C"], starts["D"]) >= starts["A"] + 35


@pytest.mark.parametrize(
    "scene",
    [
        WHOLE_NODE_PLAN,
        UNLIMITED_HIDES,
        ARRAY_PLANNED,
        pytest.param(NO_LOOKING_AHEAD),
    ],
    ids=lambda scene: scene.name,
)
def test_the_replica_starts_each_job_when_the_real_scheduler_does(scenes, scene):
    found = verdict(scenes / scene.name)
    assert found.missed(found.rows) == []


def test_ends_looked_at_in_groups_delay_no_start():
    found = verdict(RECORDED / ENDS_GROUPED.name)
    assert found.missed(found.rows) == []
