"""Licenses that reservations keep from others, whether nodes are set apart with them or not.

Source: Slurm 22.05, as measured on a real one.
"""

import pytest
from engine_scenes import AHEAD_ONLY, STRICT_ONLY, Scene, busy, job

EASY = {"reservations": 1, "skips": True}
CONSERVATIVE = {"reservations": -1, "skips": True}


def kept(begin_at, end_at, amount):
    """Reservation 1 has so many licenses, and no nodes."""
    nobody, everybody = [0b1111, 0], [0b1111, 0b1111]
    eras = [
        [-1, nobody],
        [begin_at, everybody, (), 0, [(amount,), (0,)]],
        [end_at, nobody],
    ]
    return {"licenses": [10], "calendars": [[0, eras]]}


def licensed(amount, s, **more):
    return job(1, s, licenses=[[0, amount]], **more)


# licenses     100           300
# 8 of 10       | reserved   |
JOBS = {
    "over before": licensed(6, 100),
    "beside": licensed(2, 200),
    "longer": licensed(3, 200),
    "unlicensed": job(1, 200),
}


@pytest.mark.parametrize("policy", [EASY, CONSERVATIVE])
def test_policies_start_nobody_who_would_take_them(policy):
    found = Scene(JOBS, machine=kept(100, 300, 8), apart=False).follow(**policy)
    assert found == {"over before": 0, "beside": 0, "longer": 300, "unlicensed": 0}


# Those that are taken now count besides, though "over before" will have given them back.
@pytest.mark.parametrize(
    ("passes", "beside"),
    [
        pytest.param(STRICT_ONLY, 100, id="in strict order"),
        pytest.param(AHEAD_ONLY, 120, id="ahead"),
        pytest.param({}, 100, id="both"),
    ],
)
def test_passes_start_who_leaves_them_beside_those_that_are_taken(passes, beside):
    found = Scene(JOBS, machine=kept(100, 300, 8), **passes).run()
    assert found == {"over before": 0, "unlicensed": 0, "beside": beside, "longer": 300}


def test_who_lacks_them_is_passed_over():
    jobs = {"longer": licensed(3, 200), "unlicensed": job(4, 200)}
    assert list(Scene(jobs, machine=kept(100, 300, 8), **STRICT_ONLY).run(until=1)) == [
        "unlicensed"
    ]


@pytest.mark.parametrize("policy", [EASY, CONSERVATIVE])
def test_its_own_jobs_have_them_once_it_begins(policy):
    # Those that they take are kept from others none the less.
    jobs = {"own": licensed(2, 200, reservation=1), "other": licensed(2, 200)}
    found = Scene(jobs, machine=kept(100, 300, 7), apart=False).follow(**policy)
    assert found == {"own": 100, "other": 300}


# nodes  40    100           300   It is asked from the instants on at which it is tried: who must
# 0-3  r |      | 8 reserved |     wait for "r" may meet the reservation then.
@pytest.mark.parametrize(
    ("length", "planned", "told"),
    [
        pytest.param(100, False, {"j": 40}, id="over before if it started now"),
        pytest.param(101, False, {}, id="not over before: it is not tried at all"),
        pytest.param(101, True, {"j": 300}, id="where they are planned it is, behind it"),
    ],
)
def test_who_is_planned_leaves_them(length, planned, told):
    given = {"machine": kept(100, 300, 8), "licenses_planned": planned}
    jobs = {"j": licensed(3, length)}
    assert Scene(jobs, {"r": busy(0b1111, 40)}, **given).look() == told
