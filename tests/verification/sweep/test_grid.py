"""Reading a grid: its points, and what is said of a wrong one before anything runs."""

import pytest

from predictor.errors import SiteError
from verification.sweep.grid import load_grid
from verification.sweep.known import KINDS


@pytest.fixture
def refused(sums, grid_file):
    """Return what is said of a grid."""

    def refuse(text):
        path = grid_file(text)
        with pytest.raises(SiteError) as caught:
            load_grid(path, KINDS)
        return str(caught.value).replace(f"{path}:", "")

    return refuse


def points(grid):
    return [dict(point) for point in grid.points]


def test_axes_are_combined_the_last_the_fastest(sums, grid_file):
    grid = load_grid(
        grid_file("kind = 'sums'\nfixed.do = ''\n[axes]\na = [1, 2]\nb = [3, 4]"), KINDS
    )
    assert points(grid) == [
        {"do": "", "a": 1, "b": 3},
        {"do": "", "a": 1, "b": 4},
        {"do": "", "a": 2, "b": 3},
        {"do": "", "a": 2, "b": 4},
    ]
    assert grid.varied == ["a", "b"]


def test_points_may_be_listed_and_each_is_combined_with_the_axes(sums, grid_file):
    text = "kind = 'sums'\naxes.b = [3, 4]\n[[points]]\na = 1\n[[points]]\na = 7\ndo = 'sleep'"
    assert points(load_grid(grid_file(text), KINDS)) == [
        {"a": 1, "b": 3},
        {"a": 1, "b": 4},
        {"a": 7, "do": "sleep", "b": 3},
        {"a": 7, "do": "sleep", "b": 4},
    ]


@pytest.mark.parametrize("axes", ["[axes.limits]\nmost = [1, 2]", "[axes]\n'limits.most' = [1, 2]"])
def test_a_setting_in_a_table_is_led_by_its_name(sums, grid_file, axes):
    grid = load_grid(grid_file(f"kind = 'sums'\n{axes}"), KINDS)
    assert points(grid) == [{"limits.most": 1}, {"limits.most": 2}]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind = 'sums'\n[axes]\na = [1,\n 'two']", "4: axes.a: expected a whole number"),
        ("kind = 'sums'\n[axes]\nc = [1]", "3: axes.c: unknown key"),
        ("kind = 'sums'\n[axes]\na = []", '3: axes.a: expected at least one value, got a list'),
        ("kind = 'sums'\n[axes]\na = [1, 1]", "expected each value once"),
        ("kind = 'sums'\n[axes]\na = 1", "expected a list in [ ], got 1"),
        ("kind = 'sums'\n[axes]\na = [nan]", "expected a finite number, got nan"),
        ("kind = 'sums'\n[axes]\na = [1979-05-27]", "expected a text in quotes, a number"),
        ("kind = 'sums'\n[axes]\na = [[1]]", "expected a text in quotes, a number"),
        ("kind = 'sums'\naxes = 3", "2: axes: expected a table, got 3"),
        ("kind = 'sums'\n[axes]\na = [1]\n[fixed]\na = 2", "3: axes.a: it is among those of [f"),
        ("kind = 'sums'\n[fixed]\nc = 2\n[axes]\na = [1]", "3: fixed.c: unknown key"),
        ("kind = 'sums'\n[[points]]\na = 1\n[[points]]\na = 1", "4: points: the same as point 1"),
        ("kind = 'sums'\n[[points]]\na = 1\n[[points]]\nc = 1", "5: points.c: unknown key"),
        ("kind = 'sums'", "1: nothing to try"),
        ("kind = 'sum'\n[axes]\na = [1]", "1: kind: no such kind of run, did you mean 'sums'?"),
        ("kind = 'sums'\ndraw = 3\n[axes]\na = [1]", "2: draw: unknown key, did you mean 'draws'?"),
        ("kind = 'sums'\ndraws = 0\n[axes]\na = [1]", "2: draws: expected at least 1, got 0"),
        ("kind = 'sums'\ndraws = '3'\n[axes]\na = [1]", "2: draws: expected a whole number"),
        ("[axes]\na = [1]", "1: kind: this key is missing"),
        ("kind = 'sums'\n[axes", "2: not TOML"),
        ("kind = 'replay'\ndraws = 2\n[axes]\nprocs = [1]", "2: draws: with these settings no"),
        ("kind = 'replay'\n[axes]\npolicy = ['easi']", "3: axes.policy: expected 'fcfs', 'ea"),
        ("kind = 'sums'\n[axes.limits]\nmost = [{}]", "3: axes.limits.most: expected a text"),
        ("kind = 'sums'\n[axes.limits]\nmost = [1, '2']", "3: axes.limits.most: expected a whole"),
        ("kind = 'replay'\n[axes]\nprocs = [5, 0]", "3: axes.procs: expected at least 1, got 0"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(refused, text, said):
    assert said in refused(text)


def test_a_grid_of_too_many_points_is_never_laid_out(refused):
    axis = f"= {list(range(1000))}\n"
    assert "1,000,000,000 points" in refused(f"kind = 'sums'\n[axes]\na {axis}b {axis}do {axis}")


AIM = "[optimise]\nfit = ['x']\nreport = ['y']\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"axes.a = [1]\n{AIM}minimise = 'mean_wait'", "6: optimise.minimise: no figure of sums"),
        (f"axes.a = [1]\n{AIM}", "3: optimise.minimise: this key is missing"),
        (
            f"axes.a = [1]\n{AIM}minimise = 'mean_wait_s'\nsubject_to = 'x=3'",
            "7: optimise.subject_to: x: no figure of sums",
        ),
        (
            f"axes.a = [1]\n{AIM}minimise = 'mean_wait_s'\nsubject_to = 'x'",
            '7: optimise.subject_to: expected bounds such as "most_wait_s=2d',
        ),
        (
            f"axes.a = [1]\n{AIM}minimise = 'utilisation'",
            "6: optimise.minimise: of utilisation more is better",
        ),
        (
            f"inputs = ['x']\naxes.a = [1]\n{AIM}minimise = 'mean_wait_s'",
            "2: inputs: with [optimise] inputs are its `fit` and its `report`",
        ),
        (
            f"points = [{{ a = 1 }}]\n{AIM}minimise = 'mean_wait_s'\nmethod = 'coordinate'",
            "7: optimise.method: along coordinates only [axes] can be gone",
        ),
    ],
)
def test_an_aim_that_cannot_be_is_named_too(refused, text, said):
    assert said in refused(f"kind = 'sums'\n{text}")
