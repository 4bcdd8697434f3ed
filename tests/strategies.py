"""Hypothesis strategies for the domain: arbitrary values, and snapshots that hang together.

`values(Node, cpus=st.just(4))` gives nodes of which everything but the CPUs is left to chance;
fields that nobody mentions are found by their types, so a new one takes part at once. Strings hold
any character, NUL and quotes included. `snapshots()` have unique job ids, and `forecasts(snapshot)`
speak of its waiting jobs.
"""

from collections.abc import Callable
from dataclasses import MISSING, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from predictor.domain import (
    Abstention,
    FinishedJob,
    Forecast,
    JobSpec,
    Node,
    PendingJob,
    Prediction,
    Request,
    Reservation,
    RunningJob,
    Snapshot,
    Untrusted,
)

NASTY = ("", "None", "%", "\\", "\\u0000", "a,b", "(x,1)", "a=b", "<a & 'b'>", '"', "\x00\n", " ")

texts = st.sampled_from(NASTY) | st.text(st.characters(codec=None), max_size=8)
ints = st.integers(0, 2**32) | st.integers(-(2**63), 2**63)
floats = st.floats(allow_nan=False)

_ATOMS: dict[object, st.SearchStrategy[Any]] = {
    str: texts,
    int: ints,
    bool: st.booleans(),
    float: floats,
    Untrusted: texts.map(Untrusted),
    type(None): st.none(),
}
_BOUNDS: dict[type, dict[str, st.SearchStrategy[Any]]] = {
    Request: {
        "nodes": st.integers(1, 10_000),
        "cpus": st.integers(1, 1_000_000),
        "cpus_named": st.none() | st.integers(1, 1_000_000),
        "limit_s": st.none() | st.integers(0, 2**40),
        "cpus_per_core": st.none() | st.integers(1, 2**16),
    },
    Node: {"cpus": st.integers(0, 2**24), "cpus_per_core": st.integers(1, 2**16)},
}
"""What a type's own checks ask of its fields."""


def values(cls, **given):
    """Values of a dataclass; its optional fields are now drawn, now left at their default."""
    fields = cls.__dataclass_fields__
    hints = get_type_hints(cls)
    known = _BOUNDS.get(cls, {}) | given
    drawn = {name: known[name] if name in known else of_type(hints[name]) for name in fields}
    optional = {
        name: strategy
        for name, strategy in drawn.items()
        if fields[name].default is not MISSING and name not in given
    }
    required = {name: strategy for name, strategy in drawn.items() if name not in optional}
    return st.fixed_dictionaries(required, optional=optional).map(lambda kw: cls(**kw))


@cache
def of_type(hint):
    """Values of any type that a field of the domain has."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is Reservation:
        return reservations()
    if hint in _ATOMS:
        return _ATOMS[hint]
    if origin in (Union, UnionType):
        return st.one_of(*map(of_type, args))
    if origin is Literal:
        return st.sampled_from(args)
    if origin is frozenset:
        return st.frozensets(of_type(args[0]), max_size=4)
    if origin is tuple and args[-1] is Ellipsis:
        return st.lists(of_type(args[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(of_type, args))
    if is_dataclass(hint):
        return values(hint)
    assert issubclass(hint, Enum), hint
    return st.sampled_from(hint)


def reservations(**given):
    """Reservations that do not end before they start."""
    longer = st.integers(0, 2**40)
    drawn = values(Reservation, start_at=st.just(0), end_at=st.just(0), **given)
    return st.builds(_moved, drawn, ints, longer)


def _moved(reservation: Reservation, start_at: int, length_s: int) -> Reservation:
    fields = {name: getattr(reservation, name) for name in Reservation.__dataclass_fields__}
    return Reservation(**fields | {"start_at": start_at, "end_at": start_at + length_s})


@st.composite
def snapshots(draw: Callable[..., Any], max_jobs: int = 6, **given):
    """Snapshots with unique job ids, everything else arbitrary."""
    ids = draw(st.lists(texts, unique=True, max_size=max_jobs))
    jobs: dict[type, list[Any]] = {PendingJob: [], RunningJob: [], FinishedJob: []}
    for job_id in ids:
        kind = draw(st.sampled_from(list(jobs)))
        jobs[kind].append(draw(values(kind, spec=values(JobSpec, id=st.just(job_id)))))
    told = {
        "pending": st.just(tuple(jobs[PendingJob])),
        "running": st.just(tuple(jobs[RunningJob])),
        "finished": st.just(tuple(jobs[FinishedJob])),
        "utc_offset_s": st.integers(-14, 14).map(lambda hours: hours * 3600) | ints,
    }
    return draw(values(Snapshot, **(told | given)))


@st.composite
def forecasts(draw: Callable[..., Any], snapshot: Snapshot):
    """Forecasts for `snapshot`: a prediction or an abstention for each waiting job, or neither."""
    answers: dict[type, list[Any]] = {Prediction: [], Abstention: []}
    for job_id in draw(st.permutations([job.spec.id for job in snapshot.pending])):
        kind = draw(st.sampled_from((Prediction, Abstention, None)))
        if kind is not None:
            answers[kind].append(draw(values(kind, job_id=st.just(job_id))))
    return draw(
        values(
            Forecast,
            predictions=st.just(tuple(answers[Prediction])),
            abstentions=st.just(tuple(answers[Abstention])),
        )
    )
