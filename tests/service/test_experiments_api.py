"""Long work: who may order it, what is done of it, and what becomes of it when all ends."""

import asyncio
import json
import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import HOUR, NOW, cluster, running, waiting
from pydantic import ValidationError
from services import HOSTILE, StandingClock, board, client, result

from predictor.clock import SystemClock
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.longwork import underling as underlings
from predictor.service.longwork.api import _stream
from predictor.service.longwork.bench import MOST_OPEN, Bench, Full, Means
from predictor.service.longwork.orders import Diff, Replay, Sweep
from predictor.service.longwork.shelf import Shelf
from predictor.service.longwork.steps import steps
from predictor.storage import open_for_writing

ROOT = Viewer(role=Role.OPERATOR, name="olga")
ADA = Viewer(role=Role.USER, name="ada")
PATH = "/api/v1/experiments"
JSON = {"Content-Type": "application/json"}
REPLAY = {"kind": "replay", "hours": 2}
DIFF = {"kind": "diff", "new": ["PriorityWeightAge=9000"], "draws": 2}
OVER = ("finished", "failed", "cancelled", "interrupted")
RUNS = """
import sys, time
words = sys.argv[1:]
print(" ".join(words[2:]), flush=True)
if "record" in words:
    sys.exit(0)
time.sleep(float(open("pace").read())) if __import__("os").path.exists("pace") else None
open("report.html", "w").write("<h1>Found</h1>")
open("figures.json", "w").write("{}")
"""


@pytest.fixture
def underling(tmp_path_factory, monkeypatch):
    """In the place of our commands, something that only says what it was told to do."""
    folder = tmp_path_factory.mktemp("underling")
    (folder / "stand_in.py").write_text(RUNS)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(underlings, "MODULE", "stand_in")
    return folder / "stand_in.py"


class Site:
    """A service with a folder for experiments."""

    def __init__(self, folder, viewer=ROOT, means=None, clock=None):
        self.folder, self.clock = folder, clock or StandingClock()
        self.bench = Bench(
            None if folder is None else Shelf(folder),
            Path("/there/is/none"),
            SystemClock() if clock is None else clock,
            means or Means(),
        )
        self.asked = client(board(result()), StandingClock(), viewer=viewer, bench=self.bench)

    def __enter__(self):
        self.bench.start()
        return self

    def __exit__(self, *_):
        self.bench.stop()

    def get(self, path="", **headers):
        return self.asked.get(f"{PATH}{path}", **headers)

    def post(self, body, **headers):
        return self.asked.ask("POST", PATH, JSON | headers, json.dumps(body))

    def delete(self, id_):
        return self.asked.ask("DELETE", f"{PATH}/{id_}", {})

    def until(self, id_, *states):
        deadline = time.monotonic() + 30
        while (state := self.get(f"/{id_}").json()["state"]) not in (states or OVER):
            assert time.monotonic() < deadline, state
            time.sleep(0.05)
        return self.get(f"/{id_}").json()


@pytest.fixture
def site(tmp_path, underling):
    with Site(tmp_path) as one:
        yield one


@pytest.mark.parametrize("viewer", [ADA, ANONYMOUS])
def test_it_is_for_operators_whatever_they_send(tmp_path, viewer):
    site = Site(tmp_path, viewer=viewer)
    for body in (REPLAY, {}, {"kind": "nothing"}):
        assert site.post(body).status_code == 403
    for path in ("", "/x", "/x/report", "/x/events"):
        assert site.get(path).status_code == 403
    assert site.delete("x").status_code == 403


def test_an_order_is_taken_worked_on_and_told(site):
    answer = site.post(DIFF)
    assert answer.status_code == 202
    id_ = answer.json()["id"]
    assert answer.headers["Location"] == f"experiments/{id_}"
    told = site.until(id_)
    assert (told["state"], told["report"], told["by"]) == ("finished", True, "olga")
    assert told["begun_at"] <= told["ended_at"]
    log = (site.folder / ".orders" / id_ / "log").read_text()
    assert log.splitlines()[1].startswith("diff recording --new new-0 --draws 2 --seed 1 --json")
    assert (site.folder / ".orders" / id_ / "new-0").read_text() == "PriorityWeightAge=9000"
    assert [one["id"] for one in site.get().json()["experiments"]] == [id_]


def test_a_report_may_do_nothing_but_look_as_it_does(site):
    id_ = site.post(REPLAY).json()["id"]
    site.until(id_)
    page = site.get(f"/{id_}/report", Accept="text/html")
    assert page.text == "<h1>Found</h1>"
    (policy,) = page.headers.get_list("content-security-policy")
    assert policy.startswith("sandbox; default-src 'none'")
    assert site.get(f"/{id_}/report", Accept="application/json").json() == {}


def test_of_what_is_not_over_there_is_no_report(site):
    (site.folder / "pace").write_text("9")
    (one,) = [site.post(REPLAY).json()["id"]]
    assert site.get(f"/{one}/report").status_code == 404
    assert site.get("/x0/report").status_code == 404


def slow(site, id_, seconds=30):
    (site.folder / ".orders" / id_ / "pace").write_text(str(seconds))


@pytest.fixture
def slowly(tmp_path, underling):
    """A service whose work lasts."""
    underling.write_text(RUNS.replace('if __import__("os").path.exists("pace") else None', ""))
    underling.write_text(underling.read_text().replace('float(open("pace").read())', "30"))
    with Site(tmp_path) as one:
        yield one


def test_what_is_worked_on_is_cancelled_with_its_process(slowly):
    id_ = slowly.post(REPLAY).json()["id"]
    slowly.until(id_, "running")
    begun = time.monotonic()
    assert slowly.delete(id_).json()["state"] == "cancelled"
    assert slowly.until(id_)["state"] == "cancelled"
    assert time.monotonic() - begun < 10
    assert slowly.delete(id_).status_code == 200  # it is over: now it is forgotten
    assert slowly.get(f"/{id_}").status_code == 404
    assert list((slowly.folder / ".orders").iterdir()) == []


def test_what_waits_is_cancelled_before_it_begins(slowly):
    first, second = (slowly.post(REPLAY).json()["id"] for _ in range(2))
    slowly.until(first, "running")
    assert slowly.delete(second).json()["state"] == "cancelled"
    assert slowly.get(f"/{second}").json()["begun_at"] is None


def test_only_so_many_may_wait(slowly):
    taken = [slowly.post(REPLAY).status_code for _ in range(MOST_OPEN)]
    assert taken == [202] * MOST_OPEN
    refused = slowly.post(REPLAY)
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "600")


def test_after_a_restart_what_waited_waits_and_what_was_worked_on_was_interrupted(
    tmp_path, underling, slowly
):
    first, second = (slowly.post(REPLAY).json()["id"] for _ in range(2))
    slowly.until(first, "running")
    slowly.bench.stop()
    assert slowly.bench.get(first).state == "interrupted"
    underling.write_text(RUNS)
    with Site(tmp_path) as again:
        assert again.get(f"/{first}").json()["state"] == "interrupted"
        assert again.until(second)["state"] == "finished"


def test_a_crash_is_an_interruption_too(tmp_path, underling):
    shelf = Shelf(tmp_path)
    before = Bench(shelf, Path("/r"), StandingClock(), Means())
    id_ = before.post(Replay(kind="replay"), "olga", "").id
    before._next()  # begun, and never settled
    with Site(tmp_path) as again:
        assert again.get(f"/{id_}").json()["state"] == "interrupted"


def test_operators_have_a_page_of_them(site):
    id_ = site.post(DIFF | {"new": [f"A=1 {HOSTILE[:20]}"]}).json()["id"]
    site.until(id_)
    page = site.asked.get("/experiments").text
    assert "Ordered from the service" in page
    assert f'href="api/v1/experiments/{id_}/report"' in page
    assert "draws: 2" in page
    assert "<script>" not in page


def test_the_same_key_orders_once(site):
    one, again = (site.post(REPLAY, **{"Idempotency-Key": "k1"}).json()["id"] for _ in range(2))
    assert one == again
    assert site.post(REPLAY, **{"Idempotency-Key": "k2"}).json()["id"] != one
    assert len(site.get().json()["experiments"]) == 2


def test_who_takes_too_long_is_ended(tmp_path, underling):
    underling.write_text("import time; print('working', flush=True); time.sleep(60)")
    with Site(tmp_path, means=Means(deadline_s=1)) as site:
        told = site.until(site.post(REPLAY).json()["id"])
    assert (told["state"], told["cause"]) == ("failed", "not done within 1 s")


def test_of_what_fails_the_last_word_is_told_as_plain_text(tmp_path, underling):
    underling.write_text(f"import sys; print({HOSTILE[:-1]!r}, file=sys.stderr); sys.exit(2)")
    with Site(tmp_path) as site:
        told = site.until(site.post(REPLAY).json()["id"])
    assert told["state"] == "failed"
    assert "\x1b" not in told["cause"] and "script" in told["cause"]


def test_without_a_folder_nothing_can_be_ordered():
    site = Site(None)
    assert site.post(REPLAY).status_code == 503
    assert site.get().status_code == 503
    with pytest.raises(Full):
        site.bench.post(Replay(kind="replay"), "olga", "")


def test_all_that_changes_is_told_until_it_is_over(site):
    id_ = site.post(REPLAY).json()["id"]

    async def heard():
        return [one async for one in _stream(site.bench, site.bench.shelf, id_)]

    told = b"".join(asyncio.run(heard()))
    assert told.count(b"event: experiment") >= 1
    assert b'"state": "finished"' in told


@pytest.mark.parametrize(
    "content", [b"", b"[", b"{}", b'{"schema": "queuecast.order/1"}', b"[" * 100_000]
)
def test_what_is_damaged_is_passed_over(tmp_path, content):
    for name in ("x1", "x2"):
        (tmp_path / ".orders" / name).mkdir(parents=True)
        (tmp_path / ".orders" / name / "order.json").write_bytes(content)
    (tmp_path / ".orders" / "file").write_bytes(b"")
    assert list(Shelf(tmp_path).all()) == []


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"kind": "diff"}, id="nothing is proposed"),
        pytest.param({"kind": "diff", "new": ["Include /etc/shadow"]}, id="other files"),
        pytest.param({"kind": "diff", "new": ["inc\\\nlude=/etc/shadow"]}, id="other files, split"),
        pytest.param({"kind": "diff", "add_nodes": ["--json=/etc/x"]}, id="an option"),
        pytest.param({"kind": "diff", "remove_nodes": ["n1\nn2"]}, id="two lines"),
        pytest.param({"kind": "diff", "new": ["a"] * 9}, id="too many files"),
        pytest.param({"kind": "replay", "hours": 10_000}, id="too long"),
        pytest.param({"kind": "replay", "until": "once"}, id="no instant"),
        pytest.param({"kind": "replay", "draws": 2}, id="a word too many"),
        pytest.param({"kind": "sweep", "grid": 'kind = "trial"\ninputs = ["/x"]'}, id="inputs"),
        pytest.param({"kind": "sweep", "grid": '"inputs" = ["x"]'}, id="inputs, in quotes"),
        pytest.param({"kind": "sweep", "grid": '[fixed]\nconf = "/etc/x"'}, id="a path"),
        pytest.param({"kind": "sweep", "grid": "= no TOML"}, id="no TOML"),
        pytest.param({"kind": "sweep", "grid": "a = " + "[" * 5_000}, id="levels"),
        pytest.param({"kind": "other"}, id="another kind"),
        pytest.param([], id="no object"),
    ],
)
def test_what_makes_no_sense_is_refused(site, body):
    answer = site.post(body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert site.get().json()["experiments"] == []


def test_an_order_becomes_commands_on_a_stretch_of_the_recording():
    order = Diff(
        kind="diff",
        base=("A=1",),
        new=("A=2", "B=1"),
        reservations=("start=+1h,duration=2h,nodes=n1",),
        hours=3,
    )
    copy, compare = steps(order, Path("/var/r"), NOW)
    assert copy[:3] == ("record", "export", "/var/r")
    assert copy[-4:] == ("--since", "2023-11-14T19:13:20Z", "--until", "2023-11-14T22:13:20Z")
    assert compare[:8] == (
        *("diff", "recording", "--new", "new-0", "--new", "new-1"),
        *("--base", "base-0"),
    )
    assert ("--reservation", order.reservations[0]) == compare[8:10]
    sweep = steps(Sweep(kind="sweep", grid='kind = "trial"'), Path("/r"), NOW)[1]
    assert sweep[:6] == ("sweep", "run", "grid.toml", "recording", "--out", "sweep")
    with pytest.raises(ValidationError):
        Replay(kind="replay", every=0)


def recorded(path):
    """A recording of two hours in which one job starts."""
    begun = replace(running("1", "n1 n2", 30, submitted_at=NOW - 3 * HOUR), started_at=NOW - HOUR)
    with open_for_writing(path) as writer:
        for minute in range(0, 120, 20):
            job = waiting("1", 2, 40, of_job={"submitted_at": NOW - 3 * HOUR})
            at = NOW - 2 * HOUR + 60 * minute
            writer.append(cluster(4, begun if at >= NOW - HOUR else job, taken_at=at))
    return path


def test_our_own_commands_do_it_humbly(tmp_path):
    experiments = tmp_path / "experiments"
    experiments.mkdir()
    bench = Bench(Shelf(experiments), recorded(tmp_path / "r"), SystemClock(), Means())
    bench.start()
    try:
        until = "2023-11-14T22:13:20Z"
        id_ = bench.post(Replay(kind="replay", until=until, every=1), "olga", "").id
        seen = set()
        deadline = time.monotonic() + 120
        while bench.get(id_).open and time.monotonic() < deadline:
            seen |= niceness_of_children()
            time.sleep(0.1)
    finally:
        bench.stop()
    told = bench.get(id_)
    assert told.state == "finished", (told.cause, bench.shelf.progress(id_))
    assert json.loads(bench.shelf.figures(id_))["schema"] == "queuecast.verify/1"
    assert b"<html" in bench.shelf.report(id_)
    assert not (bench.shelf.place(id_) / "recording").exists()
    assert 19 in seen


def niceness_of_children():
    found = set()
    for thread in Path(f"/proc/{os.getpid()}/task").iterdir():
        for child in (thread / "children").read_text().split():
            try:
                found.add(os.getpriority(os.PRIO_PROCESS, int(child)))
            except ProcessLookupError:
                continue
    return found


def test_a_slurm_conf_is_checked_by_our_own_command(tmp_path):
    site = Site(tmp_path)
    body = json.dumps({"slurm_conf": "ClusterName=a\nSchedulerType=sched/backfill\nOddKey=3\n"})
    answer = site.asked.ask("POST", "/api/v1/config-checks", JSON, body)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert "coverage" in told and "changes" not in told["coverage"]
    # The cluster of the scene has the nodes n[1-4] and a partition, the file has none.
    assert told["changes"]["whole"]
    assert {"name": "node n[1-4]", "running": "there", "proposed": None} in told["changes"][
        "removed"
    ]
    for text in ("Include /etc/shadow", ""):
        body = json.dumps({"slurm_conf": text})
        assert site.asked.ask("POST", "/api/v1/config-checks", JSON, body).status_code == 422


def test_many_at_once_are_one_after_the_other(site):
    ids, lock = [], threading.Lock()

    def ask():
        id_ = site.post(REPLAY).json()["id"]
        with lock:
            ids.append(id_)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = [site.until(id_) for id_ in ids]
    assert {one["state"] for one in told} == {"finished"}
    assert len(set(ids)) == 4
