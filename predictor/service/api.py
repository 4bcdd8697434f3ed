"""The HTTP API: answers from the newest result, never computes and never waits."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from prometheus_client.exposition import choose_encoder
from starlette.types import ASGIApp

from predictor.clock import Clock
from predictor.service.answering import (
    UNCHANGED,
    Newest,
    as_form,
    cached,
    cluster_body,
    one_job,
    page,
    unchanged,
)
from predictor.service.asking.identify import viewer_of
from predictor.service.bodies import SCHEMA, Cluster, Clusters, Forecasts, Health, JobAnswer
from predictor.service.cluster_api import cluster_routes, own_routes
from predictor.service.guard import Guard
from predictor.service.herald import Herald
from predictor.service.jobs_table import jobs_table
from predictor.service.longwork.api import long_work_routes
from predictor.service.longwork.bench import Bench
from predictor.service.longwork.checking import Checking
from predictor.service.metrics import Metrics
from predictor.service.parts_api import job_parts_routes, parts_routes
from predictor.service.problems import OTHERWISE, Refused, documented, tell_problems
from predictor.service.questions import By, JobsQuestion, deadline
from predictor.service.watches.api import watch_routes
from predictor.service.watches.reception import Reception
from predictor.service.whatif.api import what_if_routes
from predictor.service.whatif.asking import Supposing
from predictor.web.refused import refused_page

API = "/api/v1"
JSON = "application/json"
CSV = "text/csv"


def application(
    newest: Newest,
    metrics: Metrics,
    clock: Clock,
    hosts: frozenset[str],
    pages: APIRouter,
    known_by: Callable[[ASGIApp], ASGIApp],
    supposing: Supposing,
    reception: Reception,
    bench: Bench,
    checking: Checking,
    frame_ancestors: Sequence[str] = (),
) -> ASGIApp:
    """Return the guarded application: API, health, metrics, and the pages given.

    `hosts` are names besides the loopback ones by which it may be called. `known_by` wraps what
    is to know who asks. Pages of the origins `frame_ancestors` may have ours in a frame.
    """
    herald = Herald(newest)
    metrics.listened_to_by(lambda: herald.listeners)
    app = documented_app(newest, supposing, herald, reception, bench, checking)
    app.include_router(_for_machines(metrics))
    app.include_router(pages)
    return Guard(
        known_by(app),
        hosts=hosts,
        metrics=metrics,
        clock=clock,
        frame_ancestors=frame_ancestors,
    )


def documented_app(
    newest: Newest,
    supposing: Supposing,
    herald: Herald,
    reception: Reception,
    bench: Bench,
    checking: Checking,
) -> FastAPI:
    """Return the part that the OpenAPI document describes."""
    app = FastAPI(
        title="queuecast",
        version="1",
        description="When the waiting jobs of a batch cluster will start, and why not sooner.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=OTHERWISE,
        generate_unique_id_function=_operation,
    )
    tell_problems(app, refused_page)
    app.include_router(_jobs(newest))
    app.include_router(cluster_routes(newest), prefix=API)
    app.include_router(parts_routes(newest), prefix=API)
    app.include_router(job_parts_routes(newest), prefix=API)
    app.include_router(what_if_routes(newest, supposing), prefix=API)
    app.include_router(watch_routes(newest, reception), prefix=API)
    app.include_router(long_work_routes(newest, bench, checking), prefix=API)
    app.include_router(own_routes(newest, herald), prefix=API)
    app.include_router(_health(newest))
    return app


def _jobs(newest: Newest) -> APIRouter:
    router = APIRouter(prefix=API, responses=documented(503))

    @router.get("/clusters", response_model=Clusters, responses=UNCHANGED)
    async def clusters(request: Request) -> Response:
        """List the clusters served here."""
        current, now = newest.any(), newest.now()
        headers = cached(current, now)
        body = {"schema": SCHEMA, "clusters": [cluster_body(current, now)]}
        return unchanged(request, headers) or JSONResponse(body, headers=headers)

    @router.get(
        "/clusters/{cluster}", response_model=Cluster, responses=UNCHANGED | documented(404)
    )
    async def cluster(cluster: str, request: Request) -> Response:
        """Tell a cluster's numbers."""
        current, now = newest.any(cluster), newest.now()
        headers = cached(current, now)
        body = cluster_body(current, now)
        return unchanged(request, headers) or JSONResponse(body, headers=headers)

    @router.get(
        "/clusters/{cluster}/forecasts",
        response_model=Forecasts,
        responses=UNCHANGED | documented(403, 404, 422) | {200: {"content": {CSV: {}}}},
    )
    async def forecasts(
        cluster: str, question: Annotated[JobsQuestion, Query()], request: Request
    ) -> Response:
        """List jobs and when they will start, the waiting ones in queue order."""
        current, seen = newest.with_jobs(cluster, viewer_of(request.state))
        now = newest.now()
        as_csv = question.format == "csv" or (question.format is None and _wants_csv(request))
        headers = as_form(cached(current, now), "csv" if as_csv else "")
        if same := unchanged(request, headers):
            return same
        body, more = page(
            current,
            question.query(seen),
            question.cursor,
            question.limit,
            now,
            deadline(question.by),
        )
        if more is not None:
            wanted = {**request.query_params, "cursor": more}
            headers = {**headers, "Link": f'<?{urlencode(wanted)}>; rel="next"'}
        if as_csv:
            text = await asyncio.to_thread(jobs_table, body)
            return Response(text, headers=headers, media_type=CSV)
        return Response(body, headers=headers, media_type=JSON)

    @router.get(
        "/clusters/{cluster}/jobs/{job_id}",
        response_model=JobAnswer,
        responses=UNCHANGED | documented(403, 404, 422),
    )
    async def job(cluster: str, job_id: str, request: Request, by: By = None) -> Response:
        """Tell what is known of one job; of an array's id, of its next record in the queue."""
        current, seen = newest.with_jobs(cluster, viewer_of(request.state))
        now = newest.now()
        headers = cached(current, now)
        body = one_job(current, job_id, seen, now, deadline(by))
        return unchanged(request, headers) or Response(body, headers=headers, media_type=JSON)

    return router


def _health(newest: Newest) -> APIRouter:
    router = APIRouter()

    @router.get("/healthz", response_model=Health)
    async def healthz() -> Response:
        """Tell that the process answers."""
        return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})

    @router.get("/readyz", response_model=Health, responses=documented(503))
    async def readyz() -> Response:
        """Tell whether a forecast is there and fresh enough."""
        current = newest.any()
        if current.stale(newest.now()):
            raise Refused(503, f"the newest snapshot is {current.age_s(newest.now())} s old")
        return JSONResponse({"status": "ok"}, headers={"Cache-Control": "no-store"})

    return router


def _for_machines(metrics: Metrics) -> APIRouter:
    router = APIRouter(include_in_schema=False)

    @router.get("/metrics")
    async def metrics_page(request: Request) -> Response:
        encode, media_type = choose_encoder(request.headers.get("accept", ""))
        return Response(encode(metrics.registry), media_type=media_type)

    return router


def _wants_csv(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return CSV in accepted and JSON not in accepted


def _operation(route: APIRoute) -> str:
    return route.name
