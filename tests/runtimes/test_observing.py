"""Each job that is over is told of once."""

import json
from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, spec
from hypothesis import given, settings
from strategies import snapshots

from predictor.domain import FinishedJob, HetComponent, Outcome, Request
from predictor.errors import StorageError
from predictor.runtimes import observing
from predictor.runtimes.observing import Observing


def over(id_, ended_at=NOW, minutes=5, **of_job):
    return FinishedJob(
        spec=spec(id_, **of_job),
        started_at=ended_at - minutes * MINUTE,
        ended_at=ended_at,
        outcome=Outcome.COMPLETED,
    )


def told(watch, *finished, **more):
    return [job.spec.id for job in watch.new(cluster(2, finished=finished, **more))]


def test_a_job_is_told_of_when_it_is_first_seen_to_be_over():
    watch = Observing()
    assert told(watch, over("1")) == ["1"]
    assert told(watch, over("1"), over("2")) == ["2"]


def test_nobody_is_told_of_again_after_a_restart():
    watch = Observing()
    told(watch, over("1"))
    again = Observing.restored(json.loads(json.dumps(watch.state())))
    assert told(again, over("1"), over("2")) == ["2"]


def test_they_are_told_of_in_the_order_of_their_ends():
    assert told(Observing(), over("1", NOW), over("2", NOW - 60), over("3", NOW)) == ["2", "1", "3"]


def test_who_was_sent_back_and_ran_again_is_told_of_anew():
    watch = Observing()
    told(watch, over("1", NOW))
    assert told(watch, over("1", NOW + HOUR)) == ["1"]


def test_who_never_started_did_not_run():
    assert told(Observing(), replace(over("1"), started_at=None)) == []


def test_of_a_job_of_several_components_the_first_is_told_of():
    first = over("7+0", het=HetComponent(job_id="7", offset=0))
    second = over("7+1", het=HetComponent(job_id="7", offset=1))
    assert told(Observing(), first, second) == ["7+0"]


def test_time_it_stood_still_is_no_run_time():
    watch = Observing()
    still = replace(running("1", "n1", 10), suspended_s=2 * MINUTE)
    watch.new(cluster(2, still))
    (ended,) = watch.new(cluster(2, finished=(over("1", minutes=30),)))
    assert ended.run_s == 28 * MINUTE


@pytest.mark.parametrize(
    ("own_s", "limit_s"),
    [
        pytest.param(600, 600, id="its own"),
        pytest.param(99 * HOUR, 99 * HOUR, id="its own, raised above its partition's"),
        pytest.param(None, 24 * HOUR, id="its partition's"),
    ],
)
def test_the_limit_is_the_one_that_bound_it(own_s, limit_s):
    job = replace(over("1"), spec=spec("1", request=Request(nodes=1, cpus=1, limit_s=own_s)))
    (ended,) = Observing().new(cluster(2, finished=(job,)))
    assert (ended.run_s, ended.limit_s) == (5 * MINUTE, limit_s)


def test_memory_is_bounded_to_those_seen_last(monkeypatch):
    monkeypatch.setattr(observing, "MOST_KEPT", 3)
    watch = Observing()
    told(watch, over("1"), over("2"), over("3"))
    assert told(watch, over("1"), over("4")) == ["4"]
    assert len(watch.state()["told"]) == 3
    assert told(watch, over("1"), over("4")) == []


@settings(max_examples=40)
@given(snapshots())
def test_any_snapshot_is_told_of_once(snapshot):
    watch = Observing()
    watch.new(snapshot)
    assert watch.new(snapshot) == ()
    assert Observing.restored(json.loads(json.dumps(watch.state()))).new(snapshot) == ()


@pytest.mark.parametrize("state", [None, 3, {}, {"told": [1], "stood": []}, {"told": []}])
def test_a_strange_state_is_refused(state):
    with pytest.raises(StorageError, match="over"):
        Observing.restored(state)
