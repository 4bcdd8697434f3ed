"""What each mode of `queuecast verify` does with recordings: figures by the names of the JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from predictor.site import Site
from verification.fidelity.history import History
from verification.fidelity.looks import HORIZON_S, look, window_numbers
from verification.fidelity.scores import Decisions
from verification.online.mode import all_cases, read_asking
from verification.online.published import NAME as PUBLISHED
from verification.parallel import Pool
from verification.recorded import Progress, Recorded, read_recording
from verification.replica.figures import replica_figures
from verification.replica.window import Played, play
from verification.scoring.score import BASELINES, OURS, score

SEED = 1
"""Of the samples that intervals rest on: equal input gives equal bytes."""
DECISIONS = 10
"""Decisions are looked at in each n-th snapshot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be done."""

    paths: Sequence[Path]
    site: Site
    pool: Pool
    progress: Progress
    window_s: int
    every: int
    published: bool
    """Whether what was really published is judged, not what would be today."""


Outcome = tuple[Sequence[Recorded], Mapping[str, Any]]
"""What was read, and the mode's figures."""


def online(order: Order) -> Outcome:
    """Ask at every so-many-th snapshot, knowing only what had been received by then."""
    read = [
        read_asking(path, order.site, order.pool, order.progress, every=order.every)
        for path in order.paths
    ]
    cases = list(all_cases(read, order.site))
    if order.published:
        cases = [case for case in cases if PUBLISHED in case.said]
        return read, score(cases, seed=SEED, ours=PUBLISHED, baselines=(*BASELINES, OURS)).as_json()
    return read, score(cases, seed=SEED).as_json()


def replica(order: Order) -> Outcome:
    """Run on from the begin of each window, told all but the starts."""
    read = _read(order)
    windows: list[Played] = []
    decisions: list[Decisions] = []
    for recorded in read:
        history = recorded.history
        numbers = window_numbers(history.instants, order.window_s)
        windows += _each(
            order, "windows", partial(_window, history, order.window_s, order.site), numbers
        )
        looks = range(0, len(history.snapshots), DECISIONS * order.every)
        decisions += _each(order, "decisions", partial(_decisions, history, order.site), looks)
    return read, replica_figures(windows, decisions)


MODES: Mapping[str, Callable[[Order], Outcome]] = {"replica": replica, "online": online}


def _read(order: Order) -> list[Recorded]:
    return [read_recording(path, order.pool, order.progress) for path in order.paths]


def _each(
    order: Order, label: str, work: Callable[[int], Any], numbers: Sequence[int]
) -> list[Any]:
    found = []
    for result in order.pool.each(work, numbers):
        found.append(result)
        order.progress(label, len(found), len(numbers))
    return found


def _window(history: History, length_s: int, site: Site, number: int) -> Played:
    return play(history, number, length_s, site)


def _decisions(history: History, site: Site, number: int) -> Decisions:
    seen = look(history, number, HORIZON_S, site)
    return Decisions.of(seen.real, seen.said_at)
