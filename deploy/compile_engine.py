"""Compile the engine in place, as an editable install does.

    python deploy/compile_engine.py [--checked]

Only what has changed is compiled anew. If that fails it says why and exits with 1; queuecast then
runs the same sources as plain Python. With `--checked` no index leaves its table unnoticed: such an
engine is slower, and for tests.
"""

import fcntl
import importlib.util
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from predictor.engine import kind  # noqa: E402 - in a build environment we are not installed

DIRECTIVES = {
    "annotation_typing": "False",  # sidecars alone say what is a C type
    "initializedcheck": "False",
    "wraparound": "False",
    # What nobody needs, and takes half of the compiler's time.
    "auto_pickle": "False",
    "binding": "False",
}
FLAGS = (
    "-g0",
    "-DNDEBUG",
    "-fwrapv",
    "-ffp-contract=off",  # a fused multiply-add would round differently from Python
    "-fvisibility=hidden",
    *(["-mpopcnt"] if platform.machine() in ("x86_64", "AMD64") else []),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How modules are compiled."""

    directives: Mapping[str, str]
    flags: tuple[str, ...]


FAST = Manner(directives={**DIRECTIVES, "boundscheck": "False"}, flags=("-O3", *FLAGS))
CHECKED = Manner(directives={**DIRECTIVES, "boundscheck": "True"}, flags=("-O1", *FLAGS))


class CannotCompile(Exception):
    """Says why, as a clause for a person."""


def build(root: Path, target: Path, manner: Manner = FAST) -> str:
    """Compile what has changed of the packages in `root`, into the same places in `target`.

    Returns why that could not be done, empty if it was; either is recorded in `target`.
    """
    with _alone(target):
        wanted = {name: kind.digest(file, root) for name, file in kind.sources(root).items()}
        wanted[kind.SHARED] = ""
        before = kind.read_record(target) or kind.Record(digests={})
        try:
            recipe = _recipe(manner)
            same = before.digests if before.recipe == recipe else {}
            fresh = [name for name in wanted if _is_fresh(name, wanted, same, target)]
            failures = _compile_all(root, target, sorted(wanted.keys() - fresh), manner)
        except CannotCompile as error:
            recipe, fresh, failures = "", [], {name: str(error) for name in wanted}
        done = {name: digest for name, digest in wanted.items() if name not in failures}
        _remove_others(target, done)
        record = kind.Record(digests=done, recipe=recipe, failures=failures)
        (target / kind.RECORD).write_text(json.dumps(asdict(record), indent=1) + "\n")
    return next(iter(failures.values()), "")


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Keep other builds of the same place waiting."""
    folder = (target / kind.RECORD).parent
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _recipe(manner: Manner) -> str:
    """Return what, besides the sources, decides the outcome. Raises CannotCompile."""
    compiler = _linker()[0]
    if importlib.util.find_spec("Cython") is None:
        raise CannotCompile("Cython was not installed when it was to be compiled")
    if shutil.which(compiler) is None:
        raise CannotCompile(f"there was no C compiler ({compiler}) to compile it with")
    if not (_headers() / "Python.h").is_file():
        raise CannotCompile(f"Python's headers were missing ({_headers()}/Python.h)")
    directives = map("=".join, manner.directives.items())
    parts = [version("Cython"), kind.SUFFIX, *_linker(), *manner.flags, *directives]
    return " ".join([f"shared={kind.SHARED}", *parts])


def _is_fresh(name: str, wanted: dict[str, str], done: dict[str, str], target: Path) -> bool:
    return done.get(name) == wanted[name] and kind.compiled_file(name, target).is_file()


def _compile_all(root: Path, target: Path, names: list[str], manner: Manner) -> dict[str, str]:
    """Return why modules could not be compiled, by name."""
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(_workers()) as pool:
        copy = Path(scratch)
        _copy_sources(root, copy)
        # Where there is a mistake in a source, no C lies beside it afterwards.
        cython = [sys.executable, "-m", "cython"]
        calls = [[*cython, *arguments] for arguments in _translations(root, names, manner)]
        list(pool.map(lambda call: _run(call, copy), calls))

        def attempt(name: str) -> str:
            print(f"compiling {name}", file=sys.stderr)
            c_file = copy / Path(*name.split(".")).with_suffix(".c")
            try:
                _compile(name, c_file, kind.compiled_file(name, target), manner)
            except CannotCompile as error:
                return str(error)
            return ""

        outcomes = dict(zip(names, pool.map(attempt, names), strict=True))
    return {name: why for name, why in outcomes.items() if why}


def _copy_sources(root: Path, copy: Path) -> None:
    """Copy what Cython reads: it writes beside it, and takes a module's name from its place."""
    for top in {package.partition("/")[0] for package in kind.PACKAGES}:
        for file in (root / top).rglob("*.p[xy]*"):
            place = copy / file.relative_to(root)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)


def _translations(root: Path, names: list[str], manner: Manner) -> Iterator[list[str]]:
    """Yield what to call Cython with: it takes longer to start than to translate a module."""
    if kind.SHARED in names:
        yield [f"--generate-shared={Path(*kind.SHARED.split('.'))}.c"]
    directives = [f"-X{key}={value}" for key, value in manner.directives.items()]
    files = {name: str(file.relative_to(root)) for name, file in kind.sources(root).items()}
    ours = [files[name] for name in names if name in files]
    for first in range(min(_workers(), len(ours))):
        yield ["-3", f"--shared={kind.SHARED}", *directives, *ours[first :: _workers()]]


def _compile(name: str, c_file: Path, output: Path, manner: Manner) -> None:
    """Compile one module. Raises CannotCompile."""
    if not c_file.is_file():
        raise CannotCompile(f"Cython failed on {name}")
    output.parent.mkdir(parents=True, exist_ok=True)
    fresh = output.with_name(f"{output.name}.new")
    gcc = [*_linker(), *manner.flags, f"-I{_headers()}", str(c_file), "-o", str(fresh)]
    if not _run(gcc, c_file.parent):
        raise CannotCompile(f"{gcc[0]} failed on {name}")
    fresh.replace(output)  # processes that run the old file keep it


def _run(command: list[str], folder: Path) -> bool:
    """Run a command, show what it says, and return whether it succeeded."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    sys.stderr.write(done.stdout + done.stderr)
    return not done.returncode


def _workers() -> int:
    """Return how many compilers may run at once."""
    return os.cpu_count() or 1


def _linker() -> list[str]:
    """Return how this Python's modules are compiled and linked; `CC` names another compiler."""
    usual = shlex.split(sysconfig.get_config_var("LDSHARED"))
    compiler = shlex.split(os.environ.get("CC", "")) or usual[:1]
    return [*compiler, *usual[1:], *shlex.split(sysconfig.get_config_var("CCSHARED") or "")]


def _headers() -> Path:
    return Path(sysconfig.get_path("include"))


def _remove_others(target: Path, modules: dict[str, str]) -> None:
    """Remove compiled modules whose source is gone or did not compile."""
    keep = {kind.compiled_file(name, target) for name in modules}
    for package in kind.PACKAGES:
        for file in (target / package / kind.FOLDER).glob(f"*{kind.SUFFIX}"):
            if file not in keep:
                file.unlink()


if __name__ == "__main__":
    sys.exit(build(ROOT, ROOT, CHECKED if "--checked" in sys.argv[1:] else FAST) or 0)
