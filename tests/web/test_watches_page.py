"""The page of what one is told of: it lists, adds and removes, and takes forms of ours only."""

import re
from urllib.parse import urlencode

import pytest
from services import HOSTILE, StandingClock, board, client, result

from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.watches.reception import Reception
from predictor.service.watches.store import Watches
from predictor.service.watches.watch import Kind
from predictor.site.notices import NoticesTable

ADA, BOB = (Viewer(role=Role.USER, name=name) for name in ("ada", "bob"))
TABLE = NoticesTable.model_validate(
    {
        "mail": {"host": "relay.example", "from": "q@hpc.example", "domain": "hpc.example"},
        "webhooks": [{"name": "chat", "url": "https://chat.example/", "secret_file": "s"}],
    }
)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Site:
    """A service on which somebody fills in forms."""

    def __init__(self, viewer=ADA, table=TABLE, **more):
        self.watches = Watches(None)
        self.clock = StandingClock()
        self.reception = Reception(self.watches, table, self.clock)
        self._on = board(result())
        self._more = more
        self.browser = self.of(viewer)

    def of(self, viewer):
        return client(self._on, self.clock, viewer=viewer, reception=self.reception, **self._more)

    def page(self, path="/watches"):
        return self.browser.get(path).text

    def send(self, _headers=None, **fields):
        mark = fields.pop("mark", None) or self.mark()
        content = urlencode({"mark": mark, **fields}, doseq=True)
        return self.browser.ask("POST", "/watches", FORM | (_headers or {}), content)

    def mark(self):
        return re.findall(r'name="mark" value="(\w+)"', self.page())[0]

    @property
    def kept(self):
        return self.watches.all()[0]


@pytest.fixture
def site():
    return Site()


def test_a_form_adds_a_watch_and_leads_back(site):
    answer = site.send(job="11", kind=["soon", "started"], soon="45", way="chat")
    assert (answer.status_code, answer.headers["Location"]) == (303, "watches")
    (watch,) = site.kept
    assert (watch.owner, watch.job, watch.webhook) == ("ada", "11", "chat")
    assert (watch.kinds, watch.soon_s) == ({Kind.SOON, Kind.STARTED}, 45 * 60)
    page = site.page()
    assert "starts soon, started" in page
    assert "45 min" in page
    assert 'href="job/11"' in page


def test_an_empty_job_means_all_and_mail_is_a_way(site):
    assert site.send(kind=["started"], soon="30", way="").status_code == 303
    (watch,) = site.kept
    assert (watch.job, watch.webhook) == (None, None)
    assert "mail to ada@hpc.example" in site.page()
    assert "all of them" in site.page()


def test_a_button_removes_a_watch_and_nobody_elses(site):
    site.send(kind=["started"])
    (watch,) = site.kept
    bob = site.of(BOB)
    mark = re.findall(r'name="mark" value="(\w+)"', bob.get("/watches").text)[0]
    refused = bob.ask("POST", "/watches", FORM, urlencode({"mark": mark, "remove": watch.id}))
    assert (refused.status_code, site.kept) == (404, (watch,))
    assert "you have no such watch" in refused.text
    assert site.send(remove=watch.id).status_code == 303
    assert site.kept == ()


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        pytest.param({"job": "99", "kind": "soon"}, 404, "no such job", id="no such job"),
        pytest.param({"job": "10", "kind": "soon"}, 409, "does not wait", id="it runs"),
        pytest.param({"kind": "soon", "way": "pager"}, 422, "no such webhook", id="no such way"),
        pytest.param({"soon": "5"}, 422, "kinds", id="told of nothing"),
        pytest.param({"kind": "never"}, 422, "kinds", id="of something else"),
        pytest.param({"kind": "soon", "soon": "0"}, 422, "soon_minutes", id="no time"),
        pytest.param({"kind": "soon", "soon": HOSTILE[:20]}, 422, "soon_minutes", id="hostile"),
        pytest.param({"kind": "soon", "job": "<b>x"}, 404, "job", id="a hostile job"),
    ],
)
def test_what_is_refused_is_said_and_what_was_written_stays(site, fields, status, sentence):
    answer = site.send(**fields)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text
    assert sentence in answer.text
    assert "<b>x" not in answer.text and "<script>" not in answer.text
    assert site.kept == ()


@pytest.mark.parametrize(
    ("mark", "headers", "status"),
    [
        pytest.param("", {}, 400, id="no mark"),
        pytest.param("0" * 64, {}, 400, id="a made-up mark"),
        pytest.param("ä\x00", {}, 400, id="no mark at all"),
        pytest.param(None, {"Sec-Fetch-Site": "cross-site"}, 400, id="sent by another site"),
        pytest.param(None, {"Sec-Fetch-Site": "same-site"}, 400, id="by a neighbour"),
        pytest.param(None, {"Content-Type": "text/plain"}, 415, id="no form"),
        pytest.param(None, {"Sec-Fetch-Site": "same-origin"}, 303, id="by our own page"),
    ],
)
def test_only_our_own_forms_are_taken(site, mark, headers, status):
    answer = site.send(headers, mark=" " if mark == "" else mark, kind="soon")
    assert answer.status_code == status
    assert len(site.kept) == (status == 303)


def test_the_mark_of_one_is_of_no_use_to_another(site):
    theirs = re.findall(r'name="mark" value="(\w+)"', site.of(BOB).get("/watches").text)[0]
    assert site.send(mark=theirs, kind="soon").status_code == 400


def test_a_form_that_floods_is_refused(site):
    content = "&".join(f"kind={n}" for n in range(100))
    assert site.browser.ask("POST", "/watches", FORM, content).status_code == 400


def test_who_is_not_known_has_none_and_may_not_add():
    site = Site(viewer=ANONYMOUS)
    assert "Who you are is not known" in site.page()
    assert "<form" not in site.page()
    assert site.browser.ask("POST", "/watches", FORM, "kind=soon").status_code == 403


def test_where_notices_go_nowhere_there_is_no_form():
    site = Site(table=NoticesTable())
    assert "Notices go nowhere" in site.page()
    assert "<form" not in site.page()


def test_a_job_leads_to_a_form_about_it(site):
    assert 'href="../watches?job=11"' in site.page("/job/11")
    assert 'name="job" value="11"' in site.page("/watches?job=11")


def test_a_form_of_before_the_first_answer_waits():
    waiting = client(board(), StandingClock(), viewer=ADA)
    assert "not ready yet" in waiting.get("/watches").text
