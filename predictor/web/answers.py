"""From a page to an answer."""

from fastapi.responses import HTMLResponse, Response

FRESH = {"Cache-Control": "no-cache", "Vary": "Authorization"}


def told(page: str, status: int = 200) -> Response:
    """Return a page as an answer that is asked for anew each time."""
    return HTMLResponse(page, status, headers=FRESH)


def again(page: str) -> Response:
    """Return what leads back to a page, so that loading it anew sends nothing twice."""
    return Response(status_code=303, headers={"Location": page, "Cache-Control": "no-store"})
