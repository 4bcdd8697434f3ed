"""Which kind of engine runs: compiled modules, or the same sources as plain Python."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

from predictor.hashing import sha256

ROOT: Final = Path(__file__).parents[2]
"""The folder that holds our packages: the checkout, or where it is installed."""
PACKAGES: Final = (
    "predictor/engine",
    "verification/traces",
    "verification/measures",
    "verification/experiments",
    "verification/experiments/allocators",
    "verification/experiments/schedulers",
)
"""The packages that have compiled modules, each behind those whose types it may need.

All of a package's run compiled, or none.
"""
FOLDER: Final = "compiled"
"""The folder of a package in which its compiled modules lie."""
RECORD: Final = f"predictor/engine/{FOLDER}/record.json"
"""What was compiled, from which sources, or why nothing was."""
SHARED: Final = "predictor.engine.memoryviews"
"""A compiled module without a source of ours: what all others need for their arrays."""
SWITCH: Final = "QUEUECAST_ENGINE"
"""This environment variable set to `pure` leaves compiled modules aside."""
SUFFIX: Final = EXTENSION_SUFFIXES[0]
"""How the files of modules compiled for this Python end."""

Read = dict[Path, tuple[bytes, list[Path]]]
"""By file: a hash, and the declarations of ours that it is compiled with."""

C_TYPE = re.compile(r"^cdef class ", re.MULTILINE)
CIMPORT = re.compile(r"^from ([\w.]+) cimport ([\w, ]+)|^cimport ([\w.]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What runs. `why_pure` is empty if the compiled modules do, else a clause for a person."""

    why_pure: str = ""

    @property
    def compiled(self) -> bool:
        """Whether the compiled modules run."""
        return not self.why_pure

    @property
    def name(self) -> str:
        """Return `compiled` or `pure`."""
        return "compiled" if self.compiled else "pure"

    @property
    def words(self) -> str:
        """Return the kind for a person, with the reason why nothing faster runs."""
        return "compiled" if self.compiled else f"pure Python, because {self.why_pure}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What a build leaves behind."""

    digests: Mapping[str, str]
    """Of the sources that each module was compiled from, by the module's full name."""
    recipe: str = ""
    """Compiler and flags; another recipe means compiling anew."""
    failures: Mapping[str, str] = field(default_factory=dict)
    """Why modules could not be compiled, by full name."""


def sources(root: Path, packages: Sequence[str] = PACKAGES) -> dict[str, Path]:
    """Return what is to be compiled of these packages, by full module name.

    That is each `x.pyx`, and each `x.py` whose sidecar `x.pxd` declares a C type. Any other `.pxd`
    is a header for these.
    """
    folders = [root / package for package in packages]
    files = [file for folder in folders for file in sorted(folder.glob("*.p[xy]*"))]
    chosen = [file for file in files if file.suffix == ".pyx" or _has_typed_sidecar(file)]
    return {".".join(file.relative_to(root).with_suffix("").parts): file for file in chosen}


def digest(source: Path, root: Path, read: Read | None = None) -> str:
    """Return a hash over the source and every declaration of ours that it is compiled with.

    `read` keeps what was read, for the next of several sources.
    """
    known = {} if read is None else read
    found: dict[Path, bytes] = {}
    waiting = [source, source.with_suffix(".pxd")]
    while waiting:
        file = waiting.pop()
        if file not in found and (file in known or file.is_file()):
            if file not in known:
                known[file] = _read(file, root)
            found[file], declared = known[file]
            waiting.extend(declared)
    parts = [found[file] for file in sorted(found)]
    return sha256(b"".join(parts)).hexdigest()


def _read(file: Path, root: Path) -> tuple[bytes, list[Path]]:
    """Return a hash over a file, and the declarations of ours that it is compiled with."""
    text = file.read_bytes()
    declared = [] if file.suffix == ".py" else list(_cimported(text.decode(), root))
    return sha256(text).digest(), declared


def read_record(root: Path) -> Record | None:
    """Return what the last build left behind; None if nothing was ever built."""
    try:
        return Record(**json.loads((root / RECORD).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def compiled_file(module: str, root: Path, suffix: str = SUFFIX) -> Path:
    """Return where the compiled form of a module lies, by the module's full name."""
    package, _, name = module.rpartition(".")
    return root / package.replace(".", "/") / FOLDER / f"{name}{suffix}"


def decide(root: Path, wish: str = "", *, package: str = PACKAGES[0], suffix: str = SUFFIX) -> Kind:
    """Return which kind of a package is to run: compiled if all of it is, from its very sources."""
    record, wanted = read_record(root), sources(root, [package])
    if wish == "pure":
        return Kind(why_pure=f"{SWITCH}=pure asks for it")
    if record is None or not wanted:
        return Kind(why_pure="it was never compiled")
    inside = package.replace("/", ".")
    known = {name for name in record.digests if name.rpartition(".")[0] == inside}
    if gone := sorted(known - wanted.keys() - {SHARED}):
        return Kind(why_pure=f"{gone[0]} is no more what it was when it was compiled")
    read: Read = {}
    for module, source in wanted.items():
        if why := _why_not(module, source, record, root, suffix, read):
            return Kind(why_pure=why)
    return Kind()


def kind_of(package: str) -> Kind:
    """Return which kind of a package runs in this process."""
    # Its compiled modules may need the types of those of any package before it.
    needed = (_own_kind(one) for one in PACKAGES[: PACKAGES.index(package) + 1])
    return next((kind for kind in needed if not kind.compiled), KIND)


@cache
def _own_kind(package: str) -> Kind:
    return decide(ROOT, os.environ.get(SWITCH, ""), package=package)


def compiled_folder(package: str) -> list[str]:
    """Return the folder to search before the package's own; empty if plain Python is to run."""
    return [str(ROOT / package / FOLDER)] if kind_of(package).compiled else []


def _why_not(module: str, source: Path, record: Record, root: Path, suffix: str, read: Read) -> str:
    """Return why a module's compiled form must not run; empty if it may."""
    needed = (SHARED, module)
    if failed := [record.failures[name] for name in needed if name in record.failures]:
        return failed[0]
    if module not in record.digests:
        return f"{source.relative_to(root)} is new since it was compiled"
    if not all(compiled_file(name, root, suffix).exists() for name in needed):
        return "it was compiled for another Python"
    if record.digests[module] != digest(source, root, read):
        return f"{source.relative_to(root)} or its declarations changed after it was compiled"
    return ""


def _has_typed_sidecar(file: Path) -> bool:
    sidecar = file.with_suffix(".pxd")
    return file.suffix == ".py" and sidecar.exists() and bool(C_TYPE.search(sidecar.read_text()))


def _cimported(text: str, root: Path) -> Iterator[Path]:
    """Yield the declarations that `text` cimports, as far as they are files of ours."""
    for origin, names, whole in CIMPORT.findall(text):
        inside = [f"{origin}.{name.strip()}" for name in names.split(",")]
        for module in (whole or origin, *inside):
            file = root / f"{module.replace('.', '/')}.pxd"
            if file.is_file():
                yield file


KIND: Final = _own_kind(PACKAGES[0])
"""Which kind of the engine runs in this process."""
