"""A cluster that all but vanished is believed when a second look shows the same."""

from dataclasses import replace

import pytest
from clusters import NOW, cluster, waiting
from services import Scripted, desk

from predictor.clock import AHEAD_S
from predictor.domain import Call, Observation, Snapshot
from predictor.errors import SourceError
from predictor.service.doubt import Extent, Gate, doubt, extent
from predictor.service.tick import revive, tick


def seen(jobs: int, at: int = NOW, nodes: int = 40, **more) -> Snapshot:
    queue = (waiting(str(n), 1) for n in range(1, jobs + 1))
    return cluster(nodes, *queue, taken_at=at, **more)


def sized(jobs: int, nodes: int = 40, at: int = NOW) -> Extent:
    return Extent(cluster="scene", taken_at=at, jobs=jobs, nodes=nodes)


@pytest.mark.parametrize(
    ("before", "after", "believed"),
    [
        pytest.param(sized(100), sized(20), True, id="down to a fifth"),
        pytest.param(sized(100), sized(19), False, id="more than 80 % are gone"),
        pytest.param(sized(100), sized(0), False, id="an empty queue"),
        pytest.param(sized(9), sized(0), True, id="of few jobs all may go"),
        pytest.param(sized(10), sized(0), False, id="of ten not"),
        pytest.param(sized(0), sized(5000), True, id="a queue may fill at once"),
        pytest.param(sized(50, nodes=40), sized(50, nodes=7), False, id="nodes are gone"),
        pytest.param(sized(50, nodes=6), sized(50, nodes=1), True, id="of few nodes all may go"),
    ],
)
def test_what_needs_a_second_look(before, after, believed):
    assert (doubt(after, before, None) == "") is believed


def test_a_second_look_that_shows_as_little_confirms_the_first():
    assert doubt(sized(0, at=NOW + 120), sized(100), sized(0, at=NOW + 60)) == ""


def test_the_same_look_once_more_confirms_nothing():
    assert "0 of 100 jobs" in doubt(sized(0, at=NOW + 60), sized(100), sized(0, at=NOW + 60))


def test_the_extent_leaves_out_who_has_ended():
    assert extent(replace(seen(7), finished=seen(3).finished)).jobs == 7


def looks(*script):
    """Play looks through a desk; return the kinds of failure, what was committed, and the desk."""
    at, committed = desk(), []
    source = Scripted(list(script))
    kinds = []
    for _ in script:
        at.clock.at += 60
        report = tick(source.observe, committed.append, at)
        kinds.append(report.stages[0].kind)
    return kinds, [snapshot.taken_at for snapshot in committed], at


FULL, EMPTY = seen(50), seen(0, NOW + 60)


def test_an_empty_queue_after_a_restart_is_neither_published_nor_recorded():
    back = seen(49, NOW + 120)
    kinds, committed, at = looks(FULL, EMPTY, back)
    assert kinds == ["", "doubted", ""]
    assert committed == [NOW, NOW + 120]
    assert len(at.board.current.rows) == 49


def test_while_it_is_doubted_the_last_answer_stays_up():
    _, _, at = looks(FULL, EMPTY)
    assert at.board.current.snapshot_at == NOW
    assert at.board.current.age_s(at.clock.now()) == 140


def test_a_queue_that_stays_empty_is_believed():
    kinds, committed, at = looks(FULL, EMPTY, seen(0, NOW + 120), seen(0, NOW + 180))
    assert kinds == ["", "doubted", "", ""]
    assert committed == [NOW, NOW + 120, NOW + 180]
    assert at.board.current.rows == ()


def test_a_failure_between_two_empty_looks_makes_the_second_a_first_one():
    kinds, _, _ = looks(FULL, EMPTY, SourceError("no contact"), seen(0, NOW + 180))
    assert kinds == ["", "doubted", "unreachable", "doubted"]


def test_each_drop_has_to_be_confirmed_anew():
    kinds, _, _ = looks(FULL, EMPTY, seen(50, NOW + 120), seen(0, NOW + 180))
    assert kinds == ["", "doubted", "", "doubted"]


def test_after_a_start_the_recordings_last_snapshot_is_what_counts():
    at = desk()
    revive(FULL, at)
    report = tick(Scripted([EMPTY]).observe, [].append, at)
    assert [stage.kind for stage in report.failures] == ["doubted"]
    assert at.board.current.snapshot_at == NOW


@pytest.mark.parametrize(
    ("strange", "kind", "cause"),
    [
        pytest.param(seen(50, NOW - 60), "order", "comes after one of", id="older"),
        pytest.param(
            replace(seen(50, NOW + 60), cluster="beta"), "cluster", "'beta'", id="another cluster"
        ),
        pytest.param(seen(50, NOW + AHEAD_S + 999), "future", "is yet to come", id="from tomorrow"),
        pytest.param(FULL, "unchanged", "published already", id="the same"),
    ],
)
def test_what_is_no_newer_look_at_this_cluster_is_named_and_left_out(strange, kind, cause):
    at, committed = desk(), []
    source = Scripted([FULL, strange])
    tick(source.observe, committed.append, at)
    report = tick(source.observe, committed.append, at)
    assert [(stage.name, stage.kind) for stage in report.failures] == [("observe", kind)]
    assert cause in report.failures[0].cause
    assert (len(committed), at.board.current.snapshot_at) == (1, NOW)


def test_a_clock_that_jumped_and_came_back_stops_nothing():
    """Ours jumped with the batch system's: what was believed then does not count any more."""
    at, committed = desk(), []
    tomorrow = NOW + 86_400
    at.clock.at = tomorrow
    tick(Scripted([seen(50, tomorrow)]).observe, committed.append, at)
    at.clock.at = NOW
    report = tick(Scripted([FULL]).observe, committed.append, at)
    assert report.outcome == "ok"
    assert at.board.current.snapshot_at == NOW


def test_after_another_source_was_chosen_nothing_is_compared():
    gate = Gate()
    gate.admit(FULL, NOW)
    gate.forget()
    gate.admit(replace(EMPTY, cluster="beta"), NOW)


def test_a_look_that_brought_nothing_has_cost_its_calls_all_the_same():
    cost = (Call(name="squeue", duration_s=1, size_bytes=9),)
    failure = SourceError("no contact")
    failure.calls = cost

    def fail() -> Observation:
        raise failure

    at = desk()
    revive(FULL, at)
    assert tick(lambda: Observation(snapshot=EMPTY, calls=cost), [].append, at).calls == cost
    assert tick(fail, [].append, at).calls == cost


def test_what_is_shown_again_was_first_seen_before():
    gate = Gate()
    gate.admit(FULL, NOW, 100.0)
    gate.admit(FULL, NOW, 160.0)
    assert gate.first_s == 100
    gate.admit(replace(FULL, taken_at=FULL.taken_at + 60), NOW + 60, 220.0)
    assert gate.first_s == 220
