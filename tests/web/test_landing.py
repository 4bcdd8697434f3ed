"""Where a waiting job lands: its nodes, who is on them until it starts, and what is drawn of it."""

import re
from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import TERMS, StandingClock, board, client, result, scene

from predictor.domain import Awaited, Provenance, Reservation
from predictor.forecast import forecast
from predictor.service.asking.viewers import EVERYTHING, Role, Sight, Viewer
from predictor.service.published import publication
from predictor.site import default
from predictor.web.axis import Axis
from predictor.web.frame import Assets, Frame
from predictor.web.landing import MOST_TRACKS, Stay, _drawn, landing

ADA, BOB = (Viewer(role=Role.USER, name=name) for name in ("ada", "bob"))
ROOT = Viewer(role=Role.OPERATOR, name="root")

# minute  0        30        45             90
# n1 n2   [ 10 ada ][ 32 ada until 50 ]
# n3      [ 20 bob                           ]   "31" needs all four nodes: not before 90
# n4        free
JOBS = (
    running("10", "n1 n2", 30),
    running("20", "n3", 90, user="bob"),
    waiting("31", 4, 120),
    waiting("32", 2, 20),
)


def published(private=(), **more):
    seen = cluster(4, *JOBS, provenance=Provenance(source="scene", private=private), **more)
    return publication(seen, forecast(seen, default(), explained=True), TERMS, NOW + 5, NOW + 6)


def lands(now=None, viewer=ADA, seen=EVERYTHING, job_id="31"):
    now = published() if now is None else now
    row = next(one for one in now.rows if one.spec.id == job_id)
    return landing(now, row, seen, NOW + 20, Frame(assets=Assets.read(), here="", viewer=viewer))


def named(told):
    return {
        one["nodes"]: [(who["id"], who["user"], who["when"]) for who in one["who"]]
        for one in told["rows"]
    }


def test_nodes_with_the_same_on_them_are_a_row_and_those_free_last_come_first():
    assert named(lands()) == {
        "n3": [("20", "bob", "today 23:43 at the latest")],
        "n[1-2]": [
            ("10", "ada", "today 22:43 at the latest"),
            ("32", "ada", "today 22:43 - 23:03"),
        ],
        "n4": [],
    }


def test_the_job_is_drawn_after_those_that_must_end():
    first, *_ = lands()["rows"]
    runs, own = first["bars"]
    assert (runs["kind"], own["kind"]) == ("runs", "own")
    assert (runs["x"], round(runs["x"] + runs["width"], 2)) == (0, own["x"])
    # The axis reaches the end of the run, which is shorter than twice the wait, in easy quarters.
    assert own["x"] == pytest.approx(100 * 90 / 240)


def test_who_is_expected_to_end_before_its_limit_has_a_line_up_to_it():
    now = published()
    *others, own = sorted(now.forecast.predictions, key=lambda one: one.job_id == "31")
    ends = Awaited(job_id="20", at=NOW + 40 * MINUTE, nodes=1)
    early = replace(
        own, start_at=NOW + HOUR, explanation=replace(own.explanation, waits_for=(ends,))
    )
    made = replace(now.forecast, predictions=(*others, early))
    told = lands(publication(now.snapshot, made, TERMS, NOW + 5, NOW + 6))
    by_nodes = {one["nodes"]: one for one in told["rows"]}
    assert [bar["kind"] for bar in by_nodes["n3"]["bars"]] == ["runs", "own", "tail"]
    (who,) = by_nodes["n3"]["who"]
    assert who["when"] == "until about today 22:53, today 23:43 at the latest"


def test_a_reservation_on_its_nodes_is_there_unless_those_are_private():
    roof = Reservation(
        name="newroof", node_names=("n4",), start_at=NOW + 10 * MINUTE, end_at=NOW + 50 * MINUTE
    )
    told = named(lands(published(reservations=(roof,))))
    assert told["n4"] == [("", "newroof", "today 22:23 - 23:03")]
    kept = published(("reservations",), reservations=(roof,))
    assert "newroof" not in str(lands(kept))
    assert "newroof" in str(lands(kept, viewer=ROOT))


def test_who_may_not_be_seen_is_somebody():
    bob_sees = Sight(own="bob")
    now = published(("jobs",))
    told = lands(now, viewer=BOB, seen=bob_sees)
    assert named(told)["n[1-2]"][0] == ("", "", "today 22:43 at the latest")
    assert named(told)["n3"][0][:2] == ("20", "bob")
    page = client(board(now), StandingClock(), viewer=ADA).get("/job/31").text
    assert "Somebody else, today 23:43 at the latest" in page
    assert "bob" not in page.partition("Where it lands")[2]


def test_where_nodes_are_private_too_others_are_left_out():
    now = published(("jobs", "nodes"))
    told = lands(now, viewer=BOB, seen=Sight(own="bob"))
    assert sorted(who for rows in named(told).values() for who in rows) == [
        ("20", "bob", "today 23:43 at the latest")
    ]
    page = client(board(now), StandingClock(), viewer=ADA).get("/job/31").text
    assert "Others are not shown" in page


@pytest.mark.parametrize("job_id", ["10", "13"])
def test_who_runs_or_has_no_start_lands_nowhere(job_id):
    assert lands(result(scene()), job_id=job_id) is None
    assert (
        "Where it lands"
        not in client(board(result()), StandingClock(), viewer=ADA).get(f"/job/{job_id}").text
    )


def test_the_page_draws_it_without_a_style_of_its_own():
    page = client(board(published()), StandingClock(), viewer=ADA).get("/job/31").text
    part = page.partition("Where it lands")[2].partition("</section>")[0]
    assert re.findall(r'<rect class="(\w+)"', part) == [
        *("runs", "own"),
        *("runs", "waits", "own"),
        "own",
    ]
    assert '<a href="../job/20">20</a> of bob' in part
    assert "style=" not in page


stays = st.lists(
    st.tuples(st.integers(-HOUR, 5 * HOUR), st.integers(0, 5 * HOUR), st.integers(0, HOUR)),
    min_size=1,
    max_size=9,
)


@given(stays)
def test_whatever_is_drawn_stays_inside_its_row_and_off_the_others(drawn):
    own = [
        Stay(kind="runs", start_at=NOW + at, end_at=NOW + at + long, nodes=(), limit_at=NOW + more)
        for at, long, more in sorted(drawn)
    ]
    told = list(_drawn(own, Axis(begin_at=NOW, end_at=NOW + 4 * HOUR)))
    for bar in told:
        assert 0 <= bar["x"] <= bar["x"] + bar["width"] <= 100.01
        assert 0 <= bar["y"] < bar["y"] + bar["height"] <= 12
    bars = [bar for bar in told if bar["kind"] != "tail"]
    if len({bar["y"] for bar in bars}) < MOST_TRACKS:
        for number, one in enumerate(bars):
            for other in bars[:number]:
                apart = other["x"] + other["width"] <= one["x"] + 0.02
                assert one["y"] != other["y"] or apart
