"""The page of one's own jobs: whose they are, where they stand in time, what moved them."""

from dataclasses import replace

import pytest
from clusters import NOW, running, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import HOSTILE, StandingClock, board, client, result, scene

from predictor.domain import ArrayTasks, Provenance, Untrusted
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.history import Entry
from predictor.web.axis import Axis
from predictor.web.mine import trend

ADA, BOB, EVE = (Viewer(role=Role.USER, name=name) for name in ("ada", "bob", "eve"))


def asked(path="/mine", published=None, viewer=ADA, **more):
    on = board(published or result(windows=True))
    return client(on, StandingClock(), viewer=viewer, **more).get(path).text


def task(number):
    whole = ArrayTasks(job_id="20", tasks=(number,))
    return running(f"20_{number}", f"n{number}", 10 * number, array=whole)


# -- whose


def test_they_are_the_viewers_own_and_nobody_elses():
    page = asked()
    assert "Waiting, 2" in page
    assert "Running, 1" in page
    assert "12_[0-5%2]" in page
    assert 'href="job/13"' not in page
    assert 'href="job/13"' in asked(viewer=BOB)


def test_where_jobs_are_private_ones_own_are_shown_all_the_same():
    hidden = replace(scene(), provenance=Provenance(source="scene", private=("jobs",)))
    assert "Waiting, 2" in asked(published=result(hidden))
    assert "ada" not in asked(published=result(hidden), viewer=BOB)


def test_who_is_not_known_is_told_how_to_become_it():
    page = asked(viewer=ANONYMOUS)
    assert "Who you are is not known" in page
    assert "queuecast when --me" in page
    assert "ada" not in page


def test_who_has_no_job_is_told_so():
    assert "No job of eve waits or runs." in asked(viewer=EVE)


@pytest.mark.parametrize("path", ["/", "/mine", "/schedule", "/what-if", "/about", "/job/11"])
def test_the_way_there_stands_on_all_pages_of_who_is_known(path):
    assert "My jobs</a>" in asked(path)
    assert "My jobs</a>" not in asked(path, viewer=ANONYMOUS)


def test_ones_own_rows_are_marked_in_the_queue_by_word_too():
    assert asked("/").count('<span class="you">you</span>') == 2
    assert asked("/", viewer=BOB).count('<span class="you">you</span>') == 1
    assert 'class="you"' not in asked("/", viewer=ANONYMOUS)


def test_the_kept_page_of_one_viewer_is_not_given_to_another():
    api = {
        one: client(board(result()), StandingClock(), viewer=one) for one in (ADA, BOB, ANONYMOUS)
    }
    first = {one: each.get("/").text for one, each in api.items()}
    assert len(set(first.values())) == 3
    assert first == {one: each.get("/").text for one, each in api.items()}


# -- what stands there


def test_a_job_has_its_start_its_window_its_reason_and_its_chance():
    page = asked("/mine?by=23:30")
    assert "today 23:13" in page
    assert "today 22:43 - tomorrow 00:13; 95 % by tomorrow 00:43" in page
    assert "its nodes are not free yet" in page
    assert "61 %" in page


def test_a_job_without_a_start_says_why():
    page = asked(viewer=BOB)
    assert "cannot be told" in page
    assert "its user holds it" in page


def test_tasks_that_run_are_one_row():
    page = asked(published=result(replace(scene(), running=(task(1), task(2), task(3)))))
    assert "3 tasks" in page
    assert "the first today 22:23" in page
    assert 'href="job/20_1">20</a>' in page


def test_names_stay_text():
    named = {"name": Untrusted(HOSTILE)}
    jobs = (waiting("11", of_job=named), waiting('x"><script>', of_job=named))
    page = asked(published=result(replace(scene(), pending=jobs)))
    assert "<script>alert" not in page
    assert '"><script>' not in page
    assert "\x1b" not in page


def test_nothing_is_inline():
    page = asked()
    assert "style=" not in page
    assert page.count("<script") == page.count("<script src=") == 1


# -- what moved


@pytest.mark.parametrize(
    ("moved_s", "arrow", "text"),
    [
        pytest.param(1_800, "↓", "30 min later", id="later"),
        pytest.param(-7_500, "↑", "2 h 5 min sooner", id="sooner"),
    ],
)
def test_how_a_start_moved_is_said_in_words_beside_the_arrow(moved_s, arrow, text):
    before = Entry(told_at=NOW - 600, likely_at=NOW + 9_000)
    last = Entry(told_at=NOW, likely_at=NOW + 9_000 + moved_s, moved_by="1 node went down")
    told = trend((before, last), 0, NOW)
    assert (told["arrow"], told["text"], told["why"]) == (arrow, text, "1 node went down")
    page = asked(published=replace(result(), history={"11": (before, last)}))
    assert text in page


def test_one_answer_alone_moved_nothing():
    assert trend((), 0, NOW) is None
    assert trend((Entry(told_at=NOW, likely_at=NOW),), 0, NOW) is None


# -- the axis


@given(st.integers(0, 2**33), st.integers(0, 10**8), st.integers(-(10**9), 10**9))
def test_places_keep_the_order_and_stay_inside(begin, length, other):
    axis = Axis(begin_at=begin, end_at=begin + length)
    places = [axis.place(at) for at in sorted((begin, begin + length, begin + other))]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in places)


@given(st.integers(0, 28 * 86_400))
def test_an_axis_of_quarters_reaches_what_it_is_to_show(ahead_s):
    axis = Axis.quarters(NOW, NOW + ahead_s)
    assert axis.end_at >= NOW + ahead_s
    assert len(axis.labels(str)) == 5
    left, width = axis.span(NOW, NOW + ahead_s)
    assert (left, left + width) == (0, axis.place(NOW + ahead_s))
