"""What each mode of `queuecast verify` does with recordings: figures by the names of the JSON."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from predictor.errors import StorageError
from predictor.site import Site
from verification.diagnostics.figures import watch_figures, worst_figures
from verification.diagnostics.watch import Watched, watch
from verification.fidelity.history import History
from verification.fidelity.looks import window_numbers
from verification.ladder.climb import Climb, climb, ladder_numbers
from verification.ladder.figures import ladder_figures
from verification.online.mode import all_cases, prefixes, read_asking
from verification.online.published import NAME as PUBLISHED
from verification.parallel import Pool
from verification.recorded import Progress, Recorded, read_recording
from verification.replica.figures import replica_figures
from verification.replica.window import Played, play
from verification.scoring.score import BASELINES, OURS, score

SEED = 1
"""Of the samples that intervals rest on: equal input gives equal bytes."""
WATCHED = 10
"""Decisions are watched from each n-th snapshot."""


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
    judged, others = (PUBLISHED, (*BASELINES, OURS)) if order.published else (OURS, BASELINES)
    cases = [case for case in all_cases(read, order.site) if judged in case.said]
    if order.published and not cases:
        raise StorageError("the recordings hold nothing that was published")
    histories = dict(zip(prefixes(read), (one.history for one in read), strict=True))
    return read, {
        **score(cases, seed=SEED, ours=judged, baselines=others).as_json(),
        "worst": worst_figures(cases, histories, order.site, judged),
    }


def replica(order: Order) -> Outcome:
    """Run on from the begin of each window, told all but the starts."""
    read = _read(order)
    windows: list[Played] = []
    watched: list[Watched] = []
    for recorded in read:
        history = recorded.history
        numbers = window_numbers(history.instants, order.window_s)
        windows += _each(
            order, "windows", partial(_window, history, order.window_s, order.site), numbers
        )
        looks = range(0, len(history.snapshots), WATCHED * order.every)
        watched += _each(order, "decisions", partial(watch, history, order.site), looks)
    decisions = [one.decisions for one in watched]
    return read, {**replica_figures(windows, decisions), **watch_figures(watched)}


def ladder(order: Order) -> Outcome:
    """Take one truth after the other away, and see what each was worth."""
    read = _read(order)
    climbs: list[Climb] = []
    for recorded in read:
        numbers = ladder_numbers(recorded.history.instants, order.window_s)
        work = partial(_climb, recorded.history, order.window_s, order.site)
        climbs += _each(order, "ladder", work, numbers)
    return read, ladder_figures(climbs)


MODES: Mapping[str, Callable[[Order], Outcome]] = {
    "replica": replica,
    "online": online,
    "ladder": ladder,
}


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


def _climb(history: History, length_s: int, site: Site, number: int) -> Climb:
    return climb(history, number, length_s, site)
