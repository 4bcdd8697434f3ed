"""What a sweep found, and how far one is, as text for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase
from textwrap import wrap
from typing import Any

from predictor.cli.terminal import plain
from verification.report.columns import NARROWEST, table
from verification.report.words import seconds, told
from verification.sweep.state import Phase, State
from verification.sweep.wording import (
    BRIEFLY,
    against,
    best_first,
    choice_lines,
    failed_lines,
    named,
    spelled,
)

MOST_POINTS = 20
MORE_FIGURES = 3
"""So many figures are told besides the one that is judged."""
BAR = 32
WIDEST = 1000
LETTERS = ascii_lowercase


def render_terminal(found: Mapping[str, Any], width: int) -> str:
    """Return the document as text, no line wider than `width` characters (or NARROWEST)."""
    width = max(width, NARROWEST)
    return "\n".join(line.rstrip() for line in _lines(found, width)) + "\n"


def _lines(found: Mapping[str, Any], width: int) -> Iterator[str]:
    runs = found["runs"]
    yield from wrap(
        plain(
            f"{found['kind']} on {', '.join(found['inputs'])}: {len(found['points'])} points,"
            f" {runs['done']} runs done in {seconds(runs['took_s'])} of work,"
            f" {runs['failed']} failed"
        ),
        width,
    )
    yield ""
    yield from _points(found, width)
    yield from _effects(found, width)
    if found["choice"]:
        yield ""
    for sentence in (*choice_lines(found), *failed_lines(found)):
        yield from wrap(plain(sentence), width - 2, initial_indent="  ", subsequent_indent="  ")


def _points(found: Mapping[str, Any], width: int) -> Iterator[str]:
    names = {name: name for name in found["varied"]}
    others = [name for name in found["figures"] if name != found["judged"]][:MORE_FIGURES]
    while others and _too_wide(found, names, others, width):
        others.pop()
    if _too_wide(found, names, others, width):
        names = {name: f"({letter})" for name, letter in zip(names, LETTERS, strict=False)}
        yield from (plain(f"  {letter} {name}", width) for name, letter in names.items())
    yield from _table(found, names, others, width)
    if (left := len(found["points"]) - MOST_POINTS) > 0:
        yield f"  and {left} more points, in the report"


def _too_wide(
    found: Mapping[str, Any], names: Mapping[str, str], more: Sequence[str], width: int
) -> bool:
    return max(map(len, _table(found, names, more, WIDEST))) > width


def _table(
    found: Mapping[str, Any], names: Mapping[str, str], more: Sequence[str], width: int
) -> Iterator[str]:
    judged = found["judged"]
    heading = ("point", *names.values(), named(judged), f"to point {found['base']}", "")
    rows = [
        (
            str(one["point"]),
            *(spelled(one["settings"].get(name)) for name in names),
            told(judged, one["figures"].get(judged)),
            against(judged, one)[0],
            BRIEFLY[one["verdict"]],
            *(told(name, one["figures"].get(name)) for name in more),
        )
        for one in best_first(found)[:MOST_POINTS]
    ]
    yield from table((*heading, *map(named, more)), rows, width)


def _effects(found: Mapping[str, Any], width: int) -> Iterator[str]:
    judged = found["judged"]
    for name, values in (found["effects"] or {}).items():
        rows = [
            (
                spelled(one["value"]),
                told(judged, one["mean"]),
                *against(judged, one)[:2],
                BRIEFLY[one["verdict"]],
            )
            for one in values
        ]
        first = f"to {spelled(values[0]['value'])}"
        yield ""
        yield from table((name, named(judged), first, "95 %", ""), rows, width)


def render_state(state: State, width: int) -> str:
    """Return how far a sweep is, as text of a few lines."""
    ended, left = state.done + state.failed, _left(state)
    share = ended / state.total if state.total else 1.0
    bar = "#" * int(BAR * share)
    lines = [
        f"{_phase(state)}{f': {state.cause}' if state.cause else ''}",
        f"[{bar:-<{BAR}}] {ended} of {state.total} runs, {100 * share:.0f} %",
        f"done {state.done}, failed {state.failed}, under way {len(state.under_way)}"
        f"{f', {state.per_hour:,.0f} in an hour' if state.per_hour else ''}{left}",
        *(f"  {name}, for {seconds(since_s)}" for name, since_s in state.under_way),
    ]
    return "\n".join(plain(line, max(width, NARROWEST)) for line in lines) + "\n"


def _phase(state: State) -> str:
    if state.phase is Phase.RUNNING:
        return f"running, by {state.crew}" if state.crew else "running"
    since = "" if state.told_s is None else f", {seconds(state.told_s)} ago"
    return f"{state.phase.value}{since}"


def _left(state: State) -> str:
    return "" if state.left_s is None else f", about {seconds(state.left_s)} left"
