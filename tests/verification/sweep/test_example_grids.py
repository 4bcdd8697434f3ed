"""The grids that we ship can be read."""

from pathlib import Path

import pytest

from verification.sweep.grid import load_grid
from verification.sweep.known import KINDS

GRIDS = sorted((Path(__file__).parents[3] / "config" / "sweeps").glob("*.toml"))


@pytest.mark.parametrize("path", GRIDS, ids=[path.stem for path in GRIDS])
def test_an_example_is_sound(path):
    grid = load_grid(path, KINDS)
    assert grid.varied
    assert f"queuecast sweep config/sweeps/{path.name}" in grid.text
