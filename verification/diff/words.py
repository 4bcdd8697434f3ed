"""A comparison in words and figures for people: what the terminal and the page tell alike."""

from collections.abc import Mapping, Sequence
from typing import Any

from verification.report.words import seconds

UNCHANGED = "no detectable change"
TOO_FEW = "too few draws to say"
SHARES = frozenset({"utilisation", "fragmentation", "allocation_efficiency"})
MOST_CLASSES = 5
"""So many winners, and so many losers of a kind are told where there are many."""
KINDS: Mapping[str, str] = {
    "user": "User",
    "account": "Account",
    "partition": "Partition",
    "qos": "QOS",
    "size": "Nodes",
}
HEADING = ("", "base", "new", "change", "the change lies in", "verdict")


def row(name: str, figure: Mapping[str, Any], title: str = "") -> Sequence[str]:
    """Return a figure's cells: what it is, base, new, change, where that lies, what it means."""
    return (
        title or figure["words"],
        amount(name, figure["base"]),
        amount(name, figure["new"]),
        _change(name, figure),
        _interval(name, figure),
        verdict(figure),
    )


BRIEF_HEADING = ("", "base", "new", "change", "verdict")


def brief_row(name: str, figure: Mapping[str, Any], title: str = "") -> Sequence[str]:
    """Return the same in fewer cells: the interval as so much more or less."""
    told = _signed(name, figure["change"])
    if figure["low"] is not None:
        told += f" ± {amount(name, (figure['high'] - figure['low']) / 2).removesuffix(' %')}"
    first, base, new, _, _, meant = row(name, figure, title)
    return first, base, new, told, meant


def amount(name: str, value: float) -> str:
    """Return a figure with its unit."""
    if name in SHARES:
        return f"{100 * value:.1f} %"
    if name.endswith("_s"):
        return seconds(value)
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def _change(name: str, figure: Mapping[str, Any]) -> str:
    share = figure["share"]
    told = _signed(name, figure["change"])
    return told if share is None or name in SHARES else f"{told} ({100 * share:+.0f} %)"


def _interval(name: str, figure: Mapping[str, Any]) -> str:
    if figure["low"] is None:
        return "-"
    return f"{_signed(name, figure['low'])} to {_signed(name, figure['high'])}"


def _signed(name: str, value: float) -> str:
    told = amount(name, value)
    if name in SHARES:
        told = f"{100 * value:.1f} points"
    return told if value < 0 else f"+{told}"


def verdict(figure: Mapping[str, Any]) -> str:
    """Return what a change means: better, worse, or nothing that can be told from luck."""
    if figure["low"] is None:
        return TOO_FEW
    if not figure["detected"]:
        return UNCHANGED
    better = figure.get("better", -1)
    return "better" if figure["change"] * better > 0 else "worse"


def outermost(classes: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Mapping[str, Any]]:
    """Return the classes that lose most and win most, the worst first; all if these are few."""
    names = list(classes)
    if len(names) > 2 * MOST_CLASSES:
        names = [*names[:MOST_CLASSES], *names[-MOST_CLASSES:]]
    return {name: classes[name] for name in names}


def headline(found: Mapping[str, Any]) -> Sequence[str]:
    """Return what the comparison comes to, a sentence each."""
    told = []
    if not found["change"]:
        told.append("Nothing that is on paper differs between the two.")
    waits = found["measures"].get("mean_wait_s")
    if waits is not None:
        told.append(f"The mean wait: {_sentence(waits)}.")
    if waits is not None and waits["low"] is None:
        told.append(f"Who waits longer, who less: {TOO_FEW}.")
    else:
        told += _who(found)
    starved = found["starved"]
    told.append(f"{starved} jobs starve that did not." if starved else "No job starves for it.")
    return told


def _who(found: Mapping[str, Any]) -> Sequence[str]:
    lost, won = (
        [
            f"{KINDS[kind]} {name}"
            for kind, classes in found["classes"].items()
            for name, one in classes.items()
            if one["detected"] and (one["change"] > 0) is worse
        ]
        for worse in (True, False)
    )
    return (
        f"Wait longer: {', '.join(lost) or 'nobody, as far as can be told from luck'}.",
        f"Wait less: {', '.join(won) or 'nobody, as far as can be told from luck'}.",
    )


def _sentence(figure: Mapping[str, Any]) -> str:
    both = f"{seconds(figure['base'])} before, {seconds(figure['new'])} after"
    if figure["low"] is None:
        return f"{both}, {TOO_FEW} whether by luck"
    if not figure["detected"]:
        return f"{UNCHANGED} ({_interval('mean_wait_s', figure)})"
    return f"{both}, {_change('mean_wait_s', figure)}"


def about(found: Mapping[str, Any]) -> str:
    """Return how the figures came about."""
    return (
        f"{found['draws']} draws, each with the same luck on both sides; intervals hold the mean"
        f" change with {100 * found['level']:.0f} % (of all classes of a kind together);"
        f" {found['draw_s']:.2g} s of CPU time per draw and recording"
    )


def starving_rows(some: Sequence[Mapping[str, Any]]) -> Sequence[Sequence[str]]:
    """Return one row for each job that starves."""
    return [
        (
            f"{one['recording']}/{one['job']}",
            one["user"],
            one["partition"],
            one["qos"],
            str(one["nodes"]),
            seconds(one["base_wait_s"]),
            "never starts" if one["never"] else seconds(one["new_wait_s"]),
        )
        for one in some
    ]


STARVING_HEADING = ("job", "user", "partition", "QOS", "nodes", "wait before", "wait after")
