"""Routes on a cluster as a whole: its schedule, the snapshot itself; who asks, and events."""

import asyncio
import json
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from predictor import hostlists
from predictor.lml import write
from predictor.service.answering import UNCHANGED, Newest, as_form, cached, freshness, unchanged
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Role
from predictor.service.bodies import SCHEMA, Me, Schedule
from predictor.service.herald import Herald
from predictor.service.problems import Refused, documented
from predictor.service.questions import By, deadline
from predictor.service.schedule import NO_NODES, Frame, schedule_body

LML = "application/xml"
MOST_NODES = 100_000
LONGEST = 4_000


class ScheduleQuestion(BaseModel):
    """Which part of the schedule."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    since: Annotated[By, Field(alias="from")] = None
    until: Annotated[By, Field(alias="to")] = None
    nodes: Annotated[str, Field(max_length=LONGEST)] = ""
    """A hostlist; empty: all."""
    partition: Annotated[str, Field(max_length=200)] = ""

    def frame(self) -> Frame:
        """Return the same as a frame. Raises Refused, 422."""
        return Frame(
            since=deadline(self.since),
            until=deadline(self.until),
            nodes=_expanded(self.nodes) if self.nodes else NO_NODES,
            partition=self.partition,
        )


def _expanded(text: str) -> frozenset[str]:
    try:
        if hostlists.size(text) > MOST_NODES:
            raise Refused(422, f"nodes: more than {MOST_NODES}")
        return frozenset(hostlists.expanded(text))
    except ValueError as error:
        raise Refused(422, f"nodes: {error}") from error


def cluster_routes(newest: Newest) -> APIRouter:
    """Return the routes below `/clusters/{cluster}`."""
    router = APIRouter(responses=documented(403, 404, 503))

    @router.get(
        "/clusters/{cluster}/plan",
        response_model=Schedule,
        responses=UNCHANGED | documented(422) | {200: {"content": {LML: {}}}},
    )
    async def plan(
        cluster: str, question: Annotated[ScheduleQuestion, Query()], request: Request
    ) -> Response:
        """Tell who holds which nodes when; jobs that are not shown are bars without a name.

        To who accepts XML and no JSON, which only operators may, all of it as LML.
        """
        viewer = viewer_of(request.state)
        if _wants_lml(request):
            return await whole(cluster, request)
        current, seen = newest.with_jobs(cluster, viewer)
        headers = as_form(cached(current, newest.now()), "")
        if same := unchanged(request, headers):
            return same
        head = freshness(current, newest.now())
        frame = question.frame()

        def made() -> bytes:
            return json.dumps({**head, **schedule_body(current, frame, seen, viewer)}).encode()

        body = await asyncio.to_thread(made)
        return Response(body, headers=headers, media_type="application/json")

    @router.get(
        "/clusters/{cluster}/snapshot",
        response_class=Response,
        responses=UNCHANGED | {200: {"content": {LML: {}}}},
    )
    async def snapshot(cluster: str, request: Request) -> Response:
        """Give the newest snapshot with its forecast as LML; to operators only."""
        return await whole(cluster, request)

    async def whole(cluster: str, request: Request) -> Response:
        if viewer_of(request.state).role is not Role.OPERATOR:
            raise Refused(403, "whole snapshots are for operators")
        current = newest.any(cluster)
        headers = as_form(cached(current, newest.now()), "lml")
        if same := unchanged(request, headers):
            return same
        text = await asyncio.to_thread(partial(write, current.snapshot, current.forecast))
        return Response(text, headers=headers, media_type=LML)

    return router


def _wants_lml(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return LML in accepted and "json" not in accepted and "html" not in accepted


def own_routes(newest: Newest, herald: Herald) -> APIRouter:
    """Return the routes about who asks, and for who listens."""
    router = APIRouter(responses=documented(503))

    @router.get("/me", response_model=Me)
    async def me(request: Request) -> Response:
        """Tell who asks, as far as known, and what that one may see."""
        viewer, current = viewer_of(request.state), newest.current
        sees = None
        if current is not None:
            seen = newest.seen_by(viewer, current)
            sees = "all" if seen.all else "none" if seen.nothing else "own"
        body = {
            "schema": SCHEMA,
            "user": viewer.name or None,
            "role": viewer.role.name.lower(),
            "how": viewer.how or viewer.trouble or None,
            "sees_jobs": sees,
        }
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    @router.get(
        "/events",
        response_class=StreamingResponse,
        responses={200: {"content": {"text/event-stream": {}}}},
    )
    async def events(
        request: Request, last_event_id: Annotated[str, Header(max_length=100)] = ""
    ) -> Response:
        """Tell of every new result, and of what it changes for the jobs of who listens."""
        stream = herald.listen(viewer_of(request.state), last_event_id)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    return router
