"""The pages beside the queue: a job, the schedule, what if, about."""

import re
from dataclasses import replace

import pytest
from clusters import NOW, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import HOSTILE, StandingClock, board, client, result, scene

from predictor.domain import Outlook, PriorityFactors, Provenance, Untrusted
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.history import Entry
from predictor.service.whatif.asking import Supposing
from predictor.service.whatif.shapes import limit_s
from predictor.site import Site
from predictor.suppositions import Supposed
from predictor.web.frame import Assets, Frame
from predictor.web.slipchart import slip_chart
from predictor.web.whatif import LIMITS_S, SIZES, read, what_if_page

ADA, BOB = (Viewer(role=Role.USER, name=name) for name in ("ada", "bob"))

PAGES = ("/", "/mine", "/job/11", "/schedule", "/what-if", "/weather", "/about")


def asked(path, published=None, viewer=ADA, **more):
    on = board(published or result(windows=True))
    return client(on, StandingClock(), viewer=viewer, **more).get(path)


def private(snapshot):
    return replace(snapshot, provenance=Provenance(source="scene", private=("jobs",)))


# -- in another page


@pytest.mark.parametrize("path", PAGES)
def test_a_page_to_stand_in_another_has_no_navigation_but_its_age(path):
    page = asked(f"{path}?embed=1").text
    assert "<nav" not in page
    assert "<h1" not in page
    assert "20 s ago" in page
    assert "<main" in page
    if "<form" in page:
        assert '<input type="hidden" name="embed" value="1">' in page
    assert "<nav" in asked(path).text


# -- instead of a page


@pytest.mark.parametrize(
    ("path", "status", "told", "root"),
    [
        ("/job/nosuch", 404, "Not Found: the newest snapshot has no such job.", "../"),
        ("/nowhere", 404, "Not Found: Nothing matches the given URI.", ""),
        ("/operation", 403, "Forbidden: ", ""),
        ("/?by=<b>x", 200, "", ""),
        ("/what-if?by=" + "x" * 2_000, 200, "", ""),
    ],
)
def test_who_wants_a_page_is_refused_by_one(path, status, told, root):
    on = client(board(result(windows=True)), StandingClock(), viewer=ADA)
    answer = on.get(path, accept="text/html,*/*;q=0.8")
    assert (answer.status_code, answer.headers["content-type"]) == (
        status,
        "text/html; charset=utf-8",
    )
    assert told in answer.text
    if status != 200:
        assert f'<a href="{root}">' in answer.text
        assert f'href="{root}assets/' in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert on.get(path).headers["content-type"] == "application/problem+json"


def test_programs_are_told_problems_whatever_else_they_take():
    on = client(board(result()), StandingClock(), viewer=ADA)
    answer = on.get("/api/v1/clusters/scene/jobs/no", accept="text/html,*/*")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


# -- a job


def test_a_job_has_its_start_its_window_and_its_chances():
    page = asked("/job/11").text
    assert "today 23:13" in page
    assert "today 22:43 - tomorrow 00:13" in page
    assert '<td class="number">90%</td>' in page
    assert "physics" in page


def test_a_job_shows_of_what_its_priority_is_the_sum():
    seen = scene()
    told = PriorityFactors(
        partition="batch", priority=12_480, age=3_100, fairshare=1_200, job_size=8_280, nice=100
    )
    first, *others = seen.pending
    ranked = replace(seen, pending=(replace(first, priorities=(told,)), *others))
    page = asked(f"/job/{first.spec.id}", result(ranked)).text
    parts = re.findall(r'<td>([^<]+)</td><td class="number">(-?[0-9,]+)</td>', page)
    assert parts == [("size", "8,280"), ("age", "3,100"), ("fair share", "1,200"), ("nice", "-100")]
    assert re.findall(r'<rect(?: class="less")? x="0" y="1" width="([0-9.]+)"', page) == [
        "100.0",
        "37.4",
        "14.5",
        "1.2",
    ]
    assert "12,480 points" in page
    assert "Its priority" not in asked("/job/11").text


def test_a_job_that_runs_and_one_that_is_held():
    assert "running" in asked("/job/10").text
    assert "No start can be told: held; its user holds it." in asked("/job/13").text


def test_what_it_was_told_before_stands_there_the_newest_first():
    entries = (
        Entry(told_at=NOW - 7200, likely_at=NOW + 9000),
        Entry(told_at=NOW, likely_at=NOW + 3600, moved_by="3 jobs ended before the limit"),
    )
    page = asked("/job/11", replace(result(), history={"11": entries})).text
    page = page.partition("The newest first")[2]
    assert page.index("3 jobs ended before the limit") < page.index("today 20:13")


@given(
    st.lists(
        st.tuples(st.integers(0, 10**5), st.integers(0, 10**6), st.integers(0, 10**5)), min_size=2
    )
)
def test_the_picture_of_what_was_told_stays_inside_and_keeps_the_order(answers):
    entries, at = [], NOW
    for later, lead_s, half_s in answers:
        at += later
        likely_at = at + lead_s
        entries.append(
            Entry(
                told_at=at,
                likely_at=likely_at,
                low_at=likely_at - half_s,
                high_at=likely_at + half_s,
            )
        )
    drawn = slip_chart(entries, at, str)
    points = [tuple(map(float, one.split(","))) for one in drawn["line"].split()]
    assert [x for x, _ in points] == sorted(x for x, _ in points)
    assert all(0 <= each <= 100 for point in points for each in point)
    for band, (_, y) in zip(drawn["bands"], points[::2], strict=True):
        assert band["y"] - 0.02 <= y <= band["y"] + band["height"] + 0.02
    assert drawn["top"] == str(max(entry.high_at for entry in entries))


def test_a_picture_needs_two_answers():
    assert slip_chart([Entry(told_at=NOW, likely_at=NOW)], NOW, str) is None
    assert "<figure" not in asked("/job/11").text
    told = tuple(Entry(told_at=NOW - n, likely_at=NOW + 60 * n) for n in (90, 30))
    page = asked("/job/11", replace(result(), history={"11": told})).text
    assert '<polyline points="0.0,0.0 66.67,0.0 66.67,100.0 100.0,100.0">' in page


def test_a_job_that_may_not_be_seen_is_one_that_is_not_there():
    hidden = result(private(scene()))
    assert asked("/job/11", hidden, viewer=BOB).status_code == 404
    assert asked("/job/99", hidden, viewer=BOB).status_code == 404
    assert asked("/job/13", hidden, viewer=BOB).status_code == 200
    assert asked("/job/11", viewer=ANONYMOUS, open_=False).status_code == 403


@pytest.mark.parametrize(
    "path", ["/", "/mine", "/job/11", "/schedule", "/what-if", "/weather", "/about"]
)
def test_hostile_names_stay_text(path):
    named = {"name": Untrusted(HOSTILE), "user": "<b>x", "account": "\"onload='1'"}
    jobs = (waiting("11", of_job=named), waiting('x"><script>', of_job=named))
    page = asked(path, result(replace(scene(), pending=jobs))).text
    assert "<script>alert" not in page
    assert "<b>x" not in page
    assert '"><script>' not in page
    assert "\x1b" not in page


@pytest.mark.parametrize(
    "path", ["/", "/mine", "/job/11", "/schedule", "/what-if", "/weather", "/about"]
)
def test_nothing_is_inline_or_comes_from_elsewhere(path):
    answer = asked(path)
    assert "style=" not in answer.text
    assert "http:" not in answer.text.replace("http://www.w3.org", "")
    assert " on" + "click" not in answer.text
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", ["/", "/mine", "/schedule", "/what-if", "/weather", "/about"])
def test_before_the_first_result_the_pages_say_so(path):
    answer = client(board(), StandingClock()).get(path)
    assert answer.status_code == 200
    assert "not ready yet" in answer.text


# -- the schedule


def test_the_schedule_is_a_table_too():
    page = asked("/schedule").text
    assert "will run" in page
    assert "n[1-2]" in page
    assert 'data-plan="api/v1/clusters/scene/plan"' in page


def test_jobs_of_others_are_not_in_the_table():
    page = asked("/schedule", result(private(scene())), viewer=BOB).text
    assert "ada" not in page
    assert "known users only" in asked("/schedule", viewer=ANONYMOUS, open_=False).text


# -- what if


def test_a_form_becomes_the_job_and_a_table():
    question = read({"nodes": "4", "time_limit": "2:00:00", "partition": "batch"}).question
    own, *grid = question.shapes
    assert (own.nodes, own.time_limit, own.partition) == (4, "2:00:00", "batch")
    assert len(grid) == len(SIZES) * len(LIMITS_S)
    assert {shape.partition for shape in grid} == {"batch"}


@pytest.mark.parametrize("given", [{"nodes": "many"}, {"time_limit": "soon"}, {"gres": ";"}])
def test_what_cannot_be_understood_is_said(given):
    told = read(given)
    assert told.question is None
    assert told.refused
    assert told.refused.split(":")[0] in asked(f"/what-if?{next(iter(given))}=%3B").text


def test_an_empty_form_asks_nothing():
    assert read({"nodes": " ", "colour": "red"}).question is None


@pytest.fixture(scope="module")
def supposing(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recording")
    terms = {"run_times": "limit", "arrivals": False, "corrected": False}
    site = Site.model_validate({"forecast": terms, "recording": {"path": str(folder / "r")}})
    found = Supposing(site, StandingClock())
    yield found
    found.stop()


def test_an_answer_and_what_starts_soonest(supposing):
    page = asked("/what-if?nodes=2&time_limit=30", supposing=supposing).text
    assert "likely start" in page
    assert "What would start soonest" in page
    assert 'href="?nodes=16&amp;time_limit=30:00"' in page


def test_what_would_start_sooner_is_told_as_lines_of_a_script():
    asked_for = read({"nodes": "8", "time_limit": "4:00:00", "gres": "gpu:1"})
    on, hour = result(), 3_600
    starts = {
        (8, 4 * hour): 20,
        (8, 2 * hour): 19.9,
        (4, 4 * hour): 9,
        (2, 4 * hour): 9,
        (1, hour): 2,
    }
    told = [
        Supposed(
            outlook=surely(
                NOW + round(hour * starts.get((shape.nodes, limit_s(shape.time_limit)), 30))
            )
        )
        for shape in asked_for.question.shapes
    ]
    page = what_if_page(on, asked_for, told, NOW + 20, Frame(assets=Assets.read(), here="What if"))
    lines = re.findall(r"<pre[^>]*>([^<]*)</pre>", page)
    assert lines == [
        f"#SBATCH --nodes={nodes}\n#SBATCH --time={limit}\n#SBATCH --gres=gpu:1"
        for nodes, limit in ((4, "4:00:00"), (1, "1:00:00"))
    ]
    assert "11 h sooner" in page
    assert "18 h sooner" in page


def surely(at):
    at = round(at)
    return Outlook(likely_at=at, low_at=at, high_at=at, by_at=at, quantiles=((0.5, at),))


def test_a_refusal_is_told_in_the_page(supposing):
    page = asked("/what-if?nodes=2&partition=none", supposing=supposing).text
    assert "no such partition: none" in page


# -- about, and what pages load


def test_about_tells_how_good_answers_were_and_names_nobody():
    page = asked("/about", viewer=ANONYMOUS, open_=False).text
    assert "jobs of batch said to start in 1 to 4 h" in page
    assert "1 waiting: held" in page
    assert "ada" not in page.replace("metadata", "")


def test_what_is_loaded_is_named_by_its_content_and_kept_for_ever():
    assets = Assets.read()
    for own, name in assets.names.items():
        answer = asked(f"/assets/{name}")
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]
        assert own.partition(".")[0] in name
    assert asked("/assets/queuecast.css").status_code == 404
    assert asked("/assets/..%2fpage.py").status_code == 404
