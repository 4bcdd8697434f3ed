"""Routes on the parts of a cluster: partitions, backlog, reservations, accuracy; of one job."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from predictor.service.answering import (
    UNCHANGED,
    Newest,
    cached,
    freshness,
    history_body,
    row_of,
    unchanged,
)
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Role
from predictor.service.explained import explanation_body
from predictor.service.part_bodies import (
    Accuracies,
    Backlog,
    JobExplanation,
    JobHistory,
    Partitions,
    Reservations,
)
from predictor.service.parts import (
    accuracy_body,
    backlog_body,
    partitions_body,
    reservations_body,
)
from predictor.service.problems import Refused, documented
from predictor.service.published import Published


def parts_routes(newest: Newest) -> APIRouter:
    """Return the routes below `/clusters/{cluster}` that tell sums and rules."""
    router = APIRouter(prefix="/clusters/{cluster}", responses=UNCHANGED | documented(404, 503))

    @router.get("/partitions", response_model=Partitions, responses=documented(403))
    async def partitions(cluster: str, request: Request) -> Response:
        """List the partitions and their rules."""
        current = _public(newest, cluster, request, "partitions")
        return _answer(newest, current, request, {"partitions": list(partitions_body(current))})

    @router.get("/backlog", response_model=Backlog)
    async def backlog(cluster: str, request: Request) -> Response:
        """Tell how much waits for which partition."""
        current = newest.any(cluster)
        seen = newest.seen_by(viewer_of(request.state), current)
        return _answer(newest, current, request, {"partitions": list(backlog_body(current, seen))})

    @router.get("/reservations", response_model=Reservations, responses=documented(403))
    async def reservations(cluster: str, request: Request) -> Response:
        """List what is set apart."""
        current = _public(newest, cluster, request, "reservations")
        body = {"reservations": list(reservations_body(current))}
        return _answer(newest, current, request, body)

    @router.get("/accuracy", response_model=Accuracies)
    async def accuracy(cluster: str, request: Request) -> Response:
        """Tell how good answers were of late."""
        current = newest.any(cluster)
        return _answer(newest, current, request, accuracy_body(current))

    return router


def job_parts_routes(newest: Newest) -> APIRouter:
    """Return the routes on what is told of one job besides its forecast."""
    router = APIRouter(
        prefix="/clusters/{cluster}/jobs/{job_id}",
        responses=UNCHANGED | documented(403, 404, 503),
    )

    @router.get("/explanation", response_model=JobExplanation)
    async def explanation(cluster: str, job_id: str, request: Request) -> Response:
        """Tell why a job starts no earlier."""
        current, seen = newest.with_jobs(cluster, viewer_of(request.state))
        row = row_of(current, job_id, seen)
        body = {
            "job_id": row.spec.id,
            "cause": None if row.unpredicted else row.cause or None,
            "not_predicted_reason": row.cause if row.unpredicted else None,
            "detail": row.detail,
            "explanation": explanation_body(row, current.snapshot_at, current.utc_offset_s),
        }
        return _answer(newest, current, request, body)

    @router.get("/history", response_model=JobHistory)
    async def history(cluster: str, job_id: str, request: Request) -> Response:
        """Tell what a job was told so far, and what moved it."""
        current, seen = newest.with_jobs(cluster, viewer_of(request.state))
        row = row_of(current, job_id, seen)
        body = {"job_id": row.spec.id, "history": history_body(current, row)}
        return _answer(newest, current, request, body)

    return router


def _public(newest: Newest, cluster: str, request: Request, what: str) -> Published:
    """Return the newest result. Raises Refused, 403 where that is private and not an operator's."""
    current = newest.any(cluster)
    private = what in current.snapshot.provenance.private
    if private and viewer_of(request.state).role is not Role.OPERATOR:
        raise Refused(403, f"{what} are private here")
    return current


def _answer(
    newest: Newest, current: Published, request: Request, body: Mapping[str, Any]
) -> Response:
    now = newest.now()
    headers = cached(current, now)
    told = {**freshness(current, now), **body}
    return unchanged(request, headers) or JSONResponse(told, headers=headers)
