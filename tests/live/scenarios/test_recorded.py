"""The replica against the real scheduler: its starts in scenarios that were played on a real Slurm.

How many of them agree is written down in `floors.toml`. A replica that agrees less often than that
fails here; one that agrees more often may raise the floor (`compare --floors` prints it anew).
"""

import tomllib
from pathlib import Path

import pytest
from live.scenarios.catalogue import SCENARIOS
from live.scenarios.compare import line
from live.scenarios.judging import RECORDED, Row, Verdict, verdict

FLOORS = tomllib.loads(Path(__file__).with_name("floors.toml").read_text())


@pytest.mark.parametrize("name", FLOORS)
def test_the_replica_agrees_with_the_real_scheduler_at_least_as_often_as_before(name):
    found, floor = verdict(RECORDED / name), FLOORS[name]
    assert len(found.rows) == floor["jobs"]
    assert found.close >= floor["close"], line(found)
    assert found.ahead_close >= floor["ahead"], line(found)
    assert found.order >= floor["order"], line(found)


def test_every_scenario_was_recorded_and_has_a_floor():
    recorded = {folder.name for folder in RECORDED.iterdir()}
    assert recorded == SCENARIOS.keys() == FLOORS.keys()


def told(*starts: tuple[int | None, int | None]) -> Verdict:
    rows = tuple(
        Row(name=f"job{n}", id=str(n), real_s=real, said_s=said)
        for n, (real, said) in enumerate(starts)
    )
    return Verdict(scenario="drawn", rows=rows, tolerance_s=10, ahead={0: rows[:1]})


def test_a_start_is_close_up_to_the_tolerance():
    assert told((0, 10), (0, 11), (20, 9), (20, 10)).close == 2


def test_who_starts_on_one_side_only_is_never_close():
    missed = told((5, None), (None, 5), (5, 5))
    assert (missed.close, missed.worst.off_s) == (1, float("inf"))


def test_order_counts_pairs_that_are_really_apart():
    assert told((0, 50), (5, 40), (100, 45)).order == 0.5
