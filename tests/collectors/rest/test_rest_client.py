"""What is asked of slurmrestd, by which paths, and what its refusals mean."""

import base64
import json
import time
from threading import Thread

import pytest
from recordings import HandClock
from rest_server import reply

from collectors.slurm.rest.client import Client
from collectors.slurm.rest.credentials import Credentials, checked, expires_at
from collectors.slurm.rest.routes import ENDPOINTS, VERSIONS, routes_among, version_of
from collectors.slurm.rest.source import from_settings
from predictor.errors import SiteError, SourceError, SourceFormatError, SourceTimeout

JOBS = ("GET", "slurm/jobs")
LAST = '{"set": true, "infinite": false, "number": 1795206063}'
ANSWER = f'{{"jobs": [{{"name": "\\"last_update\\": 5"}}], "last_update": {LAST}, "errors": []}}'


def token_until(at):
    claims = base64.urlsafe_b64encode(json.dumps({"exp": at, "sun": "alice"}).encode())
    return f"e30.{claims.decode().rstrip('=')}.c2ln"


@pytest.mark.parametrize(
    "argv",
    [
        ("GET", "slurm/reconfigure"),
        ("GET", "/slurm/v0.0.42/reconfigure"),
        ("GET", "slurm/jobs/../reconfigure"),
        ("GET", "slurm/jobs?x=1"),
        ("GET", "slurm/ping"),
        ("DELETE", "slurm/jobs"),
        ("POST", "slurm/jobs"),
    ],
)
def test_only_what_is_on_the_list_can_be_asked(serving, client_of, slurmrestd, argv):
    script = slurmrestd({"/slurm/v0.0.42/jobs": ANSWER, "/slurm/v0.0.42/reconfigure": "{}"})
    with serving(script) as server:
        with pytest.raises(SourceError, match="not on the list of what may be asked"):
            client_of(server).run(argv, 5)
        assert server.requests == []


def test_a_reconfigure_that_is_offered_is_no_route():
    offered = ["/slurm/v0.0.42/reconfigure", "/slurm/v0.0.42/reconfigure/", "/slurm/v0.0.42/jobs/"]
    assert routes_among(offered) == {"slurm/jobs": "/slurm/v0.0.42/jobs/"}
    assert not any("reconfigure" in endpoint for endpoint in ENDPOINTS)


@pytest.mark.parametrize(
    ("release", "offered", "chosen", "conf"),
    [
        ("22.05", (36, 37, 38), 38, None),
        ("23.11", (39, 40), 40, None),
        ("24.11", (40, 41, 42), 42, None),
        ("25.11", (42, 43, 44), 44, None),
        ("26.05", (42, 43, 44, 45), 45, 45),
        ("one to come", (44, 45, 46), 45, 45),
    ],
)
def test_the_newest_version_that_we_know_is_asked(release, offered, chosen, conf):
    paths = [f"/slurm/v0.0.{n}/nodes/" for n in offered] + ["/slurm/v0.0.44/node/{node_name}"]
    paths += [f"/slurm/v0.0.{n}/conf/" for n in offered if n >= 45]
    found = routes_among(paths)
    assert version_of(found["slurm/nodes"]) == chosen
    assert found.get("slurm/conf") == (f"/slurm/v0.0.{conf}/conf/" if conf else None)


def test_jobs_by_the_newest_version_that_tells_who_shares_nodes():
    newest = ["/slurm/v0.0.44/jobs/", "/slurm/v0.0.45/jobs/"]
    assert routes_among(newest) == {"slurm/jobs": "/slurm/v0.0.44/jobs/"}
    assert routes_among(newest[1:]) == {"slurm/jobs": "/slurm/v0.0.45/jobs/"}
    assert routes_among(newest, "v0.0.45") == {"slurm/jobs": "/slurm/v0.0.45/jobs/"}


def test_each_endpoint_by_the_newest_version_that_serves_it():
    found = routes_among(["/slurm/v0.0.36/jobs", "/slurm/v0.0.38/jobs", "/slurm/v0.0.37/nodes"])
    assert found == {"slurm/jobs": "/slurm/v0.0.38/jobs", "slurm/nodes": "/slurm/v0.0.37/nodes"}


def test_a_version_can_be_kept_to(serving, client_of, slurmrestd):
    answers = {"/slurm/v0.0.40/jobs": ANSWER, "/slurm/v0.0.42/jobs": "{}"}
    with serving(slurmrestd(answers)) as server:
        assert client_of(server, api_version="v0.0.40").run(JOBS, 5).output == ANSWER
        with pytest.raises(SourceError, match=r"offers no jobs in v0\.0\.41"):
            client_of(server, api_version="v0.0.41").run(JOBS, 5)


def test_no_version_that_we_know(serving, client_of, slurmrestd):
    told = r"offers no jobs in any from v0\.0\.36 to v0\.0\.45"
    script = slurmrestd({"/slurm/v0.0.99/jobs": ANSWER})
    with serving(script) as server, pytest.raises(SourceError, match=told):
        client_of(server).run(JOBS, 5)


def test_paths_are_looked_up_in_either_place(serving, client_of):
    listed = reply(json.dumps({"paths": {"/slurm/v0.0.42/jobs/": {}}}))
    places = {"/openapi/v3": listed, "/slurm/v0.0.42/jobs/": reply(ANSWER)}
    with serving(lambda path: places.get(path) or reply("no", status=404)) as server:
        assert client_of(server).run(("GET", "openapi.json"), 5).output == (
            "slurm/jobs /slurm/v0.0.42/jobs/\n"
        )
        del places["/openapi/v3"]
        with pytest.raises(SourceError, match=r"lists no paths: is that slurmrestd\?"):
            client_of(server).run(JOBS, 5)


def test_without_a_list_of_paths_the_version_that_is_kept_to_is_tried(serving, client_of):
    places = {"/slurm/v0.0.42/jobs": reply(ANSWER)}
    with serving(lambda path: places.get(path) or reply("no", status=404)) as server:
        assert client_of(server, api_version="v0.0.42").run(JOBS, 5).output == ANSWER


def test_a_version_that_is_gone_is_looked_for_anew_once(serving, client_of, slurmrestd):
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": ANSWER})) as server:
        client = client_of(server)
        client.run(JOBS, 5)
        server.script = slurmrestd({"/slurm/v0.0.45/jobs": '{"jobs": []}'})
        assert client.run(JOBS, 5).output == '{"jobs": []}'
        server.requests.clear()
        server.script = lambda path: (
            reply('{"paths": {"/slurm/v0.0.44/jobs": {}}}')
            if path == "/openapi.json"
            else reply("gone", status=404, kind="text/plain")
        )
        with pytest.raises(SourceError, match="HTTP 404"):
            client.run(JOBS, 5)
        assert server.paths == ["/slurm/v0.0.45/jobs", "/openapi.json", "/slurm/v0.0.44/jobs"]


def test_what_has_not_changed_is_not_sent_again(serving, client_of, slurmrestd):
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": ANSWER})) as server:
        client = client_of(server)
        first = client.run(JOBS, 5)
        server.script = lambda path: reply(b"", status=304)
        second = client.run(JOBS, 5)
        assert second.output == first.output == ANSWER
        assert (first.size_bytes, second.size_bytes) == (len(ANSWER), 0)
        assert server.paths[1:] == [
            "/slurm/v0.0.42/jobs", "/slurm/v0.0.42/jobs?update_time=1795206063",
        ]  # fmt: skip
        assert client.run(JOBS, 5).output == ANSWER


NOTHING_NEW = json.dumps(
    {
        "jobs": [],
        "last_update": {"set": True, "infinite": False, "number": 0},
        "errors": [],
        "warnings": [{"description": "No job changes since update_time[1795206063]"}],
    }
)


def test_an_empty_queue_that_says_no_changes_is_not_an_empty_queue(serving, client_of, slurmrestd):
    # 24.11 and 26.05 answer so, with HTTP 200, of jobs; of nodes with HTTP 304.
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": ANSWER})) as server:
        client = client_of(server)
        client.run(JOBS, 5)
        server.script = lambda path: reply(NOTHING_NEW)
        for _ in range(2):
            told = client.run(JOBS, 5)
            assert (told.output, told.size_bytes) == (ANSWER, len(NOTHING_NEW))
        empty = NOTHING_NEW.replace('"number": 0', '"number": 1795206099')
        server.script = lambda path: reply(empty)
        assert client.run(JOBS, 5).output == empty
        server.script = lambda path: reply('{"jobs": []}')
        assert client.run(JOBS, 5).output == '{"jobs": []}'


def test_no_answer_holds_for_longer_than_five_minutes(serving, slurmrestd):
    clock = HandClock(1795206063.0)
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": ANSWER})) as server:
        client = Client(server.address, Credentials(user="alice", token="a.b.c"), clock)
        client.run(JOBS, 5)
        usual, server.script = server.script, lambda path: reply(b"", status=304)
        clock.at += 290
        assert client.run(JOBS, 5).size_bytes == 0
        clock.at += 20
        server.script = usual
        assert client.run(JOBS, 5).size_bytes == len(ANSWER)
        assert ["?" in path for path in server.paths[1:]] == [False, True, False]


@pytest.mark.parametrize("status", [422, 500])
def test_who_cannot_tell_news_is_asked_for_all_and_never_for_news_again(
    serving, client_of, slurmrestd, status
):
    # 24.11 answers so of nodes that changed where the partitions did not.
    usual = slurmrestd({"/slurm/v0.0.43/nodes": ANSWER, "/slurm/v0.0.43/jobs": ANSWER})
    with serving(lambda path: reply(status=status) if "?" in path else usual(path)) as server:
        client = client_of(server)
        for _ in range(3):
            assert client.run(("GET", "slurm/nodes"), 5).output == ANSWER
        path = "/slurm/v0.0.43/nodes"
        assert server.paths[1:] == [path, f"{path}?update_time=1795206063", path, path]


@pytest.mark.parametrize(
    ("endpoint", "version"), [("jobs", "v0.0.41"), ("nodes", "v0.0.42"), ("shares", "v0.0.45")]
)
def test_these_are_never_asked_for_news(serving, client_of, slurmrestd, endpoint, version):
    paths = {f"/slurm/{version}/{endpoint}": ANSWER, f"/slurm/{version}/jobs": ANSWER}
    with serving(slurmrestd(paths)) as server:
        client = client_of(server)
        for _ in range(2):
            client.run(("GET", f"slurm/{endpoint}"), 5)
        assert not any("?" in path for path in server.paths)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param('{"jobs": []}', id="it does not say of when it is"),
        pytest.param(
            f'{{"last_update": {LAST}, "errors": [{{"error": "half of it"}}]}}', id="errors"
        ),
        pytest.param(f'{{"last_update": {LAST}, "jobs": [', id="garbage"),
    ],
)
def test_such_an_answer_is_asked_for_anew(serving, client_of, slurmrestd, answer):
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": answer})) as server:
        client = client_of(server)
        client.run(JOBS, 5)
        client.run(JOBS, 5)
        assert server.paths[1:] == ["/slurm/v0.0.42/jobs"] * 2


def test_what_is_small_or_tells_the_time_is_always_asked_for_anew(serving, client_of, slurmrestd):
    with serving(
        slurmrestd(dict.fromkeys(("/slurm/v0.0.42/diag", "/slurm/v0.0.42/jobs"), ANSWER))
    ) as server:
        client = client_of(server)
        for _ in range(2):
            client.run(("GET", "slurm/diag"), 5)
        assert server.paths[1:] == ["/slurm/v0.0.42/diag"] * 2


def test_unchanged_though_nothing_was_there_before(serving, client_of, slurmrestd):
    script = slurmrestd({"/slurm/v0.0.42/jobs": reply(b"", status=304)})
    with serving(script) as server, pytest.raises(SourceError, match="HTTP 304"):
        client_of(server).run(JOBS, 5)


def said(description, number, error, source="slurm_load_jobs()"):
    words = {"description": description, "error_number": number, "error": error, "source": source}
    return json.dumps({"jobs": [], "errors": [words]})


LATER, LONG_AGO = token_until(4_102_444_800), token_until(1_600_000_000)
OLD = said("Failed while looking for jobs", -1, "Unspecified error", "slurm_load_jobs")


@pytest.mark.parametrize(
    ("status", "body", "token", "kind", "told"),
    [
        (401, "Authentication failure", "", SourceError, "not let in (HTTP 401: 'Authentication "
         "failure'): no token was sent, and this account is not let in without"),
        (511, said("Unable to query jobs", 1007, "Protocol authentication error"), LATER,
         SourceError, "Protocol authentication error, slurm_load_jobs()): the token, good until"),
        (511, said("Unable to query jobs", 1007, "Protocol authentication error"), LONG_AGO,
         SourceError, "the token ran out at 2020-09-13T12:26:40Z"),
        (511, "", "not-one-of-json", SourceError, "the token is refused"),
        (500, OLD, LATER, SourceError, "the controller does not answer, or the token, good until"),
        (500, OLD, "", SourceError, "the controller does not answer, or no token was sent"),
        (500, OLD, LONG_AGO, SourceError, "slurm_load_jobs: the token ran out at 2020-09-13T"),
        (502, said("Unable to query jobs", 1800, "Unable to contact slurm controller"), LATER,
         SourceError, "the controller cannot be reached (HTTP 502: Unable to query jobs, Unable"),
        (504, said("Unable to query jobs", 5004, "Socket timed out"), LATER,
         SourceTimeout, "the controller does not answer (HTTP 504: Unable to query jobs, Socket"),
        (422, said("", 1, "Unprocessable"), LATER, SourceError, "HTTP 422: Unprocessable"),
        (503, "<html>", LATER, SourceError, "HTTP 503: '<html>'"),
        (302, "", LATER, SourceError, "is that slurmrestd? Redirects are not followed"),
        (200, '{"jobs": []}', LATER, SourceFormatError, "expected JSON, got 'text/html'"),
    ],
)  # fmt: skip
def test_refusals_are_told_apart(serving, client_of, slurmrestd, status, body, token, kind, told):
    served = reply(
        body, status=status, kind="text/html" if status in (200, 503) else "application/json"
    )
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": served})) as server:
        client = client_of(server, credentials=Credentials(user="alice", token=token))
        with pytest.raises(SourceError) as caught:
            client.run(JOBS, 5)
    assert type(caught.value) is kind
    assert str(caught.value).startswith("GET /slurm/v0.0.42/jobs: ")
    assert told in str(caught.value)
    assert len(token) < 20 or token not in str(caught.value)


def test_name_and_token_are_always_sent_together(serving, client_of, slurmrestd):
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": ANSWER})) as server:
        client_of(server, credentials=Credentials(user="alice", token="a.b.c")).run(JOBS, 5)
        for request in server.requests:
            assert "X-SLURM-USER-NAME: alice\r\nX-SLURM-USER-TOKEN: a.b.c\r\n" in request
        server.requests.clear()
        client_of(server, credentials=Credentials(user="alice")).run(JOBS, 5)
        assert not any("X-SLURM" in request for request in server.requests)


def test_a_token_that_is_replaced_is_used_at_once(serving, client_of, slurmrestd, tmp_path):
    file = tmp_path / "token"
    file.touch(mode=0o600)
    file.write_text("SLURM_JWT=first.one\n")
    with serving(slurmrestd({"/slurm/v0.0.42/jobs": ANSWER})) as server:
        client = client_of(server, credentials=Credentials(user="alice", token_file=file))
        client.run(JOBS, 5)
        file.write_text("second.one")
        client.run(JOBS, 5)
    assert "TOKEN: first.one\r\n" in server.requests[1]
    assert "TOKEN: second.one\r\n" in server.requests[2]


@pytest.mark.parametrize("text", ["", "two words", "a\nb", "secret\r\nX-Evil: 1", "sécret"])
def test_what_is_no_token_is_neither_sent_nor_quoted(text):
    with pytest.raises(SourceError, match=r"token\.txt: expected a token alone") as caught:
        checked(text, "token.txt")
    assert "secret" not in str(caught.value)


def test_a_token_that_everybody_may_read(tmp_path):
    file = tmp_path / "token"
    file.write_text("a.b.c")
    file.chmod(0o644)
    with pytest.raises(SourceError, match="everybody may read this token: chmod o-r"):
        Credentials(user="alice", token_file=file).current()
    file.chmod(0o640)
    assert Credentials(user="alice", token_file=file).current() == "a.b.c"
    with pytest.raises(SourceError, match="No such file"):
        Credentials(user="alice", token_file=tmp_path / "none").current()


@pytest.mark.parametrize(
    "echo",
    [
        reply('{"errors": [{"description": "a bad token: a.b.c"}]}', status=500),
        reply("who sent a.b.c?", status=401, kind="text/plain"),
        reply("<p>a.b.c</p>", kind="text/a.b.c"),
        reply('{"errors": [{"description": "a.b.c"}]}'),
        reply('{"paths": ["a.b.c"]}'),
    ],
)
def test_whoever_repeats_a_token_is_not_quoted(serving, client_of, echo):
    with serving(lambda path: echo) as server, pytest.raises(SourceError) as refused:
        client_of(server).run(("GET", "slurm/jobs"), 5)
    assert "a.b.c" not in str(refused.value)


def test_a_token_is_never_shown():
    assert "a.b.c" not in repr(Credentials(user="alice", token="a.b.c"))


@pytest.mark.parametrize(
    ("token", "at"),
    [
        (token_until(1795200000), 1795200000),
        (token_until(1795200000.5), 1795200000),
        (token_until("soon"), None),
        ("a.b.c", None),
        ("e30.e30.e30", None),
        ("e30.W10.e30", None),
        ("plain", None),
    ],
)
def test_when_a_token_runs_out(token, at):
    assert expires_at(token) == at


def test_one_question_at_a_time(serving, client_of, slurmrestd):
    flying, most = [], []
    usual = slurmrestd({"/slurm/v0.0.42/jobs": ANSWER})

    def slowly(path):
        flying.append(path)
        most.append(len(flying))
        yield 0.05
        flying.remove(path)  # before the answer, after which the next question may come
        yield usual(path)

    with serving(slowly) as server:
        client = client_of(server)
        asking = [Thread(target=client.run, args=(JOBS, 5)) for _ in range(5)]
        for thread in asking:
            thread.start()
        for thread in asking:
            thread.join()
        assert len(server.requests) == 6 and max(most) == 1


def test_the_deadline_is_for_all_that_one_question_takes(serving, client_of):
    def slow(path):
        return [1, reply('{"paths": {"/slurm/v0.0.42/jobs": {}}}')] if "api" in path else [5]

    with serving(slow) as server:
        begun = time.monotonic()
        with pytest.raises(SourceTimeout):
            client_of(server).run(JOBS, 1.5)
        assert time.monotonic() - begun < 2.4  # a deadline of each would take 2.5 s


def test_versions_are_tried_from_the_newest_on():
    assert VERSIONS[0] == "v0.0.45" and VERSIONS[-1] == "v0.0.36" and len(VERSIONS) == 10


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({}, 'expected url = "http://..." or socket = "FILE"'),
        ({"url": "http://h:1", "socket": "/s"}, 'expected url = "http://..." or socket = "FILE"'),
        ({"url": "ftp://h"}, "url: expected http://HOST:PORT, got 'ftp://h'"),
        ({"url": "http://u:p@h"}, "url: expected http://HOST:PORT"),
        ({"socket": "/s", "api_version": "42"}, "api_version: expected v0.0.42 or alike, got '42'"),
        ({"socket": "/s", "commands": "no"}, "commands: expected true or false, got 'no'"),
        ({"socket": "/s", "user": 3}, "user: expected a text, got 3"),
        ({"socket": "/s", "timeout_s": 0}, "timeout_s: expected seconds above 0"),
        ({"socket": "/s", "token": "abc"}, "unknown key token; it knows api_version, ca_file, "),
    ],
)
def test_settings_it_does_not_know(settings, why):
    with pytest.raises(SiteError) as caught:
        from_settings(settings)
    assert why in str(caught.value)


def test_a_client_needs_no_network_to_be_made(monkeypatch):
    monkeypatch.setenv("SLURM_JWT", "a.b.c")
    assert from_settings({"url": "https://slurm.example:6820/", "commands": False})
