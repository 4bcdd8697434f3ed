"""The page for operators: what was judged, what is seen, what is recorded, and for whom it is."""

from dataclasses import replace

import pytest
from clusters import HOUR, MINUTE, NOW, cluster
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry, Histogram
from services import ALARM, StandingClock, board, client, result, scene

from predictor.domain import Call, Fact, Hidden, Provenance, Quarantined
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.metrics import Metrics
from predictor.service.scoring import Judged, Miss, Scores
from predictor.service.tick import Stage, TickReport
from predictor.storage import open_for_writing
from predictor.web.figures import Figures, Summed
from predictor.web.operation import size
from predictor.web.recorded import Looking, by_hour, recorded

ROOT = Viewer(role=Role.OPERATOR, name="root")
ADA = Viewer(role=Role.USER, name="ada")


def asked(published=None, counted=lambda metrics: None, viewer=ROOT, **more):
    on = board(published or result(windows=True))
    metrics = Metrics(on)
    counted(metrics)
    return client(on, StandingClock(), metrics, viewer=viewer, **more).get("/operation")


def judged(metrics):
    """A hundred answers of half an hour, 300 s late each; of windows of 80 %, 70 held."""
    misses = [Miss("30m", "batch", 300, 900)] * 100
    windows = [Judged("30m", 0.8, held=n < 70) for n in range(100)]
    metrics.scored(Scores(misses=tuple(misses), windows=tuple(windows), overdue=3), result())


@pytest.mark.parametrize("viewer", [ADA, ANONYMOUS])
def test_it_is_for_operators(viewer):
    assert asked(viewer=viewer).status_code == 403
    assert asked().status_code == 200


def test_the_way_there_is_shown_to_operators_only():
    api = {one: client(board(result()), StandingClock(), viewer=one) for one in (ROOT, ADA)}
    assert "Operation</a>" in api[ROOT].get("/").text
    assert "Operation</a>" not in api[ADA].get("/").text


def test_before_anything_is_judged_it_says_so():
    page = asked().text
    assert "Nothing is judged yet" in page
    assert "<svg" not in page


# -- accuracy


def test_errors_and_bias_stand_by_lead_and_by_partition():
    page = asked(counted=judged).text
    assert (
        '<th scope="row">30 min</th><td class="number">100</td>'
        "<td>about 3 min</td><td>5 min</td>" in page
    )
    assert "5 min later" in page
    assert '<th scope="row">batch</th><td class="number">100</td>' in page
    assert "3 waiting jobs should have started" in page


def test_ours_stand_beside_the_batch_systems_own():
    assert (
        '<th scope="row">30 min</th><td class="number">100</td><td>5 min</td><td>15 min</td>'
        in asked(counted=judged).text
    )


def test_what_was_said_stands_beside_what_held():
    page = asked(counted=judged).text
    assert 'cx="80.0" cy="30.0"' in page
    assert "80% said, 70% of 100 held." in page
    assert "style=" not in page


def test_a_share_of_a_few_is_not_drawn():
    few = Scores(windows=(Judged("30m", 0.8, held=True),) * 19)
    assert "<svg" not in asked(counted=lambda metrics: metrics.scored(few, result())).text


def test_alarms_are_told():
    assert "jobs of batch: share" in asked(replace(result(), alarms=(ALARM,))).text


# -- health


def test_what_is_not_seen_or_not_understood_is_told():
    blind = Provenance(
        source="scene",
        hidden=(Hidden(fact=Fact.USAGE, why="not permitted"),),
        quarantined=(Quarantined(fact=Fact.JOBS, count=7, example="job <b>9"),),
    )
    page = asked(result(replace(scene(), provenance=blind))).text
    assert "Not seen: usage: not permitted" in page
    assert "7 jobs not understood, such as: job &lt;b&gt;9" in page
    assert "1 waiting without a start: held" in page


def test_stages_and_questions_are_told():
    stages = (
        Stage(name="observe", duration_s=2.0),
        Stage(name="forecast", duration_s=1.0, kind="bug", cause="none"),
    )
    calls = (
        Call(name="queue", duration_s=0.5, size_bytes=2_000),
        Call(name="queue", duration_s=1.5, size_bytes=0, ok=False, kind="timeout"),
    )

    def ticked(metrics):
        metrics.source("cli")
        metrics.tick(TickReport(stages=stages, calls=calls), NOW)

    page = asked(counted=ticked).text
    assert '<th scope="row">observe</th><td class="number">1</td><td class="number">2 s' in page
    assert "Failed: forecast, bug: 1." in page
    assert (
        '<th scope="row">queue</th><td class="number">2</td><td class="number">1 s</td>'
        '<td class="number">1.0 kB</td><td class="number">1</td><td>20 s ago</td>' in page
    )


# -- the recording


@pytest.fixture
def folder(tmp_path):
    """Half an hour, an hour of nothing, and a minute more."""
    with open_for_writing(tmp_path / "r", clock=StandingClock()) as kept:
        for minute in (*range(30), 90):
            kept.append(replace(cluster(1), taken_at=NOW + minute * MINUTE))
    return tmp_path / "r"


def test_a_recording_tells_its_hours_and_gaps(folder):
    found = recorded(folder, NOW + 2 * HOUR, 60, 0)
    assert found.snapshots == 31
    assert sum(found.hours.values()) == 31
    assert [(gap.since, gap.until) for gap in found.gaps] == [
        (NOW + 29 * MINUTE, NOW + 90 * MINUTE)
    ]
    page = asked(recording=folder).text
    assert "31 snapshots from today 22:13" in page
    assert "1 h 1 min" in page
    assert '<td class="number recorded-1">50</td>' in page
    assert page.count("recorded-none") == 23  # nothing was missed before it began, nor is ahead


def test_a_recording_is_looked_at_once_a_minute(folder):
    looking, later = Looking(folder), NOW + 2 * HOUR
    first = looking.recorded(later, 60, 0)
    with open_for_writing(folder, clock=StandingClock()) as kept:
        kept.append(replace(cluster(1), taken_at=later))
    assert looking.recorded(later + 59, 60, 0) is first
    assert looking.recorded(later + 60, 60, 0).snapshots == first.snapshots + 1


def test_without_a_recording_it_says_so(tmp_path):
    assert recorded(tmp_path / "none", NOW, 60, 0) is None
    assert "no recording that can be read" in asked(recording=tmp_path / "none").text


@given(st.lists(st.integers(0, 10**9)), st.integers(-43_200, 50_400))
def test_every_snapshot_counts_in_one_hour(instants, offset_s):
    assert sum(by_hour(instants, offset_s).values()) == len(instants)


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (2.5e6, "2.5 MB"), (3e13, "30.0 TB")],
)
def test_sizes_are_told_in_the_largest_unit(count, text):
    assert size(count) == text


# -- figures


@given(st.lists(st.floats(0, 99), min_size=1), st.floats(0.01, 1))
def test_a_share_lies_in_the_bucket_that_holds_it(values, share):
    registry = CollectorRegistry()
    bounds = (1, 10, 100)
    histogram = Histogram("queuecast_x", "x", registry=registry, buckets=bounds)
    for value in values:
        histogram.observe(value)
    told = Figures(registry).summed("x")
    assert told.count == len(values)
    rank = sorted(values)[max(0, -int(-share * len(values) // 1) - 1)]
    assert told.up_to(share) <= next(bound for bound in bounds if rank <= bound)


def test_of_nothing_there_is_nothing():
    none = Summed(count=0, total=0.0)
    assert none.mean == 0
    assert none.up_to(0.5) == float("inf")
