"""Below a path: as behind a proxy that leaves it in, and behind one that takes it off."""

from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

import pytest
from pydantic import ValidationError
from services import Client, StandingClock, app, board, result

from predictor.service.subpath import SubPath
from predictor.site.model import ServiceTable

BELOW = "/cluster/queuecast"


class Addresses(HTMLParser):
    """Collects what a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.found += [text or "" for name, text in attrs if name in ("href", "src", "action")]


@pytest.fixture
def plain_app():
    return app(board(result(windows=True)), StandingClock())


@pytest.fixture
def below(plain_app):
    return Client(SubPath(plain_app, BELOW))


@pytest.mark.parametrize("path", ["/api/v1/clusters", "/healthz", "/metrics", "/", "/job/11"])
def test_every_answer_is_the_same_below_the_path(below, path):
    assert below.get(BELOW + path).status_code == below.get(path).status_code == 200


def test_whoever_follows_a_page_stays_below_the_path(below):
    todo, seen = [f"{BELOW}/"], set[str]()
    while todo:
        here = todo.pop()
        answer = below.get(here)
        assert answer.status_code == 200, here
        seen.add(here)
        if answer.headers["content-type"].startswith("text/html"):
            reader = Addresses()
            reader.feed(answer.text)
            whole = (urlsplit(urljoin(here, found)) for found in reader.found)
            there = {address.path for address in whole if address.scheme != "data"}
            assert all(found.startswith(f"{BELOW}/") for found in there), (here, there)
            todo += there - seen - set(todo)
    assert {f"{BELOW}/{page}" for page in ("schedule", "what-if", "about", "job/11")} <= seen


def test_without_its_slash_the_first_page_is_shown_the_way(below):
    answer = below.get(BELOW)
    assert (answer.status_code, answer.headers["Location"]) == (308, "queuecast/")
    assert urljoin(BELOW, answer.headers["Location"]) == f"{BELOW}/"


def test_the_next_page_of_a_list_is_below_the_path_too(below):
    here = f"{BELOW}/api/v1/clusters/scene/forecasts?limit=1"
    link = below.get(here).headers["Link"]
    assert urljoin(here, link[1 : link.index(">")]).startswith(f"{BELOW}/api/v1/clusters/scene/")


def test_the_document_says_where_the_api_is(below):
    assert below.get(f"{BELOW}/openapi.json").json()["servers"] == [{"url": BELOW}]
    assert "servers" not in below.get("/openapi.json").json()


def test_a_path_that_only_looks_alike_is_another(below):
    assert below.get(f"{BELOW}2/healthz").status_code == 404
    assert below.get(f"{BELOW}{BELOW}/healthz").status_code == 404


def test_no_header_moves_the_service(plain_app):
    moved = {"X-Forwarded-Prefix": "/elsewhere", "X-Forwarded-Host": "evil.example"}
    assert Client(plain_app).get("/elsewhere/healthz", **moved).status_code == 404
    assert "elsewhere" not in Client(plain_app).get("/", **moved).text


@pytest.mark.parametrize("prefix", ["queuecast", "/", "/a/", "//a", "/a b", "/a?b"])
def test_what_is_no_prefix_is_refused(prefix):
    with pytest.raises(ValidationError):
        ServiceTable(prefix=prefix)
