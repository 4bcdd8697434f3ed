"""The addresses of the pages."""

import hashlib
from importlib.resources import files
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from predictor.service.answering import Newest
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Sight, Viewer
from predictor.service.problems import Refused
from predictor.web.page import Filter, queue_page

KEPT_S = 5
"""For so long a finished page is given to everybody."""
FOREVER = "public, max-age=31536000, immutable"
LongestName = Query(max_length=64)


def pages(newest: Newest) -> APIRouter:
    """Return the pages with their style sheet. All addresses in them are relative."""
    router = APIRouter(include_in_schema=False)
    style = files("predictor.web").joinpath("static/queuecast.css").read_bytes()
    digest = hashlib.sha256(style).hexdigest()[:12]
    kept = _Kept(newest, f"assets/{digest}.css")

    @router.get("/")
    async def queue(
        request: Request,
        user: Annotated[str, LongestName] = "",
        partition: Annotated[str, LongestName] = "",
        by: Annotated[str, LongestName] = "",
    ) -> Response:
        chosen = Filter(user=user.strip(), partition=partition, by=by.strip())
        page = kept.page(chosen, viewer_of(request.state))
        return HTMLResponse(page, headers={"Cache-Control": "no-cache", "Vary": "Authorization"})

    @router.get("/assets/{name}.css")
    async def stylesheet(name: str) -> Response:
        if name != digest:
            raise Refused(404, "no such style sheet")
        return Response(style, media_type="text/css", headers={"Cache-Control": FOREVER})

    return router


class _Kept:
    """Makes pages; the ones for all who see the same are made anew every few seconds only."""

    def __init__(self, newest: Newest, style: str) -> None:
        self._newest = newest
        self._style = style
        self._made_for: tuple[object, int] = (None, 0)
        self._pages: dict[Sight, str] = {}

    def page(self, chosen: Filter, viewer: Viewer) -> str:
        """Return the page as HTML."""
        current, now = self._newest.current, self._newest.now()
        seen = Sight() if current is None else self._newest.seen_by(viewer, current)
        if chosen != Filter() or seen.own:
            return queue_page(current, chosen, seen, now, self._style)
        # Identity, not equality: comparing two results would look at every job.
        if self._made_for[0] is not current or self._made_for[1] != int(now / KEPT_S):
            self._pages.clear()
            self._made_for = (current, int(now / KEPT_S))
        if seen not in self._pages:
            self._pages[seen] = queue_page(current, chosen, seen, now, self._style)
        return self._pages[seen]
