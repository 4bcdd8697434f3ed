"""Plans of all who wait, by constraint programming."""

from functools import partial
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.errors import QueuecastError
from verification.cli.experiment import Names
from verification.experiments.machine import Group, Machine, alike
from verification.experiments.planning import solver
from verification.experiments.planning.problem import (
    Busy,
    Problem,
    Task,
    best_simple,
    cost,
    placed,
    weight_by_slowdown,
)
from verification.experiments.schedulers import APART, SCHEDULERS
from verification.experiments.schedulers.ideal import Ideal

pytest.importorskip("ortools", reason="needs the extra ideal")

ENOUGH = 60.0
CAPACITY = (4, 2)


def wanted(least):
    return st.tuples(st.integers(1, CAPACITY[0]), st.integers(0, CAPACITY[1])).filter(
        lambda amounts: sum(amounts) >= least
    )


tasks = st.builds(Task, amounts=wanted(1), lasts_s=st.integers(1, 60), weight=st.integers(1, 1000))


@st.composite
def problems(draw, most=5):
    busy, free = [], list(CAPACITY)
    for amounts in draw(st.lists(wanted(1), max_size=3)):
        if all(have >= take for have, take in zip(free, amounts, strict=True)):
            free = [have - take for have, take in zip(free, amounts, strict=True)]
            busy.append(Busy(for_s=draw(st.integers(1, 40)), amounts=amounts))
    some = draw(st.lists(tasks, min_size=1, max_size=most))
    return Problem(capacity=CAPACITY, busy=tuple(busy), tasks=tuple(some))


def assert_room(problem, starts):
    """Nobody holds what is not there; looked at whenever somebody starts."""
    for at in starts:
        for resource, capacity in enumerate(problem.capacity):
            held = sum(busy.amounts[resource] for busy in problem.busy if at < busy.for_s)
            held += sum(
                task.amounts[resource]
                for task, start in zip(problem.tasks, starts, strict=True)
                if start <= at < start + task.lasts_s
            )
            assert held <= capacity


@given(problems(most=8), st.randoms(use_true_random=False))
def test_whoever_is_placed_has_room(problem, source):
    order = list(range(len(problem.tasks)))
    source.shuffle(order)
    assert_room(problem, placed(problem, order))


def test_a_task_starts_as_early_as_there_is_room_for_as_long_as_it_lasts():
    # second 0         10        20
    # 4 cores [ busy 3 ]                   "long" fits beside for 10 s only with 1 core
    problem = Problem(
        capacity=(4,),
        busy=(Busy(for_s=10, amounts=(3,)),),
        tasks=(
            Task(amounts=(4,), lasts_s=10, weight=1),
            Task(amounts=(1,), lasts_s=10, weight=1),
            Task(amounts=(1,), lasts_s=11, weight=1),
        ),
    )
    assert placed(problem, (0, 1, 2)) == (10, 0, 20)
    assert placed(problem, (2, 1, 0)) == (20, 10, 0)


@settings(max_examples=25)
@given(problems())
def test_a_proven_plan_is_the_best_of_all_orders(problem):
    plan = solver.solve(problem, ENOUGH)
    assert_room(problem, plan.starts)
    assert plan.proven
    orders = permutations(range(len(problem.tasks)))
    assert cost(problem, plan.starts) == min(cost(problem, placed(problem, o)) for o in orders)


@settings(max_examples=10)
@given(problems(most=12), st.sampled_from([0.0, 0.001]))
def test_a_plan_that_was_given_up_is_no_dearer_than_a_simple_one(problem, work):
    plan = solver.solve(problem, work, most=6)
    assert_room(problem, plan.starts)
    assert cost(problem, plan.starts) <= cost(problem, best_simple(problem))


def test_the_same_problem_has_the_same_plan():
    problem = Problem(
        capacity=(16,),
        busy=(),
        tasks=tuple(
            Task(amounts=(1 + n * 7 % 13,), lasts_s=30 + n * 37 % 101, weight=1 + n * 5 % 11)
            for n in range(14)
        ),
    )
    assert solver.solve(problem, 0.05) == solver.solve(problem, 0.05)


def test_waits_weigh_by_slowdown():
    assert weight_by_slowdown(1) == weight_by_slowdown(10) == 10 * weight_by_slowdown(100)
    assert weight_by_slowdown(10**9) == 1


# second  0        100       150
# cores   [ 3 busy  ]                  "wide" needs all four, "small" one from 2 s on, for 99 s
QUEUE = [(0, 100, 3, 100), (1, 50, 4, 50), (2, 99, 1, 99)]


def test_a_plan_may_delay_one_for_the_good_of_all(replayed):
    machine = alike(1, 4)
    assert replayed(QUEUE, machine, scheduler="fcfs").starts == [0, 100, 150]
    assert replayed(QUEUE, machine, scheduler="ideal-wait").starts == [0, 101, 2]
    assert replayed(QUEUE, machine, scheduler="ideal").starts == [0, 101, 2]


def test_who_cannot_be_placed_on_nodes_waits_for_them(replayed):
    # Of two nodes with four GPUs one is left on each: two in the pool, but nowhere two together.
    rows = [(0, 50, 1, 50, 3), (0, 50, 1, 50, 3), (1, 9, 1, 9, 4)]
    machine = Machine(
        groups=(Group(name="n", nodes=2, has={"core": 2, "gpu": 4}),),
        kinds={3: {"core": 1, "gpu": 3}, 4: {"core": 1, "gpu": 2}},
    )
    rows = [(*row[:4], -1, 1, -1, 1, row[4]) for row in rows]
    for scheduler in ("ideal", "ideal-wait"):
        assert replayed(rows, machine, scheduler=scheduler).starts == [0, 0, 50]


def test_a_real_trace_is_replayed_to_its_end(replayed, excerpt):
    tried = partial(Ideal, aim="slowdown", work=0.001)
    courses = replayed(excerpt, alike(100, 1), scheduler=tried).courses
    assert len(courses) == len(replayed(excerpt, alike(100, 1)).courses)


def test_without_the_solver_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(solver, "find_spec", lambda name: None)
    with pytest.raises(QueuecastError, match=r"pip install 'queuecast\[ideal\]'"):
        SCHEDULERS["ideal"](alike(1, 4))


def test_all_schedulers_are_those_that_do_not_plan():
    every = Names(name for name in SCHEDULERS if name not in APART)
    assert not set(APART) & set(every.convert("all", None, None))
    assert every.convert("ideal", None, None) == ("ideal",)
