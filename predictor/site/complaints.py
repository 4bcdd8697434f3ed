"""Say what is wrong with a site file, where, and what would have been right."""

import re
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from predictor.priority.suggestion import suggestion
from predictor.site.lines import Place

EXPECTED = {
    "string_type": "a text in quotes",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "tuple_type": "a list in [ ]",
    "dict_type": "a table",
    "model_type": "a table",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "literal_error": "{expected}",
    "string_too_short": "at least one character",
    "string_too_long": "at most {max_length} characters",
    "string_pattern_mismatch": "letters, digits and _ . -",
    "expected": "{expected}",
}


def complaints(
    error: ValidationError, model: type[BaseModel], lines: Mapping[Place, int], file: Path
) -> tuple[str, ...]:
    """Return one text for each thing that is wrong, in the order of the file's lines."""
    found = [
        (line_of(detail["loc"], lines), dotted(detail["loc"]), cause(detail, model))
        for detail in error.errors(include_url=False)
    ]
    return tuple(complaint(file, *place_and_cause) for place_and_cause in sorted(found))


def causes(error: ValidationError, model: type[BaseModel]) -> tuple[str, ...]:
    """Return one text for each value that is wrong, where there is no file."""
    return tuple(
        f"{dotted(detail['loc'])}: {cause(detail, model)}"
        for detail in error.errors(include_url=False)
    )


def complaint(file: Path, line: int, key: str, what: str) -> str:
    """Return `file:line: table.key: what is wrong`."""
    return f"{file}:{line}: {key}: {what}" if key else f"{file}:{line}: {what}"


def line_of(place: Place, lines: Mapping[Place, int]) -> int:
    """Return the line of the innermost part of `place` that the file has."""
    return next(lines[place[:n]] for n in range(len(place), -1, -1) if place[:n] in lines)


def dotted(place: Place) -> str:
    """Return the key as one writes it; the line tells which of several tables it is in."""
    return ".".join(part for part in place if isinstance(part, str))


def cause(detail: ErrorDetails, model: type[BaseModel]) -> str:
    """Return what is wrong, what was expected, and perhaps what was meant."""
    place, kind = detail["loc"], detail["type"]
    if kind == "extra_forbidden":
        known = sorted(keys_at(model, place[:-1]))
        hint = suggestion(str(place[-1]), known) or f", expected {', '.join(known)}"
        return f"unknown key{hint}"
    if kind == "missing":
        return "this key is missing"
    if kind not in EXPECTED:
        return detail["msg"]
    value, context = detail["input"], detail.get("ctx", {})
    expected = EXPECTED[kind].format(**context)
    choices = re.findall(r"'([^']+)'", expected) if kind == "literal_error" else ()
    choices = context.get("choices", choices)
    hint = suggestion(value, choices) if isinstance(value, str) else ""
    return f"expected {expected}, got {shown(context.get('value', value))}{hint}"


def keys_at(model: type[BaseModel], place: Place) -> frozenset[str]:
    """Return the keys that the table at `place` may have; empty if no table belongs there."""
    table: type[BaseModel] | None = model
    for part in place:
        if isinstance(part, int) or table is None:
            continue
        fields = {field.alias or name: field for name, field in table.model_fields.items()}
        table = table_in(fields[part].annotation) if part in fields else None
    return frozenset(f.alias or n for n, f in table.model_fields.items()) if table else frozenset()


def table_in(annotation: Any) -> type[BaseModel] | None:
    """Return the kind of table that a key holds, alone or in an array; None if it holds none."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if get_origin(annotation) in (tuple, Union, UnionType):
        return next(filter(None, map(table_in, get_args(annotation))), None)
    return None


def shown(value: object) -> str:
    """Return a value as it would stand in TOML, cut short."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value[:60]}"'
        case list() | tuple():
            return "a list"
        case Mapping():
            return "a table"
        case _:
            return str(value)[:60]
