"""The document that all reports are made from.

Its names are documented in `verification/README.md`; they stay as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from predictor.domain.instants import rfc3339
from verification.fidelity.history import History
from verification.judging.classes import DURATIONS
from verification.replica.figures import rounded
from verification.replica.gaps import gaps_of, period_of

SCHEMA = "queuecast.verify/1"

Document = Mapping[str, Any]
"""Nothing but what JSON knows: mappings with text keys, lists, text, numbers, booleans, None."""


def document(
    recordings: Sequence[Mapping[str, Any]], modes: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the document of a run: what was read, and the figures of each mode by its name."""
    return {"schema": SCHEMA, "recordings": list(recordings), "modes": dict(modes)}


def recording_figures(name: str, history: History, findings: Sequence[str]) -> dict[str, Any]:
    """Return what is told of one recording: how much there is, and what is wrong with it.

    `findings` are sentences. Raises IndexError for a history without snapshots.
    """
    first, last = history.instants[0], history.instants[-1]
    gaps = gaps_of(history.instants, first, last, period_of(history.instants))
    return {
        "name": name,
        "cluster": history.snapshots[0].cluster,
        "from": rfc3339(first),
        "to": rfc3339(last),
        "snapshots": len(history.snapshots),
        "missing_share": rounded(gaps.missing_share),
        "longest_gap_s": gaps.longest_s,
        "fingerprints": list(dict.fromkeys(one.fingerprint for one in history.snapshots)),
        "findings": list(findings),
    }


def windows_by_name(windows: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return windows by their begin, led by their recording where there are several."""
    several = len({one["recording"] for one in windows}) > 1
    return {f"{one['recording']} {one['from']}" if several else one["from"]: one for one in windows}


def leads_of(figures: Mapping[str, Any]) -> Mapping[str, Mapping[str, Any]]:
    """Return the figures by how far ahead starts were said to be, the nearest first."""
    found = (figures.get("by") or {}).get("lead") or {}
    return {name: found[name] for name in (*DURATIONS, *sorted(found)) if name in found}
