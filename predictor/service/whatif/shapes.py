"""The jobs that a question supposes, as they come in: named as sbatch names its options."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from predictor.domain import (
    Association,
    JobSpec,
    Limit,
    Partition,
    PendingJob,
    Request,
    Sharing,
    Snapshot,
    Tres,
)
from predictor.domain.instants import instant_of
from predictor.errors import ServiceError
from predictor.service.asking.viewers import Sight
from predictor.service.questions import By
from predictor.site.values import time_limit
from predictor.suppositions import MOST, Supposition

MOST_NODES = 10**6
MOST_CPUS = 10**8
MOST_MB = 10**9

Text = Annotated[str, Field(max_length=200)]
Names = Annotated[str, Field(max_length=4_000)]
_GRES = re.compile(r"(?:gres[/:])?([A-Za-z][\w.-]*(?:[:][A-Za-z][\w.-]*)?)(?:[:=](\d{1,9}))?")


class Unclear(ServiceError):
    """A question that cannot be understood."""


class Shape(BaseModel):
    """A job that might be submitted. What is left out is as the batch system has it.

    With `instead_of` it is that waiting job, but for what is given.
    """

    model_config = ConfigDict(extra="forbid")

    name: Text = ""
    """How the answer calls it."""
    instead_of: Text = ""
    """The id of a waiting job whose place it takes."""
    nodes: Annotated[int, Field(ge=1, le=MOST_NODES)] | None = None
    ntasks: Annotated[int, Field(ge=1, le=MOST_CPUS)] | None = None
    cpus_per_task: Annotated[int, Field(ge=1, le=MOST_CPUS)] | None = None
    time_limit: Text | None = None
    """As sbatch takes it: `90` minutes, `12:00:00`, `1-00:00:00`, `UNLIMITED`; or `12h`."""
    mem_mb: Annotated[int, Field(ge=0, le=MOST_MB)] | None = None
    """On each node; 0: all of it."""
    mem_per_cpu_mb: Annotated[int, Field(ge=1, le=MOST_MB)] | None = None
    gres: Text | None = None
    """On each node: `gpu:4`, `gpu:a100:2,ssd:1`."""
    licenses: Text | None = None
    constraint: Text | None = None
    exclusive: bool | None = None
    partition: Names | None = None
    account: Text | None = None
    qos: Text | None = None
    reservation: Text | None = None
    nodelist: Names | None = None
    begin: By = None

    @field_validator("time_limit")
    @classmethod
    def _a_limit(cls, text: str | None) -> str | None:
        if text is not None:
            limit_s(text)
        return text

    @field_validator("gres", "licenses")
    @classmethod
    def _amounts(cls, text: str | None) -> str | None:
        amounts(text or "")
        return text


class WhatIf(BaseModel):
    """Up to a hundred jobs, each supposed alone."""

    model_config = ConfigDict(extra="forbid")

    shapes: Annotated[list[Shape], Field(min_length=1, max_length=MOST)]
    draws: Annotated[int, Field(ge=1, le=100)] | None = None
    """In so many courses each is tried; null: as many as for windows."""
    by: By = None
    """The chance to start by then is told too."""


def limit_s(text: str) -> Limit:
    """Return a time limit in seconds. Raises ValueError."""
    if text.isascii() and text.isdigit():
        return 60 * int(text[:9])
    if re.fullmatch(r"\d{1,5}-\d{1,2}(:\d{2})?", text):
        days, _, rest = text.partition("-")
        hours, _, minutes = rest.partition(":")
        return int(days) * 86_400 + int(hours) * 3_600 + int(minutes or 0) * 60
    if match := re.fullmatch(r"(\d{1,5}):([0-5]\d)", text):
        return 60 * int(match[1]) + int(match[2])
    try:
        return time_limit(text)
    except ValueError:
        raise ValueError(f"expected minutes, or a limit like 12:00:00, not {text!r}") from None


def amounts(text: str) -> Tres:
    """Return names and amounts in `gpu:4,ssd`. Raises ValueError."""
    found: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        match = _GRES.fullmatch(part)
        if match is None:
            raise ValueError(f"expected names and amounts like gpu:4, not {part[:40]!r}")
        found[match[1]] = found.get(match[1], 0) + int(match[2] or 1)
    return tuple(sorted(found.items()))


def suppositions(
    question: WhatIf, snapshot: Snapshot, seen: Sight, user: str
) -> tuple[Supposition, ...]:
    """Return the jobs of the question, in its order, as those of `user`.

    Raises Unclear for what only the cluster shows to be wrong: no such partition, no such job
    among those seen.
    """
    waiting = {job.spec.id: job for job in snapshot.pending if seen.shows(job.spec)}
    return tuple(
        _supposition(shape, number, snapshot, waiting, user)
        for number, shape in enumerate(question.shapes, start=1)
    )


def _supposition(
    shape: Shape, number: int, snapshot: Snapshot, waiting: Mapping[str, PendingJob], user: str
) -> Supposition:
    if not shape.instead_of:
        return Supposition(job=_changed(_new(shape, number, snapshot, user), shape, snapshot))
    known = waiting.get(shape.instead_of)
    if known is None:
        raise Unclear(f"no job {shape.instead_of[:40]} waits that may be shown")
    same = replace(known, spec=_unpriced(known.spec, f"{known.spec.id}?{number}"))
    return Supposition(job=_changed(same, shape, snapshot), instead_of=known.spec.id)


def _unpriced(spec: JobSpec, id_: str) -> JobSpec:
    array = spec.array and replace(spec.array, job_id=id_)
    return replace(spec, id=id_, array=array, het=spec.het and replace(spec.het, job_id=id_))


def _new(shape: Shape, number: int, snapshot: Snapshot, user: str) -> PendingJob:
    now, nodes = snapshot.taken_at, shape.nodes or 1
    account, qos = _home(shape, snapshot.associations, user)
    spec = JobSpec(
        id=f"?{number}",
        user=user,
        request=Request(nodes=nodes, cpus=nodes),
        partitions=_usual_partition(snapshot.partitions),
        submitted_at=now,
        account=account,
        qos=qos,
        eligible_at=now,
        accrues_age_since=now,
    )
    return PendingJob(spec=spec)


def _home(shape: Shape, associations: Sequence[Association], user: str) -> tuple[str, str]:
    """Return the account and the QOS that such a job of the user would have."""
    own = [one for one in associations if one.user == user and user]
    fitting = [one for one in own if shape.account in (None, one.account)]
    first = fitting[0] if fitting else None
    account = shape.account or (first.account if first else "")
    return account, first.default_qos if first else ""


def _usual_partition(partitions: Sequence[Partition]) -> tuple[str, ...]:
    usual = [one.name for one in partitions if one.is_default] or [
        one.name for one in partitions[:1]
    ]
    return tuple(usual[:1])


def _changed(job: PendingJob, shape: Shape, snapshot: Snapshot) -> PendingJob:
    """Return the job with what the shape gives. Raises Unclear."""
    old = job.spec
    partitions = _partitions(shape, snapshot.partitions) or old.partitions
    if snapshot.settings.limits_enforced:
        _refuse_strangers(shape, snapshot, old.user)
    spec = replace(
        old,
        request=_request(old.request, shape, partitions, snapshot.partitions),
        partitions=partitions,
        account=old.account if shape.account is None else shape.account,
        qos=old.qos if shape.qos is None else shape.qos,
        reservation=old.reservation if shape.reservation is None else shape.reservation,
    )
    if replace(spec, request=replace(spec.request, limit_s=old.request.limit_s)) != old:
        # What is told of its priority is that of the other job.
        spec, job = (
            replace(spec, priority=None if spec.priority else spec.priority),
            replace(job, priorities=()),
        )
    begin_at = None if shape.begin is None else instant_of(shape.begin)
    if begin_at is None or begin_at <= snapshot.taken_at:
        return replace(job, spec=spec)
    spec = replace(spec, eligible_at=begin_at, accrues_age_since=begin_at)
    return replace(job, spec=spec, begin_at=begin_at)


def _refuse_strangers(shape: Shape, snapshot: Snapshot, user: str) -> None:
    """Raise Unclear for an account or a QOS with which the batch system would refuse the job."""
    accounts = {one.account for one in snapshot.associations if one.user == user and user}
    if shape.account is not None and accounts and shape.account not in accounts:
        raise Unclear(f"no such account of this user: {shape.account[:40]}")
    qos = {one.name for one in snapshot.qos}
    if shape.qos is not None and qos and shape.qos not in qos:
        raise Unclear(f"no such QOS: {shape.qos[:40]}")


def _partitions(shape: Shape, partitions: Sequence[Partition]) -> tuple[str, ...]:
    wanted = tuple(name for name in (shape.partition or "").split(",") if name)
    known = {one.name for one in partitions}
    for name in wanted:
        if name not in known:
            raise Unclear(f"no such partition: {name[:40]}")
    return wanted


def _request(
    request: Request, shape: Shape, names: Sequence[str], partitions: Sequence[Partition]
) -> Request:
    changed = replace(request, **dict(_given(request, shape)))
    if changed.limit_s is not None:
        return changed
    defaults = {one.name: one.default_time_s for one in partitions}
    return replace(changed, limit_s=defaults.get(names[0]) if names else None)


def _given(request: Request, shape: Shape) -> Iterator[tuple[str, Any]]:
    """Yield what the shape says of the request."""
    if shape.nodes is not None:
        yield "nodes", shape.nodes
        yield "nodes_max", None
        yield "nodes_named", None
        if shape.ntasks is None and shape.cpus_per_task is None:
            yield "cpus", max(1, request.cpus * shape.nodes // request.nodes)
            yield "cpus_named", None
    if shape.ntasks is not None or shape.cpus_per_task is not None:
        tasks = shape.ntasks or shape.nodes or request.nodes
        yield "cpus", max(tasks * (shape.cpus_per_task or 1), shape.nodes or 1)
        yield "cpus_named", None
    if shape.time_limit is not None:
        limit = limit_s(shape.time_limit)
        yield "limit_s", limit
        if isinstance(limit, int) and (request.limit_min_s or 0) > limit:
            yield "limit_min_s", None
    if shape.mem_mb is not None or shape.mem_per_cpu_mb is not None:
        yield "memory_per_node_mb", shape.mem_mb
        yield "memory_per_cpu_mb", shape.mem_per_cpu_mb
    if shape.gres is not None:
        yield "gres_per_node", amounts(shape.gres)
        yield "gres_total", ()
    if shape.licenses is not None:
        yield "licenses", amounts(shape.licenses)
        yield "other_licenses", ()
    if shape.constraint is not None:
        yield "features", shape.constraint
    if shape.exclusive is not None:
        yield "sharing", Sharing.EXCLUSIVE if shape.exclusive else Sharing.SHARED
    if shape.nodelist is not None:
        yield "required_nodes", tuple(name for name in shape.nodelist.split(",") if name)
