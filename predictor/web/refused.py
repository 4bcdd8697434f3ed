"""What a browser shows instead of a page that it does not get."""

from functools import cache
from http import HTTPStatus

from predictor.cli.terminal import plain
from predictor.web.frame import Assets, Frame

_assets = cache(Assets.read)


def refused_page(path: str, status: int, detail: str) -> str:
    """Return a page that says why there is none at that path, and leads back to the first."""
    frame = Frame(assets=_assets(), here="", root="../" * max(0, path.count("/") - 1))
    return frame.alone(
        "refused.html", title=HTTPStatus(status).phrase, detail=plain(detail).rstrip(".")
    )
