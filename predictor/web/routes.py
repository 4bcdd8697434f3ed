"""The addresses of the pages."""

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from prometheus_client import CollectorRegistry

from predictor.service.answering import Newest, row_of
from predictor.service.asking.identify import viewer_of
from predictor.service.asking.viewers import Sight, Viewer
from predictor.service.longwork.api import REPORT_HEADERS, operators_only
from predictor.service.longwork.bench import Bench
from predictor.service.problems import Refused
from predictor.service.published import Published
from predictor.service.watches.reception import Reception
from predictor.service.whatif.asking import Supposing
from predictor.suppositions import Supposed
from predictor.web.about import about_page
from predictor.web.experiments import experiments_page
from predictor.web.figures import Figures
from predictor.web.forms import Forms
from predictor.web.frame import MEDIA_TYPES, Assets, Frame
from predictor.web.job import job_page
from predictor.web.mine import mine_page
from predictor.web.operation import operation_page
from predictor.web.page import Filter, queue_page
from predictor.web.recorded import Looking
from predictor.web.schedule import schedule_page
from predictor.web.tries import report_of, tries
from predictor.web.watches import Fields, Ways, watches_page, wish_of
from predictor.web.weather import weather_page
from predictor.web.whatif import read, what_if_page

KEPT_S = 5
"""For so long a finished page is given to the same viewer."""
MOST_KEPT = 64
"""So many viewers' pages are kept at a time."""
FOREVER = "public, max-age=31536000, immutable"
FRESH = {"Cache-Control": "no-cache", "Vary": "Authorization"}
LongestName = Query(max_length=64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Backstage:
    """What only operators are shown."""

    registry: CollectorRegistry
    recording: Path
    experiments: Path | None = None
    """Where sweeps and comparisons lie; None: they are not shown."""
    bench: Bench | None = None
    """Where experiments are made; None: nowhere."""


def pages(
    newest: Newest, supposing: Supposing, reception: Reception, behind: Backstage
) -> APIRouter:
    """Return the pages with what they load. All addresses in them are relative."""
    router = APIRouter(include_in_schema=False)
    forms = Forms()
    assets = Assets.read()
    kept = _Kept(newest)
    looking = Looking(behind.recording)

    def frame(request: Request, here: str, root: str = "") -> Frame:
        return Frame(
            assets=assets,
            here=here,
            root=root,
            viewer=viewer_of(request.state),
            embed=request.query_params.get("embed") == "1",
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
        return _told(kept.page(chosen, sight(request), frame(request, "Queue")))

    @router.get("/mine")
    async def mine(request: Request, by: Annotated[str, LongestName] = "") -> Response:
        around = frame(request, "My jobs")
        return _told(mine_page(newest.current, by, sight(request), newest.now(), around))

    def watching(
        request: Request, fields: Fields, status: int = 200, refused: str = ""
    ) -> Response:
        viewer, around = viewer_of(request.state), frame(request, "Watches")
        own = reception.of(viewer) if viewer.name else ()
        ways = Ways(mail=reception.address(viewer), webhooks=reception.webhooks)
        current, now, mark = newest.current, newest.now(), forms.mark(viewer)
        page = watches_page(current, own, ways, fields, mark, now, around, refused=refused)
        return _told(page, status)

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
                return _again("watches")
            await reception.take(wish_of(fields), viewer, newest)
        except ValueError as error:
            return watching(request, fields, 422, str(error))
        except Refused as error:
            return watching(request, fields, error.status, error.detail)
        return _again("watches")

    @router.get("/job/{job_id}")
    async def job(job_id: str, request: Request) -> Response:
        current, seen = newest.with_jobs(None, viewer_of(request.state))
        row = row_of(current, job_id, seen)
        return _told(job_page(current, row, seen, newest.now(), frame(request, "", root="../")))

    @router.get("/schedule")
    async def schedule(request: Request, partition: Annotated[str, LongestName] = "") -> Response:
        around = frame(request, "Schedule")
        return _told(schedule_page(newest.current, partition, sight(request), newest.now(), around))

    @router.get("/what-if")
    async def what_if(request: Request) -> Response:
        asked, viewer = read(request.query_params), viewer_of(request.state)
        current, told, seen = newest.current, list[Supposed](), sight(request)
        if current is not None and asked.question is not None and not seen.nothing:
            try:
                told = await supposing.about(current, asked.question, seen, viewer)
            except Refused as error:
                asked = replace(asked, refused=error.detail)
        around = frame(request, "What if")
        page = what_if_page(current, asked, told, newest.now(), around, blind=seen.nothing)
        return _told(page)

    @router.get("/weather")
    async def weather(request: Request) -> Response:
        current, probes, hours = newest.current, newest.probes, newest.week
        around = frame(request, "Weather")
        return _told(weather_page(current, probes, hours, newest.now(), around))

    @router.get("/operation")
    async def operation(request: Request) -> Response:
        operators_only(request)
        current, around = newest.current, frame(request, "Operation")
        make = partial(_operation, current, behind.registry, looking, newest.now(), around)
        return _told(await asyncio.to_thread(make))

    @router.get("/experiments")
    async def experiments(request: Request) -> Response:
        operators_only(request)
        now, folder = newest.now(), behind.experiments
        found = None if folder is None else await asyncio.to_thread(tries, folder, now)
        around = frame(request, "Experiments")
        ordered = () if behind.bench is None else behind.bench.all()
        return _told(experiments_page(newest.current, found, ordered, now, around))

    @router.get("/experiments/{name}/report")
    async def report(name: str, request: Request) -> Response:
        operators_only(request)
        folder = behind.experiments
        found = None
        if folder is not None:
            found = await asyncio.to_thread(report_of, folder, name, newest.now())
        if found is None:
            raise Refused(404, "no such report")
        return Response(found, media_type="text/html", headers=dict(REPORT_HEADERS))

    @router.get("/about")
    async def about(request: Request) -> Response:
        return _told(about_page(newest.current, newest.now(), frame(request, "About")))

    @router.get("/assets/{name}")
    async def asset(name: str) -> Response:
        if name not in assets.content:
            raise Refused(404, "no such file")
        kind = MEDIA_TYPES[name.rpartition(".")[2]]
        return Response(assets.content[name], media_type=kind, headers={"Cache-Control": FOREVER})

    return router


def _operation(
    current: Published | None,
    registry: CollectorRegistry,
    looking: Looking,
    now: float,
    frame: Frame,
) -> str:
    kept = None
    if current is not None:
        kept = looking.recorded(now, current.terms.interval_s, current.utc_offset_s)
    return operation_page(current, Figures(registry), kept, now, frame)


def _told(page: str, status: int = 200) -> Response:
    return HTMLResponse(page, status, headers=FRESH)


def _again(page: str) -> Response:
    """Return what leads back to a page, so that loading it anew sends nothing twice."""
    return Response(status_code=303, headers={"Location": page, "Cache-Control": "no-store"})


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
