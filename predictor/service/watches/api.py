"""`/watches`: what somebody wants to be told of."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, Response

from predictor.service.answering import Newest
from predictor.service.asking.identify import viewer_of
from predictor.service.problems import documented
from predictor.service.watches.bodies import WatchAnswer, WatchList, Wish, answer, listed
from predictor.service.watches.reception import Reception

HEADERS = {"Cache-Control": "no-store"}


def watch_routes(newest: Newest, reception: Reception) -> APIRouter:
    """Return the routes."""
    router = APIRouter(responses=documented(403))

    @router.get("/watches", response_model=WatchList)
    async def watches(request: Request) -> Response:
        """List the watches of who asks, and where notices may go."""
        viewer = viewer_of(request.state)
        own = reception.of(viewer)
        body = listed(own, reception.webhooks, reception.address(viewer))
        return JSONResponse(body, headers=HEADERS)

    @router.post(
        "/watches",
        status_code=201,
        response_model=WatchAnswer,
        responses=documented(404, 409, 413, 422, 503),
    )
    async def watch(wish: Wish, request: Request) -> Response:
        """Tell who asks when a job starts soon, slipped, or started.

        A watch that tells the same is kept once. It ends when its job has started.
        """
        kept = await reception.take(wish, viewer_of(request.state), newest)
        return JSONResponse(answer(kept), 201, headers=HEADERS)

    @router.delete(
        "/watches/{watch_id}", response_model=WatchAnswer, responses=documented(404, 422, 503)
    )
    async def unwatch(watch_id: Annotated[str, Path(max_length=64)], request: Request) -> Response:
        """Forget a watch of who asks."""
        forgotten = await reception.forget(watch_id, viewer_of(request.state))
        return JSONResponse(answer(forgotten), headers=HEADERS)

    return router
