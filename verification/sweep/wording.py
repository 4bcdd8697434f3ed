"""How reports of sweeps call things."""

from collections.abc import Mapping, Sequence
from typing import Any

from verification.measures import MEASURES
from verification.report.words import signed, told, word

VERDICTS: Mapping[str | None, str] = {
    "lower": "lower",
    "higher": "higher",
    "same": "the same",
    "no_detectable_change": "no detectable change",
    "not_known_yet": "too few runs to tell",
    None: "",
}
BRIEFLY: Mapping[str | None, str] = {
    **VERDICTS,
    "no_detectable_change": "no change",
    "not_known_yet": "?",
}


def spelled(value: object) -> str:
    """Return a setting's value as one writes it."""
    if value is None:
        return "-"
    return str(value).lower() if isinstance(value, bool) else str(value)


def named(name: str) -> str:
    """Return a figure's name in words."""
    return MEASURES[name].words if name in MEASURES else word(name.removesuffix("_s"))


def settings_words(settings: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return those of these names, on one line."""
    return ", ".join(f"{name} {spelled(settings.get(name))}" for name in names)


def change(name: str, difference: float | None) -> str:
    """Return a difference of that figure with its sign."""
    if difference is None:
        return "-"
    if name.endswith("_s"):
        return signed(difference)
    return ("+" if difference > 0 else "") + told(name, difference)


def against(name: str, one: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return how a point or value compares: by how much, between what, and in a word."""
    if one["verdict"] is None:
        return "-", "", ""
    found = one["difference_interval"]
    ends = f"{change(name, found[0])} to {change(name, found[1])}" if found else ""
    return change(name, one["difference"]), ends, VERDICTS[one["verdict"]]


def between(name: str, found: Sequence[float] | None) -> str:
    """Return an interval of that figure; empty if there is none."""
    return f"{told(name, found[0])} to {told(name, found[1])}" if found else ""


def best_first(found: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the points of a document, the least of what is judged first, unknown ones last.

    Points that were tried on all there is come before those that were not.
    """
    judged, most = found["judged"], max((one["runs"] for one in found["points"]), default=0)

    def order(one: Mapping[str, Any]) -> tuple[bool, bool, float, int]:
        value = one["figures"].get(judged)
        return value is None, one["runs"] < most, 0.0 if value is None else value, one["point"]

    return sorted(found["points"], key=order)


def choice_lines(found: Mapping[str, Any]) -> list[str]:
    """Return what was chosen and how sure that is, a sentence each; none if nothing was."""
    choice, name = found["choice"], found["judged"]
    if choice is None:
        return []
    fit, report = choice["fit"], choice["report"]
    chosen = settings_words(choice["settings"], found["varied"])
    said = [f"Chosen: point {choice['chosen']} ({chosen}), for the least {named(name)}."]
    if not fit["allowed"]:
        said.append(f"No point keeps to {choice['subject_to']}: this one is the nearest found.")
    on = ", ".join(fit["inputs"])
    how = f"{told(name, fit['value'])} {_in_brackets(name, fit['interval'])}".strip()
    said.append(f"Chosen on {on}: {how}, by {fit['runs']} of {fit['of_runs']} runs there.")
    if fit["sure"] is None and fit["compared"] < 2:
        said.append("No other point that is allowed was tried on all of it.")
    elif fit["sure"] is None:
        said.append("How sure that is cannot be told of so few runs: more draws, or inputs.")
    else:
        said.append(
            f"Were the draws others, it would be the best of the {fit['compared']} compared in"
            f" {told('share', 100 * fit['sure'])} % of cases."
        )
    return [*said, *_on_report(choice, report, name)]


def _on_report(choice: Mapping[str, Any], report: Mapping[str, Any], name: str) -> list[str]:
    on = ", ".join(report["inputs"])
    if report["verdict"] == "not_known_yet" and "value" not in report:
        return [f"Tried on {on}: nothing came out."]
    base = f"point {choice['compared_with']}"
    if choice["chosen"] == choice["compared_with"]:
        return [f"Tried on {on}: {told(name, report['value'])}; it is {base}, the first of all."]
    further = _in_brackets(name, report["interval"])
    said = [
        f"Tried on {on}: {told(name, report['value'])}, against {told(name, report['base'])} of"
        f" {base}; {change(name, report['difference'])} {further}".rstrip()
        + f": {VERDICTS[report['verdict']]}."
    ]
    if report["allowed"] is False:
        said.append(f"There it does not keep to {choice['subject_to']}.")
    return said


def _in_brackets(name: str, found: Sequence[float] | None) -> str:
    return f"({between(name, found)})" if found else ""


def failed_lines(found: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each cause why runs failed."""
    return [
        f"{len(one['runs'])} failed ({_numbers('run', one['runs'])}): {one['cause']}"
        for one in found["failed"]
    ]


def _numbers(word_: str, numbers: Sequence[int]) -> str:
    first = ", ".join(map(str, numbers[:5]))
    return f"{word_}{'s' if len(numbers) > 1 else ''} {first}{', ...' if len(numbers) > 5 else ''}"
