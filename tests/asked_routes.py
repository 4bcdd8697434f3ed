"""Every route of the application, read off the application itself, so that none is forgotten."""

from collections.abc import Iterable, Iterator
from typing import Any

from starlette.types import ASGIApp

Asked = tuple[str, str]
"""A method and a path with its parameters."""


PLACES = {"cluster": "scene", "watch_id": "w", "experiment_id": "x", "name": "queuecast.css"}
"""What stands in paths for their parameters, where nothing else is meant."""


def placed(path: str, **named: str) -> str:
    """Return the path with something in the place of each parameter. Raises KeyError."""
    return path.format(**PLACES | named)


def routes_of(app: ASGIApp) -> set[Asked]:
    """Return the routes of an application as tests put it together."""
    return set(_routes(app._app.app.routes, ""))  # type: ignore[attr-defined]


def _routes(routes: Iterable[Any], prefix: str) -> Iterator[Asked]:
    for one in routes:
        if hasattr(one, "original_router"):  # as newer releases of FastAPI keep what was included
            yield from _routes(one.original_router.routes, prefix + one.include_context.prefix)
        else:
            yield from ((method, prefix + one.path) for method in one.methods - {"HEAD"})
