"""What a sweep rests on, so that it can be gone on with, and any of its runs repeated exactly."""

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from predictor.domain.instants import rfc3339
from predictor.engine.kind import KIND
from predictor.errors import StorageError
from verification.sweep.digests import digest_of_code, digest_of_file
from verification.sweep.grid import Grid
from verification.sweep.kinds import Kind
from verification.sweep.runs import Input

SCHEMA = "queuecast.sweep-manifest/1"

Manifest = Mapping[str, Any]
"""Nothing but what JSON knows."""


def manifest_of(grid: Grid, inputs: Sequence[Input], now: float) -> dict[str, Any]:
    """Return the manifest of a sweep that begins now (UTC epoch seconds)."""
    return {
        "schema": SCHEMA,
        "begun": rfc3339(int(now)),
        "grid": grid.file.model_dump(mode="json"),
        "folder": str(grid.folder),
        "files": _files(grid),
        "points": len(grid.points),
        "runs": len(grid.points) * len(inputs) * grid.file.draws,
        "seeds": {"first": grid.file.seed, "draws": grid.file.draws},
        "inputs": [
            {"name": one.name, "path": str(one.path), "sha256": one.sha256, "role": one.role}
            for one in inputs
        ],
        **surroundings(),
    }


def _files(grid: Grid) -> dict[str, str]:
    """Return the hashes of the files that settings name, by path. Raises StorageError."""
    found: dict[str, str] = {}
    for path in dict.fromkeys(path for one in grid.points for path in grid.kind.files(one)):
        try:
            found[str(path)] = digest_of_file(path)
        except OSError as error:
            raise StorageError(f"{path}: cannot be read: {error.strerror}") from error
    return found


def surroundings() -> dict[str, Any]:
    """Return what runs: version, code and interpreter."""
    return {
        "version": version("queuecast"),
        "code_sha256": digest_of_code(),
        "engine": KIND.name,
        "python": platform.python_version(),
        "platform": platform.platform(),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An input as it was named: not yet looked at."""

    path: Path
    role: str = ""


def named(grid: Grid, given: Sequence[Path]) -> list[Named]:
    """Return the inputs of a grid: those given, or those that stand in it.

    Raises StorageError if there are none, or if those given would be in the way of `[optimise]`.
    """
    folder = grid.folder
    if (aim := grid.file.optimise) is not None:
        if given:
            raise StorageError(
                f"{grid.path}: [optimise] says on which inputs is chosen (`fit`) and on which what"
                f" was chosen is tried (`report`); none can be given besides"
            )
        fit = [Named(path=folder / one, role="fit") for one in aim.fit]
        return fit + [Named(path=folder / one, role="report") for one in aim.report]
    found = [Named(path=path) for path in given or [folder / one for one in grid.file.inputs]]
    if not found:
        raise StorageError(f"{grid.path}: on what? Name recordings or traces behind it")
    return found


def looked_at(kind: Kind, found: Sequence[Named]) -> list[Input]:
    """Return the inputs with names that differ and hashes over their content.

    Raises StorageError for one that cannot be read, or that is there twice.
    """
    inputs: list[Input] = []
    for one, name in zip(found, _short_names([one.path for one in found]), strict=True):
        try:
            sha256 = kind.digest(one.path)
        except OSError as error:
            raise StorageError(f"{one.path}: cannot be read: {error.strerror}") from error
        for other in inputs:
            if other.sha256 == sha256:
                raise StorageError(f"{one.path}: the same as {other.path}{_twice(one, other)}")
        inputs.append(Input(name=name, path=one.path.absolute(), sha256=sha256, role=one.role))
    return inputs


def _twice(one: Named, other: Input) -> str:
    if one.role == other.role:
        return ""
    return "; what was chosen on it cannot be tried on it"


def _short_names(paths: Sequence[Path]) -> Iterator[str]:
    """Yield the file names, or as much more of the paths as tells all of them apart."""
    for length in range(1, max((len(path.absolute().parts) for path in paths), default=0) + 1):
        names = ["/".join(path.absolute().parts[-length:]) for path in paths]
        if len(set(names)) == len(names):
            break
    yield from names


def differences(old: Manifest, new: Manifest) -> list[str]:
    """Return a sentence for each thing on which a sweep rests and that is another now."""
    found = []
    for key in dict.fromkeys((*old["grid"], *new["grid"])):
        if old["grid"].get(key) != new["grid"].get(key):
            found.append(f"the grid's `{key}` is another")
    found += [
        f"{path} holds something else"
        for path, digest in new["files"].items()
        if old["files"].get(path, digest) != digest
    ]
    then = {one["name"]: one["sha256"] for one in old["inputs"]}
    now = {one["name"]: one["sha256"] for one in new["inputs"]}
    found += [f"{name} is not among the inputs any more" for name in then if name not in now]
    found += [f"{name} is a new input" for name in now if name not in then]
    found += [
        f"{name} holds something else" for name in now if then.get(name, now[name]) != now[name]
    ]
    if old["version"] != new["version"]:
        found.append(f"it was begun by queuecast {old['version']}, this is {new['version']}")
    elif old["code_sha256"] != new["code_sha256"]:
        found.append(f"queuecast {new['version']} is not the same code any more")
    return found
