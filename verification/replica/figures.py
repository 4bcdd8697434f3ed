"""What the windows and decisions of a replica are worth, by the names that the JSON has."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from predictor.domain.instants import rfc3339
from verification.fidelity.diagnosis import Parting
from verification.fidelity.looks import Look
from verification.fidelity.report import worst
from verification.fidelity.scores import Decisions, kendall_tau, share, sigma
from verification.judging.marking import Mark
from verification.replica.gantt import gantt_figures
from verification.replica.jufo import PUBLISHED, Counts, Row, Summary, summary
from verification.replica.window import Member, Played, judged, off_s

Figures = Mapping[str, Any]


def replica_figures(
    windows: Sequence[Played], decisions: Iterable[Decisions] = ()
) -> dict[str, Any]:
    """Return the figures of a replica: headline first, JuFo's table, then window by window.

    The headline rests on windows without a flag, or on all if every one has a flag. A job of which
    only the real or the said start is known counts with the least that its error can be; it is in
    none of the signed figures. JuFo's errors are real minus said start; the bias, as in all modes,
    is said minus real.
    """
    sound = [one for one in windows if not one.gaps.flagged] or list(windows)
    return {
        **_decided(Decisions.pooled(decisions)),
        **_headline(sound),
        "counts": _counts(Counts.pooled(_full_counts(one) for one in sound)),
        "jufo_rule": jufo_figures(sound),
        "windows": [_window(one) for one in windows],
        "worst": _worst(windows),
        "errors_s": sorted(error for one in sound for error in _signed(one)),
        "gantt": gantt_figures(sound[0]) if sound else None,
    }


def _decided(decisions: Decisions) -> dict[str, Any]:
    return {
        "decisions_precision": rounded(decisions.precision),
        "decisions_recall": rounded(decisions.recall),
    }


def _headline(windows: Sequence[Played]) -> dict[str, Any]:
    known = [
        (member, off_s(member, one.followed_until))
        for one in windows
        for member in one.members
        if judged(member, one.until)
    ]
    off = sorted(seconds for _, seconds in known)
    signed = [error for one in windows for error in _signed(one)]
    started = [member for member, _ in known if member.real_at is not None]
    return {
        "windows_scored": len(windows),
        "jobs_scored": len(known),
        "answered": rounded(share(sum(m.said_at is not None for m in started), len(started))),
        "mae_s": rounded(sum(off) / len(off) if off else None, 1),
        "median_abs_s": quantile(off, 0.5),
        "p90_abs_s": quantile(off, 0.9),
        "bias_s": rounded(-sum(signed) / len(signed) if signed else None, 1),
        "sigma_s": rounded(sigma(signed), 1),
        "within_60s": rounded(share(sum(seconds <= 60 for seconds in off), len(off))),
        "within_600s": rounded(share(sum(seconds <= 600 for seconds in off), len(off))),
        "kendall_tau": rounded(kendall_tau(_pairs(one) for one in windows)),
        "false_starts": rounded(_false_starts(windows)),
        "bounded": sum(None in (member.real_at, member.said_at) for member, _ in known),
        "coverage80": None,
        "width80_median_s": None,
        "winkler80_s": None,
        "broken95": None,
    }


def _false_starts(windows: Sequence[Played]) -> float | None:
    """Return the share of those who left without a start that were said to start before."""
    left = [m for one in windows for m in one.members if m.mark is Mark.REMOVED]
    return share(sum(member.false_start for member in left), len(left))


def jufo_figures(windows: Sequence[Played]) -> dict[str, Any]:
    """Return JuFo's eight columns per window, all windows together, and what JuFo published."""
    rows = [one.jufo for one in windows]
    return {
        "tests": [row_figures(row) for row in rows],
        "together": _summary(summary(rows)),
        "counts": _counts(Counts.pooled(one.jufo_counts for one in windows)),
        "errors_s": sorted(error for one in windows for error in one.jufo_errors_s),
        "published": {
            "tests": [row_figures(row) for row in PUBLISHED],
            "together": _summary(summary(PUBLISHED)),
        },
    }


def row_figures(row: Row) -> dict[str, Any]:
    """Return one line of JuFo's table by the names that the JSON has."""
    return {
        "date": row.begins,
        "duration_s": row.duration_s,
        "jobs": row.jobs,
        "mean_s": rounded(row.mean_s, 1),
        "median_s": rounded(row.median_s, 1),
        "min_s": row.min_s,
        "max_s": row.max_s,
        "sigma_s": rounded(row.sigma_s, 1),
        "sigma_of_duration": rounded(row.sigma_of_duration),
    }


def quantile(ascending: Sequence[int], part: float) -> int | None:
    """Return the value that so large a part does not exceed, in [0, 1]; None of nothing."""
    if not ascending:
        return None
    return ascending[max(0, math.ceil(part * len(ascending)) - 1)]


def rounded(value: float | None, digits: int = 4) -> float | None:
    """Return the value with so many decimals; None of None."""
    return None if value is None else round(value, digits)


def _summary(found: Summary) -> dict[str, Any]:
    return {
        name: rounded(value, 4 if name == "sigma_of_duration" else 1)
        for name, value in asdict(found).items()
    }


def _counts(counts: Counts) -> dict[str, Any]:
    return {**asdict(counts), "scored_share": rounded(counts.scored_share)}


def _full_counts(window: Played) -> Counts:
    """Return the four counts of the window, told all run times."""
    inside = [
        {member.id: at for member, at in times if at is not None and at < window.until}
        for times in (
            [(member, member.real_at) for member in window.members],
            [(member, member.said_at) for member in window.members],
        )
    ]
    return Counts.of([member.id for member in window.members], *inside)


def _pairs(window: Played) -> list[tuple[int, int]]:
    return [
        (member.real_at, member.said_at)
        for member in window.members
        if judged(member, window.until)
        and member.real_at is not None
        and member.said_at is not None
    ]


def _signed(window: Played) -> list[int]:
    return [real - said for real, said in _pairs(window)]


def _window(window: Played) -> dict[str, Any]:
    gaps = window.gaps
    return {
        "recording": window.recording,
        "from": rfc3339(window.since),
        "to": rfc3339(window.until),
        "followed_to": rfc3339(window.followed_until),
        "fingerprint": window.fingerprint,
        "flagged": gaps.flagged,
        "missing_share": rounded(gaps.missing_share),
        "longest_gap_s": gaps.longest_s,
        "marks": dict(sorted(_marks(window.members).items())),
        "counts": _counts(_full_counts(window)),
        **_headline([window]),
    }


def _marks(members: Iterable[Member]) -> Counter[str]:
    return Counter(member.mark.value for member in members)


def _worst(windows: Sequence[Played], count: int = 10) -> list[Mapping[str, object]]:
    """Return the jobs furthest off of all windows, each with its cause.

    Where there are several recordings, a job's id begins with that of its own: `alpha/12`.
    """
    several = len({one.recording for one in windows}) > 1
    looks = [
        (
            Look(number=one.number, since=one.since, until=one.followed_until, real={}, said={}),
            [_of(parting, one.recording) if several else parting for parting in one.worst],
        )
        for one in windows
    ]
    return worst(looks, count)


def _of(parting: Parting, recording: str) -> Parting:
    return replace(parting, job_id=f"{recording}/{parting.job_id}")
