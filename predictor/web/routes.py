"""The addresses of the pages."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from predictor.service.answering import Newest, row_of
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Sight, Viewer
from predictor.service.problems import Refused
from predictor.service.watches.reception import Reception
from predictor.service.whatif.asking import Supposing
from predictor.suppositions import Supposed
from predictor.web.about import about_page
from predictor.web.answers import again, told
from predictor.web.backstage import Around, Backstage, operators_pages
from predictor.web.forms import Forms
from predictor.web.frame import MEDIA_TYPES, Assets, Frame
from predictor.web.job import job_page
from predictor.web.mine import mine_page
from predictor.web.page import Filter, queue_page
from predictor.web.schedule import schedule_page
from predictor.web.watches import Fields, Ways, watches_page, wish_of
from predictor.web.weather import weather_page
from predictor.web.whatif import read, what_if_page

KEPT_S = 5
"""For so long a finished page is given to the same viewer."""
MOST_KEPT = 64
"""So many viewers' pages are kept at a time."""
FOREVER = "public, max-age=31536000, immutable"
LongestName = Query(max_length=64)


def pages(
    newest: Newest, supposing: Supposing, reception: Reception, behind: Backstage
) -> APIRouter:
    """Return the pages with what they load. All addresses in them are relative."""
    router = APIRouter(include_in_schema=False)
    forms = Forms()
    assets = Assets.read()
    kept = _Kept(newest)

    def frame(request: Request, here: str, root: str = "") -> Frame:
        return Frame(
            assets=assets,
            here=here,
            root=root,
            viewer=viewer_of(request.state),
            embed=request.query_params.get("embed") == "1",
            trouble=newest.trouble,
        )

    def sight(request: Request) -> Sight:
        current = newest.current
        return Sight() if current is None else newest.seen_by(viewer_of(request.state), current)

    @router.get("/")
    async def queue(
        request: Request,
        user: Annotated[str, LongestName] = "",
        partition: Annotated[str, LongestName] = "",
        by: Annotated[str, LongestName] = "",
    ) -> Response:
        chosen = Filter(user=user.strip(), partition=partition, by=by.strip())
        return told(kept.page(chosen, sight(request), frame(request, "Queue")))

    @router.get("/mine")
    async def mine(request: Request, by: Annotated[str, LongestName] = "") -> Response:
        around = frame(request, "My jobs")
        return told(mine_page(newest.current, by, sight(request), newest.now(), around))

    @router.get("/job/{job_id}")
    async def job(job_id: str, request: Request) -> Response:
        current, seen = newest.with_jobs(None, viewer_of(request.state))
        row = row_of(current, job_id, seen)
        return told(job_page(current, row, seen, newest.now(), frame(request, "", root="../")))

    @router.get("/schedule")
    async def schedule(request: Request, partition: Annotated[str, LongestName] = "") -> Response:
        around = frame(request, "Schedule")
        return told(schedule_page(newest.current, partition, sight(request), newest.now(), around))

    @router.get("/what-if")
    async def what_if(request: Request) -> Response:
        asked, viewer = read(request.query_params), viewer_of(request.state)
        current, supposed, seen = newest.current, list[Supposed](), sight(request)
        if current is not None and asked.question is not None and not seen.nothing:
            try:
                supposed = await supposing.about(current, asked.question, seen, viewer)
            except Refused as error:
                asked = replace(asked, refused=error.detail)
        around = frame(request, "What if")
        page = what_if_page(current, asked, supposed, newest.now(), around, blind=seen.nothing)
        return told(page)

    @router.get("/weather")
    async def weather(request: Request) -> Response:
        current, probes, hours = newest.current, newest.probes, newest.week
        around = frame(request, "Weather")
        return told(weather_page(current, probes, hours, newest.now(), around))

    @router.get("/about")
    async def about(request: Request) -> Response:
        return told(about_page(newest.current, newest.now(), frame(request, "About")))

    router.include_router(_watches(newest, reception, forms, frame))
    router.include_router(operators_pages(newest, behind, forms, frame))
    router.include_router(_files(assets))
    return router


def _watches(newest: Newest, reception: Reception, forms: Forms, frame: Around) -> APIRouter:
    router = APIRouter()

    def watching(
        request: Request, fields: Fields, status: int = 200, refused: str = ""
    ) -> Response:
        viewer, around = viewer_of(request.state), frame(request, "Watches", "")
        own = reception.of(viewer) if viewer.name else ()
        ways = Ways(mail=reception.address(viewer), webhooks=reception.webhooks)
        current, now, mark = newest.current, newest.now(), forms.mark(viewer)
        page = watches_page(current, own, ways, fields, mark, now, around, refused=refused)
        return told(page, status)

    @router.get("/watches")
    async def watches(
        request: Request, job: Annotated[str, Query(max_length=200)] = ""
    ) -> Response:
        return watching(request, {"job": [job]})

    @router.post("/watches")
    async def change_watches(request: Request) -> Response:
        viewer = viewer_of(request.state)
        reception.of(viewer)
        fields = await forms.read(request, viewer)
        try:
            for removed in fields.get("remove", ())[:1]:
                await reception.forget(removed, viewer)
                return again("watches")
            await reception.take(wish_of(fields), viewer, newest)
        except ValueError as error:
            return watching(request, fields, 422, str(error))
        except Refused as error:
            return watching(request, fields, error.status, error.detail)
        return again("watches")

    return router


def _files(assets: Assets) -> APIRouter:
    router = APIRouter()

    @router.get("/assets/{name}")
    async def asset(name: str) -> Response:
        if name not in assets.content:
            raise Refused(404, "no such file")
        kind = MEDIA_TYPES[name.rpartition(".")[2]]
        return Response(assets.content[name], media_type=kind, headers={"Cache-Control": FOREVER})

    return router


class _Kept:
    """Makes pages of the queue; those of a viewer are made anew every few seconds only."""

    def __init__(self, newest: Newest) -> None:
        self._newest = newest
        self._made_for: tuple[object, int] = (None, 0)
        self._pages: dict[tuple[Sight, Viewer, bool], str] = {}

    def page(self, chosen: Filter, seen: Sight, frame: Frame) -> str:
        """Return the page as HTML."""
        current, now = self._newest.current, self._newest.now()
        if chosen != Filter():
            return queue_page(current, chosen, seen, now, frame)
        # Identity, not equality: comparing two results would look at every job.
        if self._made_for[0] is not current or self._made_for[1] != int(now / KEPT_S):
            self._pages.clear()
            self._made_for = (current, int(now / KEPT_S))
        key = (seen, frame.viewer, frame.embed)
        if key not in self._pages:
            if len(self._pages) >= MOST_KEPT:
                self._pages.clear()
            self._pages[key] = queue_page(current, chosen, seen, now, frame)
        return self._pages[key]
