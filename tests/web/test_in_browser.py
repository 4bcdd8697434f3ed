"""The pages in a real Chromium: scripts run under the policy, and all can be reached by keys."""

import contextlib
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from statistics import median

import pytest
import uvicorn
from browser import CHROMIUM, Browser
from clusters import HOUR, MINUTE, NOW, cluster, running, waiting
from services import StandingClock, app, board, result, scene

from predictor.domain import Cause, Forecast, Prediction
from predictor.service.asking.viewers import Role, Viewer
from predictor.service.history import Entry
from predictor.service.published import Published, publication

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")

ROOT = Viewer(role=Role.OPERATOR, name="ada")
PAGES = (
    "",
    "mine",
    "watches",
    "schedule",
    "what-if",
    "weather",
    "about",
    "operation",
    "experiments",
    "experiments/check",
    "job/11",
)
MANY = 10_000
"""So many bars must be drawn smoothly."""
SMOOTH_MS = 100.0
"""A redraw takes a thirtieth of this on two busy cores."""
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@contextlib.contextmanager
def served(on, **more) -> Iterator[str]:
    """Serve the application on a port of its own, and return its address."""
    lines = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app(on, StandingClock(), viewer=ROOT, **more), log_level="error")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([lines],), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{lines.getsockname()[1]}"
    finally:
        server.force_exit = server.should_exit = True
        thread.join(10)
        lines.close()


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("chromium")) as one:
        yield one


@pytest.fixture(scope="module")
def shown() -> Published:
    told = tuple(Entry(told_at=NOW - 60 * n, likely_at=NOW + 600 * n) for n in (9, 5, 1))
    return replace(result(windows=True), history={"11": told})


@pytest.fixture(scope="module")
def site(shown) -> Iterator[str]:
    with served(board(shown)) as address:
        yield address


@pytest.mark.parametrize("width", [1300, 420])
@pytest.mark.parametrize("page", PAGES)
def test_a_page_loads_without_a_complaint_and_fits(browser, site, page, width):
    with browser.open(f"{site}/{page}", width) as tab:
        tab.value("new Promise((done) => setTimeout(done, 200))")
        assert tab.complaints == []
        assert tab.value("document.documentElement.scrollWidth") <= width


def test_nothing_but_our_own_files_is_loaded(browser, site):
    with browser.open(f"{site}/schedule") as tab:
        tab.until("document.querySelector('canvas').dataset.drawn")
        loaded = tab.value("performance.getEntriesByType('resource').map((one) => one.name)")
    assert {one.startswith(site) for one in loaded} == {True}


def test_the_first_key_leads_past_the_navigation(browser, site):
    with browser.open(f"{site}/") as tab:
        tab.press("Tab")
        assert tab.value("document.activeElement.className") == "skip"
        tab.press("Enter")
        tab.until("document.activeElement.id === 'main'")


def test_room_for_the_picture_is_made_before_it_is_there(browser, site):
    with browser.open(f"{site}/schedule") as tab:
        tab.until("document.querySelector('canvas').dataset.drawn")
        drawn = tab.value("document.querySelector('canvas').clientHeight")
        assert drawn == tab.value("heightOf(+place.dataset.rows)")


def test_short_names_of_nodes_leave_the_room_to_the_picture(browser, site):
    with browser.open(f"{site}/schedule", 420) as tab:
        tab.until("document.querySelector('canvas').dataset.drawn")
        column = "document.querySelector('canvas').getContext('2d').getImageData(%d, 40, 40, 40)"
        for left, drawn in ((30, False), (60, True)):
            assert tab.value(f"{column % left}.data.some((one) => one > 0)") == drawn


@pytest.mark.parametrize("page", ["schedule", "job/11"])
def test_a_colour_stands_beside_what_it_means(browser, site, page):
    middle = "(one) => { const b = one.getBoundingClientRect(); return b.top + b.height / 2; }"
    with browser.open(f"{site}/{page}", 420) as tab:
        for one in tab.value(
            f"[...document.querySelectorAll('.legend i')].map("
            f"(one) => ({middle})(one) - ({middle})(one.parentElement))"
        ):
            assert abs(one) < 3


def test_a_picture_that_cannot_be_drawn_says_so(browser, site):
    with browser.open(f"{site}/about") as tab:
        tab.ask("Network.enable")
        tab.ask("Network.setBlockedURLs", urls=["*/plan*"])
        tab.ask("Page.navigate", url=f"{site}/schedule")
        tab.until("document.querySelector('.told')?.textContent.includes('cannot be drawn')")


def test_the_schedule_can_be_walked_by_keys(browser, site):
    with browser.open(f"{site}/schedule") as tab:
        tab.until("document.querySelector('canvas').dataset.drawn")
        tab.value("document.querySelector('canvas').focus()")
        tab.press("ArrowDown")
        told = tab.value("document.querySelector('.told').textContent")
        assert "Job 10 of ada runs on n[1-2]" in told


def test_a_newer_answer_is_offered_without_moving_anything(browser):
    on = board(result(windows=True))
    with served(on) as address, browser.open(f"{address}/") as tab:
        place = "document.getElementById('main').getBoundingClientRect().top"
        before = tab.value(place)
        assert tab.value("document.querySelector('.newer').textContent") == ""
        on.put(result(at=NOW + 65, windows=True))
        tab.until("document.querySelector('.newer a')")
        assert (
            tab.value("document.querySelector('.newer').textContent") == "There is a newer answer"
        )
        assert tab.value(place) == before


def test_the_age_grows_while_one_looks(browser, site):
    with browser.open(f"{site}/") as tab:
        assert tab.value("document.querySelector('.age strong').textContent") == "20 s ago"
        tab.until("document.querySelector('.age strong').textContent === '25 s ago'")


def test_without_scripts_everything_but_the_picture_is_there(browser, site):
    with browser.open(f"{site}/about") as tab:
        tab.ask("Emulation.setScriptExecutionDisabled", value=True)
        tab.ask("Page.navigate", url=f"{site}/schedule")
        tab.until_shown("footer p")
        tab.ask("Emulation.setScriptExecutionDisabled", value=False)
        assert "n[1-2]" in tab.value("document.querySelector('table').textContent")
        assert tab.value("document.getElementById('gantt').hidden")


def test_without_scripts_two_experiments_are_ticked_by_keys_and_compared(browser, tmp_path):
    figures = {"schema": "queuecast.diff/1", "draws": 2, "change": [], "recordings": []}
    for name in ("one", "two"):
        wait = {"base": 60, "new": 60, "detected": True, "words": "mean wait"}
        document = figures | {"measures": {"mean_wait_s": wait}}
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    on = board(result())
    with served(on, experiments=tmp_path) as address, browser.open(f"{address}/about") as tab:
        tab.ask("Emulation.setScriptExecutionDisabled", value=True)
        tab.ask("Page.navigate", url=f"{address}/experiments")
        tab.until_shown("#compare button")
        tab.ask("Emulation.setScriptExecutionDisabled", value=False)
        for box in (0, 1):
            tab.value(f"document.querySelectorAll('[name=of]')[{box}].focus()")
            tab.press(" ")
        tab.value("document.querySelector('#compare button').focus()")
        tab.press("Enter")
        tab.until_shown(".beside")
        assert "mean wait" in tab.value("document.getElementById('main').textContent")
        assert tab.complaints == []


def test_before_the_first_answer_the_page_looks_again_by_itself(browser):
    on = board()
    with served(on) as address, browser.open(f"{address}/weather") as tab:
        assert "not ready yet" in tab.value("document.body.textContent")
        on.put(result())
        tab.until_shown("table.weather")


def crowd() -> Published:
    """Ten thousand jobs on a thousand nodes: a fifth of them run, the others wait."""
    busy = [running(f"r{n}", f"n{n % 1_000 + 1}", 30 + n % 600) for n in range(MANY // 5)]
    queue = [waiting(f"w{n}", 4, 30 + n % 300) for n in range(MANY - len(busy))]
    snapshot = cluster(1_000, *busy, *queue)
    told = tuple(
        Prediction(
            job_id=f"w{n}",
            start_at=NOW + (n % 37) * 20 * MINUTE,
            end_at=NOW + (n % 37) * 20 * MINUTE + HOUR,
            partition="batch",
            node_names=tuple(f"n{(4 * n + each) % 1_000 + 1}" for each in range(4)),
            cause=Cause.RESOURCES,
            rank=n + 1,
        )
        for n in range(len(queue))
    )
    forecast = Forecast(
        cluster="scene",
        snapshot_at=NOW,
        policy="easy",
        fingerprint=snapshot.fingerprint,
        predictions=told,
        abstentions=(),
    )
    return publication(snapshot, forecast, scene_terms(), NOW, NOW)


def scene_terms():
    return result(scene()).terms


def test_ten_thousand_jobs_are_drawn_smoothly(browser, capsys):
    drawn = "+document.querySelector('canvas').dataset.drawn"
    with served(board(crowd())) as address, browser.open(f"{address}/schedule") as tab:
        tab.until("document.querySelector('canvas').dataset.drawn")
        shown_ms, first_ms = tab.value("performance.now()"), tab.value(drawn)
        redraws, frames = [], []
        tab.value("document.querySelector('canvas').focus()")
        for key in ("ArrowRight", "+", "ArrowRight", "-", "ArrowLeft", "+", "-"):
            tab.value("document.querySelector('canvas').dataset.drawn = ''")
            begun = time.monotonic()
            tab.press(key)
            tab.value(FRAMES)
            frames.append(round(1_000 * (time.monotonic() - begun)))
            redraws.append(tab.value(drawn))
        paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
        page_ms = tab.value(paint)
        assert tab.complaints == []
    with capsys.disabled():
        sys.stdout.write(
            f" first paint of the page after {page_ms:.0f} ms, of the schedule after"
            f" {shown_ms:.0f} ms, {first_ms} ms of it to draw;"
            f" redraws {redraws} ms, with their frames {frames} ms "
        )
    assert all(redraws)
    assert median(redraws) < SMOOTH_MS


def test_the_policy_is_enforced_and_its_refusals_are_seen(browser, site):
    with browser.open(f"{site}/about") as tab:
        tab.value("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x')")
        tab.value("new Promise((done) => setTimeout(done, 50))")
        assert "Content Security Policy" in "".join(tab.complaints)
