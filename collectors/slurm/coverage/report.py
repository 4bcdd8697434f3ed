"""The coverage of a Slurm's settings, as data and as lines for a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from collectors.slurm.coverage.catalogue import Catalogue, Ruling, Verdict
from collectors.slurm.coverage.changed import Changes, changes_report, changes_sheet
from collectors.slurm.coverage.findings import Finding

SCHEMA = "queuecast.coverage/1"
NAME_WIDTH = 36
VALUE_WIDTH = 24
LINE_WIDTH = 96
MOST_REMARKS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What becomes of the settings of one Slurm."""

    origin: str
    """Where they were read."""
    findings: tuple[Finding, ...]
    untold: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By scope: what the catalogue knows and the tables that were read have no column for."""
    remarks: tuple[str, ...] = ()
    """What could not be read, or is strange."""
    changes: Changes | None = None
    """What would change of a cluster that runs; None: it was not compared with any."""


GROUPS = (
    "Ignored, though it matters",
    "Unknown to queuecast",
    "Approximated",
    "Replicated",
)
"""Of these the values and reasons are told."""
LISTED = ("Not replicated, but not in use here", "Ignored, without influence on starts")
"""Of these only the names."""


def _group(finding: Finding) -> str:
    """Return under which heading a finding stands."""
    match finding.ruling.verdict:
        case Verdict.IGNORED:
            return GROUPS[0] if finding.in_use else LISTED[0]
        case Verdict.UNKNOWN:
            return GROUPS[1]
        case Verdict.APPROXIMATED:
            return GROUPS[2] if finding.in_use else LISTED[0]
        case Verdict.REPLICATED:
            return GROUPS[3]
        case Verdict.HARMLESS:
            return LISTED[1]


def sheet(coverage: Coverage) -> Iterator[str]:
    """Yield the coverage as lines; they may hold any character."""
    yield f"Slurm's settings: {coverage.origin}"
    yield ", ".join(f"{count} {what}" for what, count in counts(coverage.findings).items())
    for title in GROUPS:
        found = [finding for finding in coverage.findings if _group(finding) == title]
        if found:
            yield from ("", title)
            yield from (_line(f.title, _values(f), f.ruling.why) for f in found)
    for title in LISTED:
        if names := [finding.title for finding in coverage.findings if _group(finding) == title]:
            yield from ("", title)
            yield from _folded(names)
    if coverage.changes is not None:
        yield from ("", "Would change", *changes_sheet(coverage.changes))
    if coverage.untold:
        yield from ("", "Not told, so whether it is in use is not known")
        for scope, keys in coverage.untold.items():
            yield from _folded([f"{scope} {key}" for key in keys])
    if coverage.remarks:
        yield from ("", "Remarks", *(f"  {one}" for one in coverage.remarks[:MOST_REMARKS]))
        if len(coverage.remarks) > MOST_REMARKS:
            yield f"  … and {len(coverage.remarks) - MOST_REMARKS} more"


def report(coverage: Coverage) -> dict[str, object]:
    """Return the coverage for `--json`."""
    compared = coverage.changes
    changes = {} if compared is None else {"changes": changes_report(compared)}
    return {
        "schema": SCHEMA,
        "origin": coverage.origin,
        "counts": counts(coverage.findings),
        "settings": [_finding(finding) for finding in coverage.findings],
        "untold": {scope: list(keys) for scope, keys in coverage.untold.items()},
        "remarks": list(coverage.remarks),
        **changes,
    }


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Return how many settings there are of each kind."""
    found = dict.fromkeys(
        ("replicated", "approximated", "ignored though they matter", "ignored", "unknown"), 0
    )
    for finding in findings:
        verdict = finding.ruling.verdict
        word = verdict.value if verdict in _TOLD_APART else "ignored"
        found["ignored though they matter" if word == "ignored" and finding.matters else word] += 1
    return found


_TOLD_APART = (Verdict.REPLICATED, Verdict.APPROXIMATED, Verdict.UNKNOWN)


def _finding(finding: Finding) -> dict[str, object]:
    verdict = finding.ruling.verdict
    return {
        "scope": finding.scope or "cluster",
        "name": finding.name,
        "verdict": verdict.value if verdict in _TOLD_APART else "ignored",
        "matters": finding.matters,
        "in_use": finding.in_use,
        "why": finding.ruling.why,
        "by": finding.ruling.by or None,
        "count": finding.count,
        "values": [
            {"of": one.of or None, "value": one.value, "place": one.place or None}
            for one in finding.instances
        ],
    }


def whole(known: Catalogue) -> Iterator[str]:
    """Yield the catalogue itself as lines."""
    for scope, rulings in groupby(known, key=lambda ruling: ruling.scope):
        yield from ("", scope)
        for ruling in rulings:
            yield _line(ruling.name, _word(ruling), ruling.why)


def whole_report(known: Catalogue) -> dict[str, object]:
    """Return the catalogue itself for `--json`."""
    return {
        "schema": SCHEMA,
        "catalogue": [
            {
                "scope": ruling.scope,
                "name": ruling.name,
                "verdict": "ignored" if ruling.verdict is Verdict.HARMLESS else _word(ruling),
                "matters": ruling.verdict is Verdict.IGNORED,
                "why": ruling.why,
                "by": ruling.by or None,
            }
            for ruling in known
        ],
    }


def _word(ruling: Ruling) -> str:
    return "no influence" if ruling.verdict is Verdict.HARMLESS else ruling.verdict.value


def _line(name: str, value: str, why: str) -> str:
    return f"  {_cut(name, NAME_WIDTH)} {_cut(value, VALUE_WIDTH)} {why}"


def _cut(text: str, width: int) -> str:
    return f"{text:{width}}" if len(text) <= width else text[: width - 1] + "+"


def _values(finding: Finding) -> str:
    """Return the value; of several, each once, and how many have it."""
    values = list(dict.fromkeys(one.value for one in finding.instances))
    if not finding.instances or not finding.instances[0].of:
        return ", ".join(values)
    whose = finding.instances[0].of if finding.count == 1 else f"{finding.count} times"
    return f"{', '.join(values)} ({whose})" if len(values) == 1 else f"{whose}: {', '.join(values)}"


def _folded(names: Iterable[str]) -> Iterator[str]:
    line = ""
    for name in sorted(dict.fromkeys(names), key=str.lower):
        if line and len(line) + len(name) + 2 > LINE_WIDTH:
            yield f"  {line},"
            line = ""
        line = f"{line}, {name}" if line else name
    yield f"  {line}"
