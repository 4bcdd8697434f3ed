"""When passes that look ahead began, by what snapshots tell of the last one begun."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import PassSettings, SchedulerHealth, SchedulerSettings
from predictor.site import default
from verification.fidelity.beginnings import beginnings
from verification.fidelity.history import history_of
from verification.fidelity.looks import look

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30))


def shown(minute, last_s, *jobs, works_us=6_000_000):
    """Return a snapshot that tells of the pass begun last; each works for six seconds."""
    last_at = None if last_s is None else NOW + last_s
    health = SchedulerHealth(backfill_last_at=last_at, backfill_cycle_last_us=works_us)
    there = cluster(2, *jobs, settings=SETTINGS)
    return replace(there, taken_at=NOW + 60 * minute, health=health)


@pytest.mark.parametrize(
    ("last_s", "found"),
    [
        pytest.param((), [], id="no snapshot"),
        pytest.param((None, None), [], id="nobody tells"),
        pytest.param((-4, 33), [-4, 33], id="each is told"),
        pytest.param((-4, -4, 71), [-4, 34, 71], id="one that no snapshot tells of, half-way"),
        pytest.param((0, 114), [0, 38, 76, 114], id="two, if there was time for them"),
        pytest.param((-4, None, 33), [-4, 33], id="a snapshot that says nothing"),
        pytest.param((33, -4), [-4, 33], id="in their order"),
    ],
)
def test_what_is_told_and_what_must_have_been(last_s, found):
    snapshots = [shown(minute, last) for minute, last in enumerate(last_s)]
    assert [at - NOW for at in beginnings(snapshots)] == found


@pytest.mark.parametrize(("passes", "start_s"), [(True, 47), (False, 42)])
def test_who_passes_others_starts_with_a_told_pass_or_in_the_rhythm_of_the_last(passes, start_s):
    # n1 [ 0, for 50 min            ]   wide needs both; small, ten minutes, may pass it on n2.
    there = running("0", "n1", 50), waiting("wide", 2)
    comer = waiting("small", 1, 10, of_job={"submitted_at": NOW + 10})
    snapshots = [shown(0, 4, *there), shown(1, 47, *there, comer), shown(2, 84, *there, comer)]
    seen = look(history_of(snapshots, ()), 0, 600, default(), passes=passes)
    assert seen.said["small"].at - NOW == start_s


def test_of_many_courses_that_passes_may_take_the_most_typical_counts():
    # n1 [ 0, for 50 min            ]   One pass of eleven took six minutes; small may pass wide in
    # n2   wide needs both              the second one from now.
    there = running("0", "n1", 50), waiting("wide", 2)
    comer = waiting("small", 1, 10, of_job={"submitted_at": NOW + 10 * MINUTE + 35})
    looks = [
        shown(minute, 60 * minute - 10, *there, works_us=360_000_000 if minute == 3 else minute)
        for minute in range(11)
    ]
    history = history_of([*looks, shown(11, 640, *there, comer)], ())

    def said_s(courses, seconds):
        moved = [replace(one, taken_at=one.taken_at + seconds) for one in history.snapshots]
        seen = look(replace(history, snapshots=tuple(moved)), 10, 900, default(), courses=courses)
        return seen.said["small"].at - seen.since

    alone = [said_s(1, seconds) for seconds in range(30)]
    assert min(alone) < 2 * MINUTE < 5 * MINUTE < max(alone)
    assert max(said_s(61, seconds) for seconds in range(30)) < 2 * MINUTE
