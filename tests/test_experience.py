"""What is learned of a cluster, and how what was said of it is judged."""

import json
from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, array, cluster, running, spec, waiting
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import snapshots

from predictor.domain import Fact, FinishedJob, Hidden, Outcome
from predictor.errors import StorageError
from predictor.experience import MOST_OF_A_USER, Experience, Saying
from predictor.site import Site, default
from predictor.windows.drift import Figure
from predictor.windows.raw import Corrected, Raw

QUEUE = ("jobs of batch",)


def over(id_, minutes, ago=0, **more):
    """A job that ended `ago` minutes ago after it had run for so many."""
    ended_at = NOW - ago * MINUTE
    return FinishedJob(
        spec=spec(id_, 1, 100, **more),
        ended_at=ended_at,
        outcome=Outcome.COMPLETED,
        started_at=ended_at - minutes * MINUTE,
    )


def later(scene, minutes):
    return replace(scene, taken_at=NOW + minutes * MINUTE)


def told(experience, id_="1"):
    estimate = experience.run_times.estimate(spec(id_, 1, 100), 100 * MINUTE)
    return estimate.law.quantile(0.5) / MINUTE


def saying(key, lead_s=600, user="ada"):
    raw = Raw.of([lead_s], horizon_s=HOUR, waited_s=0)
    return Saying(
        key=key,
        user=user,
        seen_at=NOW,
        fingerprint="f",
        start_at=NOW + lead_s,
        raw=raw,
        classes=QUEUE,
        corrected=Corrected(quantiles_s=tuple(map(round, raw.quantiles_s))),
    )


def learned(*scenes):
    experience = Experience.of(default())
    for scene in scenes:
        experience.learn(scene)
    return experience


def test_run_times_are_those_of_jobs_that_ended():
    past = [over(str(n), minutes=7, ago=n) for n in range(30)]
    assert told(learned()) > 7
    assert told(learned(cluster(4, finished=tuple(past)))) == 7


def test_a_job_counts_once_however_long_it_is_shown():
    one = cluster(4, finished=(over("1", 7),))
    assert (
        learned(one, later(one, 1), later(one, 2)).run_times.state()
        == learned(one).run_times.state()
    )


def test_who_started_is_judged_and_who_is_gone_is_forgotten():
    both = cluster(4, waiting("1"), waiting("2"))
    experience = learned(both)
    experience.heard([saying("1"), saying("2")])
    assert experience.calibration.followed == {"1", "2"}
    experience.learn(later(cluster(4, replace(running("1", "n1", 5), started_at=NOW + 30)), 1))
    assert not experience.calibration.followed
    known = experience.calibration.lately(saying("1").corrected, QUEUE)
    assert (known.jobs, known.typical_error_s) == (1, 570)


def test_an_array_is_judged_by_the_first_task_that_starts_after_it_was_spoken_of():
    tasks = array("70", 5)
    old = replace(running("70_9", "n1", 5), spec=replace(tasks.spec, id="70_9"))
    scene = cluster(4, tasks, old)
    experience = learned(scene)
    experience.heard([saying("70")])
    experience.learn(later(scene, 1))
    assert experience.calibration.followed == {"70"}
    new = replace(old, spec=replace(tasks.spec, id="70_0"), started_at=NOW + 90)
    experience.learn(later(cluster(4, tasks, old, new), 2))
    assert not experience.calibration.followed


def test_an_alarm_tells_since_when_the_replica_agrees_no_more():
    experience = Experience.of(default())
    for minute in range(40 * 60):
        at = NOW + minute * MINUTE
        before, job = str(minute - 1), waiting(str(minute))
        # After 24 h the batch system starts nobody any more when it was foretold.
        starts = minute < 24 * 60 and minute
        ran = [replace(running(before, "n1", 5), started_at=at - 30)] if starts else []
        experience.learn(replace(cluster(4, job, *ran), taken_at=at))
        said = saying(str(minute), lead_s=60)
        experience.heard([replace(said, seen_at=at, start_at=at + 60)])
    (alarm,) = (one for one in experience.alarms() if one.what is Figure.AGREEMENT)
    assert alarm.whom == "f"
    assert alarm.before > 0.9 > 0.1 > alarm.after
    assert NOW + 23 * HOUR <= alarm.since_at <= NOW + 26 * HOUR


def test_one_users_flood_of_jobs_is_not_all_that_is_learned_from():
    experience = learned(cluster(4))
    for first in (0, 500):
        flood = [saying(str(n), user="eve") for n in range(first, first + 500)]
        experience.heard([*flood, saying("mine", user="bob")])
    followed = experience.calibration.followed
    assert len(followed) == MOST_OF_A_USER + 1
    assert "mine" in followed
    again = Experience.restored(default(), json.loads(json.dumps(experience.state())))
    again.heard([saying("more", user="eve"), saying("other", user="bob")])
    assert again.calibration.followed - followed == {"other"}


def test_the_same_minute_twice_and_hidden_jobs_teach_nothing():
    scene = cluster(4, finished=(over("1", 7),))
    hidden = Hidden(fact=Fact.JOBS, why="private")
    private = replace(
        scene, taken_at=NOW + 60, provenance=replace(scene.provenance, hidden=(hidden,))
    )
    assert learned(scene, scene, private).state() == learned(scene).state()


def test_it_survives_a_restart():
    past = tuple(over(str(n), minutes=7, ago=n) for n in range(30))
    experience = learned(cluster(4, waiting("a"), finished=past))
    experience.heard([saying("a")])
    state = json.loads(json.dumps(experience.state()))
    again = Experience.restored(default(), state)
    assert json.loads(json.dumps(again.state())) == state
    assert (again.seen_at, told(again), again.calibration.followed) == (NOW, 7, {"a"})


def test_another_choice_of_run_times_begins_anew_with_these_alone():
    experience = learned(cluster(4, finished=tuple(over(str(n), 7, n) for n in range(30))))
    limits = Site.model_validate({"forecast": {"run_times": "limit"}})
    again = Experience.restored(limits, experience.state())
    assert (told(again), again.seen_at) == (100, NOW)


@pytest.mark.parametrize(
    "state", [None, [], {}, {"seen_at": "now"}, {"seen_at": 1, "model": "history"}]
)
def test_a_strange_state_is_refused(state):
    with pytest.raises(StorageError):
        Experience.restored(default(), state)


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(st.lists(snapshots(max_jobs=4), max_size=3))
def test_whatever_snapshots_tell_it_is_learned_and_kept(told):
    experience = learned(*told)
    state = json.loads(json.dumps(experience.state()))
    assert json.loads(json.dumps(Experience.restored(default(), state).state())) == state
