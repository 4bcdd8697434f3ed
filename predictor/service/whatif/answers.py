"""What is told of a supposition."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from predictor.service.bodies import Body, Deadline, Freshness, Quality
from predictor.service.chances import deadline_body, outlook_body
from predictor.service.questions import deadline
from predictor.service.whatif.shapes import Shape, WhatIf
from predictor.suppositions import Supposed


class Supposal(Body):
    """What would become of one shape."""

    shape: int
    """Its number in the question, from 1."""
    name: str
    instead_of: str | None
    likely_start: str | None
    """Null: it would never start, or the time did not suffice; `detail` tells."""
    likely_start_epoch: int | None
    p10: str | None
    p50: str | None
    p90: str | None
    by95: str | None
    basis: str | None
    quality: Quality | None
    not_predicted_reason: str | None
    detail: str
    deadline: Deadline | None


class Supposals(Freshness):
    """The answers, in the order of the question's shapes."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    shapes: list[Supposal]


def bodies(question: WhatIf, told: Sequence[Supposed]) -> list[Mapping[str, Any]]:
    """Return what is told of the question's shapes, in their order."""
    by = deadline(question.by)
    return [
        _body(number, shape, one, by)
        for number, (shape, one) in enumerate(zip(question.shapes, told, strict=True), start=1)
    ]


def _body(number: int, shape: Shape, told: Supposed, by: int | None) -> Mapping[str, Any]:
    outlook, refusal = told.outlook, told.refusal
    return {
        "shape": number,
        "name": shape.name,
        "instead_of": shape.instead_of or None,
        "likely_start": outlook_body(outlook)["p50"],
        "likely_start_epoch": None if outlook is None else outlook.likely_at,
        **outlook_body(outlook),
        "not_predicted_reason": refusal.cause.value if refusal else None,
        "detail": _detail(told),
        "deadline": deadline_body(outlook, by),
    }


def _detail(told: Supposed) -> str:
    if told.refusal is not None:
        return told.refusal.detail
    return "" if told.outlook is not None else "the time did not suffice"
