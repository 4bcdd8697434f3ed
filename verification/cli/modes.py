"""What each mode of `queuecast verify` does with recordings: figures by the names of the JSON."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from predictor.errors import StorageError
from predictor.site import Site
from verification.baselines.everybody import everybody
from verification.diagnostics.figures import watch_figures, worst_figures
from verification.diagnostics.watch import Watched, watch
from verification.fidelity.history import History
from verification.fidelity.impossible import Checked, check
from verification.fidelity.looks import window_numbers
from verification.fidelity.report import start_figures
from verification.ladder.climb import Climb, climb, ladder_numbers
from verification.ladder.figures import ladder_figures
from verification.online.published import NAME as PUBLISHED
from verification.online.several import all_cases, names, prefixes
from verification.parallel import Pool
from verification.recorded import Progress, Recorded, read_recording
from verification.replica.figures import replica_figures
from verification.replica.window import Played, play
from verification.scoring.score import BASELINES, OURS, score

ONLINE = "online"
"""The mode in which everybody is asked."""
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


Figures = Mapping[str, Any]


def read_all(order: Order, modes: Iterable[str]) -> list[Recorded]:
    """Read the recordings, once for all modes; those who need no past answer meanwhile.

    Raises StorageError if one of them holds no snapshot.
    """
    asking = [one for one in everybody(order.site) if not one.remembers]
    ask = asking if ONLINE in modes else ()
    return [
        read_recording(path, order.pool, order.progress, ask=ask, every=order.every)
        for path in order.paths
    ]


def online(read: Sequence[Recorded], order: Order) -> Figures:
    """Score what everybody said at every so-many-th snapshot. Raises StorageError."""
    judged, others = (PUBLISHED, (*BASELINES, OURS)) if order.published else (OURS, BASELINES)
    cases = [case for case in all_cases(read, order.site) if judged in case.said]
    if order.published and not cases:
        raise StorageError("the recordings hold nothing that was published")
    histories = dict(zip(prefixes(read), (one.history for one in read), strict=True))
    order.progress("scoring cases", 0, len(cases))
    figures = score(cases, seed=SEED, ours=judged, baselines=others).as_json()
    order.progress("scoring cases", len(cases), len(cases))
    return {**figures, "worst": worst_figures(cases, histories, order.site, judged)}


def replica(read: Sequence[Recorded], order: Order) -> Figures:
    """Run on from the begin of each window, told all but the starts, and look for what is odd."""
    windows: list[Played] = []
    watched: dict[str, list[Watched]] = {}
    starts: list[Checked] = []
    for name, prefix, recorded in zip(names(read), prefixes(read), read, strict=True):
        history, site = recorded.history, order.site
        every = range(0, len(history.snapshots))
        numbers = window_numbers(history.instants, order.window_s)
        played = _each(order, "windows", partial(_window, history, order.window_s, site), numbers)
        windows += [replace(one, recording=name) for one in played]
        watched[name] = _each(order, "decisions", partial(watch, history, site), every[::WATCHED])
        found = _each(order, "starts", partial(_starts, history, site), every)
        checked = sorted((one for some in found for one in some), key=lambda one: one.at)
        starts += [replace(one, job_id=prefix + one.job_id) for one in checked]
    decisions = [one.decisions for looks in watched.values() for one in looks]
    return {
        **replica_figures(windows, decisions),
        **watch_figures(watched),
        "impossible": start_figures(starts),
    }


def ladder(read: Sequence[Recorded], order: Order) -> Figures:
    """Take one truth after the other away, and see what each was worth."""
    climbs: list[Climb] = []
    for recorded in read:
        numbers = ladder_numbers(recorded.history.instants, order.window_s)
        work = partial(_climb, recorded.history, order.window_s, order.site)
        climbs += _each(order, "ladder", work, numbers)
    return ladder_figures(climbs)


MODES: Mapping[str, Callable[[Sequence[Recorded], Order], Figures]] = {
    "replica": replica,
    ONLINE: online,
    "ladder": ladder,
}


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


def _starts(history: History, site: Site, number: int) -> tuple[Checked, ...]:
    return check(history, number, site)


def _climb(history: History, length_s: int, site: Site, number: int) -> Climb:
    return climb(history, number, length_s, site)
