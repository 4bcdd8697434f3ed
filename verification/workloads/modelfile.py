"""A learned workload as a JSON file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from predictor.errors import DocumentError
from predictor.outfile import replace_file
from verification.workloads.model import Model

SCHEMA: Final = "queuecast.workload/1"
DIGITS: Final = 6


def write_model(path: Path, model: Model) -> None:
    """Write the model in one step; numbers have six digits. Raises OSError with the file's name."""
    told = {"schema": SCHEMA, **_short(TypeAdapter(Model).dump_python(model, mode="json"))}
    replace_file(path, json.dumps(told, separators=(",", ":")).encode() + b"\n")


def read_model(path: Path) -> Model:
    """Read a model. Raises DocumentError with file and place if that is not what it holds."""
    try:
        told = json.loads(path.read_bytes())
    except OSError as error:
        raise DocumentError(f"cannot be read: {error.strerror}", place=str(path)) from error
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"is not JSON: {error}", place=str(path)) from error
    if not isinstance(told, Mapping) or told.get("schema") != SCHEMA:
        raise DocumentError(f"is not a workload of the schema {SCHEMA}", place=str(path))
    try:
        return TypeAdapter(Model).validate_python(told)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "model"
        raise DocumentError(f"{where}: {first['msg']}", place=str(path)) from error


def _short(told: Any) -> Any:
    """Return the same with numbers of so many significant digits."""
    if isinstance(told, float):
        short = float(f"{told:.{DIGITS}g}")
        return int(short) if short.is_integer() else short
    if isinstance(told, Mapping):
        return {key: _short(value) for key, value in told.items()}
    return [_short(one) for one in told] if isinstance(told, list | tuple) else told
