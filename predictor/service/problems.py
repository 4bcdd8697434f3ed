"""Errors as HTTP tells them: `application/problem+json` by RFC 9457."""

from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException

from predictor.service.bodies import Problem

MEDIA_TYPE = "application/problem+json"
LONGEST_ECHO = 200
PLAIN = "about:blank"
"""The type of what its status says all of."""
STARTING = "urn:queuecast:starting"
"""The type of the one refusal that ends by itself within seconds: nothing was forecast yet."""


class Refused(Exception):
    """A request gets no answer but this status and sentence."""

    def __init__(
        self,
        status: int,
        detail: str,
        headers: Mapping[str, str] | None = None,
        *,
        type_: str = PLAIN,
        errors: tuple[Mapping[str, str], ...] = (),
    ) -> None:
        self.status = status
        self.detail = detail
        self.headers = headers
        self.type_ = type_
        self.errors = errors
        super().__init__(detail)


Kind = Callable[[Exception], Refused]
"""Returns what an error of one kind is refused with."""
Page = Callable[[str, int, str], str]
"""Makes a page of a path, and of the status and the sentence that it gets."""


def problem(
    status: int,
    detail: str,
    instance: str,
    *,
    errors: tuple[Mapping[str, str], ...] = (),
    headers: Mapping[str, str] | None = None,
    type_: str = PLAIN,
) -> JSONResponse:
    """Return the response."""
    body = {
        "type": type_,
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "instance": instance[:LONGEST_ECHO],
        "errors": list(errors),
    }
    return JSONResponse(body, status, headers=_sent(headers), media_type=MEDIA_TYPE)


def _sent(headers: Mapping[str, str] | None) -> Mapping[str, str]:
    return {"Cache-Control": "no-store", **(headers or {})}


def tell_problems(app: FastAPI, page: Page) -> None:
    """Let the app answer every error in this form, but by a page who asks for one."""
    kinds: Mapping[type[Exception], Kind] = {
        Refused: _refused,
        RequestValidationError: _invalid,
        HTTPException: _http,
        Exception: _bug,
    }
    for error, told in kinds.items():
        app.add_exception_handler(error, _handler(told, page))


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the entries for these statuses in the OpenAPI document."""
    return {status: _entry(HTTPStatus(status).phrase) for status in statuses}


def _entry(description: str) -> dict[str, Any]:
    schema = Problem.model_json_schema()
    # In the document of the whole API, a reference to the schema's own definitions leads nowhere.
    schema["properties"]["errors"]["items"] = schema.pop("$defs")["Wrong"]
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}}


OTHERWISE: dict[int | str, dict[str, Any]] = {"default": _entry("Any other refusal")}
"""The entry for what every request may meet: a foreign Host name, a body, a query too long."""


def _handler(
    told: Kind, page: Page
) -> Callable[[Request, Exception], Coroutine[None, None, Response]]:
    async def handle(request: Request, error: Exception) -> Response:
        refused, path = told(error), request.url.path
        if path.startswith("/api/") or "text/html" not in request.headers.get("Accept", ""):
            return problem(
                refused.status,
                refused.detail,
                path,
                errors=refused.errors,
                headers=refused.headers,
                type_=refused.type_,
            )
        text = page(path, refused.status, refused.detail)
        return HTMLResponse(text, refused.status, headers=_sent(refused.headers))

    return handle


def _refused(error: Exception) -> Refused:
    assert isinstance(error, Refused)  # noqa: S101
    return error


def _invalid(error: Exception) -> Refused:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    errors = tuple(
        {"parameter": str(each["loc"][-1])[:LONGEST_ECHO], "detail": _sentence(each)}
        for each in error.errors()
    )
    detail = "; ".join(f"{each['parameter']}: {each['detail']}" for each in errors)
    return Refused(422, detail, errors=errors)


def _sentence(error: Mapping[str, Any]) -> str:
    """Return pydantic's message, or ours without the prefix that it gets there."""
    return str(error.get("ctx", {}).get("error") or error["msg"])


def _http(error: Exception) -> Refused:
    assert isinstance(error, HTTPException)  # noqa: S101
    phrase = HTTPStatus(error.status_code).description or str(error.detail)
    return Refused(error.status_code, phrase, error.headers)


def _bug(_error: Exception) -> Refused:
    return Refused(500, "a fault of ours; the log says more")
