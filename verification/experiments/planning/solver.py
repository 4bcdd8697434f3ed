"""Plans by constraint programming: the CP-SAT solver of Google's OR-tools."""

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Final

from predictor.errors import QueuecastError
from verification.experiments.planning.problem import (
    Problem,
    Starts,
    best_simple,
    cost,
    placed,
)

SEED: Final = 1
MOST_SOLVED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """When tasks start."""

    starts: Starts
    proven: bool
    """Whether no plan is cheaper."""


def check_installed() -> None:
    """Raise QueuecastError if the solver is not installed."""
    if find_spec("ortools") is None:
        raise QueuecastError("a planning scheduler needs OR-tools: pip install 'queuecast[ideal]'")


def solve(problem: Problem, work: float, most: int = MOST_SOLVED) -> Plan:
    """Return the cheapest plan that is found with so much work; there is at least one task.

    Only the `most` tasks that start first by the best simple plan are solved; the others follow in
    its order and delay none of them. No plan is dearer than the simple one. Work is measured in the
    solver's deterministic seconds, with one worker and a fixed seed: the same problem has the same
    plan on any machine.
    """
    known = best_simple(problem)
    order = sorted(range(len(known)), key=lambda number: (known[number], number))
    first, others = sorted(order[:most]), order[most:]
    part = replace(problem, tasks=tuple(problem.tasks[number] for number in first))
    found, proven = _solved(part, tuple(known[number] for number in first), work)
    by_start = sorted(range(len(first)), key=lambda place: (found[place], place))
    # Nobody starts later so, and what the solver left idle is used.
    starts = placed(problem, (*(first[place] for place in by_start), *others))
    better = cost(problem, starts) <= cost(problem, known)
    return Plan(starts=starts if better else known, proven=proven and not others)


def _solved(problem: Problem, known: Starts, work: float) -> tuple[Starts, bool]:
    """Return starts no dearer than those that are known, and whether none are cheaper."""
    # The extra loads numpy and pandas: nobody else should wait for that.
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    dearest = cost(problem, known)
    starts, intervals = [], []
    for task, at in zip(problem.tasks, known, strict=True):
        starts.append(start := model.new_int_var(0, dearest // task.weight, ""))
        intervals.append(model.new_fixed_size_interval_var(start, task.lasts_s, ""))
        model.add_hint(start, at)
    held = [model.new_fixed_size_interval_var(0, busy.for_s, "") for busy in problem.busy]
    for resource, capacity in enumerate(problem.capacity):
        wanted = [amounts[resource] for amounts in problem.all_amounts]
        if any(wanted):
            model.add_cumulative([*intervals, *held], wanted, capacity)
    total = sum(task.weight * start for task, start in zip(problem.tasks, starts, strict=True))
    model.add(total <= dearest)
    model.minimize(total)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = SEED
    solver.parameters.max_deterministic_time = work
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return known, False
    return tuple(solver.value(start) for start in starts), status == cp_model.OPTIMAL
