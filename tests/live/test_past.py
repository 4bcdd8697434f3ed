"""What a real accounting database tells of jobs that nobody looked at."""

import os
import signal
import time
from collections import Counter
from dataclasses import replace
from functools import partial

import pytest
from live.accounts import PROGRAMS, start_accounting
from live.cluster import running, wait_until
from live.layout import OVERLAPPING
from live.needs import needs

from collectors import commands
from collectors.commands import environment
from collectors.slurm.source import SlurmSource
from predictor.clock import SystemClock
from predictor.domain import Outcome
from predictor.experience import Experience
from predictor.service import ledger, past
from predictor.service.accounts import Accounts
from predictor.site import default
from predictor.storage import open_for_reading, open_for_writing

pytestmark = pytest.mark.live

FORGETFUL = replace(OVERLAPPING, settings=(*OVERLAPPING.settings, "MinJobAge=2"))
SMALL = ("-t", "7", "-p", "cores", "-n", "1")


class Watch:
    """Looks at a Slurm when it is told to, and asks accounting after each look, as the daemon."""

    def __init__(self, slurm, folder):
        self.source = SlurmSource(
            commands.run, SystemClock(), account="root", past_s=3600, timeout_s=10
        )
        self.writer = open_for_writing(folder / "recording")
        self.last = open_for_reading(folder / "recording").latest()
        self.folder = folder
        file = ledger.file_of(folder / "recording")
        self.accounts = Accounts(file, SystemClock(), self.writer.first_at)
        self.asked = []

    def look(self):
        time.sleep(1.1)  # of one second there is one snapshot
        seen = self.source.observe().snapshot
        self.accounts.looked(self.last, seen, self.source.past_s)
        self.writer.append(seen)
        self.last = seen
        asked = self.accounts.ask(self.source, self.learn)
        self.asked += [asked] if asked else []
        return asked

    def learn(self, jobs):
        return self.writer.add_outcomes(jobs, learned_at=self.last.taken_at)

    def looks_until(self, holds, seconds=40):
        wait_until(lambda: bool(self.look()) and holds(), "what accounting tells", seconds)

    def outcomes(self):
        return list(open_for_reading(self.folder / "recording").outcomes())


@pytest.fixture(scope="module")
def forgetful():
    """A Slurm with accounting that forgets ended jobs."""
    needs(*PROGRAMS)
    with running(FORGETFUL, accounting=partial(start_accounting, told=())) as slurm:
        yield slurm


@pytest.fixture
def slurm(forgetful, monkeypatch):
    """The same, as the commands of this process ask it, and nobody has to wait for long."""
    monkeypatch.setattr(past, "SETTLED_S", 2)
    monkeypatch.setattr(past, "GATHER_S", 2)
    for name, value in environment({**os.environ, **forgetful.environment}).items():
        monkeypatch.setenv(name, value)
    return forgetful


def test_no_end_is_lost_and_none_is_told_twice(slurm, tmp_path, monkeypatch):
    monkeypatch.setattr("predictor.service.accounts.FIRST_PAUSE_S", 2.0)
    before = slurm.submit(*SMALL, seconds=1)
    odd = slurm.submit(*SMALL, "-J", "a|b\nc", seconds=9)
    held = slurm.submit(*SMALL, "--hold")
    rest = slurm.submit(*SMALL, "--array=1-4%1")
    wait_until(lambda: before not in slurm.run("squeue", "-h", "-o", "%i").split(), "its end")
    watch = Watch(slurm, tmp_path)
    watch.look()
    unseen = slurm.submit(*SMALL, seconds=1)
    back = slurm.submit(*SMALL, "--requeue", seconds=30)
    wait_until(lambda: back in slurm.starts(), "a start")
    slurm.run("scontrol", "requeue", back)
    slurm.run("scancel", held, rest, back)
    # It forgets about once a minute, whoever ended longer than MinJobAge before.
    wait_until(lambda: not slurm.run("squeue", "-h", "-t", "all"), "an empty queue", 90)

    slurm.stop("slurmdbd")
    watch.look()
    assert watch.last.pending == watch.last.running == watch.last.finished == ()
    gone = {odd, held, *(f"{rest}_{n}" for n in (1, 2, 3, 4))}
    assert gone <= set(watch.accounts.state.missing and ledger_of(watch).missing)
    wait_until(lambda: watch.look() and watch.accounts.state.error, "a refusal")
    watch.writer.close()

    slurm.spawn("slurmdbd", "slurmdbd", "-D", user="slurm")
    wait_until(lambda: slurm.succeeds("sacct"), "slurmdbd")
    watch = Watch(slurm, tmp_path)
    watch.looks_until(lambda: not watch.accounts.state.missing)
    watch.looks_until(lambda: not ledger_of(watch).open.get("history"))
    assert watch.accounts.state.repaired >= len(gone)

    ends = watch.outcomes()
    runs = Counter((job.spec.id, job.spec.submitted_at, job.started_at) for job in ends)
    assert set(runs.values()) == {1}
    told = {id_ for job in ends for id_ in past.single_ids(job.spec)}
    assert told >= {before, unseen, back, *gone}
    assert [job.outcome for job in ends if job.spec.id == back][:1] == [Outcome.PREEMPTED]
    (named,) = (job for job in ends if job.spec.id == odd)
    assert (named.spec.name.raw, named.spec.request.limit_s) == ("a|b\nc", 7 * 60)
    (known,) = (job for job in ends if job.spec.id == before)
    experience = Experience.of(default())
    experience.told(ends, watch.last)
    assert "no job like it" not in experience.run_times.estimate(known.spec, 420).because

    watch.writer.close()
    again = Watch(slurm, tmp_path)
    again.looks_until(lambda: True)
    slices = [asked.slice for asked in again.asked]
    assert {one.of for one in slices} == {"unseen"}
    assert all(again.last.taken_at - one.since < 120 for one in slices)
    assert len(again.outcomes()) == len(ends)
    again.writer.close()


def ledger_of(watch):
    return ledger.load(ledger.file_of(watch.folder / "recording"), watch.last.cluster)


def test_a_database_that_hangs_costs_no_more_than_the_deadline(slurm, tmp_path):
    watch = Watch(slurm, tmp_path)
    watch.source = SlurmSource(
        commands.run, SystemClock(), account="root", past_s=3600, timeout_s=2
    )
    slurm.daemons["slurmdbd"].send_signal(signal.SIGSTOP)
    try:
        begun = time.monotonic()
        now = int(time.time())
        told = watch.source.ended(now - 60, now, list)
        assert str(told.error) == "sacct: no answer within 2 s"
        assert time.monotonic() - begun < 5
    finally:
        slurm.daemons["slurmdbd"].send_signal(signal.SIGCONT)
        watch.writer.close()
