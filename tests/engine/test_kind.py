"""Which kind of engine runs; built in a small tree of its own, with the real build."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from predictor.engine import kind

HOUSE = Path(__file__).parents[2]
MODULE = "predictor.engine.adder"
ADDER = """
class Adder:
    def __init__(self, start):
        self.total = start

    def add(self, number):
        self.total += number
        return self.total
"""
TYPES = """
from predictor.engine cimport header, footer

cdef class Adder:
    cdef public long long total
    cpdef long long add(self, long long number)
"""
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "house"
version = "1"
[tool.hatch.build.targets.wheel]
packages = ["predictor"]
[tool.hatch.build.hooks.custom]
path = "deploy/build_hook.py"
"""
COMMAND = (sys.executable, "deploy/compile_engine.py")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A compiled house; tests change copies of it."""
    root = tmp_path_factory.mktemp("built")
    furnish(root)
    done = compile_in(root)
    if done.returncode and not os.environ.get("QUEUECAST_REQUIRE_COMPILED"):
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture
def house(built, tmp_path):
    shutil.copytree(built, tmp_path / "house")
    return tmp_path / "house"


@pytest.fixture
def unbuilt(tmp_path):
    furnish(tmp_path)
    return tmp_path


def furnish(root: Path) -> None:
    """Write a small tree with one module to compile, and the build that we ship."""
    engine = root / "predictor/engine"
    engine.mkdir(parents=True)
    for file in ("deploy/compile_engine.py", "predictor/engine/kind.py", "predictor/hashing.py"):
        (root / file).parent.mkdir(exist_ok=True)
        shutil.copy(HOUSE / file, root / file)
    (root / "predictor/__init__.py").touch()
    shutil.copy(HOUSE / "predictor/engine/__init__.py", engine)
    (engine / "adder.py").write_text(ADDER)
    (engine / "adder.pxd").write_text(TYPES)
    (engine / "header.pxd").write_text("")
    (engine / "footer.pxd").write_text("")


def compile_in(root: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return python_in(root, *COMMAND[1:], **environment)


def python_in(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # The kind that these tests were themselves started with says nothing of the house's.
    around = {name: value for name, value in os.environ.items() if name != kind.SWITCH}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={**around, "PYTHONPATH": str(root), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def what_runs(root: Path, **environment: str) -> list[str]:
    code = "from predictor.engine import adder; print(adder.Adder(1).add(2), adder.__file__)"
    done = python_in(root, "-c", code, **environment)
    assert done.returncode == 0, done.stderr
    total, file = done.stdout.split()
    return [total, Path(file).name.partition(".")[2].rpartition(".")[2] or "py"]


def test_a_compiled_module_goes_before_its_source(house):
    assert kind.decide(house).words == "compiled"
    assert what_runs(house) == ["3", "so"]


def test_one_variable_leaves_compiled_modules_aside(house):
    assert kind.decide(house, wish="pure").words == (
        "pure Python, because QUEUECAST_ENGINE=pure asks for it"
    )
    assert what_runs(house, QUEUECAST_ENGINE="pure") == ["3", "py"]


def test_the_house_runs_its_own_kind_whichever_tests_it(house, monkeypatch):
    monkeypatch.setenv(kind.SWITCH, "pure")
    assert what_runs(house) == ["3", "so"]


@pytest.mark.parametrize("file", ["adder.py", "adder.pxd", "header.pxd", "footer.pxd"])
def test_a_changed_source_is_never_hidden_by_what_was_compiled_from_it(house, file):
    with (house / "predictor/engine" / file).open("a") as end:
        end.write("\n# changed\n")
    assert kind.decide(house).why_pure == (
        "predictor/engine/adder.py or its declarations changed after it was compiled"
    )
    assert what_runs(house) == ["3", "py"]
    assert compile_in(house).stderr == f"compiling {MODULE}\n"
    assert kind.decide(house).compiled


def test_what_all_modules_share_is_needed_too(house):
    kind.compiled_file(kind.SHARED, house).unlink()
    assert not kind.decide(house).compiled
    assert compile_in(house).stderr == f"compiling {kind.SHARED}\n"
    assert what_runs(house) == ["3", "so"]


def test_a_new_date_is_no_change(house):
    os.utime(house / "predictor/engine/adder.py")
    assert kind.decide(house).compiled
    assert compile_in(house).stderr == ""


def test_a_new_module_awaits_the_build(house):
    (house / "predictor/engine/second.py").write_text(ADDER)
    (house / "predictor/engine/second.pxd").write_text(TYPES)
    assert kind.decide(house).why_pure == (
        "predictor/engine/second.py is new since it was compiled"
    )
    assert what_runs(house) == ["3", "py"]


TABLE = """
from array import array

class Table:
    def __init__(self):
        self.numbers = array("q", [1, 2])

    def at(self, place):
        return self.numbers[place]
"""
TABLE_TYPES = """
cdef class Table:
    cdef long long[::1] numbers
    cpdef long long at(self, Py_ssize_t place) except? -1
"""


@pytest.mark.parametrize("place", [-1, 2])
def test_one_may_be_built_in_which_no_index_leaves_its_table(house, place):
    (house / "predictor/engine/table.py").write_text(TABLE)
    (house / "predictor/engine/table.pxd").write_text(TABLE_TYPES)
    assert python_in(house, *COMMAND[1:], "--checked").returncode == 0
    assert what_runs(house) == ["3", "so"]
    code = f"from predictor.engine.table import Table; print(Table().at(1)); Table().at({place})"
    done = python_in(house, "-c", code)
    assert done.stdout == "2\n"
    assert "IndexError" in done.stderr
    assert compile_in(house).stderr.count("compiling") == 3  # and all of it anew without that


def test_another_package_may_fail_alone(house):
    (house / "verification/traces").mkdir(parents=True)
    (house / "verification/traces/broken.pyx").write_text("def")
    assert compile_in(house).returncode == 1
    assert kind.decide(house).compiled
    assert kind.decide(house, package="verification/traces").why_pure == (
        "Cython failed on verification.traces.broken"
    )


def test_a_module_without_types_is_compiled_no_more(house):
    (house / "predictor/engine/adder.pxd").unlink()
    (house / "predictor/engine/second.pyx").touch()
    assert kind.decide(house).why_pure == (
        "predictor.engine.adder is no more what it was when it was compiled"
    )
    assert what_runs(house) == ["3", "py"]
    compile_in(house)
    assert not kind.compiled_file(MODULE, house).exists()


def test_another_python_runs_the_sources(house):
    why = kind.decide(house, suffix=".cpython-399-riscv64-linux-gnu.so").why_pure
    assert why == "it was compiled for another Python"


@pytest.mark.parametrize("record", ["", "[]", '{"digests": {}, "colour": 1}'])
def test_a_damaged_record_counts_as_none(house, record):
    (house / kind.RECORD).write_text(record)
    assert kind.decide(house).why_pure == "it was never compiled"


def test_without_a_compiler_the_reason_is_kept(unbuilt):
    done = compile_in(unbuilt, PATH=str(unbuilt))
    assert done.returncode == 1
    assert "there was no C compiler" in done.stderr
    assert kind.decide(unbuilt).words.startswith("pure Python, because there was no C compiler (")
    assert what_runs(unbuilt) == ["3", "py"]


def test_an_install_compiles_into_its_wheel(built, tmp_path):
    wheel = wheel_of(built, tmp_path)
    assert not wheel.stem.endswith("-none-any")
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert kind.decide(tmp_path / "installed").compiled
    assert what_runs(tmp_path / "installed") == ["3", "so"]


def test_an_install_without_a_compiler_succeeds_and_keeps_the_reason(unbuilt, tmp_path):
    wheel = wheel_of(unbuilt, tmp_path / "wheels", PATH=str(unbuilt))
    assert wheel.stem.endswith("-none-any")
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert "there was no C compiler (" in kind.decide(tmp_path / "installed").why_pure
    assert what_runs(tmp_path / "installed") == ["3", "py"]


def wheel_of(root: Path, folder: Path, **environment: str) -> Path:
    (root / "pyproject.toml").write_text(PROJECT)
    (root / ".gitignore").write_text(f"{kind.FOLDER}/\n")
    shutil.copy(HOUSE / "deploy/build_hook.py", root / "deploy")
    command = ("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    done = python_in(root, *command, **environment)
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def test_a_compiler_that_fails_is_told(unbuilt):
    done = compile_in(unbuilt, CC="false")
    assert done.returncode == 1
    assert kind.decide(unbuilt).why_pure == f"false failed on {kind.SHARED}"
    assert what_runs(unbuilt) == ["3", "py"]


def test_a_mistake_in_the_types_is_shown(unbuilt):
    (unbuilt / "predictor/engine/adder.pxd").write_text("cdef class Adder:\n    cdef nonsense x\n")
    done = compile_in(unbuilt)
    assert done.returncode == 1
    assert "'nonsense' is not a type identifier" in done.stderr
    assert what_runs(unbuilt) == ["3", "py"]


def test_nothing_compiled_and_nothing_tried(unbuilt):
    assert kind.decide(unbuilt).why_pure == "it was never compiled"
