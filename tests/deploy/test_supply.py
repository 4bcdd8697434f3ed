"""What we depend on: locked by hash for the checks, listed with licences for sites."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from predictor.engine import kind

HOUSE = Path(__file__).parents[2]
DEPLOY = HOUSE / "deploy"
PROJECT = tomllib.loads((HOUSE / "pyproject.toml").read_text())
LOCK = (DEPLOY / "requirements.lock").read_text()
PIN = re.compile(r"([a-z0-9.-]+)==(\S+)((?: --hash=sha256:[0-9a-f]{64})+)")
AGAIN = "deploy/lock writes it anew"


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins():
    """What is locked: versions by name. Nothing else may stand there, no address above all."""
    lines = re.sub(r" \\\n\s*", " ", LOCK).splitlines()
    found = [PIN.fullmatch(line) for line in lines if line and not line.startswith("#")]
    assert all(found)
    return {plain(pin[1]): Version(pin[2]) for pin in found}


def asked_for():
    """What pyproject.toml asks for, for the service and the checks."""
    project = PROJECT["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    return [Requirement(one) for one in [*wanted, *PROJECT["build-system"]["requires"]]]


@pytest.mark.parametrize("wanted", asked_for(), ids=str)
def test_what_is_asked_for_is_locked(wanted):
    locked = pins()
    assert plain(wanted.name) in locked, AGAIN
    assert wanted.specifier.contains(locked[plain(wanted.name)]), AGAIN


def test_all_that_those_need_is_locked():
    locked, todo, seen = pins(), [(one.name, one.extras) for one in asked_for()], set()
    while todo:
        name, extras = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        assert plain(name) in locked, f"{name}: {AGAIN}"
        try:
            inner = [Requirement(one) for one in requires(name) or ()]
        except PackageNotFoundError:  # an extra that this environment does without
            continue
        for one in inner:
            given = [{"extra": extra} for extra in (*extras, "")]
            if one.marker is None or any(map(one.marker.evaluate, given)):
                todo.append((one.name, one.extras))


def test_nothing_is_locked_without_need():
    assert len(pins()) < 120


def test_the_checks_install_what_is_locked():
    said = (DEPLOY / "environment.sh").read_text()
    assert "pip install --quiet --require-hashes -r deploy/requirements.lock" in said
    assert "--no-deps --no-build-isolation --editable ." in said
    assert LOCK.startswith("# Made by deploy/lock for Python 3.11.\n")


def test_an_environment_is_made_anew_for_every_source_that_is_compiled():
    asked = [shutil.which("sh"), "-c", ". deploy/environment.sh; made_from"]
    made_from = subprocess.run(asked, cwd=HOUSE, capture_output=True, text=True, check=True).stdout
    for source in kind.sources(HOUSE).values():
        assert source.read_text() in made_from, source


def printed(*arguments):
    command = [sys.executable, str(DEPLOY / "sbom.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_bill_of_materials_names_all_with_licences_and_is_the_same_again():
    bill = json.loads(printed())
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert printed() == json.dumps(bill, indent=1) + "\n"
    names = {part["name"] for part in bill["components"]}
    wanted = {plain(Requirement(one).name) for one in PROJECT["project"]["dependencies"]}
    assert wanted <= names
    known = {part["bom-ref"] for part in (*bill["components"], bill["metadata"]["component"])}
    for one in bill["dependencies"]:
        assert {one["ref"], *one["dependsOn"]} <= known
    told = dict(line.split(": ", 1) for line in printed("--licences").splitlines())
    assert len(told) == len(known)
    assert "not told" not in told.values()
