"""The pages for operators: how the service does, and what was tried."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response
from prometheus_client import CollectorRegistry
from pydantic import ValidationError

from predictor.errors import StorageError
from predictor.service.answering import Newest
from predictor.service.asking.identify import viewer_of
from predictor.service.longwork.api import REPORT_HEADERS, operators_only
from predictor.service.longwork.bench import MOST_OPEN, Bench, Full
from predictor.service.longwork.checking import Checking
from predictor.service.longwork.orders import ConfigCheck
from predictor.service.longwork.shelf import Ordered
from predictor.service.problems import Refused
from predictor.service.published import Published
from predictor.web.answers import again
from predictor.web.answers import told as answered
from predictor.web.check import check_page
from predictor.web.compare import Side, compare_page, side_of_order, side_of_try
from predictor.web.experiments import experiments_page
from predictor.web.figures import Figures
from predictor.web.forms import Forms
from predictor.web.frame import Frame
from predictor.web.operation import operation_page
from predictor.web.recorded import Looking
from predictor.web.tries import report_of, tries, try_of

LongestId = Query(max_length=100)
LONGEST_KEY = 100
Around = Callable[[Request, str, str], Frame]
"""Makes what is around a page: of a request, the page's name, the way up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Backstage:
    """What only operators are shown."""

    registry: CollectorRegistry
    recording: Path
    experiments: Path | None = None
    """Where sweeps and comparisons lie; None: they are not shown."""
    bench: Bench | None = None
    """Where experiments are made; None: nowhere."""
    checking: Checking
    """Looks at what is proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Desk:
    """Makes the pages that several addresses answer with."""

    newest: Newest
    behind: Backstage
    forms: Forms
    frame: Around

    async def experiments(
        self, request: Request, status: int = 200, refused: str = "", root: str = ""
    ) -> Response:
        viewer, now, folder = viewer_of(request.state), self.newest.now(), self.behind.experiments
        found = None if folder is None else await asyncio.to_thread(tries, folder, now)
        page = experiments_page(
            self.newest.current,
            found,
            await asyncio.to_thread(_with_progress, self.behind.bench),
            now,
            self.frame(request, "Experiments", root),
            mark=self.forms.mark(viewer),
            key=secrets.token_hex(8),
            refused=refused,
        )
        return answered(page, status)

    def checked(
        self,
        request: Request,
        text: str,
        told: Mapping[str, Any] | None = None,
        status: int = 200,
        refused: str = "",
    ) -> Response:
        mark = self.forms.mark(viewer_of(request.state))
        around, now = self.frame(request, "Experiments", "../"), self.newest.now()
        page = check_page(self.newest.current, text, told, mark, now, around, refused=refused)
        return answered(page, status)


def operators_pages(newest: Newest, behind: Backstage, forms: Forms, frame: Around) -> APIRouter:
    """Return them."""
    desk = _Desk(newest=newest, behind=behind, forms=forms, frame=frame)
    router = APIRouter()
    router.include_router(_operation_pages(desk))
    router.include_router(_experiments_pages(desk))
    router.include_router(_check_pages(desk))
    return router


def _operation_pages(desk: _Desk) -> APIRouter:
    newest, registry = desk.newest, desk.behind.registry
    router, looking = APIRouter(), Looking(desk.behind.recording)

    @router.get("/operation")
    async def operation(request: Request) -> Response:
        operators_only(request)
        current, around = newest.current, desk.frame(request, "Operation", "")
        make = partial(_operation, current, registry, looking, newest.now(), around)
        return answered(await asyncio.to_thread(make))

    return router


def _experiments_pages(desk: _Desk) -> APIRouter:
    newest, behind, forms = desk.newest, desk.behind, desk.forms
    router = APIRouter()

    @router.get("/experiments")
    async def experiments(request: Request) -> Response:
        operators_only(request)
        return await desk.experiments(request)

    @router.post("/experiments")
    async def run_again(request: Request) -> Response:
        operators_only(request)
        viewer = viewer_of(request.state)
        fields = await forms.read(request, viewer)
        chosen, key = (fields.get(name, [""])[0] for name in ("again", "key"))
        before = None if behind.bench is None else behind.bench.get(chosen)
        if behind.bench is None or before is None:
            return await desk.experiments(request, 404, "That experiment is not known any more.")
        try:
            who = viewer.name or viewer.how
            await asyncio.to_thread(
                behind.bench.post, before.order, who, key and f"page {key[:LONGEST_KEY]}"
            )
        except Full:
            waiting = f"{MOST_OPEN} experiments wait already: cancel one, or come back later."
            return await desk.experiments(request, 429, waiting)
        except StorageError:
            return await desk.experiments(request, 503, "It cannot be kept at the moment.")
        return again("experiments")

    @router.get("/experiments/compare")
    async def compare(
        request: Request, of: Annotated[list[Annotated[str, LongestId]] | None, Query()] = None
    ) -> Response:
        operators_only(request)
        current, chosen, now = newest.current, of or [], newest.now()
        if len(chosen) != 2:
            return await desk.experiments(request, 422, "Tick two, no more and no less.", "../")
        first, second = [
            await asyncio.to_thread(_side, behind, name, current, now) for name in chosen
        ]
        around = desk.frame(request, "Experiments", "../")
        return answered(compare_page(current, first, second, now, around))

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

    return router


def _check_pages(desk: _Desk) -> APIRouter:
    newest, forms = desk.newest, desk.forms
    router = APIRouter()

    @router.get("/experiments/check")
    async def check(request: Request) -> Response:
        operators_only(request)
        return desk.checked(request, "")

    @router.post("/experiments/check")
    async def check_config(request: Request) -> Response:
        operators_only(request)
        fields = await forms.read(request, viewer_of(request.state))
        text = fields.get("conf", [""])[0]
        running = None if newest.current is None else newest.current.snapshot
        try:
            wish = ConfigCheck.model_validate({"slurm_conf": text})
            told = await asyncio.to_thread(desk.behind.checking, wish.slurm_conf, running)
        except ValidationError as error:
            return desk.checked(request, text, status=422, refused=error.errors()[0]["msg"])
        except Refused as error:
            return desk.checked(request, text, status=error.status, refused=error.detail)
        return desk.checked(request, text, told)

    return router


def _with_progress(bench: Bench | None) -> list[tuple[Ordered, str]]:
    """Return all that were ordered, each with what was told of it last as long as it is made."""
    if bench is None or bench.shelf is None:
        return []
    shelf = bench.shelf
    return [(one, shelf.progress(one.id) if one.state == "running" else "") for one in bench.all()]


def _side(behind: Backstage, name: str, current: Published | None, now: float) -> Side:
    bench, folder = behind.bench, behind.experiments
    ordered = None if bench is None else bench.get(name)
    if bench is not None and bench.shelf is not None and ordered is not None:
        return side_of_order(ordered, bench.shelf.figures(name), current, now)
    found = None if folder is None else try_of(folder, name, now)
    if found is None:
        raise Refused(404, "no such experiment")
    return side_of_try(found, current, now)


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
