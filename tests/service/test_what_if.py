"""Suppositions over HTTP: what comes in, what goes out, and who is told to wait."""

import asyncio
import json
import os
import signal
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import pytest
from clusters import NOW, cluster, running, waiting
from pydantic import ValidationError
from services import StandingClock, board, client, result

from predictor.domain import (
    UNLIMITED,
    Association,
    PassSettings,
    Provenance,
    Qos,
    SchedulerSettings,
)
from predictor.forecast import forecast
from predictor.service.asking.viewers import ANONYMOUS, EVERYTHING, Role, Sight, Viewer
from predictor.service.problems import Refused
from predictor.service.published import publication
from predictor.service.whatif.answers import Supposals
from predictor.service.whatif.asking import PER_MINUTE, Allowance, Supposing
from predictor.service.whatif.shapes import Shape, Unclear, WhatIf, amounts, limit_s, suppositions
from predictor.service.worker import WorkerFailed
from predictor.site import Site, default

WHERE = "/api/v1/clusters/scene/what-if"
ADA, BOB = (Viewer(role=Role.USER, name=name) for name in ("ada", "bob"))

BUSY = cluster(
    4,
    running("r", "n1 n2 n3", 60),
    waiting("1", 4, 30),
    settings=SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1)),
    associations=(
        Association(account="physics", user="ada", default_qos="long"),
        Association(account="maths", user="ada", default_qos="short"),
    ),
)


# -- from a shape to a job


def supposed(snapshot=BUSY, user="ada", seen=EVERYTHING, **shape):
    (one,) = suppositions(WhatIf(shapes=[Shape(**shape)]), snapshot, seen, user)
    return one


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90", 5400),
        ("1:30", 90),
        ("12:00:00", 43_200),
        ("1-00:00:00", 86_400),
        ("2-12", 216_000),
        ("1-01:30", 91_800),
        ("12h", 43_200),
        ("UNLIMITED", UNLIMITED),
    ],
)
def test_limits_are_what_sbatch_takes(text, seconds):
    assert limit_s(text) == seconds


@pytest.mark.parametrize("text", ["", "soon", "1:2:3:4", "-5", "1-", "\u0661", "9:99"])
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(ValueError, match="expected"):
        limit_s(text)
    with pytest.raises(ValidationError):
        Shape(time_limit=text)


def test_amounts():
    assert amounts("gpu:2,ssd,gpu:a100:4") == (("gpu", 2), ("gpu:a100", 4), ("ssd", 1))
    assert amounts("gres/gpu:2") == (("gpu", 2),)
    with pytest.raises(ValueError, match="expected names"):
        amounts("gpu;2")


def test_what_is_left_out_is_as_the_batch_system_has_it():
    job = supposed().job
    assert (job.spec.user, job.spec.account, job.spec.qos) == ("ada", "physics", "long")
    assert job.spec.partitions == ("batch",)
    assert (job.spec.request.nodes, job.spec.request.cpus) == (1, 1)
    assert job.spec.submitted_at == job.spec.eligible_at == NOW
    assert supposed(account="maths").job.spec.qos == "short"


def test_the_default_partition_and_its_default_limit():
    members = BUSY.partitions[0].node_names
    other = replace(BUSY.partitions[0], name="usual", is_default=True, default_time_s=600)
    scene = replace(BUSY, partitions=(*BUSY.partitions, other))
    assert members
    assert supposed(scene).job.spec.partitions == ("usual",)
    assert supposed(scene).job.spec.request.limit_s == 600
    assert supposed(scene, partition="batch").job.spec.request.limit_s is None


def test_all_that_can_be_said():
    job = supposed(
        nodes=2,
        ntasks=8,
        cpus_per_task=2,
        time_limit="1:00:00",
        mem_mb=4000,
        gres="gpu:1",
        licenses="fluent:3",
        constraint="fast&big",
        exclusive=True,
        nodelist="n1,n2",
        begin="2023-11-15T00:00:00Z",
        qos="q",
    ).job
    asked = job.spec.request
    assert (asked.nodes, asked.cpus, asked.limit_s) == (2, 16, 3600)
    assert (asked.memory_per_node_mb, asked.gres_per_node) == (4000, (("gpu", 1),))
    assert (asked.licenses, asked.features) == ((("fluent", 3),), "fast&big")
    assert asked.sharing.value == "exclusive"
    assert asked.required_nodes == ("n1", "n2")
    assert job.begin_at == job.spec.eligible_at == 1_700_006_400
    assert job.spec.qos == "q"


def test_one_that_waits_but_for_what_is_given():
    one = supposed(instead_of="1", time_limit="10")
    known = BUSY.pending[0]
    assert one.instead_of == "1"
    assert one.job.spec.request == replace(known.spec.request, limit_s=600)
    assert (one.job.spec.submitted_at, one.job.spec.id) == (known.spec.submitted_at, "1?1")
    halved = supposed(instead_of="1", nodes=2).job.spec.request
    assert (halved.nodes, halved.cpus) == (2, 2)


@pytest.mark.parametrize("shape", [{"partition": "none"}, {"instead_of": "99"}])
def test_what_only_the_cluster_shows_to_be_wrong(shape):
    with pytest.raises(Unclear):
        supposed(**shape)


@pytest.mark.parametrize(
    ("shape", "why"),
    [({"qos": "none"}, "no such QOS: none"), ({"account": "arts"}, "no such account of this user")],
)
def test_where_limits_are_enforced_accounts_and_qos_are_known(shape, why):
    enforced = replace(BUSY.settings, limits_enforced=True)
    scene = replace(BUSY, settings=enforced, qos=(Qos(name="short"),))
    with pytest.raises(Unclear, match=why):
        supposed(scene, **shape)
    assert supposed(scene, account="maths", qos="short").job.spec.account == "maths"
    assert supposed(**shape).job.spec.user == "ada"


def test_a_job_that_may_not_be_shown_is_one_that_is_not_there():
    with pytest.raises(Unclear, match="no job 1 waits") as hidden:
        supposed(instead_of="1", seen=Sight(own="bob"))
    with pytest.raises(Unclear) as missing:
        supposed(instead_of="2", seen=Sight(own="bob"))
    assert str(hidden.value).replace("1", "2") == str(missing.value)


# -- over HTTP


@pytest.fixture(scope="module")
def supposing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recording")
    terms = {"run_times": "limit", "arrivals": False, "corrected": False, "draws": 3}
    site = Site.model_validate({"forecast": terms, "recording": {"path": str(folder / "r")}})
    found = Supposing(site, StandingClock())
    yield found
    found.stop()


def published(snapshot=BUSY):
    terms = result().terms
    return publication(snapshot, forecast(snapshot, default()), terms, NOW, NOW + 1)


def post(supposing, question, viewer=ADA, snapshot=BUSY, **more):
    api = client(
        board(published(snapshot)), StandingClock(), viewer=viewer, supposing=supposing, **more
    )
    return api.ask("POST", WHERE, {"Content-Type": "application/json"}, json.dumps(question))


def test_each_shape_is_answered_in_its_order(supposing):
    shapes = [
        {"name": "short", "nodes": 1, "time_limit": "30"},
        {"name": "long", "nodes": 1, "time_limit": "5:00:00"},
        {"name": "wide", "nodes": 9},
        {"instead_of": "1", "nodes": 1},
    ]
    answer = post(supposing, {"shapes": shapes, "by": str(NOW + 600)})
    assert answer.status_code == 200
    short, long, wide, trimmed = Supposals.model_validate(answer.json()).shapes
    assert [one.name for one in (short, long, wide)] == ["short", "long", "wide"]
    assert short.likely_start_epoch < NOW + 300 < long.likely_start_epoch
    assert short.deadline.probability > 0.9 > long.deadline.probability
    assert (wide.likely_start, wide.not_predicted_reason) == (None, "never_fits")
    assert trimmed.instead_of == "1"
    assert trimmed.likely_start_epoch < NOW + 300


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ({}, 422),
        ({"shapes": []}, 422),
        ({"shapes": [{}] * 101}, 422),
        ({"shapes": [{"nodes": 0}]}, 422),
        ({"shapes": [{"colour": "red"}]}, 422),
        ({"shapes": [{"partition": "none"}]}, 422),
        ({"shapes": [{"begin": "soon"}]}, 422),
        ({"shapes": [{"name": "x" * 70_000}]}, 413),
        ([], 422),
    ],
)
def test_bad_questions_are_refused(supposing, question, status):
    answer = post(supposing, question)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_where_single_jobs_are_not_for_everybody_neither_is_this(supposing):
    shapes = {"shapes": [{"nodes": 1}]}
    assert post(supposing, shapes, viewer=ANONYMOUS, open_=False).status_code == 403
    hidden = replace(BUSY, provenance=Provenance(source="scene", private=("jobs",)))
    assert post(supposing, shapes, viewer=BOB, snapshot=hidden).status_code == 200
    other = {"shapes": [{"instead_of": "1"}]}
    assert post(supposing, other, viewer=BOB, snapshot=hidden).status_code == 422


def test_who_hidden_jobs_belong_to_changes_no_answer(supposing):
    hidden = replace(BUSY, provenance=Provenance(source="scene", private=("jobs",)))
    eves = tuple(
        replace(j, spec=replace(j.spec, user="eve", name=j.spec.comment)) for j in hidden.pending
    )
    shapes = {"shapes": [{"nodes": 1, "time_limit": "5:00:00"}, {"nodes": 4}]}
    answers = [
        post(supposing, shapes, viewer=BOB, snapshot=world).json()
        for world in (hidden, replace(hidden, pending=eves))
    ]
    assert answers[0] == answers[1]


def test_a_process_that_was_killed_is_replaced(supposing):
    shapes = {"shapes": [{"nodes": 1}]}
    before = post(supposing, shapes).json()
    os.kill(supposing.pid, signal.SIGKILL)
    after = [post(supposing, shapes) for _ in range(2)]
    assert after[-1].json() == before
    assert {one.status_code for one in after} <= {200, 503}


# -- who is told to wait


def test_everybody_may_suppose_so_much_a_minute():
    clock = StandingClock()
    allowance = Allowance(clock, PER_MINUTE)
    assert allowance.take("ada", PER_MINUTE) == 0
    assert allowance.take("ada", 1) == pytest.approx(60 / PER_MINUTE)
    assert allowance.take("bob", 1) == 0
    clock.at += 61 / PER_MINUTE
    assert allowance.take("ada", 1) == 0
    assert allowance.take("ada", 1) > 0


def test_a_question_larger_than_the_allowance_waits_for_a_full_one_and_is_paid_off():
    clock = StandingClock()
    allowance = Allowance(clock, 10)
    assert allowance.take("ada", 100) == 0
    clock.at += 60
    assert allowance.take("ada", 1) > 0
    clock.at += 9 * 60
    assert allowance.take("ada", 10) == 0


def test_what_is_remembered_is_bounded():
    allowance = Allowance(StandingClock(), 10)
    for number in range(5_000):
        allowance.take(str(number), 1)
    assert len(allowance._left) <= 1_000


def test_who_asks_too_much_is_told_when_to_come_back(supposing):
    eve = Viewer(role=Role.USER, name="eve")
    for _ in range(3):
        answer = post(supposing, {"shapes": [{"nodes": 1}] * PER_MINUTE, "draws": 1}, viewer=eve)
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0


def test_few_may_wait_for_their_turn(supposing, monkeypatch):
    def slow(*_):
        time.sleep(0.3)
        return {}

    monkeypatch.setattr(supposing, "_ask", slow)

    async def crowd():
        asked = (supposing.answers(published(), (), 1, str(n)) for n in range(12))
        return await asyncio.gather(*asked, return_exceptions=True)

    refused = [one for one in asyncio.run(crowd()) if isinstance(one, Refused)]
    assert 5 <= len(refused) <= 8
    assert {one.status for one in refused} == {503}


def test_what_becomes_of_suppositions_is_counted(monkeypatch):
    counted = Counter()
    supposing = Supposing(
        default(), StandingClock(), lambda outcome, jobs: counted.update({outcome: jobs})
    )

    def ask(jobs):
        with suppress(Refused):
            asyncio.run(supposing.answers(published(), (None,) * jobs, 1, "ada"))

    def fail(*_):
        raise WorkerFailed("died", "gone")

    monkeypatch.setattr(supposing, "_ask", lambda *_: {})
    ask(2)
    monkeypatch.setattr(supposing, "_ask", fail)
    ask(3)
    ask(PER_MINUTE)
    assert counted == {"ok": 2, "failed": 3, "limited": PER_MINUTE}
