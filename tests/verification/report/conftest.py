"""A small document with a hostile name in it."""

import pytest

HOSTILE = "<script>alert(1)</script>\x1b[31m\u202e"


def mode_figures(**more):
    figures = {
        "jobs_scored": 3,
        "answered": 0.5,
        "mae_s": 1234.5,
        "median_abs_s": 60,
        "p90_abs_s": 4000,
        "bias_s": -30.0,
        "sigma_s": None,
        "within_60s": 0.25,
        "within_600s": 1.0,
        "kendall_tau": 0.9,
        "coverage80": None,
        "width80_median_s": None,
        "winkler80_s": None,
        "broken95": None,
    }
    return figures | more


def row(**more):
    figures = {
        "date": "2026-03-03",
        "duration_s": 21600,
        "jobs": 3,
        "mean_s": -3.5,
        "median_s": 4.0,
        "min_s": -70,
        "max_s": 700,
        "sigma_s": 90.1,
        "sigma_of_duration": 0.004,
    }
    return figures | more


def table():
    together = {
        "tests": 1,
        "jobs": 3,
        "mean_s": -3.5,
        "mean_of_means_s": 3.5,
        "mean_of_medians_s": 4.0,
        "sigma_s": 90.1,
        "sigma_of_duration": 0.004,
        "worst_s": 700,
    }
    return {"tests": [row()], "together": together}


COUNTS = {
    "scored": 3,
    "too_pessimistic": 1,
    "too_optimistic": 0,
    "neither": 2,
    "scored_share": 0.75,
}


def replica():
    window = {
        "recording": "alpha",
        "from": "2026-03-03T06:00:00Z",
        "to": "2026-03-03T12:00:00Z",
        "fingerprint": "0123456789abcdef",
        "flagged": True,
        "missing_share": 0.05,
    }
    return mode_figures(
        counts=COUNTS,
        jufo_rule={**table(), "counts": COUNTS, "errors_s": [-70, 4, 700], "published": table()},
        windows=[mode_figures(**window)],
        impossible={
            "starts": 3,
            "kinds": {"admitted": 2, "refused: nodes": 1},
            "unexplained": [
                {"job": HOSTILE, "at": "2026-03-03T06:01:00Z", "kind": "nodes", "detail": HOSTILE}
                | {"holders": []}
            ],
        },
        idle_nodes_found=1,
        idle_nodes=[
            {"node": HOSTILE, "from": "2026-03-03T06:00:00Z", "to": "2026-03-03T06:05:00Z"}
            | {"idle_s": 300, "jobs": [HOSTILE]}
        ],
        drift=[
            {"fingerprint": "0123456789abcdef", "from": "2026-03-03T06:00:00Z"}
            | {"to": "2026-03-03T12:00:00Z", "looks": 9, "agreement": 0.9, "lowest": None}
            | {"lowest_at": None, "drifted": True}
        ],
        worst=[{"job": HOSTILE, "off_s": 700, "cause": "late: limit", "user": HOSTILE}],
        errors_s=[-70, 4, 700],
        gantt={
            "from": "2026-03-03T06:00:00Z",
            "length_s": 21600,
            "nodes": ["n1", HOSTILE],
            "real": [{"job": HOSTILE, "start_s": 60, "end_s": 600, "nodes": [[0, 2]]}],
            "said": [{"job": HOSTILE, "start_s": 360, "end_s": 900, "nodes": [[1, 1]]}],
        },
    )


def online():
    leads = {"0-10min": mode_figures(), "1h-4h": mode_figures(jobs_scored=1, mae_s=None)}
    slurm = mode_figures(mae_ratio=0.25, by={"lead": leads})
    return mode_figures(
        intervals={
            "level": 0.9,
            "blocks": 3,
            "block_s": 21600,
            "indicative": True,
            "mae_s": [1000.0, 2000.0],
        },
        baselines={"slurm": slurm},
        by={"lead": leads, "user": {HOSTILE: mode_figures()}},
        weightings={"per_snapshot": mode_figures()},
        pit=[1.0, 2.0, 1.0, 0.0],
        worst=[],
    )


def ladder():
    rung = {"mae_s": 600.0, "median_abs_s": 10, "within_600s": 0.5, "cost_s": 600.0}
    names = ("full truth", "our priority formula", "wall limits")
    rungs = [{"rung": n, "name": name, **rung} for n, name in enumerate(names)]
    rungs[1] |= {"mae_s": 500.0, "cost_s": -100.0}
    rungs[2] |= {"mae_s": None, "cost_s": None}
    change = [{"truth": "run_times", "mae_s": 700.0, "cost_s": 100.0}]
    return mode_figures(rungs=rungs, alone=change, restored=change)


@pytest.fixture
def found():
    """Return a document with all modes."""
    recording = {
        "name": HOSTILE,
        "cluster": "lab",
        "from": "2026-03-03T06:00:00Z",
        "to": "2026-03-03T12:00:00Z",
        "snapshots": 360,
        "missing_share": 0.05,
        "longest_gap_s": 400,
        "fingerprints": ["0123456789abcdef"],
        "findings": [f"segment-1: damaged {HOSTILE}"],
    }
    return {
        "schema": "queuecast.verify/1",
        "recordings": [recording],
        "modes": {"replica": replica(), "online": online(), "ladder": ladder()},
    }
