"""`POST /clusters/{cluster}/what-if`."""

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from predictor.service.answering import Newest, freshness
from predictor.service.asking.identify import viewer_of
from predictor.service.problems import documented
from predictor.service.whatif.answers import Supposals, bodies
from predictor.service.whatif.asking import Supposing
from predictor.service.whatif.shapes import WhatIf


def what_if_routes(newest: Newest, supposing: Supposing) -> APIRouter:
    """Return the route."""
    router = APIRouter(responses=documented(503))

    @router.post(
        "/clusters/{cluster}/what-if",
        response_model=Supposals,
        responses=documented(403, 404, 413, 422, 429),
    )
    async def what_if(cluster: str, question: WhatIf, request: Request) -> Response:
        """Tell when jobs would start that nobody has submitted, or if they asked for less.

        Nothing is submitted. Each shape is supposed alone, on the newest snapshot.
        """
        viewer = viewer_of(request.state)
        current, seen = newest.with_jobs(cluster, viewer)
        told = await supposing.about(current, question, seen, viewer)
        body = {
            **freshness(current, newest.now()),
            "shapes": bodies(question, told),
        }
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    return router
