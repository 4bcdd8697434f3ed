"""Who is kept back by a limit, where that stops others: it is planned too, by a guess."""

import pytest
from engine_scenes import AHEAD_ONLY, STRICT_ONLY, Scene, busy, job

from predictor.engine import bound
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limit_tables import Binding, Claim, Group, LimitTables, Rule, Running
from predictor.engine.limits import Limits


def limits(delays=True, late=False, forgotten=False):
    """Return those by which no job of group 0, claim 0, may start, as one of it runs."""
    cap = Rule(
        kind=bound.HELD, resource=bound.ONE, cap=1, group=0, delays=delays, forgotten=forgotten
    )
    tables = LimitTables(
        nodes=4,
        opened_at=0,
        resources=2,
        holders=10,
        claims=[Claim(binding=0, form=0, nodes=1, node_class=0, limit_s=100)],
        classes=[0b1111],
        forms=[[[0, 1]]],
        groups=[Group(held=[bound.ONE])],
        bindings=[
            Binding(
                groups=[0],
                early=[] if late else [cap],
                late=[cap] if late else [],
                held_weight=1,
                asked_weight=1,
            )
        ],
        running=[Running(holder=9, binding=0, amounts=[1, 1], nodes=0, started_at=0, limit_s=100)],
    )
    return Limits(LimitLayout(tables))


def look(jobs, running=None, *, known=None, **more):
    return Scene(jobs, running, limits=known or limits(), **AHEAD_ONLY | more).look()


LIMITED = job(1, 100, claim=0)


@pytest.mark.parametrize("late", [False, True])
def test_who_is_limited_is_planned_after_a_while_only_if_that_stops_others(late):
    assert look({"j": LIMITED}, known=limits(late=late), limits_stop=True) == {"j": 500}
    found = look({"j": LIMITED}, known=limits(late=late))
    assert found == {}


# n0       [ r  ] 100  [ other ] 200     gives back a node at 200, where a start is sought next
OTHER = job(1, 100, candidates=0b0001)
RUNNING = {"r": busy(0b0001, 100)}


def test_or_at_the_next_opening_and_in_the_way_of_those_behind():
    jobs = {"other": OTHER, "j": job(3, 100, claim=0), "last": job(3, 300)}
    found = look(jobs, RUNNING, limits_stop=True)
    assert found == {"other": 100, "j": 200, "last": 300}
    assert look(jobs, RUNNING) == {"other": 100, "last": 0}


@pytest.mark.parametrize(("length_s", "start"), [(301, 401), (300, 500)])
def test_the_end_of_a_reservation_is_such_an_opening_for_who_meets_it(length_s, start):
    begins, ends = [300, [0b0111], (), 0, "begins"], [400, [0b1111], (), 0, "ends"]
    calendar = [0, [[-1, [0b1111]], begins, ends]]
    jobs = {"j": job(1, length_s, claim=0)}
    assert look(jobs, machine={"calendars": [calendar]}, limits_stop=True) == {"j": start}


@pytest.mark.parametrize(("delays", "next_at"), [(True, 500), (False, 200)])
def test_behind_it_others_of_a_qos_are_not_planned_before(delays, next_at):
    jobs = {"j": LIMITED, "other": OTHER, "next": LIMITED}
    found = look(jobs, RUNNING, known=limits(delays), limits_stop=True)
    assert found == {"j": 500, "other": 100, "next": next_at}


@pytest.mark.parametrize(
    ("array", "starts"),
    [
        pytest.param({"array": 0}, (500, 600, 700), id="and is guessed anew"),
        pytest.param({}, (500, 500, 500), id="as others do"),
        pytest.param({"array": 0, "apart": True}, (500, 500, 500), id="unless it stands alone"),
    ],
)
def test_another_task_of_an_array_does_not_wait_for_one_before_it(array, starts):
    tasks = {f"t{n}": job(1, 100, claim=0, **array) for n in range(3)}
    found = look(tasks, limits_stop=True)
    assert tuple(found.values()) == starts


def test_who_is_limited_and_has_no_room_is_planned_as_if_it_were_not():
    jobs = {"j": job(4, 100, claim=0)}
    assert look(jobs, RUNNING, limits_stop=True) == {"j": 100}


@pytest.mark.parametrize(
    ("kept_back", "behind_at"),
    [
        pytest.param(True, 0, id="of whom that is known it does not"),
        pytest.param(False, 60, id="else once"),
    ],
)
def test_whether_who_may_not_be_looked_at_stops_others(kept_back, behind_at):
    jobs = {"j": job(1, 100, claim=0, kept_back=kept_back), "behind": job(1, 10)}
    scene = Scene(jobs, limits=limits(), limits_stop=True, **STRICT_ONLY)
    assert scene.run(until=200) == {"behind": behind_at}


def test_a_start_that_fails_as_a_pass_looks_ahead_notes_that_a_limit_keeps_it_back():
    # Between the passes that the first one and "behind" call for one looks ahead, at 30. Without
    # it "j" stops others once, up to the first one's end.
    rules = {"limits": limits(), "limits_stop": True, "main_pause_s": 5}
    jobs = {
        "first": job(1, 10, enters_at=28),
        "j": LIMITED | {"enters_at": 29},
        "behind": job(1, 10, enters_at=31),
    }
    assert Scene(jobs, **rules).run(until=200) == {"first": 28, "behind": 33}
    assert Scene(jobs, **rules | STRICT_ONLY).run(until=200) == {"first": 28, "behind": 38}


def test_of_who_is_looked_at_and_not_kept_back_that_is_forgotten():
    scene = Scene({"j": job(4, 10, kept_back=True)}, RUNNING, **STRICT_ONLY)
    scene.run(until=1)
    assert list(scene.forward.queue.kept_back) == [0]


@pytest.mark.parametrize("ways", [{"late": True}, {"forgotten": True}], ids=str)
def test_who_may_not_start_anywhere_or_of_whom_it_is_forgotten_stops_others_each_time(ways):
    jobs = {"j": LIMITED | {"kept_back": True}, "behind": job(1, 10)}
    known = {"limits": limits(**ways), **STRICT_ONLY}
    assert Scene(jobs, limits_stop=True, **known).run(until=200) == {}
    assert Scene(jobs, **known).run(until=200) == {"behind": 0}


@pytest.mark.parametrize("late", [False, True])
def test_who_gets_no_slot_stops_nobody_by_a_limit_either(late):
    jobs = {"j": job(1, 100, claim=0, enters_at=5), "behind": job(1, 10, enters_at=5)}
    scene = Scene(jobs, limits=limits(late=late), limits_stop=True, min_age_s=60, **STRICT_ONLY)
    assert scene.run(until=200) == {"behind": 5}
