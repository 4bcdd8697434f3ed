"""Events: what listeners hear of new results, and what they never hear."""

import asyncio
import json
from dataclasses import replace

import pytest
from clusters import NOW, waiting
from services import StandingClock, board, client, result, scene

from predictor.domain import Provenance
from predictor.service import herald as module
from predictor.service import places
from predictor.service.answering import Newest
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.herald import Herald, event
from predictor.service.problems import Refused

ADA = Viewer(role=Role.USER, name="ada")
LATER = result(replace(scene(), taken_at=NOW + 60), at=NOW + 65)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(module, "LOOK_EVERY_S", 0.01)
    monkeypatch.setattr(module, "BEAT_EVERY_S", 0.05)


def parsed(raw: bytes) -> tuple[str, dict]:
    fields = dict(line.split(": ", 1) for line in raw.decode().strip().split("\n"))
    return fields["event"], json.loads(fields["data"])


async def heard(on, viewer, *, last="", then=None, most=50):
    """What somebody hears up to the first silence, and up to the next after `then` was put up."""
    listening = Herald(Newest(on, StandingClock(), open_=True))
    stream, told = listening.listen(viewer, last), []
    async for raw in stream:
        if raw.startswith(b":"):
            if then is None:
                break
            on.put(then)
            then = None
            continue
        told.append(parsed(raw))
        if len(told) >= most:
            break
    await stream.aclose()
    assert listening.listeners == 0
    return told


def test_who_comes_hears_of_the_newest_result_at_once():
    ((name, body),) = asyncio.run(heard(board(result()), ANONYMOUS))
    assert name == "tick"
    assert body["cluster"] == "scene"
    assert body["partitions"][0]["pending"] == 3


def test_who_has_heard_of_it_hears_of_the_next_one_only():
    first = result()
    assert asyncio.run(heard(board(first), ANONYMOUS, last=first.tick)) == []
    told = asyncio.run(heard(board(first), ANONYMOUS, last=first.tick, then=LATER))
    assert [name for name, _ in told] == ["tick"]
    assert told[0][1]["snapshot_at"] == "2023-11-14T22:14:20Z"


def test_before_the_first_result_there_is_silence_and_then_the_first():
    assert [name for name, _ in asyncio.run(heard(board(), ADA, then=result()))] == ["tick"]


def test_changes_of_the_own_jobs_are_told_those_of_others_never():
    told = asyncio.run(heard(board(result()), ADA, then=LATER))
    jobs = [body for name, body in told if name == "job"]
    assert {body["user"] for body in jobs} == {"ada"}
    assert "11" in {body["job_id"] for body in jobs}
    assert told[-1][0] == "tick"
    others = asyncio.run(heard(board(result()), ANONYMOUS, then=LATER))
    assert [name for name, _ in others] == ["tick", "tick"]


def test_changes_that_are_told_at_once_are_bounded():
    many = replace(scene(), pending=tuple(waiting(str(n)) for n in range(300)))
    told = asyncio.run(heard(board(result()), ADA, then=result(many, at=NOW + 65), most=500))
    assert len([1 for name, _ in told if name == "job"]) == module.MOST_JOBS


def test_hostile_names_stay_on_their_line():
    raw = event("job", {"name": "a\n\ndata: b\revent: x\u2028\ud800"})
    assert raw.count(b"\n") == 3
    assert b"\r" not in raw
    assert parsed(raw)[1]["name"].startswith("a\n\ndata: b")


def test_so_many_may_listen_and_no_more(monkeypatch):
    monkeypatch.setattr(places, "most_files", lambda: 8)
    assert (places.places(), places.listeners()) == (4, 2)
    listening = Herald(Newest(board(result()), StandingClock(), open_=True))

    async def crowd() -> int:
        streams = [listening.listen(ADA, "") for _ in range(2)]
        for stream in streams:
            await anext(stream)
        with pytest.raises(Refused) as told:
            listening.listen(ADA, "")
        for stream in streams:
            await stream.aclose()
        return told.value.status

    assert asyncio.run(crowd()) == 503


def test_one_task_looks_for_all_who_listen(monkeypatch):
    monkeypatch.setattr(module, "BEAT_EVERY_S", 600)

    async def crowd():
        on = board(result())
        listening = Herald(Newest(on, StandingClock(), open_=True))
        streams = [listening.listen(ANONYMOUS, "") for _ in range(200)]
        for stream in streams:
            await anext(stream)
        waiting_for = [asyncio.ensure_future(anext(stream)) for stream in streams]
        while not any("Herald._look" in repr(task) for task in asyncio.all_tasks()):
            await asyncio.sleep(0.01)
        looking = [task for task in asyncio.all_tasks() if "Herald._look" in repr(task)]
        on.put(LATER)
        told = await asyncio.gather(*waiting_for)
        for stream in streams:
            await stream.aclose()
        return len(looking), told

    looking, told = asyncio.run(crowd())
    assert looking == 1
    assert {parsed(raw)[1]["snapshot_at"] for raw in told} == {"2023-11-14T22:14:20Z"}


# -- who asks, and the cluster as a whole

PLAN = "/api/v1/clusters/scene/plan"


def asked(path, viewer=ADA, snapshot=None, **more):
    on = board(result(snapshot or scene()))
    return client(on, StandingClock(), viewer=viewer, **more).get(path)


def test_who_am_i():
    known = asked("/api/v1/me").json()
    assert (known["user"], known["role"], known["sees_jobs"]) == ("ada", "user", "all")
    unknown = asked("/api/v1/me", viewer=ANONYMOUS, open_=False).json()
    assert (unknown["user"], unknown["role"], unknown["sees_jobs"]) == (None, "anonymous", "none")


def test_the_schedule_has_a_bar_for_each_job_that_runs_or_will():
    body = asked(PLAN).json()
    assert [bar["job_id"] for bar in body["bars"]] == ["10", "11", "12_[0-5%2]"]
    assert [bar["waits"] for bar in body["bars"]] == [False, True, True]
    assert body["bars"][0]["nodes"] == "n[1-2]"
    assert body["nodes"] == ["n1", "n2", "n3", "n4"]


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("nodes=n[3-4]", []),
        ("nodes=n2", ["10", "11", "12_[0-5%2]"]),
        ("to=2023-11-14T22:20:00Z", ["10"]),
        ("from=2023-11-15T00:00:00Z", ["12_[0-5%2]"]),
        ("partition=none", []),
    ],
)
def test_a_part_of_it(query, ids):
    assert [bar["job_id"] for bar in asked(f"{PLAN}?{query}").json()["bars"]] == ids


def test_jobs_that_are_not_shown_are_bars_without_a_name():
    hidden = replace(scene(), provenance=Provenance(source="scene", private=("jobs",)))
    bob = Viewer(role=Role.USER, name="bob")
    bars = asked(PLAN, viewer=bob, snapshot=hidden).json()["bars"]
    assert len(bars) == 3
    assert {(bar["job_id"], bar["user"], bar["own"]) for bar in bars} == {(None, None, False)}


@pytest.mark.parametrize("query", ["nodes=n[1-", "nodes=n[1-99999999]", "from=soon", "colour=red"])
def test_bad_frames_are_refused(query):
    assert asked(f"{PLAN}?{query}").status_code == 422


def test_whole_snapshots_are_for_operators():
    path = "/api/v1/clusters/scene/snapshot"
    assert asked(path).status_code == 403
    answer = asked(path, viewer=Viewer(role=Role.OPERATOR))
    assert answer.headers["Content-Type"].startswith("application/xml")
    assert answer.text.startswith("<?xml")
