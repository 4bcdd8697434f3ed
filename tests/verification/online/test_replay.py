"""Recordings told again: in order, nothing known before its time, always the same."""

import json
from dataclasses import replace
from math import inf

import pytest
from clusters import MINUTE, NOW

from predictor.clock import SystemClock
from predictor.experience import Experience
from predictor.outlooks import likely, with_outlooks
from predictor.site import default
from predictor.storage import open_for_writing
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


class Listener(Spy):
    """Also remembers after how many snapshots it was told of whose end."""

    def __init__(self):
        super().__init__()
        self.heard = {}

    def told(self, ended):
        self.heard |= {job.spec.id: len(self.learned) for job in ended}


def test_an_end_is_told_of_when_it_was_known_and_no_sooner(recording, outcomes, minutes):
    listener = Listener()
    list(replayed(read_recording(recording, Processes(1), quiet), [listener]))
    assert listener.heard == {}  # imported after the last snapshot
    with open_for_writing(recording) as writer:
        over = [replace(job, ended_at=job.ended_at - 1) for job in outcomes]
        writer.add_outcomes(over[:2], learned_at=minutes[30].taken_at)
        writer.add_outcomes(over[2:4], learned_at=minutes[20].taken_at)
    listener = Listener()
    list(replayed(read_recording(recording, Processes(1), quiet), [listener]))
    first, second, third, fourth = (job.spec.id for job in over[:4])
    assert listener.heard == {third: 21, fourth: 21, first: 31, second: 31}


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
