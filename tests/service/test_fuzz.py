"""Anything asked of any address by anybody: an answer in the form that the document tells."""

import json
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from services import StandingClock, board, client, result, scene

from predictor.domain import Provenance
from predictor.service import openapi
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.bodies import Body, Problem
from predictor.service.longwork.bench import Bench, Means
from predictor.service.longwork.shelf import Shelf

DOCUMENT = openapi.document()
ENDLESS = "/api/v1/events"
PAGES = (
    *("/", "/mine", "/watches", "/job/{job_id}", "/schedule", "/what-if", "/weather"),
    *("/operation", "/experiments", "/about"),
)
ADDRESSES = sorted((DOCUMENT["paths"].keys() - {ENDLESS}) | {*PAGES, "/metrics", "/{job_id}"})
WHO = (ANONYMOUS, Viewer(role=Role.USER, name="ada"), Viewer(role=Role.OPERATOR, name="root"))
NAMES = ("job", "user", "state", "limit", "cursor", "by", "format", "from", "to", "nodes", "x")

texts = st.sampled_from(
    (
        *("", "scene", "11", "12_3", "10", "ada", "batch", "all", "pending,running", "csv", "null"),
        *("-1", "0", "1e9", "NaN", "Infinity", "99999999999999999999", "2023-11-15T00:00:00Z"),
        *("now", "9999-12-31T23:59:59Z", "n[1-4]", "n[1-99999999]", "n[", "../../etc/passwd"),
        *("%00", "\x00", "\x1b[2J", "<script>", "{{7*7}}", "' OR 1=1", "=1+1", "\u202e", "\ud800"),
        *("x" * 300, "[" * 200, "1_[0-9999999]", "12_[", "1+1", "*", "**", ";", "&", "é" * 99),
    )
) | st.text(st.characters(codec=None), max_size=12)
bodies = (
    st.none()
    | st.binary(max_size=40)
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | texts,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(("shapes", "jobs", "nodes", "limit_s", "kind", "hours", "x")), inner
            )
        ),
        max_leaves=6,
    ).map(lambda each: json.dumps(each).encode())
    | st.just(b"[" * 60_000)
)
headers = st.dictionaries(
    st.sampled_from(("Accept", "If-None-Match", "Last-Event-ID", "Content-Type", "Range")),
    st.sampled_from(
        ("*/*", "text/csv", "application/xml", "application/json", "*", "", "bytes=0-")
    ),
)


_FOLDER = tempfile.TemporaryDirectory()


@cache
def asking(who: Viewer, *, private: bool, empty: bool):
    """Return who asks; to build an application takes long."""
    hidden = Provenance(source="scene", private=("jobs", "reservations") if private else ())
    seen = scene(provenance=hidden)
    seen = replace(seen, pending=(), running=()) if empty else seen
    clock, folder = StandingClock(), Path(_FOLDER.name) / f"{who.role.name} {private} {empty}"
    bench = Bench(Shelf(folder), folder / "recording", clock, Means())  # nobody works at it
    return client(board(result(seen, windows=True)), clock, viewer=who, bench=bench)


@cache
def known_bodies() -> dict[str, type[Body]]:
    """Return the types of answers by name."""
    found, todo = {}, [Body]
    while todo:
        one = todo.pop()
        found[one.__name__] = one
        todo += one.__subclasses__()
    return found


def pathlike(text: str) -> str:
    return quote(text.encode("utf-8", "surrogatepass"), safe="")


@settings(max_examples=250)
@given(
    address=st.sampled_from(ADDRESSES),
    places=st.fixed_dictionaries({"cluster": st.just("scene") | texts, "job_id": texts}),
    method=st.sampled_from(("GET",) * 6 + ("HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE")),
    query=st.lists(st.tuples(st.sampled_from(NAMES), texts), max_size=3),
    sent=headers,
    body=bodies,
    who=st.sampled_from(WHO),
    private=st.booleans(),
    empty=st.booleans(),
)
def test_every_answer_is_one_that_the_document_tells(
    address, places, method, query, sent, body, who, private, empty
):
    path = address
    own = {"watch_id": places["job_id"], "experiment_id": places["job_id"]}
    for name, text in {**places, **own}.items():
        path = path.replace(f"{{{name}}}", pathlike(text))
    asked = urlencode([(name, text.encode("utf-8", "surrogatepass")) for name, text in query])
    api = asking(who, private=private, empty=empty)
    answer = api.ask(method, f"{path}?{asked}", sent, body if method == "POST" else None)
    assert answer.status_code < 500 or answer.status_code == 503, answer.text
    kind = answer.headers.get("Content-Type", "")
    if method == "HEAD":
        assert answer.content == b""
    elif answer.status_code >= 400:
        assert kind == "application/problem+json"
        assert Problem.model_validate_json(answer.content).status == answer.status_code
    elif kind == "application/json" and address in DOCUMENT["paths"]:
        judged(address, method, answer)
    if answer.status_code != 304:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def judged(address: str, method: str, answer) -> None:
    """Compare a body with the type that the document names."""
    told = DOCUMENT["paths"][address]["post" if method == "POST" else "get"]["responses"]
    schema = told[str(answer.status_code)]["content"]["application/json"]["schema"]
    name = schema["$ref"].rpartition("/")[2]
    known_bodies()[name].model_validate(json.loads(answer.content))


@pytest.mark.parametrize("address", sorted(DOCUMENT["paths"].keys() - {ENDLESS}))
@pytest.mark.parametrize("who", WHO, ids=lambda who: who.role.name.lower())
@pytest.mark.parametrize("private", [False, True])
def test_a_plain_question_gets_its_type_of_answer(address, who, private):
    api = asking(who, private=private, empty=False)
    path = address.replace("{cluster}", "scene").replace("{job_id}", "11")
    answer = api.get(path.replace("{watch_id}", "1").replace("{experiment_id}", "x1"))
    if answer.status_code == 200 and answer.headers["Content-Type"] == "application/json":
        judged(address, "GET", answer)
    else:
        assert answer.status_code in (200, 403, 404, 405)
