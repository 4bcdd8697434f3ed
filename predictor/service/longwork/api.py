"""`/experiments` and `/config-checks`: long work, for operators."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Path, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse

from predictor.cli.terminal import plain
from predictor.errors import StorageError
from predictor.service.answering import Newest
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Role
from predictor.service.bodies import SCHEMA
from predictor.service.chances import instant
from predictor.service.herald import BEAT_EVERY_S, event
from predictor.service.longwork.bench import MOST_OPEN, Bench, Full
from predictor.service.longwork.checking import Checking
from predictor.service.longwork.orders import (
    Checked,
    ConfigCheck,
    ExperimentAnswer,
    Experiments,
    Order,
)
from predictor.service.longwork.shelf import Ordered, Shelf
from predictor.service.problems import Refused, documented

HEADERS = {"Cache-Control": "no-store"}
REPORT_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline';"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-cache, private",
}
"""A report brings its own style, and may do nothing else: who wrote it is not known."""
LOOK_EVERY_S = 1.0
LONGEST_PROGRESS = 200
Id = Annotated[str, Path(max_length=64)]
Key = Annotated[str, Header(max_length=100)]


def operators_only(request: Request) -> None:
    """Raise Refused, 403, for anybody else."""
    if viewer_of(request.state).role is not Role.OPERATOR:
        raise Refused(403, "this is for operators")


def long_work_routes(newest: Newest, bench: Bench, checking: Checking) -> APIRouter:
    """Return the routes."""
    router = APIRouter(dependencies=[Depends(operators_only)], responses=documented(403))

    @router.get("/experiments", response_model=Experiments, responses=documented(503))
    async def list_experiments() -> Response:
        """List what was ordered, the newest first."""
        shelf = _shelf(bench)
        told = [_body(one, shelf) for one in bench.all()]
        return JSONResponse({"schema": SCHEMA, "experiments": told}, headers=HEADERS)

    @router.post(
        "/experiments",
        status_code=202,
        response_model=ExperimentAnswer,
        responses=documented(413, 422, 429, 503),
    )
    async def order_experiment(
        order: Annotated[Order, ...], request: Request, idempotency_key: Key = ""
    ) -> Response:
        """Have something tried on the days of the recording.

        One is worked on at a time, after all else. The same `Idempotency-Key` orders once.
        """
        shelf, viewer = _shelf(bench), viewer_of(request.state)
        who = viewer.name or viewer.how
        try:
            one = await asyncio.to_thread(bench.post, order, who, idempotency_key)
        except Full as error:
            headers = {"Retry-After": "600"}
            raise Refused(429, f"{MOST_OPEN} experiments wait already", headers) from error
        except StorageError as error:
            raise Refused(503, "it cannot be kept at the moment") from error
        headers = {**HEADERS, "Location": f"experiments/{one.id}"}
        return JSONResponse(_answer(one, shelf), 202, headers=headers)

    @router.get(
        "/experiments/{experiment_id}",
        response_model=ExperimentAnswer,
        responses=documented(404, 422, 503),
    )
    async def experiment(experiment_id: Id) -> Response:
        """Tell how far one is."""
        shelf = _shelf(bench)
        return JSONResponse(_answer(_known(bench, experiment_id), shelf), headers=HEADERS)

    @router.delete(
        "/experiments/{experiment_id}",
        response_model=ExperimentAnswer,
        responses=documented(404, 422, 503),
    )
    async def drop_experiment(experiment_id: Id) -> Response:
        """Cancel one that waits or is worked on; forget one that is over, with its report."""
        shelf = _shelf(bench)
        dropped = await asyncio.to_thread(bench.drop, experiment_id)
        if dropped is None:
            raise Refused(404, "no such experiment")
        return JSONResponse(_answer(dropped, shelf), headers=HEADERS)

    @router.get(
        "/experiments/{experiment_id}/report",
        response_class=Response,
        responses=documented(404, 422, 503)
        | {200: {"content": {"text/html": {}, "application/json": {}}}},
    )
    async def experiment_report(experiment_id: Id, request: Request) -> Response:
        """Give what one came to: a page, or all figures to who accepts JSON and no HTML."""
        shelf, accepted = _shelf(bench), request.headers.get("accept", "")
        one = _known(bench, experiment_id)
        as_json = "json" in accepted and "html" not in accepted
        read = shelf.figures if as_json else shelf.report
        found = await asyncio.to_thread(read, one.id) if one.state == "finished" else None
        if found is None:
            raise Refused(404, "there is no report")
        kind = "application/json" if as_json else "text/html"
        return Response(found, media_type=kind, headers={**REPORT_HEADERS, "Vary": "Accept"})

    @router.get(
        "/experiments/{experiment_id}/events",
        response_class=StreamingResponse,
        responses=documented(404, 422, 503) | {200: {"content": {"text/event-stream": {}}}},
    )
    async def experiment_events(experiment_id: Id) -> Response:
        """Tell of all that changes, until it is over."""
        shelf = _shelf(bench)
        _known(bench, experiment_id)
        headers = {**HEADERS, "X-Accel-Buffering": "no"}
        stream = _stream(bench, shelf, experiment_id)
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    @router.post("/config-checks", response_model=Checked, responses=documented(413, 422, 503))
    async def check_config(check: ConfigCheck) -> Response:
        """Tell which settings of a slurm.conf are replicated and which not, and what would change.

        It is compared with the cluster as it was last seen; nothing is set.
        """
        running = None if newest.current is None else newest.current.snapshot
        told = await asyncio.to_thread(checking, check.slurm_conf, running)
        changes = told.pop("changes", None)
        body = {"schema": SCHEMA, "coverage": told, "changes": changes}
        return JSONResponse(body, headers=HEADERS)

    return router


async def _stream(bench: Bench, shelf: Shelf, id_: str) -> AsyncIterator[bytes]:
    told: Mapping[str, Any] | None = None
    silent_s = 0.0
    while (one := bench.get(id_)) is not None:
        body = _body(one, shelf)
        if body != told:
            yield event("experiment", body)
            told, silent_s = body, 0.0
        if not one.open:
            return
        await asyncio.sleep(LOOK_EVERY_S)
        silent_s += LOOK_EVERY_S
        if silent_s >= BEAT_EVERY_S:
            yield b": still here\n\n"
            silent_s = 0.0


def _shelf(bench: Bench) -> Shelf:
    if bench.shelf is None:
        raise Refused(503, "no folder for experiments is set up: service.experiments")
    return bench.shelf


def _known(bench: Bench, id_: str) -> Ordered:
    one = bench.get(id_)
    if one is None:
        raise Refused(404, "no such experiment")
    return one


def _answer(one: Ordered, shelf: Shelf) -> dict[str, Any]:
    return {"schema": SCHEMA, **_body(one, shelf)}


def _body(one: Ordered, shelf: Shelf) -> dict[str, Any]:
    progress = shelf.progress(one.id) if one.state == "running" else ""
    return {
        "id": one.id,
        "kind": one.order.kind,
        "state": one.state,
        "by": one.by,
        "created_at": instant(one.created_at),
        "begun_at": instant(one.begun_at),
        "ended_at": instant(one.ended_at),
        "progress": plain(progress, LONGEST_PROGRESS) or None,
        "cause": one.cause or None,
        "report": one.state == "finished" and shelf.has_report(one.id),
        "order": json.loads(one.order.model_dump_json()),
    }
