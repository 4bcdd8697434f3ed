"""Scenes of what becomes of waiting jobs; minutes are those after the first snapshot."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, array, cluster, running, spec, waiting

from predictor.domain import FinishedJob, HetComponent, Hold, Obstacle, Outcome
from verification.fidelity.history import history_of
from verification.judging.assembling import cases_of
from verification.judging.case import Said
from verification.judging.marking import Mark, marks_of


def at(minute, second=0):
    return NOW + minute * MINUTE + second


def seen(*minutes):
    """A history from who is shown in each minute; then the ends that accounting tells."""
    return [cluster(4, *jobs, taken_at=at(minute)) for minute, *jobs in minutes]


def ended(id_, started, over, **of_job):
    return FinishedJob(
        spec=spec(id_, **of_job), started_at=started, ended_at=over, outcome=Outcome.COMPLETED
    )


def ran(id_, started):
    return replace(running(id_, "n1", 10), started_at=started)


def case(history, number=0, told=None):
    (found,) = cases_of(history, number, told or {})
    return found


def test_the_start_is_that_of_accounting_not_that_of_the_first_snapshot_that_shows_it():
    history = history_of(
        seen((0, waiting("7")), (1, ran("7", at(0, 42))), (2,)), [ended("7", at(0, 42), at(1, 50))]
    )
    found = case(history)
    assert (found.seen_at, found.started_at, found.removed_at) == (at(0), at(0, 42), None)
    assert found.known_until == at(2)
    assert found.leads
    assert not found.open


def test_who_still_waits_at_the_end_is_open():
    assert case(history_of(seen((0, waiting("7")), (1, waiting("7"))), [])).open


def test_a_start_after_the_end_of_the_recording_is_known_from_accounting():
    history = history_of(seen((0, waiting("7")), (1, waiting("7"))), [ended("7", at(30), at(40))])
    assert case(history).started_at == at(30)


def test_a_cancelled_job_was_removed_when_accounting_says_so():
    gone = replace(ended("7", None, at(0, 30)), outcome=Outcome.CANCELLED)
    history = history_of(seen((0, waiting("7")), (1,), (2,)), [gone])
    assert case(history).removed_at == at(0, 30)


def test_without_accounting_it_was_removed_when_a_snapshot_first_misses_it():
    assert case(history_of(seen((0, waiting("7")), (1,), (2,)), [])).removed_at == at(1)


def test_who_had_started_by_the_instant_is_no_case():
    history = history_of(seen((0, waiting("7")), (1, waiting("7")), (2, ran("7", at(1, -2)))), [])
    assert case(history, 0).started_at == at(1, -2)
    assert list(cases_of(history, 1, {})) == []


def test_of_a_requeued_job_the_first_start_after_each_time_in_the_queue_counts():
    history = history_of(
        seen(
            (0, waiting("7")),
            (1, ran("7", at(0, 30))),
            (2, waiting("7")),
            (3, waiting("7")),
            (4, ran("7", at(3, 20))),
        ),
        [],
    )
    assert case(history, 0).started_at == at(0, 30)
    assert case(history, 2).started_at == at(3, 20)
    assert case(history, 3).started_at == at(3, 20)


def test_a_run_that_began_and_ended_while_nobody_looked_is_not_the_next_start():
    history = history_of(
        seen((0, waiting("7")), (60, waiting("7")), (61, ran("7", at(60, 30)))),
        [ended("7", at(10), at(20))],
    )
    assert case(history, 1).started_at == at(60, 30)


def test_tasks_of_an_array_are_cases_of_their_own_and_one_leads():
    history = history_of(
        seen((0, array("70", 3)), (1,)),
        [
            ended("70_0", at(9), at(19)),
            ended("70_1", at(5), at(15)),
            ended("70_2", at(5), at(15)),
        ],
    )
    record, told = Said(likely_at=at(4)), Said(likely_at=at(8))
    cases = list(cases_of(history, 0, {"ours": {"70_[0-2]": record, "70_2": told}}))
    assert [(c.job.id, c.started_at, c.leads) for c in cases] == [
        ("70_0", at(9), False),
        ("70_1", at(5), True),
        ("70_2", at(5), False),
    ]
    assert [c.said["ours"].likely_at for c in cases] == [None, at(4), at(8)]
    assert all(c.job.of_array for c in cases)


def test_a_heterogeneous_job_is_one_case():
    parts = [
        waiting(id_, of_job={"het": HetComponent(job_id="8", offset=offset)})
        for offset, id_ in enumerate(["8+0", "8+1"])
    ]
    history = history_of(seen((0, *parts), (1,)), [])
    assert case(history).job.id == "8"


def test_a_job_is_told_apart_by_what_it_asked_for_at_that_instant():
    """Its limit was cut, and of its two partitions it started in the second."""
    both = {"partitions": ("batch", "debug")}
    history = history_of(
        seen(
            (0, waiting("7", minutes=60, of_job=both)), (1, waiting("7", minutes=20, of_job=both))
        ),
        [ended("7", at(5), at(9), partitions=("debug",))],
    )
    assert [case(history, n).job.limit_s for n in (0, 1)] == [3600, 1200]
    assert case(history).job.partition == "debug"


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({"hold": Hold.USER, "reason": "JobHeldUser"}, "held"),
        ({"begin_at": NOW + 60, "reason": "BeginTime"}, "begin_time"),
        ({"begin_at": NOW - 60, "reason": "Priority"}, "priority"),
        ({"obstacle": Obstacle.LIMIT, "reason": "QOSMaxJobsPerUserLimit"}, "limit"),
        ({"reason": "Resources"}, "resources"),
        ({}, "none"),
    ],
)
def test_why_it_waits(more, cause):
    assert case(history_of(seen((0, waiting("7", **more)), (1,)), [])).cause == cause


def test_marks_know_those_who_were_too_short_for_any_snapshot():
    early = {"submitted_at": at(0, 5)}
    short = ended("9", at(0, 10), at(0, 40), **early)
    gone = replace(ended("10", None, at(0, 50), **early), outcome=Outcome.CANCELLED)
    history = history_of(seen((0, waiting("7")), (1, waiting("7")), (2,)), [short, gone])
    assert marks_of(history, at(0), at(1)) == {
        "7": Mark.UNRESOLVED,
        "9": Mark.FUTURE,
        "10": Mark.REMOVED,
    }
