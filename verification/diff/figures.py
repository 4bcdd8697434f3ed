"""From draws to the document that reports are made from: `queuecast.diff/1`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from predictor.domain.instants import rfc3339
from predictor.simulation.dependencies import single_ids
from verification.changes.proposal import Proposal
from verification.diff.change_of import LEVEL, Changed, changed
from verification.diff.draws import KINDS, Draw, mean_of
from verification.diff.starving import Kind, Starving, starving
from verification.measures import MEASURES
from verification.trials.trial import Recounted

SCHEMA = "queuecast.diff/1"
MOST_NAMED = 50
"""So many starving jobs are named; the others are counted."""

Document = dict[str, Any]
"""Nothing but what JSON knows."""


def document(
    found: Sequence[Draw], recordings: Sequence[Recounted], proposed: Proposal, version: str
) -> Document:
    """Return all figures of a comparison; of at least one draw."""
    kinds = dict(_kinds(recordings))
    worse, better = (starving(found, kinds, new=new) for new in (True, False))
    return {
        "schema": SCHEMA,
        "version": version,
        "recordings": [_recording(one) for one in recordings],
        "change": list(proposed.words),
        "without_effect": list(proposed.without_effect),
        "draws": len({draw.seed for draw in found}),
        "seeds": sorted({draw.seed for draw in found}),
        "level": LEVEL,
        "draw_s": round(median(draw.took_s for draw in found), 3),
        "trials": [_hashes(draw) for draw in found],
        "measures": dict(_measures(found)),
        "starved": len(worse),
        "starving": [_starving(one) for one in worse[:MOST_NAMED]],
        "starved_no_more": [_starving(one) for one in better[:MOST_NAMED]],
        "classes": {kind: dict(_classes(found, kind)) for kind in KINDS},
    }


def _recording(one: Recounted) -> Document:
    return {
        "name": one.name,
        "cluster": one.snapshot.cluster,
        "from": rfc3339(one.snapshot.taken_at),
        "to": rfc3339(one.end_at),
        "jobs": sum(
            len(single_ids(job.spec)) for job in (*one.snapshot.pending, *one.story.arrivals)
        ),
    }


def _hashes(draw: Draw) -> Document:
    return {
        "recording": draw.recording,
        "seed": draw.seed,
        "base": draw.hashes[0],
        "new": draw.hashes[1],
    }


def _kinds(recordings: Sequence[Recounted]) -> Iterator[tuple[tuple[str, str], Kind]]:
    for one in recordings:
        for job in (*one.snapshot.pending, *one.story.arrivals):
            kind = Kind(
                user=job.spec.user,
                partition=",".join(job.spec.partitions),
                qos=job.spec.qos,
                nodes=job.spec.request.nodes,
            )
            for id_ in single_ids(job.spec):
                yield (one.name, id_), kind


def _measures(found: Sequence[Draw]) -> Iterator[tuple[str, Document | None]]:
    for name, measure in MEASURES.items():
        pairs = list(_pairs(found, name))
        one = changed([before for before, _ in pairs], [after for _, after in pairs])
        told = None if one is None else _changed(one)
        yield name, told and {**told, "words": measure.words, "better": measure.better}


def _pairs(found: Sequence[Draw], name: str) -> Iterator[tuple[float, float]]:
    """Yield for each seed the mean over the recordings of which both figures are known."""
    by_seed: dict[int, list[tuple[float | None, float | None]]] = defaultdict(list)
    for draw in found:
        by_seed[draw.seed].append(draw.figures[name])
    for some in by_seed.values():
        whole = [pair for pair in some if None not in pair]
        base, new = mean_of(one for one, _ in whole), mean_of(one for _, one in whole)
        if base is not None and new is not None:
            yield base, new


def _classes(found: Sequence[Draw], kind: str) -> Iterator[tuple[str, Document]]:
    """Yield the mean wait of each class, those that lose most first.

    So many classes are looked at that some would change by luck: each is asked to be the surer.
    """
    sums: dict[str, dict[int, list[tuple[int, float, float]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for draw in found:
        for (of, name), three in draw.classes.items():
            if of == kind:
                sums[name][draw.seed].append(three)
    level = 1 - (1 - LEVEL) / max(1, len(sums))
    told = {name: _class(by_seed, level) for name, by_seed in sums.items()}
    yield from sorted(told.items(), key=lambda one: (-one[1]["change"], one[0]))


def _class(by_seed: Mapping[int, Sequence[tuple[int, float, float]]], level: float) -> Document:
    jobs = [sum(count for count, _, _ in some) for some in by_seed.values()]
    base = [sum(b for _, b, _ in some) / n for some, n in zip(by_seed.values(), jobs, strict=True)]
    new = [sum(a for _, _, a in some) / n for some, n in zip(by_seed.values(), jobs, strict=True)]
    one = changed(base, new, level)
    assert one is not None, "a class of no draw"  # noqa: S101
    return {"jobs": jobs[0], **_changed(one)}


def _changed(one: Changed) -> Document:
    return {
        "base": rounded(one.base),
        "new": rounded(one.new),
        "change": rounded(one.change),
        "low": rounded(one.low),
        "high": rounded(one.high),
        "share": rounded(one.share),
        "noise": rounded(one.noise),
        "detected": one.detected,
    }


def _starving(one: Starving) -> Document:
    return {
        "recording": one.recording,
        "job": one.job_id,
        "user": one.user,
        "partition": one.partition,
        "qos": one.qos,
        "nodes": one.nodes,
        "never": one.never,
        "base_wait_s": round(one.base_s),
        "new_wait_s": round(one.new_s),
    }


def rounded(value: float | None) -> float | None:
    """Return a figure to six significant digits."""
    return None if value is None else float(f"{value:.6g}")
