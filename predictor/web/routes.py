"""The addresses of the pages."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response

from predictor.service.answering import Newest, row_of
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Sight, Viewer
from predictor.service.problems import Refused
from predictor.service.whatif.asking import Supposing
from predictor.supposing import Supposed
from predictor.web.about import about_page
from predictor.web.frame import MEDIA_TYPES, Assets, Frame
from predictor.web.job import job_page
from predictor.web.page import Filter, queue_page
from predictor.web.schedule import schedule_page
from predictor.web.whatif import read, what_if_page

KEPT_S = 5
"""For so long a finished page is given to everybody."""
FOREVER = "public, max-age=31536000, immutable"
FRESH = {"Cache-Control": "no-cache", "Vary": "Authorization"}
LongestName = Query(max_length=64)


def pages(newest: Newest, supposing: Supposing) -> APIRouter:
    """Return the pages with what they load. All addresses in them are relative."""
    router = APIRouter(include_in_schema=False)
    assets = Assets.read()
    kept = _Kept(newest, Frame(assets=assets, here="Queue"))

    @router.get("/")
    async def queue(
        request: Request,
        user: Annotated[str, LongestName] = "",
        partition: Annotated[str, LongestName] = "",
        by: Annotated[str, LongestName] = "",
    ) -> Response:
        chosen = Filter(user=user.strip(), partition=partition, by=by.strip())
        return HTMLResponse(kept.page(chosen, viewer_of(request.state)), headers=FRESH)

    @router.get("/job/{job_id}")
    async def job(job_id: str, request: Request) -> Response:
        current, seen = newest.with_jobs(None, viewer_of(request.state))
        row = row_of(current, job_id, seen)
        page = job_page(current, row, newest.now(), Frame(assets=assets, here="", root="../"))
        return HTMLResponse(page, headers=FRESH)

    @router.get("/schedule")
    async def schedule(request: Request, partition: Annotated[str, LongestName] = "") -> Response:
        current, viewer = newest.current, viewer_of(request.state)
        seen = Sight() if current is None else newest.seen_by(viewer, current)
        frame = Frame(assets=assets, here="Schedule")
        return HTMLResponse(
            schedule_page(current, partition, seen, newest.now(), frame), headers=FRESH
        )

    @router.get("/what-if")
    async def what_if(request: Request) -> Response:
        asked, viewer = read(request.query_params), viewer_of(request.state)
        current, told = newest.current, list[Supposed]()
        seen = Sight() if current is None else newest.seen_by(viewer, current)
        if current is not None and asked.question is not None and not seen.nothing:
            try:
                told = await supposing.about(current, asked.question, seen, viewer)
            except Refused as error:
                asked = replace(asked, refused=error.detail)
        frame = Frame(assets=assets, here="What if")
        page = what_if_page(current, asked, told, newest.now(), frame, blind=seen.nothing)
        return HTMLResponse(page, headers=FRESH)

    @router.get("/about")
    async def about() -> Response:
        page = about_page(newest.current, newest.now(), Frame(assets=assets, here="About"))
        return HTMLResponse(page, headers=FRESH)

    @router.get("/assets/{name}")
    async def asset(name: str) -> Response:
        if name not in assets.content:
            raise Refused(404, "no such file")
        kind = MEDIA_TYPES[name.rpartition(".")[2]]
        return Response(assets.content[name], media_type=kind, headers={"Cache-Control": FOREVER})

    return router


class _Kept:
    """Makes pages; the ones for all who see the same are made anew every few seconds only."""

    def __init__(self, newest: Newest, frame: Frame) -> None:
        self._newest = newest
        self._frame = frame
        self._made_for: tuple[object, int] = (None, 0)
        self._pages: dict[Sight, str] = {}

    def page(self, chosen: Filter, viewer: Viewer) -> str:
        """Return the page as HTML."""
        current, now = self._newest.current, self._newest.now()
        seen = Sight() if current is None else self._newest.seen_by(viewer, current)
        if chosen != Filter() or seen.own:
            return queue_page(current, chosen, seen, now, self._frame)
        # Identity, not equality: comparing two results would look at every job.
        if self._made_for[0] is not current or self._made_for[1] != int(now / KEPT_S):
            self._pages.clear()
            self._made_for = (current, int(now / KEPT_S))
        if seen not in self._pages:
            self._pages[seen] = queue_page(current, chosen, seen, now, self._frame)
        return self._pages[seen]
