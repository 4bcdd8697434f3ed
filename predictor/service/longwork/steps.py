"""From an order to our own commands, with what they read in files of one folder."""

from collections.abc import Sequence
from pathlib import Path

from predictor.domain.durations import HOUR_S
from predictor.domain.instants import instant_of, rfc3339
from predictor.service.longwork.orders import Diff, Replay, Stretch, Sweep

Command = tuple[str, ...]
DAYS = "recording"
"""The folder of the days that something is tried on; it is removed afterwards."""
FIGURES, REPORT = "figures.json", "report.html"
OUTPUTS = ("--json", FIGURES, "--html", REPORT, "--jobs", "1")


def steps(order: Replay | Diff | Sweep, recording: Path, now: float) -> Sequence[Command]:
    """Return the commands, to be done one after the other in the order's folder."""
    since, until = _stretch(order, now)
    copied = ("record", "export", str(recording), "-o", DAYS, "--recording")
    return (
        (*copied, "--since", since, "--until", until),
        _command(order),
    )


def texts(order: Replay | Diff | Sweep) -> dict[str, str]:
    """Return the files that the commands read, by name."""
    if isinstance(order, Sweep):
        return {"grid.toml": order.grid}
    if isinstance(order, Diff):
        return {
            f"{side}-{number}": text
            for side, given in (("new", order.new), ("base", order.base))
            for number, text in enumerate(given)
        }
    return {}


def _command(order: Replay | Diff | Sweep) -> Command:
    if isinstance(order, Replay):
        return ("verify", DAYS, "--every", str(order.every), *OUTPUTS)
    if isinstance(order, Sweep):
        draws = () if order.draws is None else ("--draws", str(order.draws))
        return ("sweep", "run", "grid.toml", DAYS, "--out", "sweep", *draws, *OUTPUTS)
    given: list[str] = []
    for name in texts(order):
        given += (f"--{name.partition('-')[0]}", name)
    for option, values in (
        ("--reservation", order.reservations),
        ("--add-nodes", order.add_nodes),
        ("--remove-nodes", order.remove_nodes),
    ):
        for value in values:
            given += (option, value)
    return ("diff", DAYS, *given, "--draws", str(order.draws), "--seed", str(order.seed), *OUTPUTS)


def _stretch(order: Stretch, now: float) -> tuple[str, str]:
    end_at = int(now) if order.until is None else instant_of(order.until)
    return rfc3339(max(0, end_at - HOUR_S * order.hours)), rfc3339(end_at)
