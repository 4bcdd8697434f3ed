"""The addresses of the pages."""

import hashlib
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse, Response

from predictor.clock import Clock
from predictor.service.problems import Refused
from predictor.service.published import Board
from predictor.web.page import Filter, queue_page

KEPT_S = 5
"""For so long a finished page is given to everybody."""
FOREVER = "public, max-age=31536000, immutable"
LongestName = Query(max_length=64)


def pages(board: Board, clock: Clock) -> APIRouter:
    """Return the pages with their style sheet. All addresses in them are relative."""
    router = APIRouter(include_in_schema=False)
    style = files("predictor.web").joinpath("static/queuecast.css").read_bytes()
    digest = hashlib.sha256(style).hexdigest()[:12]
    kept = _Kept(board, clock, f"assets/{digest}.css")

    @router.get("/")
    async def queue(
        user: Annotated[str, LongestName] = "",
        partition: Annotated[str, LongestName] = "",
        by: Annotated[str, LongestName] = "",
    ) -> Response:
        chosen = Filter(user=user.strip(), partition=partition, by=by.strip())
        return HTMLResponse(kept.page(chosen), headers={"Cache-Control": "no-cache"})

    @router.get("/assets/{name}.css")
    async def stylesheet(name: str) -> Response:
        if name != digest:
            raise Refused(404, "no such style sheet")
        return Response(style, media_type="text/css", headers={"Cache-Control": FOREVER})

    return router


class _Kept:
    """Makes pages; the one for everybody is made anew every few seconds only."""

    def __init__(self, board: Board, clock: Clock, style: str) -> None:
        self._board = board
        self._clock = clock
        self._style = style
        self._made_for: tuple[object, int] | None = None
        self._page = ""

    def page(self, chosen: Filter) -> str:
        """Return the page as HTML."""
        current, now = self._board.current, self._clock.now()
        if chosen != Filter():
            return queue_page(current, chosen, now, self._style)
        made_for = (current, int(now / KEPT_S))
        # Identity, not equality: comparing two results would look at every job.
        if self._made_for is None or not _same(made_for, self._made_for):
            self._page = queue_page(current, chosen, now, self._style)
            self._made_for = made_for
        return self._page


def _same(one: tuple[object, int], other: tuple[object, int]) -> bool:
    return one[0] is other[0] and one[1] == other[1]
