"""What the ladder's rungs are worth, by the names that the JSON has."""

from collections.abc import Mapping, Sequence
from typing import Any

from verification.fidelity.scores import kendall_tau, share, sigma
from verification.ladder.climb import Climb, Rung, by_hidden, hidden_alone, hidden_but
from verification.ladder.truths import ORDER, Truth
from verification.replica.figures import quantile, rounded

RUNGS = (
    "full truth",
    "our priority formula",
    "no later node and reservation events",
    "no cancellations and holds",
    "no arrivals",
    "estimated run times",
    "wall limits",
)
"""What a rung is called: what was taken away last."""


def ladder_figures(climbs: Sequence[Climb]) -> dict[str, Any]:
    """Return every rung's figures and cost, and each truth taken alone and given back alone.

    Costs are mean absolute errors in seconds; the first rung's is its own. The figures on top are
    those of the rung with estimated run times, which is what users get. Windows with a flag count
    only if all have one.
    """
    sound = [one for one in climbs if not one.gaps.flagged] or list(climbs)
    rungs = by_hidden(sound)
    ladder = [rungs.get(frozenset(ORDER[:count]), ()) for count in range(len(RUNGS))]
    return {
        "windows_scored": len(sound),
        **_points(ladder[RUNGS.index("estimated run times")]),
        "rungs": [_rung(number, ladder) for number in range(len(RUNGS))],
        "alone": [_change(truth, rungs, frozenset(), hidden_alone(truth)) for truth in ORDER],
        "restored": [_change(truth, rungs, frozenset(ORDER), hidden_but(truth)) for truth in ORDER],
    }


def _rung(number: int, ladder: Sequence[Sequence[Rung]]) -> dict[str, Any]:
    before_s = _mae_s(ladder[number - 1]) if number else 0
    return {
        "rung": number,
        "name": RUNGS[number],
        "cost_s": _difference(_mae_s(ladder[number]), before_s),
        **_points(ladder[number]),
    }


def _change(
    truth: Truth,
    rungs: Mapping[frozenset[Truth], Sequence[Rung]],
    before: frozenset[Truth],
    after: frozenset[Truth],
) -> dict[str, Any]:
    """Return what the error is if only that truth is otherwise, and by how much it grew."""
    means = [_mae_s(rungs.get(hidden, ())) for hidden in (before, after)]
    return {
        "truth": truth.value,
        "mae_s": rounded(means[1], 1),
        "cost_s": _difference(means[1], means[0]),
    }


def _points(windows: Sequence[Rung]) -> dict[str, Any]:
    """Return the figures of one rung of all windows; who was not said to start has no sign."""
    off_s = _off_s(windows)
    errors_s = [said - real for one in windows for real, said in one.pairs]
    return {
        "jobs_scored": len(off_s),
        "answered": rounded(share(len(errors_s), len(off_s))),
        "mae_s": rounded(_mean(off_s), 1),
        "median_abs_s": quantile(off_s, 0.5),
        "p90_abs_s": quantile(off_s, 0.9),
        "bias_s": rounded(_mean(errors_s), 1),
        "sigma_s": rounded(sigma(errors_s), 1),
        "within_60s": rounded(share(sum(one <= 60 for one in off_s), len(off_s))),
        "within_600s": rounded(share(sum(one <= 600 for one in off_s), len(off_s))),
        "kendall_tau": rounded(kendall_tau(one.pairs for one in windows)),
    }


def _mae_s(windows: Sequence[Rung]) -> float | None:
    return _mean(_off_s(windows))


def _off_s(windows: Sequence[Rung]) -> list[int]:
    return sorted(off_s for one in windows for off_s in one.off_s.values())


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _difference(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else rounded(one - other, 1)
