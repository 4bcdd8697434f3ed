"""The real process under faults: what breaks is told, the last answer stays up."""

import http.client
import json
import os
import signal
import time
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from faulty_daemon import FaultyDaemon
from receiving import Listener, Posted

from predictor.cli.client import Client
from predictor.storage import open_for_reading, open_for_writing

PATIENCE_S = 20
SOON_S = PATIENCE_S / 2
"""Who waited for something that hangs would take as long as there is patience."""


class Daemon(FaultyDaemon):
    """A running daemon, and how to ask it."""

    def ask(self, path: str, **headers: str) -> tuple[int, str]:
        line = http.client.HTTPConnection(self.address.hostname, self.address.port, timeout=5)
        try:
            line.request("GET", path, headers=headers)
            response = line.getresponse()
            return response.status, response.read().decode()
        finally:
            line.close()

    def events(self) -> list[dict]:
        return [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]

    def until(self, what):
        """Wait until `what()` is true and return it."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if found := what():
                return found
            time.sleep(0.1)
        pytest.fail(f"not within {PATIENCE_S} s; the log:\n{(self.folder / 'log').read_text()}")

    def ready(self) -> bool:
        return self.ask("/readyz")[0] == 200

    def answered(self) -> bool:
        """There is an answer, of whatever age."""
        return self.ask("/api/v1/clusters/scene/forecasts")[0] == 200

    def failed(self, stage: str, kind: str):
        def look():
            return any((e.get("stage"), e.get("kind")) == (stage, kind) for e in self.events())

        return look

    def cluster(self) -> dict:
        """What is told of the cluster."""
        return json.loads(self.ask("/api/v1/clusters/scene")[1])

    def trouble(self) -> dict:
        """Why there is nothing newer."""
        return self.cluster()["trouble"] or {"looks": 0}

    def learned(self) -> int:
        """Of how many snapshots the windows know that are shown; -1: there are none."""
        status, body = self.ask("/api/v1/clusters/scene/jobs/11")
        job = json.loads(body)
        if status != 200 or job["p50"] is None:
            return -1
        taken_at, middle = (datetime.fromisoformat(job[key]) for key in ("snapshot_at", "p50"))
        return round((middle - taken_at).total_seconds()) - 3_600

    def end(self, number: int = signal.SIGTERM) -> tuple[int, float]:
        """Return exit code and how long the end took."""
        begun = time.monotonic()
        self.process.send_signal(number)
        return self.process.wait(PATIENCE_S), time.monotonic() - begun


@pytest.fixture
def daemon(tmp_path):
    running = Daemon(tmp_path)
    yield running
    running.kill()


def test_it_answers_and_ends_cleanly_with_everything_committed(daemon):
    daemon.until(daemon.ready)
    status, body = daemon.ask("/api/v1/clusters/scene/forecasts")
    assert (status, len(json.loads(body)["jobs"])) == (200, 3)
    worker = daemon.worker()
    code, took_s = daemon.end()
    assert (code, took_s < SOON_S) == (0, True)
    assert not Path(f"/proc/{worker}").exists()
    assert "error" not in {event["level"] for event in daemon.events()}
    open_for_writing(daemon.folder / "recording").close()
    assert open_for_reading(daemon.folder / "recording").latest().cluster == "scene"


def test_its_recording_holds_what_it_published(daemon):
    daemon.until(daemon.ready)
    shown = json.loads(daemon.ask("/api/v1/clusters/scene/forecasts")[1])["jobs"]
    daemon.end()
    kept = list(open_for_reading(daemon.folder / "recording").answers())
    hashes = {hash_ for _, hash_ in kept}
    logged = {event["sha256"] for event in daemon.events() if event["event"] == "answers kept"}
    assert logged == hashes
    first = {answer.job_id: answer.start_at for answer in kept[0][0].answers}
    assert {job["job_id"] for job in shown} == first.keys()


def test_each_look_is_answered_twice_the_second_time_with_windows(daemon):
    daemon.until(lambda: daemon.learned() >= 2)
    daemon.end()
    kept = [one for one, _ in open_for_reading(daemon.folder / "recording").answers()]
    (taken_at, _), *_ = Counter(one.snapshot_at for one in kept).most_common(1)
    first, second = (one for one in kept if one.snapshot_at == taken_at)
    assert first.published_at <= second.published_at
    assert first.answers[0].quantiles != second.answers[0].quantiles != ()


def test_a_start_shows_the_last_result_with_its_age_before_anything_else(daemon):
    daemon.until(lambda: daemon.learned() >= 2)
    before = daemon.cluster()
    daemon.process.kill()
    daemon.process.wait()
    daemon.process.stdout.close()
    daemon.say(look="hang", predict="hang")
    time.sleep(2)
    daemon.start()
    daemon.until(lambda: daemon.ask("/api/v1/clusters")[0] == 200)
    after = daemon.cluster()
    assert before["snapshot_at"] >= after["snapshot_at"]
    assert after["age_seconds"] >= 2
    assert daemon.learned() >= 1, "windows are told too"


def test_it_goes_on_learning_after_a_crash_where_it_was(daemon):
    daemon.until(lambda: daemon.learned() >= 5)
    daemon.kill()
    daemon.start()
    found = daemon.until(lambda: (known := daemon.learned()) >= 0 and known)
    assert found >= 4  # what was learned in the last second may be missing
    before = found
    daemon.until(lambda: daemon.learned() > before)


def test_a_worker_that_dies_over_its_windows_is_replaced_and_knows_what_it_knew(daemon):
    daemon.until(lambda: daemon.learned() >= 5)
    daemon.say(windows="die")
    daemon.until(daemon.failed("windows", "worker"))
    assert daemon.ask("/api/v1/clusters")[0] == 200
    daemon.say(windows="fine")
    daemon.until(lambda: daemon.learned() >= 5)


def test_who_dies_again_and_again_is_suspected_of_what_it_learned(daemon):
    daemon.until(lambda: (daemon.folder / "recording.experience").exists())
    daemon.say(windows="die")
    daemon.until(lambda: [e for e in daemon.events() if e["event"] == "learning begins anew"])
    assert (daemon.folder / "recording.experience.damaged").exists()
    daemon.say(windows="fine")
    daemon.until(lambda: daemon.learned() >= 1)


def test_a_damaged_file_of_what_was_learned_is_set_aside(daemon):
    daemon.until(lambda: daemon.learned() >= 2)
    daemon.end()
    daemon.process.stdout.close()
    file = daemon.folder / "recording.experience"
    file.write_bytes(file.read_bytes()[:-5])
    daemon.start()
    (note,) = daemon.until(lambda: [e["note"] for e in daemon.events() if e["event"] == "learning"])
    assert note.startswith("learning begins anew, what was kept is now")
    assert f"{file}.damaged" in note


@pytest.mark.parametrize("mode", ["raise", "empty"])
def test_a_broken_source_leaves_the_last_answer_up_and_stale(daemon, mode):
    daemon.until(daemon.ready)
    daemon.say(look=mode)
    daemon.until(daemon.failed("observe", {"raise": "unreachable", "empty": "empty"}[mode]))
    daemon.until(lambda: not daemon.ready())
    status, body = daemon.ask("/api/v1/clusters/scene/forecasts")
    assert (status, json.loads(body)["stale"], len(json.loads(body)["jobs"])) == (200, True, 3)
    assert "These answers are old." in daemon.ask("/")[1]
    daemon.say(look="fine")
    daemon.until(daemon.ready)


def test_a_source_that_fails_is_asked_ever_more_seldom_whoever_asks_us(daemon):
    daemon.until(daemon.ready)
    daemon.say(look="raise")
    told = daemon.until(lambda: daemon.trouble() if daemon.trouble()["looks"] >= 3 else None)
    for _ in range(200):  # viewers
        assert daemon.ask("/api/v1/clusters/scene/forecasts")[0] == 200
    assert (told["kind"], "Unable to contact" in told["cause"]) == ("unreachable", True)
    assert told["sentence"].startswith("The last 3 looks at the cluster brought nothing new: ")
    failed = [
        datetime.fromisoformat(event["time"])
        for event in daemon.events()
        if event.get("stage") == "observe"
    ]
    next_at = datetime.fromisoformat(told["next_look_at"])
    assert next_at - failed[told["looks"] - 1] >= timedelta(seconds=2)
    elapsed_s = (failed[-1] - failed[0]).total_seconds()
    assert len(failed) - 1 <= max(2, 0.6 * elapsed_s)  # and not one in each second
    daemon.say(look="fine")
    daemon.until(lambda: daemon.ready() and daemon.cluster()["trouble"] is None)


def test_a_hanging_source_delays_neither_answers_nor_the_end(daemon):
    daemon.until(daemon.ready)
    daemon.say(look="hang")
    daemon.until(lambda: not daemon.ready())
    assert daemon.ask("/healthz")[0] == 200
    daemon.until(lambda: 'ticks_total{outcome="late"} 0.0' not in daemon.ask("/metrics")[1])
    code, took_s = daemon.end(signal.SIGINT)
    assert (code, took_s < SOON_S) == (0, True)


def test_who_was_stopped_for_a_while_knows_how_old_its_answers_are(daemon):
    daemon.until(daemon.ready)
    daemon.process.send_signal(signal.SIGSTOP)
    time.sleep(3.5)
    daemon.process.send_signal(signal.SIGCONT)
    told, now = daemon.cluster(), time.time()
    age_s = now - datetime.fromisoformat(told["snapshot_at"]).timestamp()
    assert abs(told["age_seconds"] - age_s) < 2
    assert told["stale"] == (told["age_seconds"] > 2)
    daemon.until(daemon.ready)


def test_a_worker_killed_in_the_middle_is_replaced(daemon):
    daemon.until(daemon.ready)
    daemon.say(predict="hang")
    daemon.until((daemon.folder / "hangs").exists)
    os.kill(daemon.worker(), signal.SIGKILL)
    daemon.until(daemon.failed("forecast", "worker"))
    assert daemon.ask("/api/v1/clusters")[0] == 200
    daemon.say(predict="fine")
    daemon.until(daemon.ready)


def test_the_end_does_not_wait_for_a_forecast(daemon):
    daemon.until(daemon.ready)
    daemon.say(predict="hang")
    daemon.until((daemon.folder / "hangs").exists)
    code, took_s = daemon.end()
    assert (code, took_s < SOON_S) == (0, True)


@pytest.mark.parametrize("busy", ["hang", "spin"])
def test_who_is_killed_leaves_no_worker_behind(daemon, busy):
    daemon.until(daemon.ready)
    daemon.say(predict=busy)
    daemon.until((daemon.folder / "hangs").exists)
    worker = daemon.worker()
    assert runs(worker)
    daemon.kill()
    daemon.until(lambda: not runs(worker))


def runs(pid):
    """Whether there is such a process, other than one that is over and not collected."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def test_a_wrong_site_file_is_refused_and_a_right_one_taken_over(daemon):
    daemon.until(daemon.ready)
    daemon.say(site="soon")
    daemon.process.send_signal(signal.SIGHUP)
    told = daemon.until(lambda: [e for e in daemon.events() if "refused" in e["event"]])
    assert "expected seconds, got 'soon'" in told[0]["cause"]
    assert 'reloads_total{outcome="refused"} 1.0' in daemon.ask("/metrics")[1]
    daemon.until(daemon.ready)
    daemon.say(site="2")
    daemon.process.send_signal(signal.SIGHUP)
    daemon.until(lambda: [e for e in daemon.events() if e["event"] == "reloaded"])
    daemon.until(daemon.ready)
    assert daemon.end()[0] == 0


def test_the_names_it_goes_by_are_the_site_files_until_it_is_started_anew(daemon):
    assert daemon.ask("/healthz", Host="every1.example")[0] == 200
    assert daemon.ask("/healthz", Host="every2.example")[0] == 421
    daemon.say(site="2")
    daemon.process.send_signal(signal.SIGHUP)
    told = daemon.until(lambda: [e for e in daemon.events() if e["event"] == "reloaded"])
    assert told[0]["restart_for"] == ["service.allowed_hosts"]
    assert daemon.ask("/healthz", Host="every1.example")[0] == 200


def test_after_a_crash_the_last_snapshot_is_answered_at_once_with_its_age(daemon):
    daemon.until(daemon.ready)
    daemon.process.kill()
    daemon.process.wait()
    daemon.process.stdout.close()
    time.sleep(4)
    daemon.say(look="raise")
    daemon.start()
    body = daemon.until(lambda: (a := daemon.ask("/api/v1/clusters"))[0] == 200 and a[1])
    (cluster,) = json.loads(body)["clusters"]
    assert cluster["stale"]
    assert cluster["age_seconds"] >= 4


def accounting(daemon):
    (cluster,) = json.loads(daemon.ask("/api/v1/clusters")[1])["clusters"]
    return cluster["accounting"]


def test_who_ended_unseen_goes_to_the_recording_without_a_name(daemon):
    daemon.say(past="fine")
    daemon.until(daemon.ready)
    daemon.until(lambda: "accounting_outcomes_total 1.0" in daemon.ask("/metrics")[1])
    daemon.until(lambda: accounting(daemon)["behind_s"] < 120)
    assert accounting(daemon)["error"] == ""
    assert daemon.end()[0] == 0
    (job, *_) = open_for_reading(daemon.folder / "recording").outcomes()
    assert job.spec.name.raw == ""


def test_accounting_that_fails_stops_nothing(daemon):
    daemon.say(past="raise")
    daemon.until(daemon.ready)
    daemon.until(lambda: accounting(daemon)["error"] == "no database")
    before = daemon.learned()
    daemon.until(lambda: daemon.learned() > before)
    log = [e for e in daemon.events() if e["event"] == "accounting did not answer"]
    assert [(e["level"], e["cause"]) for e in log] == [("warning", "no database")]
    assert daemon.end()[0] == 0


def test_it_ends_at_once_while_accounting_hangs(daemon):
    daemon.say(past="hang")
    daemon.until(daemon.answered)
    time.sleep(1)
    code, took_s = daemon.end()
    assert (code, took_s < SOON_S) == (0, True)
    open_for_writing(daemon.folder / "recording").close()


SECRET = "sixteen bytes and more"


class Told(Daemon):
    """One that tells watchers of their jobs."""

    def __init__(self, folder: Path, hook: str) -> None:
        (folder / "hook").write_text(hook)
        (folder / "secret").write_text(SECRET)
        super().__init__(folder)

    def line(self) -> Client:
        return Client(f"unix:{self.folder}/api.sock")

    def kept(self) -> str:
        return (self.folder / "recording.watches").read_text()

    def ticks(self) -> int:
        return sum(event["event"] == "tick" for event in self.events())

    def until_it_ticked(self, times: int) -> None:
        wanted = self.ticks() + times
        self.until(lambda: self.ticks() >= wanted)


@pytest.fixture
def told(tmp_path):
    """A daemon that tells watchers of their jobs, what it posts, and whom it posts that to."""
    posted = Posted(["200 OK"])
    with Listener(posted) as there:
        running = Told(tmp_path, f"http://127.0.0.1:{there.port}/jobs")
        yield running, posted, there
        running.kill()


def test_who_watches_a_job_is_told_once_that_it_started_also_after_a_crash(told):
    daemon, posted, _ = told
    daemon.until(daemon.ready)
    with daemon.line() as line:
        line.watch({"job": None, "webhook": "chat"})
        one = line.watch({"job": "11", "webhook": "chat", "kinds": ["started"]})
    daemon.until(lambda: '"told":{"11":[' in daemon.kept())
    daemon.kill()
    daemon.say(look="started")
    daemon.start()
    daemon.until(lambda: posted.bodies)
    daemon.until_it_ticked(3)
    (body,) = map(json.loads, posted.bodies)
    assert (body["kind"], body["job_id"], body["watch"]) == ("started", "11", one["id"])
    with daemon.line() as line:
        (left,) = line.watches()["watches"]
    assert left["job"] is None
    metrics = daemon.ask("/metrics")[1]
    assert 'notices_sent_total{kind="started",method="webhook"} 1.0' in metrics
    assert SECRET not in (daemon.folder / "log").read_text() + metrics
    assert daemon.end()[0] == 0


def test_a_webhook_that_hangs_delays_neither_ticks_nor_the_end(told):
    daemon, _, there = told
    there.talk = there.hang
    daemon.until(daemon.ready)
    with daemon.line() as line:
        line.watch({"job": "11", "webhook": "chat"})
    daemon.until(lambda: '"told":{"11":[' in daemon.kept())
    daemon.say(look="started")
    daemon.until(lambda: there.calls)
    daemon.until_it_ticked(3)
    code, took_s = daemon.end()
    assert (code, took_s < SOON_S) == (0, True)
