"""`POST /clusters/{cluster}/what-if`."""

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, Response

from predictor.service.answering import Newest, freshness
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Viewer
from predictor.service.problems import Refused, documented
from predictor.service.questions import deadline
from predictor.service.whatif.answers import Supposals, bodies
from predictor.service.whatif.asking import Supposing
from predictor.service.whatif.shapes import Unclear, WhatIf, suppositions


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
        try:
            supposed = suppositions(question, current.snapshot, seen, viewer.name)
        except Unclear as error:
            raise Refused(422, str(error)) from error
        told = await supposing.answers(current, supposed, question.draws, _purse(viewer))
        names = [shape.name for shape in question.shapes]
        body = {
            **freshness(current, newest.now()),
            "shapes": bodies(names, supposed, told, deadline(question.by)),
        }
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    return router


def _purse(viewer: Viewer) -> str:
    """Return on whose account a question goes: all who are not known share one."""
    return viewer.name or viewer.how
