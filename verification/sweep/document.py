"""What a sweep found, as the document that all its reports are made from."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from verification.sweep.certainty import interval, verdict
from verification.sweep.choosing import BASE, choice
from verification.sweep.grid import Grid
from verification.sweep.kinds import Value
from verification.sweep.manifest import Manifest
from verification.sweep.replications import FIT, Replications, mean_figures, replications
from verification.sweep.results import Result
from verification.sweep.runs import Run

SCHEMA = "queuecast.sweep/1"


def document(
    manifest: Manifest, grid: Grid, runs: Sequence[Run], results: Mapping[int, Result]
) -> dict[str, Any]:
    """Return the document. Equal results, equal document, whoever made the runs."""
    aim = grid.file.optimise
    judged = aim.minimise if aim else grid.kind.figures[0]
    known = replications(grid, runs, results, FIT if aim else "")
    common = _common(known, judged)
    return {
        "schema": SCHEMA,
        "manifest": dict(manifest),
        "kind": grid.kind.name,
        "judged": judged,
        "figures": list(grid.kind.figures),
        "varied": list(grid.varied),
        "inputs": list(dict.fromkeys(known.inputs)),
        "replications": known.count,
        "compared_on": len(common),
        "base": BASE + 1,
        "runs": {
            "all": len(runs),
            "done": sum(one.fine for one in results.values()),
            "failed": sum(not one.fine for one in results.values()),
            "took_s": round(sum(one.took_s for one in results.values()), 3),
        },
        "points": [_point(grid, known, judged, common, point) for point in range(len(grid.points))],
        "effects": _effects(grid, known, judged, common),
        "failed": _failed(results),
        "choice": choice(grid, runs, results),
    }


def _common(known: Replications, judged: str) -> Sequence[int]:
    """Return the replications that all points have that have any: only these compare."""
    found = [set(one) for one in known.values(judged) if one]
    return sorted(set.intersection(*found)) if found else ()


def _point(
    grid: Grid, known: Replications, judged: str, common: Sequence[int], point: int
) -> dict[str, Any]:
    fine = known.fine(point)
    values, base = (known.values(judged)[one] for one in (point, BASE))
    own = [values[place] for place in sorted(values)]
    inputs = [known.inputs[place] for place in sorted(values)]
    return {
        "point": point + 1,
        "settings": dict(grid.points[point]),
        "runs": len(fine),
        "figures": mean_figures(list(fine.values())),
        "interval": _pair(interval(own, inputs)) if own else None,
        **_against(values, {} if point == BASE else base, known.inputs),
    }


def _against(
    ours: Mapping[int, float], base: Mapping[int, float], inputs: Sequence[str]
) -> dict[str, Any]:
    """Return how a point compares with the base, replication by replication."""
    both = sorted(ours.keys() & base.keys())
    if not both:
        return {"difference": None, "difference_interval": None, "verdict": None}
    further = [ours[place] - base[place] for place in both]
    difference = fmean(further)
    between = interval(further, [inputs[place] for place in both])
    return {
        "difference": difference,
        "difference_interval": _pair(between),
        "verdict": verdict(difference, between),
    }


def _effects(
    grid: Grid, known: Replications, judged: str, common: Sequence[int]
) -> dict[str, list[dict[str, Any]]] | None:
    """Return the mean of each setting's values over all that the others may be.

    None where not all points were tried on something common: such means would not compare.
    """
    values = known.values(judged)
    if not common or not all(values):
        return None
    inputs = [known.inputs[place] for place in common]
    return {name: _effect(grid, name, values, common, inputs) for name in grid.varied}


def _effect(
    grid: Grid,
    name: str,
    values: Sequence[Mapping[int, float]],
    common: Sequence[int],
    inputs: Sequence[str],
) -> list[dict[str, Any]]:
    """Return what each value of a setting brings, against the first one as well."""
    found: list[dict[str, Any]] = []
    first: list[float] = []
    for value, points in _by_value(grid, name):
        means = [fmean(values[point][place] for point in points) for place in common]
        first = first or means
        further = [mean - other for mean, other in zip(means, first, strict=True)]
        between = interval(further, inputs)
        found.append(
            {
                "value": value,
                "points": len(points),
                "mean": fmean(means),
                "interval": _pair(interval(means, inputs)),
                "difference": fmean(further),
                "difference_interval": _pair(between),
                "verdict": verdict(fmean(further), between) if found else None,
            }
        )
    return found


def _by_value(grid: Grid, name: str) -> list[tuple[Value | None, list[int]]]:
    found: dict[str, tuple[Value | None, list[int]]] = {}
    for number, point in enumerate(grid.points):
        value = point.get(name)
        found.setdefault(repr(value), (value, []))[1].append(number)
    return list(found.values())


def _failed(results: Mapping[int, Result]) -> list[dict[str, Any]]:
    """Return the causes why runs failed, with the runs, the most frequent first."""
    found: dict[str, list[Result]] = {}
    for one in results.values():
        if not one.fine:
            found.setdefault(one.failed, []).append(one)
    return [
        {
            "cause": cause,
            "runs": sorted(one.run for one in some),
            "points": sorted({one.point for one in some}),
        }
        for cause, some in sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    ]


def _pair(found: tuple[float, float] | None) -> list[float] | None:
    return None if found is None else list(found)
