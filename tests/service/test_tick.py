"""What a tick does when all goes well, and when one of its stages does not."""

from dataclasses import replace

import pytest
import services
from clusters import NOW
from services import ALARM, UNREACHABLE, Scripted, desk, said, scene, sure

from predictor.errors import SourceFormatError, SourceTimeout, StorageError
from predictor.service.forecaster import Reply
from predictor.service.shown import Shown
from predictor.service.tick import recall, revive, tick
from predictor.service.worker import WorkerFailed

LATER = replace(scene(), taken_at=NOW + 60)


class Committed(list):
    """A recording that only remembers."""

    def commit(self, snapshot):
        self.append(snapshot)


def raising(error):
    def fail(_snapshot):
        raise error

    return fail


def test_a_tick_looks_commits_forecasts_and_publishes():
    committed, at = Committed(), desk()
    report = tick(Scripted([scene()]).observe, committed.commit, at)
    assert [stage.name for stage in report.stages] == [
        "observe",
        "record",
        "forecast",
        "keep",
        "publish",
        "windows",
        "score",
    ]
    assert report.outcome == "ok"
    assert committed == [scene()]
    assert at.board.current is report.published
    assert [row.spec.id for row in at.board.current.rows] == ["11", "12_[0-5%2]", "13", "10"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        pytest.param(UNREACHABLE, "unreachable", id="cannot be asked"),
        pytest.param(SourceTimeout("squeue: 20 s"), "timeout", id="too slow"),
        pytest.param(SourceFormatError("squeue: 'x'"), "format", id="makes no sense"),
        pytest.param(ZeroDivisionError("oops"), "bug", id="a fault of ours"),
        pytest.param(services.scene(taken_at=10**15), "format", id="no date"),
        pytest.param(services.scene(nodes=()), "empty", id="a cluster without nodes"),
    ],
)
def test_when_the_cluster_cannot_be_seen_the_last_result_stays_up(answer, kind):
    committed, at = Committed(), desk()
    source = Scripted([scene(), answer])
    tick(source.observe, committed.commit, at)
    before = at.board.current
    report = tick(source.observe, committed.commit, at)
    assert report.outcome == "error"
    assert [(stage.name, stage.kind) for stage in report.failures] == [("observe", kind)]
    assert at.board.current is before
    assert len(committed) == 1


def test_a_cluster_whose_nodes_the_site_file_gives_is_not_empty():
    bare = services.scene(nodes=())
    at = desk(complete=lambda snapshot: replace(snapshot, nodes=scene().nodes))
    assert tick(Scripted([bare]).observe, Committed().commit, at).outcome == "ok"


def test_the_same_snapshot_again_is_skipped():
    committed, at = Committed(), desk()
    source = Scripted([scene()])
    first = tick(source.observe, committed.commit, at).published
    report = tick(source.observe, committed.commit, at)
    assert (report.outcome, at.board.current, len(committed)) == ("skipped", first, 1)


def test_what_cannot_be_committed_is_answered_all_the_same():
    at = desk()
    report = tick(Scripted([scene()]).observe, raising(StorageError("disk full")), at)
    assert [(stage.name, stage.kind, stage.cause) for stage in report.failures] == [
        ("record", "storage", "disk full")
    ]
    assert report.outcome == "error"
    assert at.board.current is not None


def test_without_a_forecast_the_last_result_stays_up():
    committed, at = Committed(), desk()
    source = Scripted([scene(), LATER])
    tick(source.observe, committed.commit, at)
    before = at.board.current
    broken = replace(at, predict=raising(WorkerFailed("timeout", "not done within 5 s")))
    report = tick(source.observe, committed.commit, broken)
    assert [(stage.name, stage.kind) for stage in report.failures] == [("forecast", "worker")]
    assert at.board.current is before
    assert len(committed) == 2


def test_an_unexpected_error_is_kept_for_the_log():
    error = ZeroDivisionError("oops")
    report = tick(Scripted([error]).observe, Committed().commit, desk())
    assert report.failures[0].error is error
    assert report.failures[0].cause == "ZeroDivisionError: oops"


def test_a_revived_result_has_the_age_of_its_snapshot():
    at = desk()
    revive(replace(scene(), taken_at=NOW - 3_600), at)
    assert at.board.current.age_s(at.clock.now()) == 3_620
    assert at.board.current.stale(at.clock.now())


def test_what_is_published_was_kept_before():
    order = []
    at = desk(keep=lambda forecast: order.append((forecast.snapshot_at, at.board.current)))
    tick(Scripted([scene()]).observe, Committed().commit, at)
    assert order == [(NOW, None)]


def test_what_cannot_be_kept_is_published_all_the_same():
    at = desk(keep=raising(StorageError("disk full")))
    report = tick(Scripted([scene()]).observe, Committed().commit, at)
    assert [(stage.name, stage.kind) for stage in report.failures] == [("keep", "storage")]
    assert at.board.current is not None


def test_the_point_answer_is_published_first_and_then_again_with_windows():
    seen = []

    def windows(_budget_s):
        seen.append(at.board.current)
        return Reply(forecast=sure(said(scene())), alarms=(ALARM,))

    kept = []
    at = desk(windows=windows, keep=kept.append)
    report = tick(Scripted([scene()]).observe, Committed().commit, at)
    (first,) = seen
    assert (first.first, at.board.current.first) == (True, False)
    assert first.rows[0].outlook is None
    assert at.board.current.rows[0].outlook is not None
    assert first.tick != at.board.current.tick
    assert (first.alarms, at.board.current.alarms) == ((), (ALARM,))
    assert report.published is at.board.current
    assert kept == [said(scene()), sure(said(scene()))]
    assert [stage.name for stage in report.stages][5:] == ["windows", "keep", "publish", "score"]


def test_windows_get_the_time_that_is_left_until_the_next_tick():
    budgets = []
    at = desk(windows=lambda budget_s: budgets.append(budget_s) or Reply())
    source = Scripted([scene(), LATER, replace(LATER, taken_at=NOW + 120)])
    for took_s in (5, 45, 90):

        def slow(snapshot, took_s=took_s):
            at.clock.at += took_s
            return said(snapshot)

        tick(source.observe, Committed().commit, replace(at, predict=slow))
    assert budgets == [20, 15, 0]


@pytest.mark.parametrize(
    ("within_s", "keeping_s", "budget_s"),
    [
        pytest.param(None, 0, 20, id="the next look is an interval away"),
        pytest.param(45, 0, 20, id="or less"),
        pytest.param(30, 5, 15, id="what telling takes is needed twice again"),
        pytest.param(5, 0, 20, id="late: half of an interval all the same"),
        pytest.param(0, 12, 9, id="late and slow: half of what is left"),
    ],
)
def test_windows_leave_time_for_telling_them(within_s, keeping_s, budget_s):
    budgets = []

    def keep(_forecast):
        at.clock.at += keeping_s

    at = desk(windows=lambda budget_s: budgets.append(budget_s) or Reply(), keep=keep)
    tick(Scripted([scene()]).observe, Committed().commit, at, within_s)
    assert budgets == [budget_s]


def test_without_windows_the_point_answer_stays_up():
    broken = raising(WorkerFailed("timeout", "not done within 100 s"))
    at = desk(windows=broken)
    report = tick(Scripted([scene()]).observe, Committed().commit, at)
    assert [(stage.name, stage.kind) for stage in report.failures] == [("windows", "worker")]
    assert report.outcome == "error"
    assert at.board.current is report.published is not None


def test_until_there_are_new_windows_those_of_the_minute_before_are_shown():
    told = iter([Reply(forecast=sure(said(scene())), alarms=(ALARM,)), Reply()])
    at = desk(windows=lambda _budget_s: next(told))
    source = Scripted([scene(), LATER])
    tick(source.observe, Committed().commit, at)
    tick(source.observe, Committed().commit, at)
    assert at.board.current.snapshot_at == NOW + 60
    assert at.board.current.first
    assert at.board.current.rows[0].outlook is not None
    assert at.board.current.alarms == (ALARM,)


def test_where_no_windows_are_wanted_the_point_answer_is_all():
    at = replace(desk(), drawing_s=0)
    tick(Scripted([scene()]).observe, Committed().commit, at)
    assert not at.board.current.first


def test_the_last_result_of_a_tick_is_scored_and_a_fault_in_that_costs_nobody_the_answer():
    scored = []
    at = desk(windows=lambda _budget_s: Reply(forecast=sure(said(scene()))))
    report = tick(Scripted([scene()]).observe, Committed().commit, replace(at, score=scored.append))
    assert scored == [report.published]
    failing = replace(desk(), score=raising(StorageError("no room")))
    report = tick(Scripted([scene()]).observe, Committed().commit, failing)
    assert [(stage.name, stage.kind) for stage in report.failures] == [("score", "storage")]
    assert failing.board.current is report.published


def test_a_clock_set_back_between_recalling_and_reviving_makes_nothing_young():
    at = desk()
    made = services.result()
    kept = Shown(snapshot=made.snapshot, forecast=made.forecast, made_at=NOW)
    recall(kept, at)
    at.clock.at, at.clock.steady_s = at.clock.at - 86_400, at.clock.monotonic() + 100
    revive(kept.snapshot, at, kept.made_at)
    assert at.board.dated(at.clock).age_s(at.clock.now()) == 120


def test_what_was_old_when_it_was_seen_stays_so_old_when_our_clock_is_set_back():
    at = desk()
    tick(Scripted([scene(taken_at=int(at.clock.at) - 900)]).observe, Committed().commit, at)
    at.clock.at, at.clock.steady_s = at.clock.at - 86_400, at.clock.monotonic() + 100
    assert at.board.dated(at.clock).age_s(at.clock.now()) == 1_000


def test_what_was_seen_without_an_answer_and_is_shown_again_is_as_old_as_it_is():
    at = desk(predict=raising(WorkerFailed("died", "the worker process ended")))
    tick(Scripted([scene()]).observe, Committed().commit, at)
    assert at.board.current is None
    at.clock.at, at.clock.steady_s = at.clock.at - 60, at.clock.monotonic() + 120
    again = replace(at, predict=desk().predict)
    tick(Scripted([scene()]).observe, Committed().commit, again)
    assert at.board.dated(at.clock).age_s(at.clock.now()) >= 120
