"""What a sweep shows: its page, its JSON, and two runs beside one another."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from verification.cli.sweep import sweep
from verification.report.axes import ticks_between

TRACE = Path(__file__).parents[1] / "traces" / "kth-sp2-first-300.swf"
GRID = """\
kind = "experiment"
[axes]
scheduler = ["fcfs", "easy"]
"""


def called(*arguments):
    return CliRunner().invoke(sweep, [str(one) for one in arguments])


@pytest.fixture
def swept(grid_file, tmp_path):
    """The folder of a sweep, and what it said."""
    answer = called(grid_file(GRID), TRACE, "--out", tmp_path / "out", "--json", "-")
    assert answer.exit_code == 0, (answer.output, answer.exception)
    return tmp_path / "out", json.loads(answer.stdout)


def test_what_is_printed_is_what_is_kept(swept):
    folder, printed = swept
    assert printed == json.loads((folder / "report.json").read_text())
    assert printed["schema"] == "queuecast.sweep/1"


def test_both_runs_are_drawn_node_by_node(swept, tmp_path):
    folder, _ = swept
    answer = called("picture", folder, 2, "--html", tmp_path / "picture.html", "--length", "12h")
    assert answer.exit_code == 0, (answer.output, answer.exception)
    page = (tmp_path / "picture.html").read_text()
    assert "point 1: scheduler fcfs" in page and "point 2: scheduler easy" in page
    assert page.count("<polyline") == 4, "queue and use, of both"
    assert ">n001<" in page and ">n100<" in page
    assert "earlier below" in page
    heights = [float(one) for one in re.findall(r'<rect[^>]* height="([0-9.]+)"', page)]
    assert len(heights) > 100


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["7"], "no point 7 by seed 1"),
        (["2", "--seed", "9"], "no point 1 by seed 9"),
        (["2", "--input", "another"], "no input another; there are kth-sp2-first-300.swf"),
    ],
)
def test_runs_that_there_are_not_cannot_be_drawn(swept, tmp_path, arguments, said):
    answer = called("picture", swept[0], *arguments, "--html", tmp_path / "picture.html")
    assert said in str(answer.exception)


@pytest.mark.parametrize(
    ("low", "high", "in_seconds", "ticks"),
    [
        (0, 10, False, (0, 2.5, 5, 7.5, 10)),
        (7_500, 36_000, True, (7_200, 14_400, 21_600, 28_800, 36_000)),
        (100, 170, True, (90, 120, 150, 180)),
    ],
)
def test_ticks_are_round_in_their_unit(low, high, in_seconds, ticks):
    assert ticks_between(low, high, in_seconds) == pytest.approx(ticks)


@given(st.floats(0, 1e7), st.floats(0, 1e7), st.booleans())
def test_ticks_are_few_even_and_hold_what_is_between(one, other, in_seconds):
    low, high = sorted((one, other))
    ticks = ticks_between(low, high, in_seconds)
    wide = 1e-6 * (high - low) + 1e-9 * high
    assert ticks[0] <= low + wide and high - wide <= ticks[-1]
    assert 2 <= len(ticks) <= 7
    steps = [after - before for before, after in pairwise(ticks)]
    assert steps == pytest.approx([steps[0]] * len(steps), rel=1e-3)


def test_a_value_that_makes_no_sense_of_the_recording_is_named_before_anything_runs(
    grid_file, recording, tmp_path
):
    grid = grid_file("kind = 'trial'\n[axes]\nremove_nodes = ['', 'n1',\n  'nowhere']\n")
    answer = called(grid, recording, "--out", tmp_path / "out")
    assert f"{grid}:4: axes.remove_nodes: nowhere: there is no such node" in str(answer.exception)
    assert not (tmp_path / "out").exists()
