"""Errors as HTTP tells them: `application/problem+json` by RFC 9457."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
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
    ) -> None:
        self.status = status
        self.detail = detail
        self.headers = headers
        self.type_ = type_
        super().__init__(detail)


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
    sent = {"Cache-Control": "no-store", **(headers or {})}
    return JSONResponse(body, status, headers=sent, media_type=MEDIA_TYPE)


def tell_problems(app: FastAPI) -> None:
    """Let the app answer every error in this form."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _bug)


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


async def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, Refused)  # noqa: S101
    path = request.url.path
    return problem(error.status, error.detail, path, headers=error.headers, type_=error.type_)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    errors = tuple(
        {"parameter": str(each["loc"][-1])[:LONGEST_ECHO], "detail": _sentence(each)}
        for each in error.errors()
    )
    detail = "; ".join(f"{each['parameter']}: {each['detail']}" for each in errors)
    return problem(422, detail, request.url.path, errors=errors)


def _sentence(error: Mapping[str, Any]) -> str:
    """Return pydantic's message, or ours without the prefix that it gets there."""
    return str(error.get("ctx", {}).get("error") or error["msg"])


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101
    phrase = HTTPStatus(error.status_code).description or str(error.detail)
    return problem(error.status_code, phrase, request.url.path, headers=error.headers)


async def _bug(request: Request, error: Exception) -> JSONResponse:
    return problem(500, "a fault of ours; the log says more", request.url.path)
