"""Both kinds of engine side by side: this process runs one, a second process the other."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from predictor.engine.kind import KIND, SWITCH

# Imports the file that a function was written in and calls it, once per line of input.
SECOND_PROCESS = """
import json, sys
from importlib.util import module_from_spec, spec_from_file_location
modules = {}
for line in sys.stdin:
    file, name, arguments = json.loads(line)
    if file not in modules:
        spec = spec_from_file_location("called", file)
        modules[file] = module_from_spec(spec)
        spec.loader.exec_module(modules[file])
    print(json.dumps(getattr(modules[file], name)(*arguments)), flush=True)
"""


class PurePython:
    """A process in which the engine runs as plain Python."""

    def __init__(self) -> None:
        path = os.pathsep.join(part for part in sys.path if part)
        self.process = subprocess.Popen(
            [sys.executable, "-c", SECOND_PROCESS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, SWITCH: "pure", "PYTHONPATH": path},
            text=True,
        )

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what `function`, one at the top of its file, returns there; all as JSON."""
        code = function.__code__
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        print(json.dumps([code.co_filename, function.__name__, arguments]), file=stdin, flush=True)
        answer = stdout.readline()
        assert answer, f"{function.__name__} failed in plain Python, see standard error"
        return json.loads(answer)

    def stop(self) -> None:
        self.process.communicate()


@pytest.fixture(scope="session")
def pure_python() -> Iterator[PurePython]:
    process = PurePython()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def same_in_both(pure_python: PurePython) -> Callable[..., Any]:
    """Call a function with the compiled and the plain engine; return the result, if it is one."""
    if not KIND.compiled:
        required = os.environ.get("QUEUECAST_REQUIRE_COMPILED")
        (pytest.fail if required else pytest.skip)(f"the engine is {KIND.words}")

    def call(function: Callable[..., Any], *arguments: Any) -> Any:
        ours = json.loads(json.dumps(function(*arguments)))
        assert pure_python.call(function, *arguments) == ours
        return ours

    return call
