"""The one-way rules of the house, read off the imports of every module."""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[1]
PACKAGES = ("predictor", "collectors", "verification")
TOP_LEVEL = {*PACKAGES, "deploy", "config", "tests"} | {
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
}
MOST_LINES = 450

FOUNDATION = {
    *("clock", "domain", "errors", "garbage", "hashing"),
    *("hostlists", "installed", "outfile", "processors", "swf"),
}
LAYERS = (
    {"cli", "service", "web"},
    {"forecast", "sampling", "opening", "plan", "experience", "beliefs", "outlooks", "supposing"}
    | {"suppositions"},
    {"explain", "site", "storage"},
    {"simulation"},
    {"scheduling", "priority", "limits", "engine", "runtimes", "arrivals", "windows"},
    {"lml"},
    FOUNDATION,
)
"""The parts of the predictor, from top to bottom: each may import its own line and those below."""
STRANGERS = (
    {"scheduling", "priority"},
    {"scheduling", "limits"},
    {"priority", "limits"},
    {"limits", "lml"},
    {"engine", "scheduling"},
    {"engine", "priority"},
    {"engine", "limits"},
    {"engine", "lml"},
    {"windows", "runtimes"},
    {"windows", "arrivals"},
    {"windows", "engine"},
    {"windows", "lml"},
)
"""Parts that do not know one another, though their lines would let them."""
FOR_COLLECTORS = {f"predictor.{part}" for part in (*FOUNDATION, "lml")} | {
    "predictor.cli.exits",
    "predictor.cli.terminal",
    "predictor.engine.kind",
}

Imports = Mapping[str, set[str]]
"""The modules of our packages that each module imports, by full name."""


def sources(root: Path) -> dict[str, Path]:
    """Return the file of every module of our packages, by full name."""
    files = (file for package in PACKAGES for file in (root / package).rglob("*.py"))
    return {module_name(file.relative_to(root)): file for file in files}


def module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(root: Path) -> Imports:
    """Return who imports whom, wherever in a module the import stands."""
    files = sources(root)
    return {
        name: {
            target
            for wanted in imported_names(file)
            if (target := nearest_module(wanted, files)) and target != name
        }
        for name, file in files.items()
    }


def imported_names(file: Path) -> Iterator[str]:
    """Yield the full names that a module imports; relative imports are not allowed."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: an import relative to its place"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def nearest_module(name: str, files: Mapping[str, Path]) -> str | None:
    """Return the module that `name` is or lies in; None if it is not one of ours."""
    while name and name not in files:
        name = name.rpartition(".")[0]
    return name or None


def part_of(module: str) -> str:
    """Return the part of the predictor that a module belongs to; empty for the package itself."""
    return module.split(".")[1] if "." in module else ""


def within(module: str, allowed: set[str]) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in allowed)


def layer_of(module: str) -> int:
    part = part_of(module)
    return next((n for n, line in enumerate(LAYERS) if part in line), len(LAYERS))


def broken_rules(imports: Imports) -> list[str]:
    """Return one sentence for every import that our rules forbid, and for a cycle."""
    pairs = sorted((name, other) for name, others in imports.items() for other in others)
    faults = {f"{name} imports {other}": fault(name, other) for name, other in pairs}
    return [f"{what}: {why}" for what, why in faults.items() if why] + cycle(imports)


def fault(name: str, other: str) -> str:
    """Return what is wrong with `name` importing `other`; empty if nothing is."""
    package, target = name.split(".")[0], other.split(".")[0]
    if package == "verification":
        return "verification builds on the predictor alone" if target == "collectors" else ""
    if package == "collectors":
        allowed = target == "collectors" or within(other, FOR_COLLECTORS)
        return "" if allowed else "collectors know values and formats only"
    if target != "predictor":
        return "the predictor is the core"
    if any({part_of(name), part_of(other)} == pair for pair in STRANGERS):
        return "these two do not know one another"
    return "upwards" if layer_of(other) < layer_of(name) else ""


def cycle(imports: Imports) -> list[str]:
    """Return the first cycle between modules, if there is one, as a sentence.

    So a module may not import from its own package's `__init__`, which gathers names from it.
    """
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return [f"a cycle: {' -> '.join(error.args[1])}"]
    return []


def test_imports_run_one_way():
    assert broken_rules(imports_of(HOUSE)) == []


def test_every_part_of_the_predictor_has_a_layer():
    parts = {part_of(name) for name in sources(HOUSE) if name.startswith("predictor.")}
    assert parts <= set().union(*LAYERS)


def test_top_level_holds_what_was_agreed():
    found = {path.name for path in HOUSE.iterdir() if not path.name.startswith(".")}
    assert found <= TOP_LEVEL


@pytest.mark.parametrize("folder", [*PACKAGES, "tests"])
def test_modules_stay_short(folder):
    long = {
        str(file.relative_to(HOUSE)): lines
        for file in (HOUSE / folder).rglob("*.py")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert long == {}


def test_every_entry_point_leads_to_a_module_of_ours():
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = [project["scripts"], *project["entry-points"].values()]
    modules = {target.partition(":")[0] for group in groups for target in group.values()}
    assert modules - sources(HOUSE).keys() == set()


@pytest.mark.parametrize(
    ("importer", "line", "complaint"),
    [
        ("predictor/domain/job.py", "import collectors.slurm.source", "the core"),
        ("predictor/forecast.py", "from verification import score", "the core"),
        ("predictor/lml/reader.py", "from predictor.site import load", "upwards"),
        ("predictor/domain/job.py", "from predictor import forecast", "upwards"),
        ("predictor/priority/formula.py", "from predictor.scheduling import plan", "not know"),
        ("predictor/priority/formula.py", "from predictor.limits import Blocked", "not know"),
        ("predictor/limits/blocked.py", "from predictor.scheduling import plan", "not know"),
        ("predictor/limits/blocked.py", "import predictor.lml.reader", "not know"),
        ("predictor/limits/blocked.py", "import predictor.engine.bits", "not know"),
        ("predictor/engine/bits.py", "from predictor.scheduling import plan", "not know"),
        ("predictor/storage/index.py", "def late():\n    import predictor.web.page", "upwards"),
        ("collectors/cli.py", "from predictor.storage.index import Index", "values and formats"),
        ("collectors/cli.py", "from predictor.cli import main", "values and formats"),
        ("verification/score.py", "import collectors.cli", "predictor alone"),
        ("predictor/web/page.py", "import predictor.web.table", "a cycle"),
    ],
)
def test_the_checker_finds(tmp_path, importer, line, complaint):
    house = made_up_house(tmp_path)
    assert broken_rules(imports_of(house)) == []
    (house / importer).write_text(line)
    assert len(found := broken_rules(imports_of(house))) >= 1
    assert any(complaint in sentence for sentence in found)


def test_a_relative_import_is_refused(tmp_path):
    house = made_up_house(tmp_path)
    (house / "predictor/forecast.py").write_text("from . import errors")
    with pytest.raises(AssertionError, match="relative"):
        imports_of(house)


def made_up_house(root: Path) -> Path:
    """Write a small tree that keeps all rules."""
    modules = {
        "predictor/cli/__init__.py": "from predictor.forecast import forecast",
        "predictor/cli/exits.py": "",
        "predictor/web/page.py": "",
        "predictor/web/table.py": "from predictor.web.page import render",
        "predictor/forecast.py": "from predictor.domain import Forecast\nimport heapq",
        "predictor/site/__init__.py": "from predictor.errors import SiteError",
        "predictor/storage/index.py": "",
        "predictor/scheduling/__init__.py": "",
        "predictor/priority/formula.py": "",
        "predictor/limits/__init__.py": "from predictor.limits.blocked import Blocked",
        "predictor/limits/blocked.py": "from predictor.domain import Job",
        "predictor/lml/reader.py": "from predictor.domain.job import Job",
        "predictor/engine/bits.py": "",
        "predictor/domain/__init__.py": "from predictor.domain.job import Job",
        "predictor/domain/job.py": "",
        "predictor/errors.py": "",
        "predictor/__init__.py": "",
        "collectors/cli.py": "from predictor.cli.exits import DONE\nimport predictor.lml.reader",
        "collectors/slurm/source.py": "from predictor.domain import Job",
        "verification/score.py": "import predictor.forecast",
    }
    for name, text in modules.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root
