"""Who may ask what; and whom hidden jobs belong to changes nothing for anybody else."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from asked_routes import Asked, placed, routes_of
from clusters import NOW
from hidden_worlds import ALL, Names, published, world
from hypothesis import given, settings
from hypothesis import strategies as st
from services import TERMS, Client, StandingClock, app, board, result, scene

from predictor.domain import Provenance
from predictor.forecast import forecast
from predictor.service import herald
from predictor.service.answering import Newest
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.published import Published, publication
from predictor.service.whatif.asking import Supposing
from predictor.site import Site, default, overlay

BOB = Viewer(role=Role.USER, name="bob")
VIEWERS = {
    "nobody": ANONYMOUS,
    "program": Viewer(role=Role.USER),
    "bob": BOB,
    "operator": Viewer(role=Role.OPERATOR, name="olga"),
}
API, CLUSTER = "/api/v1", "/api/v1/clusters/{cluster}"
JOB = f"{CLUSTER}/jobs/{{job_id}}"
EXPERIMENTS = f"{API}/experiments"

# -- who may ask what

Rule = Callable[[Viewer, tuple[str, ...]], bool]


def anybody(_viewer: Viewer, _private: tuple[str, ...]) -> bool:
    return True


def operators(viewer: Viewer, _private: tuple[str, ...]) -> bool:
    return viewer.role is Role.OPERATOR


def known(viewer: Viewer, private: tuple[str, ...]) -> bool:
    """Who is known; where jobs are private, whose jobs there may be."""
    return viewer.role is not Role.ANONYMOUS and (
        "jobs" not in private or bool(viewer.name) or viewer.role is Role.OPERATOR
    )


def named(viewer: Viewer, _private: tuple[str, ...]) -> bool:
    return bool(viewer.name)


def unless_private(what: str) -> Rule:
    return lambda viewer, private: viewer.role is Role.OPERATOR or what not in private


RULES: dict[Asked, Rule] = {
    ("GET", "/"): anybody,
    ("GET", "/about"): anybody,
    ("GET", "/assets/{name}"): anybody,
    ("GET", "/healthz"): anybody,
    ("GET", "/job/{job_id}"): known,
    ("GET", "/metrics"): anybody,
    ("GET", "/mine"): anybody,
    ("GET", "/openapi.json"): anybody,
    ("GET", "/operation"): operators,
    ("GET", "/experiments"): operators,
    ("POST", "/experiments"): operators,
    ("GET", "/experiments/compare"): operators,
    ("GET", "/experiments/check"): operators,
    ("POST", "/experiments/check"): operators,
    ("GET", "/experiments/{name}/report"): operators,
    ("GET", "/readyz"): anybody,
    ("GET", "/schedule"): anybody,
    ("GET", "/watches"): anybody,
    ("POST", "/watches"): named,
    ("GET", "/weather"): anybody,
    ("GET", "/what-if"): anybody,
    ("GET", f"{API}/clusters"): anybody,
    ("GET", CLUSTER): anybody,
    ("GET", f"{CLUSTER}/accuracy"): anybody,
    ("GET", f"{CLUSTER}/backlog"): anybody,
    ("GET", f"{CLUSTER}/forecasts"): known,
    ("GET", JOB): known,
    ("GET", f"{JOB}/explanation"): known,
    ("GET", f"{JOB}/history"): known,
    ("GET", f"{CLUSTER}/partitions"): unless_private("partitions"),
    ("GET", f"{CLUSTER}/plan"): known,
    ("GET", f"{CLUSTER}/reservations"): unless_private("reservations"),
    ("GET", f"{CLUSTER}/snapshot"): operators,
    ("GET", f"{API}/me"): anybody,
    ("GET", f"{API}/watches"): named,
    ("POST", f"{API}/watches"): named,
    ("DELETE", f"{API}/watches/{{watch_id}}"): named,
    ("POST", f"{CLUSTER}/what-if"): known,
    ("GET", f"{API}/events"): anybody,
    ("GET", EXPERIMENTS): operators,
    ("POST", EXPERIMENTS): operators,
    ("GET", f"{EXPERIMENTS}/{{experiment_id}}"): operators,
    ("DELETE", f"{EXPERIMENTS}/{{experiment_id}}"): operators,
    ("GET", f"{EXPERIMENTS}/{{experiment_id}}/report"): operators,
    ("GET", f"{EXPERIMENTS}/{{experiment_id}}/events"): operators,
    ("POST", f"{API}/config-checks"): operators,
}
"""Every route, and whom it lets in. What it tells them then is judged below."""
STREAMS = ("GET", f"{API}/events")
BODIES = {
    f"{CLUSTER}/what-if": {"shapes": [{"partition": "none"}]},  # refused once let in, unworked
    f"{API}/watches": {"job": "13"},
    "/watches": {},  # no form
    "/experiments": {},
    "/experiments/check": {},
    EXPERIMENTS: {},
    f"{API}/config-checks": {},
}


def place(route: Asked, job_id: str = "13") -> str:
    return placed(route[1], job_id=job_id)


def test_every_route_has_a_rule():
    assert set(RULES) == routes_of(app(board(), StandingClock()))


@pytest.fixture(scope="module")
def doors():
    """One application for each who asks, and the board that they share."""
    filled = board()
    asking = {
        who: Client(app(filled, StandingClock(), viewer=viewer, open_=False))
        for who, viewer in VIEWERS.items()
    }
    return filled, asking


@pytest.mark.parametrize("private", [(), ("jobs",), ("reservations",), ("partitions",), ALL])
@pytest.mark.parametrize("who", VIEWERS)
@pytest.mark.parametrize("route", [one for one in RULES if one != STREAMS], ids=" ".join)
def test_the_matrix(doors, route, who, private):
    filled, asking = doors
    filled.put(result(replace(scene(), provenance=Provenance(source="scene", private=private))))
    content = json.dumps(BODIES[route[1]]) if route[0] == "POST" else None
    headers = {"Content-Type": "application/json"} if content else {}
    answer = asking[who].ask(route[0], place(route), headers, content)
    let_in = RULES[route](VIEWERS[who], private)
    assert (answer.status_code != 403) is let_in, answer.text[:200]


# -- what they are told

MASKS: tuple[Names, ...] = (("eve", "zoology", "secret"), ("zed", "art", "x\x1b[2J" * 9))

jobs = st.lists(
    st.tuples(
        st.booleans(),  # waits
        st.sampled_from(("bob", "hidden 1", "hidden 2")),
        st.integers(1, 4),
        st.integers(5, 90),
    ),
    min_size=2,
    max_size=9,
)


def answers(filled, asked: Client, route: Asked, now: Published) -> Iterator[tuple[int, str]]:
    filled.put(now)
    ids = [row.spec.id for row in now.rows] + ["99"] if "{job_id}" in route[1] else ["-"]
    for job_id in ids:
        answer = asked.ask(route[0], place(route, job_id), {})
        yield answer.status_code, answer.headers.get("ETag", "") + answer.text


@given(jobs, st.sampled_from((("jobs",), ALL)))
@settings(max_examples=50)
def test_whom_hidden_jobs_belong_to_changes_no_byte(doors, drawn, kept):
    filled, asking = doors
    worlds = [published(world(drawn, mask, kept)) for mask in MASKS]
    for route in TOLD:
        one, other = (list(answers(filled, asking["bob"], route, now)) for now in worlds)
        assert one == other, route


TOLD = [
    route
    for route in RULES
    if route[0] == "GET"
    and route != STREAMS
    and route[1] not in ("/assets/{name}", "/openapi.json", "/metrics")
]
"""Those whose answers depend on the queue; metrics also count the questions themselves."""


def test_nor_does_it_for_metrics():
    drawn = [(False, "hidden 1", 2, 30), (True, "bob", 4, 60)]
    texts = [
        Client(app(board(published(world(drawn, mask, ()))), StandingClock())).get("/metrics").text
        for mask in MASKS
    ]
    assert texts[0] == texts[1]


def test_nor_for_events(monkeypatch):
    monkeypatch.setattr(herald, "LOOK_EVERY_S", 0.001)
    before = [(False, "hidden 1", 4, 30), (True, "bob", 4, 60)]
    after = [*before, (True, "hidden 2", 1, 10), (True, "bob", 1, 10)]

    async def heard(mask: Names) -> list[bytes]:
        filled = board(published(world(before, mask, ("jobs",))))
        newest = Newest(filled, StandingClock(), open_=False)
        stream = herald.Herald(newest).listen(BOB, "")
        told = [await anext(stream)]
        now = publication(
            seen := replace(world(after, mask, ("jobs",)), taken_at=NOW + 60),
            forecast(seen, default(), explained=True),
            TERMS,
            NOW + 65,
            NOW + 66,
        )
        news = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.02)  # it listens before there is something new
        filled.put(now)
        told.append(await news)
        while b"event: tick" not in told[-1]:
            told.append(await anext(stream))
        await stream.aclose()
        return told

    one, other = (asyncio.run(heard(mask)) for mask in MASKS)
    assert one == other
    assert len(one) > 2  # bob's job is told of


def test_nor_for_suppositions(tmp_path):
    terms = {"run_times": "limit", "arrivals": False, "corrected": False, "draws": 3}
    site = Site.model_validate({"forecast": terms, "recording": {"path": str(tmp_path / "r")}})
    drawn = [(False, "hidden 1", 3, 30), (True, "hidden 2", 4, 60)]
    shapes = {"shapes": [{"nodes": 1, "time_limit": "10"}, {"instead_of": "2", "nodes": 1}]}

    def told(mask: Names, question: object) -> tuple[int, str]:
        supposing = Supposing(site, StandingClock())
        now = published(world(drawn, mask, ("jobs",)))
        door = app(board(now), StandingClock(), viewer=BOB, open_=False, supposing=supposing)
        try:
            answer = Client(door).ask(
                "POST",
                f"{API}/clusters/scene/what-if",
                {"Content-Type": "application/json"},
                json.dumps(question),
            )
        finally:
            supposing.stop()
        return answer.status_code, answer.text

    for question in (shapes, {"shapes": shapes["shapes"][:1]}):
        one, other = (told(mask, question) for mask in MASKS)
        assert one == other
    assert one[0] == 200


def test_the_worlds_do_differ_for_who_sees_all(doors):
    filled, asking = doors
    drawn = [(True, "hidden 1", 2, 30)]
    one, other = (
        list(answers(filled, asking["operator"], ("GET", f"{CLUSTER}/forecasts"), published(seen)))
        for seen in (world(drawn, mask, ALL) for mask in MASKS)
    )
    assert one != other


# -- what else a site keeps private


@pytest.mark.parametrize(
    ("private", "bars", "nodes"),
    [
        pytest.param(("jobs",), 3, ["n1", "n2", "n3", "n4"], id="bars without names"),
        pytest.param(("nodes",), 3, ["n1", "n2", "n3"], id="nodes with jobs that are seen"),
        pytest.param(("jobs", "nodes"), 1, ["n3"], id="the own job, and its node"),
    ],
)
def test_private_nodes(doors, private, bars, nodes):
    drawn = [(False, "hidden 1", 2, 30), (False, "bob", 1, 30), (True, "hidden 2", 2, 5)]
    filled, asking = doors
    filled.put(published(world(drawn, MASKS[0], private)))

    def plan(who: str) -> tuple[int, list[str]]:
        told = asking[who].get(f"{API}/clusters/scene/plan").json()
        return len(told["bars"]), told["nodes"]

    assert plan("bob") == (bars, nodes)
    assert plan("operator") == (3, ["n1", "n2", "n3", "n4"])


def test_private_reservations(doors):
    filled, asking = doors
    filled.put(published(world([(True, "bob", 1, 5)] * 2, MASKS[0], ("reservations",))))
    texts = {who: asking[who].get(f"{API}/clusters/scene/plan").text for who in ("bob", "operator")}
    assert "newroof" in texts["operator"]
    assert "newroof" not in texts["bob"]
    for route in TOLD:
        assert "newroof" not in asking["bob"].get(place(route, "1")).text


def test_a_site_says_itself_what_is_private():
    told = replace(scene(), provenance=Provenance(source="scene", private=ALL))
    open_site = Site.model_validate({"access": {"private": []}})
    some = Site.model_validate({"access": {"private": ["nodes", "jobs"]}})
    assert overlay(default(), told).provenance.private == ALL
    assert overlay(open_site, told).provenance.private == ()
    assert overlay(some, scene()).provenance.private == ("jobs", "nodes")
