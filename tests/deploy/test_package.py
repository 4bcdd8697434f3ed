"""The Debian package: what its parts say of one another is true."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
DEPLOY = HOUSE / "deploy"
MAINTAINERS = ("postinst", "prerm", "postrm")
SCRIPTS = (*(f"debian/{name}" for name in MAINTAINERS), "check", "demo", "package")
UNITS = sorted(unit.name for unit in (DEPLOY / "systemd").glob("*.service"))


def text(name):
    return (DEPLOY / name).read_text()


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_are_ones(name):
    file = DEPLOY / name
    assert file.stat().st_mode & 0o111
    assert text(name).startswith("#!/bin/sh\n")
    subprocess.run(["sh", "-n", file], check=True)


def test_the_control_file_is_filled_in_completely():
    control = text("debian/control")
    for placeholder in re.findall(r"@[A-Z_]+@", control):
        assert f"s/{placeholder}/" in text("package")
    fields = dict(line.split(": ", 1) for line in control.splitlines() if line[0] != " ")
    assert {"Package", "Version", "Architecture", "Maintainer", "Description"} <= fields.keys()


def test_it_goes_by_the_version_of_the_project():
    found = re.findall(r'^version = "(.*)"$', (HOUSE / "pyproject.toml").read_text(), re.MULTILINE)
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text())["project"]
    assert found == [project["version"]]


def test_all_it_takes_along_exists():
    for name in re.findall(r"\bdeploy/[\w./@*-]*\w", text("package")):
        assert name == "deploy/check_pyslurm" or list(HOUSE.glob(name)), name


@pytest.mark.parametrize("unit", UNITS)
def test_the_units_find_what_it_brings(unit):
    told = text(f"systemd/{unit}")
    assert "ExecStart=/opt/queuecast/bin/queuecast " in told
    assert "home=opt/queuecast\n" in text("package")
    user = re.search(r"^User=(.*)$", told, re.MULTILINE)
    assert user
    assert re.search(
        rf"adduser --system .*\\\n.* {user[1]}$", text("debian/postinst"), re.MULTILINE
    )


@pytest.mark.parametrize("unit", UNITS)
def test_what_runs_is_restarted_by_upgrades_and_stopped_by_removal(unit):
    named = unit.replace("@.service", "@*.service")
    assert re.search(rf"systemctl try-restart .*{re.escape(named)}", text("debian/postinst"))
    assert re.search(rf"systemctl stop .*{re.escape(named)}", text("debian/prerm"))


def test_only_a_purge_takes_what_was_recorded():
    before, _, purged = text("debian/postrm").partition('if [ "$1" = purge ]')
    assert "/var/lib/queuecast" in purged
    for other in (before, text("debian/prerm"), text("debian/postinst")):
        assert "rm " not in other
