"""The page: what it shows, and that nothing a user writes gets out of its cell."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from clusters import NOW, cluster, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import (
    ALARM,
    HOSTILE,
    TERMS,
    TROUBLE,
    StandingClock,
    board,
    client,
    result,
    scene,
    without_jobs,
)
from strategies import forecasts, snapshots

from predictor.domain import Cause, Fact, Hidden, Provenance, Unpredictable, Untrusted
from predictor.service.asking.viewers import ANONYMOUS, sight
from predictor.service.published import Board, publication
from predictor.web.frame import Assets, Frame
from predictor.web.page import MOST_ROWS, Filter, queue_page
from predictor.web.words import CAUSES, REASONS


class Outline(HTMLParser):
    """The elements of a page and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.words += data.split()

    @property
    def text(self) -> str:
        return " ".join(self.words)


OUR_SCRIPTS = 1
"""The one that keeps the age true."""
FRAME = Frame(assets=Assets.read(), here="Queue")


def _page(published, chosen, now):
    seen = sight(ANONYMOUS, private=published.private, open_=True)
    return queue_page(published, chosen, seen, now, FRAME)


def shown(published=None, now: float = NOW + 20, **chosen: str) -> Outline:
    return Outline(_page(published or result(), Filter(**chosen), now))


def test_each_waiting_job_has_a_row_with_its_start_or_the_reason_why_there_is_none():
    text = shown().text
    assert "today 23:13 in 59 min its nodes are not free yet on n[1-2]" in text
    assert "12_[0-5%2]" in text
    assert "last task tomorrow 07:13" in text
    assert "cannot be told held its user holds it" in text


def test_a_start_has_its_window_beside_it():
    text = shown(result(windows=True)).text
    assert "Window (80 %)" in text
    assert "in 59 min today 22:43 - tomorrow 00:13 95 % by tomorrow 00:43 its nodes" in text
    assert "Of late, similar answers: typical error 22 min; 80% windows held 82%." in text
    assert "into their limits" not in text
    assert "Chance" not in text.replace("Chance to start by", "")


def test_that_answers_are_other_than_they_were_is_said_on_top():
    published = replace(result(), alarms=(replace(ALARM, whom="jobs of <b>"),))
    page = shown(published)
    assert "Answers are not what they were. Since today 20:13, jobs of <b>: share" in page.text
    assert "b" not in page.tags
    assert "not what they were" not in shown(now=NOW + 20).text


def test_where_no_windows_are_worked_out_there_is_no_column_for_them():
    text = shown(by="23:30").text
    assert "Window" not in text
    assert "Chance" not in text
    assert "into their limits" in text


def test_the_chance_to_start_by_a_time_of_the_site_can_be_asked_for():
    later = result(replace(scene(), utc_offset_s=3_600), windows=True)
    page = shown(later, by="00:30")
    assert "Chance by tomorrow 00:30" in page.text
    assert "61 %" in page.text
    assert ("value", "61") in page.attributes
    assert page.tags.count("meter") == 2  # nothing can be said of the one that is held


@pytest.mark.parametrize("by", ["soon", "25:00", "18:00Z", "9999-99-99", '"><script>', "9" * 64])
def test_what_is_no_time_is_left_unanswered(by):
    page = shown(result(windows=True), by=by)
    assert page.tags.count("meter") == 0
    assert page.tags.count("script") == OUR_SCRIPTS


def test_times_are_the_sites_own_with_utc_beside():
    page = shown(result(replace(scene(), utc_offset_s=3_600)))
    assert "tomorrow 00:13" in page.text
    assert "UTC+01:00" in page.text
    assert ("title", "2023-11-14T23:13:20Z") in page.attributes


def test_the_age_is_always_shown_and_a_banner_when_it_is_too_high():
    assert "20 s ago" in shown().text
    assert "These answers are old." not in shown().text
    assert "These answers are old." in shown(now=NOW + 2_000).text
    assert "33 min ago" in shown(now=NOW + 2_000).text


def test_why_there_is_nothing_newer_is_said_with_when_the_next_look_is():
    page = shown(replace(result(), trouble=TROUBLE))
    assert "The cluster cannot be seen now (unreachable); the next look is at" in page.text
    assert "no contact" not in page.text


def test_only_a_users_or_a_partitions_jobs_can_be_shown():
    assert "12_[0-5%2]" not in shown(user="bob").text
    assert "No such job waits." in shown(partition="gpu").text


def test_an_empty_queue_says_so():
    assert "No job waits" in shown(result(without_jobs(scene()))).text


def test_long_queues_are_cut_with_a_note():
    many = cluster(4, *(waiting(str(i)) for i in range(MOST_ROWS + 5)))
    page = shown(result(many))
    assert page.tags.count("tr") == MOST_ROWS + 3  # two headings and one partition
    assert f"Only the first {MOST_ROWS} are shown" in page.text


def test_where_jobs_are_private_nobody_is_named():
    private = Provenance(source="scene", private=("jobs",))
    text = shown(result(replace(scene(), provenance=private))).text
    assert "known users only" in text
    assert "batch 3 1" in text
    assert "ada" not in text
    assert "12_[0-5%2]" not in text


def test_what_is_hidden_from_us_is_said():
    seen = Provenance(source="scene", hidden=(Hidden(fact=Fact.USAGE, why="not permitted"),))
    text = shown(result(replace(scene(), provenance=seen))).text
    assert "Not seen: usage: not permitted." in text


def test_tables_can_be_read_aloud():
    page = shown()
    assert page.tags.count("caption") == page.tags.count("table") == 2
    assert ("lang", "en") in page.attributes
    assert ("scope", "row") in page.attributes
    assert ("scope", "col") in page.attributes


def test_nothing_comes_from_elsewhere():
    page = shown()
    assert page.tags.count("script") == OUR_SCRIPTS
    addresses = [value for key, value in page.attributes if key in ("href", "src", "action")]
    assert all("//" not in address for address in addresses)
    assert not [key for key, _ in page.attributes if key == "style" or key.startswith("on")]


def test_a_hostile_name_stays_text():
    page = shown()
    assert "<script>alert(1)</script>?[2J??" in page.text
    assert page.tags.count("script") == OUR_SCRIPTS


def test_a_hostile_filter_stays_text():
    assert shown(user='"><script>').tags.count("script") == OUR_SCRIPTS


@given(st.text(max_size=30))
def test_any_name_leaves_the_page_as_it_is(name):
    plain_page = shown(result(cluster(1, waiting("1", of_job={"name": Untrusted("x")}))))
    page = shown(result(cluster(1, waiting("1", of_job={"name": Untrusted(name)}))))
    assert page.tags == plain_page.tags


@given(st.data())
def test_any_cluster_can_be_shown(data):
    snapshot = replace(data.draw(snapshots()), taken_at=NOW)
    forecast = data.draw(forecasts(snapshot))
    published = publication(snapshot, forecast, TERMS, NOW, NOW)
    assert _page(published, Filter(), NOW).encode()


@pytest.mark.parametrize(("words", "kinds"), [(CAUSES, Cause), (REASONS, Unpredictable)])
def test_there_are_words_for_all_causes(words, kinds):
    assert words.keys() == {kind.value for kind in kinds}


def test_the_page_and_its_style_sheet_are_served():
    api = client(board(result()), StandingClock())
    page = api.get("/")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    (style,) = (v for k, v in Outline(page.text).attributes if k == "href" and v.endswith(".css"))
    sheet = api.get(f"/{style}")
    assert sheet.headers["Content-Type"].startswith("text/css")
    assert "immutable" in sheet.headers["Cache-Control"]
    assert api.get("/assets/other.css").status_code == 404


def test_the_page_follows_the_result_and_the_clock():
    clock, on = StandingClock(), board(result())
    api = client(on, clock)
    assert "20 s ago" in api.get("/").text
    clock.at += 60
    assert "1 min ago" in api.get("/").text
    on.put(result(without_jobs(scene())))
    assert "No job waits" in api.get("/").text


def test_before_the_first_forecast_the_page_says_so():
    page = client(Board(), StandingClock()).get("/").text
    assert "not ready yet" in page
    assert "banner" not in page


def test_a_page_without_a_forecast_says_why_there_is_none():
    on = Board()
    on.note(replace(TROUBLE, cause="squeue: no such command; is it on the PATH?"))
    told = client(on, StandingClock()).get("/").text
    assert "brought nothing new: squeue: no such command; is it on the PATH? The next" in told


def test_hostile_text_is_what_we_think_it_is():
    assert "\x1b" in HOSTILE
    assert "\u202e" in HOSTILE
