"""Fidelity as numbers with names, and as a table for a terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from predictor.cli.terminal import plain
from predictor.domain.instants import rfc3339
from verification.fidelity.cases import Case
from verification.fidelity.diagnosis import Parting
from verification.fidelity.impossible import Checked
from verification.fidelity.looks import Look
from verification.fidelity.scores import Decisions, Window, kendall_tau
from verification.fidelity.world import few

Figures = Mapping[str, float | int | None]


def decision_figures(looks: Sequence[Look]) -> Figures:
    """Return what decisions are worth, pooled over all looks; the names are those of the JSON."""
    pooled = Decisions.pooled(Decisions.of(look.real, look.said_at) for look in looks)
    return {
        "looks": len(looks),
        "hits": pooled.hits,
        "false": pooled.false,
        "missed": pooled.missed,
        "precision": _rounded(pooled.precision),
        "recall": _rounded(pooled.recall),
        "within_60s_of_hits": _rounded(pooled.close_share),
    }


def window_figures(looks: Sequence[Look]) -> Figures:
    """Return what windows are worth, pooled; all None without a window."""
    if not looks:
        return {"windows": 0}
    windows = [window_of(look) for look in looks]
    pooled = Window.pooled(windows)
    sigma_s = pooled.sigma_s
    return {
        "windows": len(windows),
        "window_s": pooled.length_s,
        "jobs": pooled.jobs,
        "started_and_said": len(pooled.pairs),
        "missed": pooled.missed,
        "false": len(pooled.bounds_s) - pooled.missed,
        "within_60s": _rounded(pooled.close_share),
        "median_s": pooled.off_s(0.5),
        "p90_s": pooled.off_s(0.9),
        "mean_s": _rounded(pooled.mean_s, 1),
        "sigma_s": _rounded(sigma_s, 1),
        "sigma_of_window": _rounded(None if sigma_s is None else sigma_s / pooled.length_s),
        "kendall_tau": _rounded(kendall_tau(window.pairs for window in windows)),
    }


def window_of(look: Look) -> Window:
    """Return a look's jobs as one window."""
    return Window.of(look.real, look.said_at, look.since, look.until)


WORDS = {
    "looks": "snapshots looked from",
    "hits": "said to start in ten minutes, and did",
    "false": "said to start, did not",
    "missed": "started, not said",
    "precision": "precision",
    "recall": "recall",
    "within_60s_of_hits": "hits within 60 s",
    "windows": "windows",
    "window_s": "length of a window (s)",
    "jobs": "jobs that started or were said to",
    "started_and_said": "both",
    "within_60s": "within 60 s of the real start",
    "median_s": "median off by, at least (s)",
    "p90_s": "90 % off by at most (s)",
    "mean_s": "mean error of both (s)",
    "sigma_s": "sigma (s)",
    "sigma_of_window": "sigma / window",
    "kendall_tau": "agreement in order (Kendall)",
}


def table(title: str, figures: Figures) -> Iterator[str]:
    """Yield the lines of a table."""
    yield title
    for name, value in figures.items():
        yield f"  {WORDS[name]:<40} {'-' if value is None else value:>10}"


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)


def cause_figures(partings: Iterable[Sequence[Parting]]) -> Mapping[str, Mapping[str, int]]:
    """Return how many jobs parted for each cause, and how often it was the first of a look.

    Later ones may merely follow from the first: their cluster is another one by then.
    """
    every: Counter[str] = Counter()
    first: Counter[str] = Counter()
    for of_look in partings:
        every.update(parting.kind for parting in of_look)
        first.update(parting.kind for parting in of_look[:1])
    return {kind: {"first": first[kind], "all": count} for kind, count in every.most_common()}


def cause_table(title: str, causes: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """Yield the lines of a table, the most frequent first cause on top."""
    yield f"{title}: first in a look, in all"
    for kind, counts in sorted(causes.items(), key=lambda item: -item[1]["first"]):
        yield f"  {plain(kind):<58} {counts['first']:>6} {counts['all']:>6}"


def worst(
    partings: Iterable[tuple[Look, Sequence[Parting]]], count: int
) -> list[Mapping[str, object]]:
    """Return the `count` jobs that are furthest off, with what could be read of them then."""
    found = [(_off_s(parting, look), look, parting) for look, all_ in partings for parting in all_]
    found.sort(key=lambda one: (-one[0], one[2].at, one[2].job_id))
    return [_shown(off_s, look, parting) for off_s, look, parting in found[:count]]


def worst_lines(rows: Iterable[Mapping[str, object]]) -> Iterator[str]:
    """Yield two lines or three for each row of `worst`."""
    for row in rows:
        yield plain(
            f"job {row['job']}: off by {row['off_s']} s at least; real {row['real_at']},"
            f" said {row['said_at']}, in the look from {row['from']}"
        )
        yield plain(f"  {row['cause']}" + (f" ({row['detail']})" if row["detail"] else ""))
        yield plain(
            f"  {row['partitions']}, {row['nodes']} nodes, {row['cpus']} CPUs, limit"
            f" {row['limit_s']} s, QOS {row['qos'] or '-'}, user {row['user']}; rank {row['rank']},"
            f" waits for {row['reason'] or '-'}; {row['running']} ran, {row['idle_nodes']} of its"
            f" nodes idle"
        )


def _off_s(parting: Parting, look: Look) -> int:
    """Return how far off it is, at least: whoever did not start by the end may do so then."""
    real_at, said_at = parting.real_at, parting.said_at
    ends = [look.until if at is None else at for at in (real_at, said_at)]
    return abs(ends[0] - ends[1])


def _shown(off_s: int, look: Look, parting: Parting) -> Mapping[str, object]:
    spec = parting.job.spec
    request = spec.request
    return {
        "job": parting.job_id,
        "off_s": off_s,
        "from": rfc3339(look.since),
        "real_at": parting.real_at and rfc3339(parting.real_at),
        "said_at": parting.said_at and rfc3339(parting.said_at),
        "cause": parting.kind,
        "detail": parting.detail,
        "partitions": ",".join(spec.partitions),
        "nodes": request.nodes,
        "cpus": request.cpus,
        "limit_s": None if request.limit_s is None else str(request.limit_s),
        "qos": spec.qos,
        "user": spec.user,
        "reason": parting.job.reason,
        "rank": parting.rank,
        "running": parting.running,
        "idle_nodes": parting.idle_nodes,
    }


def case_figures(found: Sequence[Case]) -> Mapping[str, Any]:
    """Return how many wrong decisions each cause has, and all of them."""
    missed = Counter(case.cause for case in found if case.missed)
    false = Counter(case.cause for case in found if not case.missed)
    return {
        "causes": {
            cause: {"false": false[cause], "missed": missed[cause]}
            for cause, _ in (false + missed).most_common()
        },
        "list": [
            {
                "from": rfc3339(case.since),
                "job": case.job_id,
                "real_s": None if case.real_at is None else case.real_at - case.since,
                "said_s": None if case.said_at is None else case.said_at - case.since,
                "cause": case.cause,
                "detail": case.detail,
            }
            for case in found
        ],
    }


def case_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of `case_figures`."""
    yield "wrong decisions: false, missed"
    for cause, counts in figures["causes"].items():
        yield plain(f"  {cause:<62} {counts['false']:>4} {counts['missed']:>4}")
    for one in figures["list"]:
        real, said = ("-" if one[name] is None else one[name] for name in ("real_s", "said_s"))
        why = f"{one['cause']} ({one['detail']})" if one["detail"] else one["cause"]
        yield plain(f"  {one['from']} job {one['job']}: real {real}, said {said}: {why}")


def start_figures(found: Sequence[Checked]) -> Mapping[str, object]:
    """Return how the real starts were judged, by kind, and each refusal that nothing explains."""
    return {
        "starts": len(found),
        "kinds": dict(sorted(Counter(one.kind for one in found).items())),
        "unexplained": [
            {
                "job": one.job_id,
                "at": rfc3339(one.at),
                "kind": one.verdict.kind,
                "detail": one.verdict.detail,
                "holders": list(one.verdict.holders),
            }
            for one in found
            if one.verdict and not one.explained
        ],
    }


def start_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of `start_figures`."""
    yield f"real starts put to the model: {figures['starts']}"
    for kind, count in figures["kinds"].items():
        yield f"  {kind:<70} {count:>6}"
    for one in figures["unexplained"]:
        beside = f"; beside {few(tuple(one['holders']))}" if one["holders"] else ""
        yield plain(f"  job {one['job']} at {one['at']}: {one['kind']}: {one['detail']}{beside}")
