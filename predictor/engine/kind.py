"""Which kind of engine runs: compiled modules, or the same sources as plain Python."""

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Final

from predictor.hashing import sha256

ROOT: Final = Path(__file__).parents[2]
"""The folder that holds our packages: the checkout, or where it is installed."""
PACKAGES: Final = ("predictor/engine", "verification/traces")
"""The packages that have compiled modules. All of a package's run compiled, or none."""
FOLDER: Final = "compiled"
"""In each of these packages: its compiled modules."""
RECORD: Final = f"predictor/engine/{FOLDER}/record.json"
"""What was compiled, from which sources, or why nothing was."""
SHARED: Final = "predictor.engine.memoryviews"
"""A compiled module without a source of ours: what all others need for their arrays."""
SWITCH: Final = "QUEUECAST_ENGINE"
"""This environment variable set to `pure` leaves compiled modules aside."""
SUFFIX: Final = EXTENSION_SUFFIXES[0]
"""How the files of modules compiled for this Python end."""

C_TYPE = re.compile(r"^cdef class ", re.MULTILINE)
CIMPORT = re.compile(r"^from ([\w.]+) cimport (\w+)|^cimport ([\w.]+)", re.MULTILINE)


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


def digest(source: Path, root: Path) -> str:
    """Return a hash over the source and every declaration of ours that it is compiled with."""
    found: dict[Path, bytes] = {}
    waiting = [source, source.with_suffix(".pxd")]
    while waiting:
        file = waiting.pop()
        if file not in found and file.is_file():
            found[file] = file.read_bytes()
            if file.suffix != ".py":
                waiting.extend(_cimported(found[file].decode(), root))
    parts = [sha256(text).digest() for _, text in sorted(found.items())]
    return sha256(b"".join(parts)).hexdigest()


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
    known = [name for name in record.digests if name.startswith(f"{package.replace('/', '.')}.")]
    if gone := sorted(set(known) - wanted.keys() - {SHARED}):
        return Kind(why_pure=f"{gone[0]} is no more what it was when it was compiled")
    for module, source in wanted.items():
        if why := _why_not(module, source, record, root, suffix):
            return Kind(why_pure=why)
    return Kind()


def kind_of(package: str) -> Kind:
    """Return which kind of a package runs in this process."""
    own = decide(ROOT, os.environ.get(SWITCH, ""), package=package)
    # Its compiled modules may need the types of the engine's.
    return own if KIND.compiled else KIND


def compiled_folder(package: str) -> list[str]:
    """Return the folder to search before the package's own; empty if plain Python is to run."""
    return [str(ROOT / package / FOLDER)] if kind_of(package).compiled else []


def _why_not(module: str, source: Path, record: Record, root: Path, suffix: str) -> str:
    """Return why a module's compiled form must not run; empty if it may."""
    needed = (SHARED, module)
    if failed := [record.failures[name] for name in needed if name in record.failures]:
        return failed[0]
    if module not in record.digests:
        return f"{source.relative_to(root)} is new since it was compiled"
    if not all(compiled_file(name, root, suffix).exists() for name in needed):
        return "it was compiled for another Python"
    if record.digests[module] != digest(source, root):
        return f"{source.relative_to(root)} or its declarations changed after it was compiled"
    return ""


def _has_typed_sidecar(file: Path) -> bool:
    sidecar = file.with_suffix(".pxd")
    return file.suffix == ".py" and sidecar.exists() and bool(C_TYPE.search(sidecar.read_text()))


def _cimported(text: str, root: Path) -> Iterator[Path]:
    """Yield the declarations that `text` cimports, as far as they are files of ours."""
    for origin, name, whole in CIMPORT.findall(text):
        for module in (whole or origin, f"{origin}.{name}"):
            file = root / f"{module.replace('.', '/')}.pxd"
            if file.is_file():
                yield file


KIND: Final = decide(ROOT, os.environ.get(SWITCH, ""))
"""Which kind of the engine runs in this process."""
