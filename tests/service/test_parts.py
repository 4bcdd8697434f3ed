"""Partitions, backlog, reservations, accuracy; tables and LML; what is told of one job alone."""

import csv
import io
from dataclasses import replace

import pytest
from clusters import NOW, cluster, waiting
from lxml import etree
from services import ALARM, StandingClock, board, client, result, scene

from predictor.domain import Provenance, Reservation, Untrusted
from predictor.domain.calendar import ReservationFlag
from predictor.service.asking.viewers import Role, Viewer
from predictor.service.part_bodies import (
    Accuracies,
    Backlog,
    JobExplanation,
    JobHistory,
    Partitions,
    Reservations,
)
from predictor.service.parts import FEWEST

HERE = "/api/v1/clusters/scene"
OPERATOR = Viewer(role=Role.OPERATOR, name="root")
ADA = Viewer(role=Role.USER, name="ada")
SET_APART = Reservation(
    name="upgrade",
    start_at=NOW + 7_200,
    end_at=NOW + 9_000,
    node_names=("n1", "n2"),
    users=("bob",),
    flags=frozenset({ReservationFlag.MAINTENANCE}),
)


def asked(snapshot=None, viewer=OPERATOR, **more):
    return client(board(result(snapshot, **more)), StandingClock(), viewer=viewer)


def private(*what):
    return Provenance(source="scene", private=what)


def test_partitions_with_their_rules():
    (batch,) = Partitions.model_validate(asked().get(f"{HERE}/partitions").json()).partitions
    assert (batch.name, batch.state, batch.nodes, batch.max_time_s) == ("batch", "up", 4, 86_400)


def test_the_backlog_in_jobs_tasks_and_node_hours():
    (batch,) = Backlog.model_validate(asked().get(f"{HERE}/backlog").json()).partitions
    # "11" wants 2 nodes, "12" stands for 6 tasks, "13" is held: 9 times 10 minutes on one node.
    assert (batch.pending_jobs, batch.pending_tasks, batch.running_jobs) == (3, 8, 1)
    assert (batch.pending_node_hours, batch.unpredicted_jobs) == (1.5, 1)
    assert batch.last_start == "2023-11-15T07:13:20Z"


@pytest.mark.parametrize("others", [1, FEWEST - 1, FEWEST])
def test_a_sum_over_a_few_hidden_jobs_is_not_told(others):
    jobs = [waiting(str(30 + i), of_job={"user": "bob"}) for i in range(others)]
    seen = cluster(4, waiting("20"), *jobs, provenance=private("jobs"))
    (batch,) = asked(seen, ADA).get(f"{HERE}/backlog").json()["partitions"]
    assert (batch["pending_node_hours"] is None) == (others < FEWEST)
    assert batch["pending_jobs"] == others + 1
    (whole,) = asked(seen).get(f"{HERE}/backlog").json()["partitions"]
    assert whole["pending_node_hours"] is not None


def test_reservations_without_those_they_are_for():
    answer = asked(scene(reservations=(SET_APART,))).get(f"{HERE}/reservations")
    (told,) = Reservations.model_validate(answer.json()).reservations
    assert (told.name, told.nodes, told.flags) == ("upgrade", "n[1-2]", ["maintenance"])
    assert "bob" not in answer.text


@pytest.mark.parametrize("what", ["partitions", "reservations"])
def test_what_a_site_keeps_private_operators_see(what):
    seen = scene(reservations=(SET_APART,), provenance=private(what))
    refused = asked(seen, ADA).get(f"{HERE}/{what}")
    assert (refused.status_code, refused.json()["detail"]) == (403, f"{what} are private here")
    assert asked(seen).get(f"{HERE}/{what}").status_code == 200


def test_accuracy_by_what_jobs_have_in_common():
    published = replace(result(windows=True), alarms=(ALARM,))
    body = client(board(published), StandingClock()).get(f"{HERE}/accuracy").json()
    told = Accuracies.model_validate(body)
    assert told.quality is not None
    assert [one.like for one in told.classes] == ["jobs of batch said to start in 1 to 4 h"]
    assert [one.whom for one in told.alarms] == ["jobs of batch"]
    nothing = Accuracies.model_validate(asked().get(f"{HERE}/accuracy").json())
    assert (nothing.quality, nothing.classes, nothing.alarms) == (None, [], [])


def test_explanation_and_history_of_a_job_are_those_of_its_answer():
    api = asked(windows=True)
    whole = api.get(f"{HERE}/jobs/11").json()
    why = JobExplanation.model_validate(api.get(f"{HERE}/jobs/11/explanation").json())
    past = JobHistory.model_validate(api.get(f"{HERE}/jobs/11/history").json())
    assert (why.job_id, why.cause, why.explanation) == ("11", "resources", whole["explanation"])
    assert [one.model_dump() for one in past.history] == whole["history"]
    held = api.get(f"{HERE}/jobs/13/explanation").json()
    assert (held["not_predicted_reason"], held["detail"]) == ("held", "its user holds it")


@pytest.mark.parametrize("part", ["explanation", "history"])
def test_of_a_hidden_job_there_are_no_parts(part):
    seen = scene(provenance=private("jobs"))
    for id_ in ("13", "99"):
        answer = asked(seen, ADA).get(f"{HERE}/jobs/{id_}/{part}")
        assert (answer.status_code, answer.json()["detail"]) == (
            404,
            "the newest snapshot has no such job",
        )


@pytest.mark.parametrize(
    ("query", "headers"), [("", {"Accept": "text/csv"}), ("?format=csv", {"Accept": "*/*"})]
)
def test_jobs_as_a_table(query, headers):
    answer = asked(windows=True).get(f"{HERE}/forecasts{query}", **headers)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["ETag"].endswith('-csv"')
    assert "Accept" in answer.headers["Vary"]
    jobs = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(job["job_id"], job["user"], job["rank"]) for job in jobs] == [
        ("11", "ada", "1"),
        ("12_[0-5%2]", "ada", "2"),
        ("13", "bob", ""),
    ]
    assert jobs[0]["p10"] == "2023-11-14T22:43:20Z"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("=1+1", "'=1+1"),
        ("  @SUM(A1)", "'  @SUM(A1)"),
        ("-2", "'-2"),
        ("\t=1", "?=1"),
        ("a,b\r\nc", "a,b??c"),
        ('say "hi"', 'say "hi"'),
    ],
)
def test_no_cell_is_a_formula_and_each_job_is_one_line(name, shown):
    seen = cluster(4, waiting("1", of_job={"name": Untrusted(name)}))
    text = asked(seen).get(f"{HERE}/forecasts?format=csv").text
    assert len(text.split("\r\n")) == 3
    (job,) = csv.DictReader(io.StringIO(text))
    assert (job["name"], job["user"]) == (shown, "ada")


def test_who_has_the_table_has_not_the_json():
    api = asked()
    tag = api.get(f"{HERE}/forecasts?format=csv").headers["ETag"]
    known = {"If-None-Match": tag}
    assert api.get(f"{HERE}/forecasts?format=csv", **known).status_code == 304
    assert api.get(f"{HERE}/forecasts", **known).status_code == 200


def test_the_plan_as_lml_is_for_operators():
    answer = asked().get(f"{HERE}/plan", Accept="application/xml")
    assert answer.headers["Content-Type"] == "application/xml"
    assert etree.fromstring(answer.content).tag.endswith("lgui")
    assert asked(viewer=ADA).get(f"{HERE}/plan", Accept="application/xml").status_code == 403
    browser = asked(viewer=ADA).get(f"{HERE}/plan", Accept="text/html,application/xml;q=0.9,*/*")
    assert browser.headers["Content-Type"] == "application/json"
