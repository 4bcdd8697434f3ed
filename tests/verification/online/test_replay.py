"""Recordings told again: in order, nothing known before its time, always the same."""

import json
from math import inf

import pytest
from clusters import MINUTE, NOW

from predictor.clock import SystemClock
from predictor.experience import Experience
from predictor.outlooks import likely, with_outlooks
from predictor.site import default
from verification.baselines.everybody import everybody
from verification.baselines.limits import Limits
from verification.judging.case import Said
from verification.online.replay import replayed
from verification.online.several import all_cases
from verification.parallel import Processes
from verification.recorded import read_recording
from verification.scoring.score import score


def quiet(label, done, total):
    """Progress that nobody watches."""


def cases(*paths, jobs=1, every=1):
    ask = [one for one in everybody(default()) if not one.remembers]
    read = [read_recording(path, Processes(jobs), quiet, ask=ask, every=every) for path in paths]
    return list(all_cases(read, default()))


class Spy:
    """Says of each job how many snapshots it has learned, and remembers their instants."""

    name = "spy"
    remembers = True

    def __init__(self):
        self.learned = []

    def learn(self, snapshot):
        self.learned.append(snapshot.taken_at)

    def say(self, snapshot):
        assert self.learned[-1] == snapshot.taken_at
        return {job.spec.id: Said(likely_at=len(self.learned)) for job in snapshot.pending}


def test_every_snapshot_is_learned_in_order_also_if_few_are_asked_about(recording, minutes):
    spy = Spy()
    read = read_recording(recording, Processes(2), quiet, ask=[Limits(default())], every=5)
    found = list(replayed(read, [spy]))
    assert spy.learned == [snapshot.taken_at for snapshot in minutes]
    assert {(c.seen_at - NOW) // MINUTE for c in found} == {0, 5, 10, 15, 20}
    for case in found:
        learned = (case.seen_at - NOW) // MINUTE + 1
        assert case.said["spy"].likely_at == (learned if case.leads else None)


def test_ours_is_what_the_service_would_have_said(recording, minutes):
    first = [case for case in cases(recording) if case.seen_at == NOW]
    seen, site, experience = minutes[0], default(), Experience.of(default())
    experience.learn(seen)
    made = likely(seen, site, experience)
    told = with_outlooks(made, seen, site, experience, clock=SystemClock(), budget_s=inf)
    starts = {one.job_id: one for one in told.forecast.predictions}
    said = {case.job.id: case.said["ours"] for case in first}
    assert said["3"].quantiles == starts["3"].outlook.quantiles
    assert said["70_0"].likely_at == starts["70_[0-2]"].likely_at
    assert said["70_2"].likely_at == starts["70_[0-2]"].likely_last_at


def test_the_batch_system_is_taken_at_its_word(recording):
    said = {case.job.id: case.said["slurm"] for case in cases(recording, every=40)}
    assert said["3"].likely_at == NOW + 12 * MINUTE
    assert said["9"] == Said(why_not="no_estimate")


def test_what_happens_later_changes_nothing_that_was_said(recorded, recording, minutes):
    """All that is said by minute 12 is the same if the recording ends there."""
    short = recorded("short", minutes[:13])
    early = [c.said for c in cases(recording) if c.seen_at <= minutes[12].taken_at]
    assert [c.said for c in cases(short)] == early


def test_equal_recordings_make_equal_bytes_however_many_work(recording):
    def told(jobs):
        return json.dumps(score(cases(recording, jobs=jobs), seed=1).as_json())

    assert told(1) == told(1) == told(3)


def test_of_several_recordings_equal_ids_are_different_jobs(recording, recorded, minutes):
    other = recorded("other", minutes[:5])
    ids = {case.job.id for case in cases(recording, other)}
    assert {"forty/3", "other/3"} <= ids


@pytest.mark.parametrize("every", [1, 7])
def test_cases_come_in_the_order_of_their_instants(recording, every):
    instants = [case.seen_at for case in cases(recording, jobs=2, every=every)]
    assert instants == sorted(instants)
    assert len(instants) > 0
