"""`/watches` and `queuecast watch`: who may wish for what, and what is told of it."""

import json
import logging
import time
from dataclasses import replace

import pytest
from click.testing import CliRunner
from clusters import cluster, running, waiting
from pydantic import ValidationError
from receiving import Listener, Posted
from services import StandingClock, board, client, result
from watching import MINE, seen

from predictor.cli.client import Client
from predictor.cli.watch import watch
from predictor.domain import Provenance
from predictor.errors import ServiceError
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.metrics import Metrics
from predictor.service.watches.bodies import WatchAnswer, WatchList
from predictor.service.watches.lane import Patience
from predictor.service.watches.noticing import Noticing, Seeing, senders_of
from predictor.service.watches.reception import Reception
from predictor.service.watches.store import Watches
from predictor.site import Site

ADA, BOB = (Viewer(role=Role.USER, name=name) for name in ("ada", "bob"))
SECRET = "sixteen bytes and more"
WHERE = "/api/v1/watches"


def site(tmp_path, port=1):
    (tmp_path / "secret").write_text(SECRET)
    hook = {"name": "chat", "url": f"http://127.0.0.1:{port}/x", "secret_file": "secret"}
    mail = {"host": "127.0.0.1", "from": "queuecast@hpc.example", "domain": "hpc.example"}
    notices = {"webhooks": [hook], "mail": mail}
    return Site.model_validate({"notices": notices}, context={"folder": tmp_path})


class Service:
    """The API as one user or another asks it."""

    def __init__(self, tmp_path, shown=None, table=None):
        self.clock = StandingClock()
        self.watches = Watches(tmp_path / "watches")
        self.board = board(result() if shown is None else shown)
        table = site(tmp_path).notices if table is None else table
        self.reception = Reception(self.watches, table, self.clock)
        self.apps = {}

    def ask(self, method, path=WHERE, body=None, viewer=ADA):
        if viewer not in self.apps:
            of = {"viewer": viewer, "reception": self.reception}
            self.apps[viewer] = client(self.board, self.clock, **of)
        headers = {} if body is None else {"content-type": "application/json"}
        content = None if body is None else json.dumps(body)
        return self.apps[viewer].ask(method, path, headers, content)


@pytest.fixture
def service(tmp_path):
    return Service(tmp_path)


def test_a_watch_is_kept_listed_and_forgotten(service):
    made = service.ask("POST", body={"job": "11", "webhook": "chat", "soon_minutes": 45})
    assert made.status_code == 201
    body = WatchAnswer.model_validate(made.json(), strict=False)
    assert (body.job, body.webhook, body.soon_minutes) == ("11", "chat", 45)
    assert [kind.value for kind in body.kinds] == ["soon", "slipped", "started"]
    own = service.ask("GET").json()
    WatchList.model_validate(own)
    assert [each["id"] for each in own["watches"]] == [body.id]
    assert (own["webhooks"], own["mail"]) == (["chat"], "ada@hpc.example")
    assert service.ask("DELETE", f"{WHERE}/{body.id}").status_code == 200
    assert service.ask("GET").json()["watches"] == []


def test_others_neither_see_nor_forget_it(service):
    id_ = service.ask("POST", body={"job": "11"}).json()["id"]
    assert service.ask("GET", viewer=BOB).json()["watches"] == []
    assert service.ask("DELETE", f"{WHERE}/{id_}", viewer=BOB).status_code == 404
    assert service.ask("DELETE", f"{WHERE}/nothing").status_code == 404
    assert len(service.ask("GET").json()["watches"]) == 1


@pytest.mark.parametrize("viewer", [ANONYMOUS, Viewer(role=Role.USER, how="by the token of x")])
def test_who_is_not_a_known_user_has_no_watches(service, viewer):
    for method, path in (("GET", WHERE), ("POST", WHERE), ("DELETE", f"{WHERE}/w1")):
        body = {} if method == "POST" else None
        assert service.ask(method, path, body, viewer=viewer).status_code == 403


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        pytest.param({"job": "99"}, 404, id="no such job"),
        pytest.param({"job": "10"}, 409, id="a job that runs"),
        pytest.param({"job": "11,12"}, 422, id="two jobs"),
        pytest.param({"job": "; rm"}, 404, id="no id"),
        pytest.param({"job": ""}, 422, id="empty id"),
        pytest.param({"webhook": "http://10.0.0.1/"}, 422, id="an address"),
        pytest.param({"webhook": "other"}, 422, id="an unknown name"),
        pytest.param({"kinds": []}, 422, id="nothing"),
        pytest.param({"kinds": ["late"]}, 422, id="unknown kind"),
        pytest.param({"soon_minutes": 0}, 422, id="too soon"),
        pytest.param({"soon_minutes": 10**9}, 422, id="too early"),
        pytest.param({"url": "http://10.0.0.1/"}, 422, id="unknown key"),
        pytest.param([], 422, id="no object"),
    ],
)
def test_what_cannot_be_wished_for(service, wish, status):
    assert service.ask("POST", body=wish).status_code == status
    assert service.ask("GET").json()["watches"] == []


@pytest.mark.parametrize("form", ["text/plain", "application/x-www-form-urlencoded", None])
def test_what_a_foreign_page_can_send_without_being_asked_first_is_no_wish(service, form):
    app = client(service.board, service.clock, viewer=ADA, reception=service.reception)
    told = app.ask("POST", WHERE, {} if form is None else {"content-type": form}, "{}")
    assert told.status_code == 422
    assert service.ask("GET").json()["watches"] == []


def test_on_a_site_that_keeps_jobs_private_only_own_ones_can_be_watched(tmp_path):
    scene = cluster(
        1,
        running("r", "n1", 60),
        waiting("1"),
        waiting("2", of_job={"user": "bob"}),
        provenance=Provenance(source="scene", private=frozenset({"jobs"})),
    )
    service = Service(tmp_path, shown=result(scene))
    hidden, missing = (service.ask("POST", body={"job": id_}) for id_ in ("2", "9"))
    assert (hidden.status_code, hidden.content) == (missing.status_code, missing.content)
    assert service.ask("POST", body={"job": "1"}).status_code == 201


def test_there_is_room_for_so_many(service):
    for minutes in range(1, 21):
        assert service.ask("POST", body={"soon_minutes": minutes}).status_code == 201
    told = service.ask("POST", body={"soon_minutes": 21})
    assert (told.status_code, "20 watches" in told.json()["detail"]) == (409, True)
    assert service.ask("POST", body={"soon_minutes": 20}).status_code == 201


def test_where_notices_go_nowhere_nothing_can_be_watched(tmp_path):
    service = Service(tmp_path, table=Site().notices)
    assert service.ask("POST", body={}).status_code == 422
    assert service.ask("GET").json() == {
        "schema": "queuecast/1",
        "watches": [],
        "webhooks": [],
        "mail": None,
    }


def test_whose_name_is_no_mailbox_is_told_so(service):
    strange = Viewer(role=Role.USER, name="a b@evil.example")
    assert service.ask("GET", viewer=strange).json()["mail"] is None
    assert service.ask("POST", body={}, viewer=strange).status_code == 422


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://a/", "http://chat.example/", "http://10.0.0.1/", "https://u:p@chat.example/"),
        *("https:///x", "https://a b/", "https://chat.example/\r\nX: y", "file:///etc/passwd", ""),
        *("https://chat.example:99999/", "http://127.0.0.1.evil.example/", "https://a/#x"),
    ],
)
def test_a_site_file_names_safe_addresses_only(tmp_path, url):
    hook = {"name": "chat", "url": url, "secret_file": "secret"}
    with pytest.raises(ValidationError, match="https"):
        Site.model_validate({"notices": {"webhooks": [hook]}}, context={"folder": tmp_path})


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        *(("from", text, "an address") for text in ("a", "@b", "a@", "a b@c", "a@b\nBcc: c@d")),
        *(("domain", text, "a domain") for text in ("", "a b", "b\n", "@b", ".b")),
    ],
)
def test_a_site_file_names_whole_addresses_of_mail(key, value, expected):
    mail = {"host": "127.0.0.1", "from": "a@b", "domain": "b"}
    assert Site.model_validate({"notices": {"mail": mail}}).notices.mail.sender == "a@b"
    with pytest.raises(ValidationError, match=f"{expected} like"):
        Site.model_validate({"notices": {"mail": {**mail, key: value}}})


# -- from a result to the wire


def test_each_new_result_is_told_once_and_no_secret_is_in_log_metrics_or_answers(tmp_path, caplog):
    posted = Posted(["503 Later", "200 OK"])
    caplog.set_level(logging.DEBUG)
    with Listener(posted) as there:
        found = site(tmp_path, there.port)
        full = board()
        watches, metrics = Watches(tmp_path / "watches"), Metrics(full)
        service = Service(tmp_path)
        watches.add(replace(MINE, webhook="chat"))
        noticing = Noticing(
            full,
            watches,
            senders_of(found.notices),
            metrics.notices,
            _Ticking(),
            Seeing(found),
            Patience(first_pause_s=0.01),
        )
        for shown in (seen(0, j1=60), seen(1, j1=1), seen(1, j1=1), seen(2, j1=1)):
            full.put(shown)
            noticing.look()
            noticing.look()
        _until(lambda: len(posted.bodies) == 2)
        _until(lambda: _sample(metrics, "sent_total") == 1)
        noticing.stop()
    first, second = map(json.loads, posted.bodies)
    assert first == second
    assert (first["kind"], first["job_id"]) == ("started", "1")
    assert (_sample(metrics, "failed_total"), _sample(metrics, "queued")) == (1, 0)
    assert SECRET not in caplog.text + service.ask("GET").text + str(found.model_dump())


def test_a_stale_result_tells_nothing_until_there_is_a_fresh_one(tmp_path):
    found, full = site(tmp_path), board()
    watches, metrics = Watches(None), Metrics(full)
    watches.add(MINE)
    clock = StandingClock()
    clock.at = seen(0).snapshot_at + 10_000
    noticing = Noticing(
        full, watches, senders_of(found.notices), metrics.notices, clock, Seeing(found)
    )
    full.put(seen(0, j1=20))
    noticing.look()
    assert watches.all()[1] == {}
    noticing.stop()


# -- the command


class Wire:
    """Stands for the command's client: asks the application itself, without a network."""

    def __init__(self, service):
        self.service = service

    def __call__(self, _url):
        made = Client("unix:/nowhere")
        made._exchange = self._exchange
        return made

    def _exchange(self, method, target, asked):
        body = None if asked is None else json.loads(asked)
        answer = self.service.ask(method, target, body)
        return answer.status_code, answer.content


@pytest.fixture
def run(service, monkeypatch):
    monkeypatch.setattr("predictor.cli.watch.Client", Wire(service))

    def run(*words):
        return CliRunner().invoke(watch, [*words, "--url", "unix:/nowhere"])

    return run


def test_the_command_watches_lists_and_forgets(run):
    told = run("11", "--soon", "45", "--webhook", "chat", "--on", "soon", "--on", "started")
    assert told.exit_code == 0
    assert told.output.startswith(
        "You are told when job 11 starts soon (45 min) or started, to webhook chat."
    )
    id_ = told.output.split()[-1]
    assert run("--me").exit_code == 0
    lines = run("--list").output.splitlines()
    assert lines[0].startswith(f"{id_}  when job 11 starts soon (45 min)")
    assert "when any of your jobs starts soon (30 min) or slipped or started, by mail" in lines[1]
    assert lines[2] == "Notices can go to: mail to ada@hpc.example, webhook chat."
    assert run("--delete", id_).output.startswith("You are told no more when job 11")
    assert len(json.loads(run("--list", "--json").output)["watches"]) == 1


@pytest.mark.parametrize(
    "words",
    [(), ("11", "--me"), ("--list", "--delete", "x"), ("11", "--mail", "--webhook", "chat")],
)
def test_the_command_wants_one_thing_at_a_time(run, words):
    assert run(*words).exit_code == 2


def test_a_refusal_is_an_error_with_its_reason(run):
    assert isinstance(run("99").exception, ServiceError)
    assert "no such webhook here, but chat" in str(run("11", "--webhook", "x").exception)


# -- helpers


class _Ticking:
    """A clock of which the result is always fresh, and whose time passes."""

    def now(self):
        return seen(0).snapshot_at + 60

    def monotonic(self):
        return time.monotonic()


def _sample(metrics, name):
    labels = {"kind": "started", "method": "webhook"}
    return metrics.registry.get_sample_value(f"queuecast_notices_{name}", labels)


def _until(what):
    deadline = time.monotonic() + 5
    while not what() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert what()
