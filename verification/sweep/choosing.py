"""Choose the best point on some inputs, and try it on others: what to run next, what was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from statistics import fmean
from typing import Any

from verification.gate import Bound, check_gate, parse_gate
from verification.sweep.certainty import interval, resamples, share_best, verdict
from verification.sweep.grid import Grid
from verification.sweep.gridfile import OptimiseTable
from verification.sweep.replications import (
    FIT,
    REPORT,
    Replications,
    mean_figures,
    replications,
)
from verification.sweep.results import Result
from verification.sweep.runs import Run
from verification.sweep.searching import Cost, Step, coordinate, halving

BASE = 0
"""The point that what was chosen is compared with: the one of the values that stand first."""
ALLOWED, BEYOND_BOUNDS, FAILED = range(3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What is to be found."""

    table: OptimiseTable
    bounds: Sequence[Bound]


def wanted(grid: Grid, runs: Sequence[Run], results: Mapping[int, Result]) -> list[Run]:
    """Return the runs to make next, given what has ended; none: the sweep has ended."""
    if grid.file.optimise is None:
        return [run for run in runs if run.number not in results]
    fit = replications(grid, runs, results, FIT)
    step = _step(grid, fit, _aim(grid))
    if step.best is None:
        asked = [fit.runs[point][:count] for point, count in step.asked]
    else:
        report = replications(grid, runs, results, REPORT)
        asked = [report.runs[point] for point in dict.fromkeys((step.best, BASE))]
    missing = [run for some in asked for run in some if run.number not in results]
    return sorted(missing, key=lambda run: run.number)


def choice(grid: Grid, runs: Sequence[Run], results: Mapping[int, Result]) -> dict[str, Any] | None:
    """Return what was chosen and how sure that is, as JSON knows it; None: nothing yet."""
    if grid.file.optimise is None:
        return None
    aim = _aim(grid)
    fit = replications(grid, runs, results, FIT)
    best = _step(grid, fit, aim).best
    if best is None:
        return None
    report = replications(grid, runs, results, REPORT)
    return {
        "method": aim.table.method,
        "minimise": aim.table.minimise,
        "subject_to": aim.table.subject_to,
        "chosen": best + 1,
        "settings": dict(grid.points[best]),
        "compared_with": BASE + 1,
        "fit": _on_fit(fit, best, aim),
        "report": _on_report(report, best, aim),
    }


def _aim(grid: Grid) -> Aim:
    table = grid.file.optimise
    assert table is not None  # noqa: S101 - whoever asks has looked
    bounds = parse_gate(table.subject_to) if table.subject_to else ()
    return Aim(table=table, bounds=bounds)


def _step(grid: Grid, fit: Replications, aim: Aim) -> Step:
    cost = partial(_cost, fit, aim)
    if aim.table.method == "halving":
        return halving(len(grid.points), fit.count, cost)
    lengths = [len(values) for values in grid.file.axes.values()]
    return coordinate(lengths, fit.count, cost)


def _cost(fit: Replications, aim: Aim, point: int, count: int) -> Cost | None:
    known = fit.known(point, count)
    if known is None:
        return None
    means = mean_figures([one.figures for one in known])
    value = means.get(aim.table.minimise)
    if value is None or not all(one.fine for one in known):
        return FAILED, inf
    return (BEYOND_BOUNDS if check_gate(means, aim.bounds) else ALLOWED), value


def _on_fit(fit: Replications, best: int, aim: Aim) -> dict[str, Any]:
    """Return how well and how surely the best point came out where it was chosen."""
    costs = {point: _cost(fit, aim, point, fit.count) for point in range(len(fit.runs))}
    rank, value = costs[best] or (FAILED, inf)
    rivals = [point for point, cost in costs.items() if cost is not None and cost[0] == rank]
    values = fit.values(aim.table.minimise)
    drawn = resamples(fit.inputs)
    complete = [one for one in rivals if len(values[one]) == fit.count]
    rows = [[values[one][place] for place in range(fit.count)] for one in complete]
    tried = sum(1 for one in fit.runs for run in one if run.number in fit.results)
    found = best in complete
    return {
        "inputs": list(dict.fromkeys(fit.inputs)),
        "runs": tried,
        "of_runs": sum(map(len, fit.runs)),
        "allowed": rank == ALLOWED,
        "value": value if found else None,
        "interval": _pair(interval(rows[complete.index(best)], fit.inputs)) if found else None,
        "compared": len(complete),
        "sure": share_best(rows, complete.index(best), drawn) if found else None,
    }


def _on_report(report: Replications, best: int, aim: Aim) -> dict[str, Any]:
    """Return how the best point compares with the base where nothing was chosen."""
    name = aim.table.minimise
    ours, base = (report.values(name)[point] for point in (best, BASE))
    both = sorted(ours.keys() & base.keys())
    means = mean_figures(list(report.fine(best).values()))
    found = {
        "inputs": list(dict.fromkeys(report.inputs)),
        "runs": len(both),
        "allowed": not check_gate(means, aim.bounds) if name in means else None,
    }
    if not both:
        return {**found, "verdict": "not_known_yet"}
    further = [ours[place] - base[place] for place in both]
    difference = fmean(further)
    between = interval(further, [report.inputs[place] for place in both])
    return {
        **found,
        "value": fmean(ours[place] for place in both),
        "base": fmean(base[place] for place in both),
        "difference": difference,
        "interval": _pair(between),
        "verdict": verdict(difference, between),
    }


def _pair(found: tuple[float, float] | None) -> list[float] | None:
    return None if found is None else list(found)
