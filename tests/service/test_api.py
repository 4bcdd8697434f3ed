"""The API: what it answers, and what it refuses."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from clusters import NOW
from pydantic import ValidationError
from services import ALARM, HOSTILE, Client, StandingClock, board, client, result, scene

from predictor.domain import Provenance
from predictor.service import openapi
from predictor.service.bodies import Clusters, Forecasts, JobAnswer, Problem
from predictor.service.guard import security_headers
from predictor.service.published import Board
from predictor.site.access import AccessTable

LIST = "/api/v1/clusters/scene/forecasts"
JOB = "/api/v1/clusters/scene/jobs"


@pytest.fixture
def clock():
    return StandingClock()


@pytest.fixture
def api(clock) -> Client:
    return client(board(result()), clock)


def ids(response) -> list[str]:
    return [job["job_id"] for job in response.json()["jobs"]]


def test_a_list_holds_the_waiting_jobs_in_queue_order_with_their_age(api):
    body = Forecasts.model_validate(api.get(LIST).json())
    assert [job.job_id for job in body.jobs] == ["11", "12_[0-5%2]", "13"]
    assert (body.age_seconds, body.stale) == (20, False)
    assert (body.snapshot_at, body.policy) == ("2023-11-14T22:13:20Z", "easy")


def test_a_job_has_a_start_or_the_reason_why_none_can_be_told(api):
    told = JobAnswer.model_validate(api.get(f"{JOB}/11").json())
    assert told.likely_start == "2023-11-14T23:13:20Z"
    assert told.likely_start_epoch == NOW + 3_600
    assert (told.cause, told.nodelist, told.rank) == ("resources", "n[1-2]", 1)
    assert told.not_predicted_reason is None
    held = JobAnswer.model_validate(api.get(f"{JOB}/13").json())
    assert (held.likely_start, held.cause, held.rank) == (None, None, None)
    assert (held.not_predicted_reason, held.detail) == ("held", "its user holds it")


@pytest.fixture
def sure_api(clock) -> Client:
    return client(board(result(windows=True)), clock)


def test_a_start_comes_with_its_window_and_with_how_good_such_were_of_late(sure_api):
    told = JobAnswer.model_validate(sure_api.get(f"{JOB}/11").json())
    assert told.likely_start == told.p50 == "2023-11-14T23:13:20Z"
    assert (told.p10, told.p90) == ("2023-11-14T22:43:20Z", "2023-11-15T00:13:20Z")
    assert told.by95 == "2023-11-15T00:43:20Z"
    assert told.basis == "as the last 9 jobs of this user: half of them 12 min or less"
    assert told.quality is not None
    assert told.quality.model_dump() == {
        "like": "jobs of batch said to start in 1 to 4 h",
        "jobs": 340,
        "since": "2023-11-07T22:13:20Z",
        "typical_error_s": 1320,
        "coverage80": 0.824,
    }


def test_without_windows_all_of_that_is_null(api):
    told = JobAnswer.model_validate(api.get(f"{JOB}/11?by=2023-11-15T00:00:00Z").json())
    assert told.likely_start is not None
    assert told.p10 is told.p50 is told.p90 is told.by95 is told.basis is None
    assert told.quality is told.deadline is None


@pytest.mark.parametrize(
    ("by", "probability"),
    [
        pytest.param("2023-11-14T22:13:20Z", 0, id="before the first level"),
        pytest.param("2023-11-14T23:13:20Z", 0.5, id="the likely start"),
        pytest.param("2023-11-15T00:13:20%2B01:00", 0.5, id="the same in another zone"),
        pytest.param(str(NOW + 3_600), 0.5, id="the same in epoch seconds"),
        pytest.param("2023-11-14T23:43:20Z", 0.7, id="between two levels"),
        pytest.param("2099-01-01", 0.95, id="no more than the last level"),
    ],
)
def test_the_chance_to_start_by_a_deadline(sure_api, by, probability):
    told = sure_api.get(f"{JOB}/11?by={by}").json()["deadline"]
    assert told["probability"] == probability
    listed = Forecasts.model_validate(sure_api.get(f"{LIST}?by={by}").json()).jobs
    assert [job.deadline.model_dump() if job.deadline else None for job in listed[:1]] == [told]
    assert listed[-1].deadline is None  # held: nothing can be said


def test_who_asks_for_no_deadline_gets_none(sure_api):
    assert sure_api.get(f"{JOB}/11").json()["deadline"] is None


@pytest.mark.parametrize("by", ["soon", "", "9" * 30, "1e9", "0000-01-01", "18:00", "9" * 400])
def test_what_is_no_instant_is_refused(sure_api, by):
    for path in (f"{LIST}?by={by}", f"{JOB}/11?by={by}"):
        answer = sure_api.get(path)
        assert (answer.status_code, answer.json()["status"]) == (422, 422)


def test_a_running_job_tells_since_when(api):
    told = JobAnswer.model_validate(api.get(f"{JOB}/10").json())
    assert (told.state, told.started_at) == ("running", "2023-11-14T22:03:20Z")
    assert told.likely_start is None


@pytest.mark.parametrize("asked", ["12", "12_3", "12_[0-5%252]", "12_[2,9]"])
def test_an_array_is_found_by_its_id_its_tasks_and_its_record(api, asked):
    assert api.get(f"{JOB}/{asked}").json()["job_id"] == "12_[0-5%2]"


def test_filters(api):
    assert ids(api.get(f"{LIST}?user=bob")) == ["13"]
    assert ids(api.get(f"{LIST}?user=bob,ada&account=physics")) == ["11"]
    assert ids(api.get(f"{LIST}?partition=gpu")) == []
    assert ids(api.get(f"{LIST}?state=running")) == ["10"]
    assert ids(api.get(f"{LIST}?state=all&job=10,13")) == ["13", "10"]


def test_ids_that_nobody_has_are_named(api):
    assert api.get(f"{LIST}?job=11,99,12_9").json()["unknown_jobs"] == ["99", "12_9"]


def test_pages_lead_to_one_another(api):
    first = api.get(f"{LIST}?limit=2")
    assert ids(first) == ["11", "12_[0-5%2]"]
    assert first.headers["Link"] == '<?limit=2&cursor=2>; rel="next"'
    second = api.get(f"{LIST}?limit=2&cursor={first.json()['next']}")
    assert (ids(second), second.json()["next"]) == (["13"], None)
    assert "Link" not in second.headers


def test_clusters_are_told_in_numbers(api):
    (cluster,) = Clusters.model_validate(api.get("/api/v1/clusters").json()).clusters
    assert [count.model_dump() for count in cluster.partitions] == [
        {"partition": "batch", "pending": 3, "running": 1, "finished": 0}
    ]
    assert cluster.unpredicted == {"held": 1}
    one = api.get("/api/v1/clusters/scene").json()
    assert one == api.get("/api/v1/clusters").json()["clusters"][0]


def test_a_cluster_tells_how_good_answers_were_and_since_when_they_are_not(clock):
    published = replace(result(windows=True), alarms=(ALARM,))
    (cluster,) = Clusters.model_validate(
        client(board(published), clock).get("/api/v1/clusters").json()
    ).clusters
    assert cluster.quality is not None
    assert cluster.quality.model_dump() == {
        "jobs": 340,
        "typical_error_s": 1320,
        "coverage80": 0.824,
    }
    assert [(alarm.figure, alarm.since) for alarm in cluster.alarms] == [
        ("held", "2023-11-14T20:13:20Z")
    ]


def test_who_has_the_result_already_gets_304_until_there_is_news(api, clock):
    tag = api.get(LIST).headers["ETag"]
    again = api.get(LIST, **{"If-None-Match": f'"x", {tag}'})
    assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    clock.at += 1_000
    assert api.get(LIST, **{"If-None-Match": tag}).json()["stale"] is True


def test_answers_may_be_kept_until_the_next_tick_is_due(api, clock):
    assert api.get(LIST).headers["Cache-Control"] == "private, max-age=45"
    clock.at += 1_000
    assert api.get(LIST).headers["Cache-Control"] == "private, max-age=0"


def test_while_windows_are_being_worked_out_answers_are_kept_for_a_moment_only(clock):
    first = replace(result(), first=True)
    api = client(board(first), clock)
    answer = api.get(LIST)
    assert answer.headers["Cache-Control"] == "private, max-age=5"
    sure = replace(result(windows=True), computed_at=first.computed_at)
    whole = client(board(sure), clock).get(LIST, **{"If-None-Match": answer.headers["ETag"]})
    assert whole.status_code == 200


def test_before_the_first_forecast_nothing_is_made_up(clock):
    api = client(Board(), clock)
    for path in ("/api/v1/clusters", LIST, f"{JOB}/11", "/readyz"):
        response = api.get(path)
        assert (response.status_code, response.headers["Retry-After"]) == (503, "5")
    assert api.get("/healthz").status_code == 200


def test_ready_means_fresh(api, clock):
    assert api.get("/readyz").status_code == 200
    clock.at += 1_000
    assert api.get("/readyz").status_code == 503
    assert api.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        pytest.param(f"{JOB}/99", 404, "no such job", id="unknown job"),
        pytest.param(f"{JOB}/..%2f..%2fetc", 404, "Nothing matches", id="traversal"),
        pytest.param(f"{JOB}/%00", 404, "not a job id", id="no id at all"),
        pytest.param("/api/v1/clusters/other", 404, "no such cluster", id="unknown cluster"),
        pytest.param("/api/v2/clusters", 404, "Nothing matches", id="unknown address"),
        pytest.param(f"{LIST}?limit=0", 422, "limit: ", id="too small"),
        pytest.param(f"{LIST}?limit=1e99", 422, "limit: ", id="no whole number"),
        pytest.param(f"{LIST}?limit=NaN", 422, "limit: ", id="not a number"),
        pytest.param(f"{LIST}?cursor=99999999999999999999", 422, "cursor: ", id="huge"),
        pytest.param(f"{LIST}?state=asleep", 422, "state: expected some of", id="unknown word"),
        pytest.param(f"{LIST}?job=1;2", 422, "job: not a job id: '1;2'", id="wrong id"),
        pytest.param(f"{LIST}?usr=bob", 422, "usr: ", id="unknown parameter"),
        pytest.param(f"{LIST}?user={'x' * 5000}", 422, "user: ", id="far too long"),
        pytest.param(f"{LIST}?user={'x' * 9000}", 414, "8192", id="absurdly long"),
    ],
)
def test_a_refusal_is_a_problem_that_says_what_is_wrong(api, path, status, says):
    response = api.get(path)
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    told = Problem.model_validate(response.json())
    assert told.status == status
    assert says in told.detail


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8642", "", "localhost.evil.example"]
)
def test_a_foreign_host_name_is_refused(api, host):
    assert api.get(LIST, Host=host).status_code == 421


def test_an_ipv6_address_to_answer_on_is_a_name_to_be_called_by(clock):
    full = board(result())
    api = client(full, clock, hosts=frozenset({"fd00::1"}))
    assert api.get(LIST, Host="[fd00::1]:8642").status_code == 200
    assert api.get(LIST, Host="[fd00::2]:8642").status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8642", "127.0.0.1:1", "[::1]", "[::1]:9"])
def test_loopback_by_any_name_is_served(api, host):
    assert api.get(LIST, Host=host).status_code == 200


def test_bodies_and_other_methods_are_refused(api):
    assert api.ask("GET", LIST, content=b"x").status_code == 413
    assert api.ask("POST", LIST, content=b"x").status_code == 405
    assert api.ask("POST", LIST, content=b"x" * 70_000).status_code == 413
    assert api.ask("POST", LIST, {"Content-Length": "many"}).status_code in (400, 413)
    refused = api.ask("DELETE", LIST)
    assert (refused.status_code, refused.json()["status"]) == (405, 405)


def test_nothing_may_be_loaded_framed_or_sniffed(api):
    headers = api.get("/").headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in headers
    assert headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")
    assert headers["X-Frame-Options"] == "DENY"


def test_pages_of_the_sites_portals_may_have_ours_in_a_frame():
    headers = dict(security_headers(("https://ondemand.example.org", "http://portal:8080")))
    policy = headers[b"content-security-policy"].decode()
    assert policy.endswith("frame-ancestors 'self' https://ondemand.example.org http://portal:8080")
    assert b"x-frame-options" not in headers


@pytest.mark.parametrize(
    "origin",
    [
        "ondemand.example.org",
        "https://*",
        "https://a/path",
        "https://a; script-src *",
        "https://a b",
        "'self'",
    ],
)
def test_only_origins_may_be_named_there(origin):
    with pytest.raises(ValidationError):
        AccessTable(frame_ancestors=[origin])


def test_where_jobs_are_private_only_numbers_are_told(clock):
    private = Provenance(source="scene", private=("accounts", "jobs"))
    api = client(board(result(replace(scene(), provenance=private))), clock)
    for path in (LIST, f"{LIST}?user=ada", f"{JOB}/11", f"{JOB}/99"):
        response = api.get(path)
        assert (response.status_code, "known users" in response.json()["detail"]) == (403, True)
    numbers = api.get("/api/v1/clusters")
    assert numbers.json()["clusters"][0]["jobs_private"] is True
    assert "ada" not in numbers.text


def test_an_address_has_one_form(api):
    assert api.get("/api/v1/clusters/").status_code == 404


def test_hostile_names_reach_json_escaped(api):
    response = api.get(LIST)
    assert response.content.isascii()
    assert b"\x1b" not in response.content
    assert response.json()["jobs"][0]["name"] == HOSTILE


def test_a_fault_of_ours_is_a_problem_too(clock):
    broken = board(result())
    broken.put(replace(broken.current, rows=None))
    response = client(broken, clock).get(LIST)
    assert (response.status_code, response.json()["status"]) == (500, 500)
    assert "NoneType" not in response.text


def test_the_committed_openapi_document_is_the_current_one():
    """To renew it: `python -m predictor.service.openapi`."""
    committed = json.loads(Path(openapi.COMMITTED).read_text(encoding="utf-8"))
    assert committed == openapi.document()


def test_each_reference_in_the_document_leads_somewhere():
    document = openapi.document()

    def references(part):
        if isinstance(part, dict):
            yield from (part["$ref"],) if isinstance(part.get("$ref"), str) else ()
            part = list(part.values())
        if isinstance(part, list):
            for each in part:
                yield from references(each)

    found = set(references(document))
    assert found
    for reference in found:
        there = document
        for step in reference.removeprefix("#/").split("/"):
            there = there[step]


def test_the_document_is_served(api):
    assert api.get("/openapi.json").json()["paths"].keys() >= {
        "/api/v1/clusters/{cluster}/forecasts",
        "/readyz",
    }
    assert api.get("/docs").status_code == 404
