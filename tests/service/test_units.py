"""The units for systemd: what they name exists, and what they let the daemon do is little."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
UNITS = ("queuecast.service", "queuecast@.service")
MOST_EXPOSED = 15
"""In tenths of a point."""


def read(name):
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str
    unit.read_string((FOLDER / name).read_text())
    return unit


@pytest.mark.parametrize("name", UNITS)
def test_the_daemon_tells_systemd_how_it_is(name):
    service = read(name)["Service"]
    assert service["Type"] == "notify"
    assert service["User"] == "queuecast"
    assert "serve --site" in service["ExecStart"]
    assert service["ExecReload"].startswith("/bin/kill -HUP")
    assert {"RuntimeDirectory", "StateDirectory", "WatchdogSec"} <= set(service)


def test_the_template_is_the_unit_for_one_of_several():
    one, several = ((FOLDER / name).read_text() for name in UNITS)
    plain = (
        several.replace("%i.toml", "site.toml")
        .replace("%i.token", "token")
        .replace("%i.mail", "mail")
    )
    plain = re.sub(r"queuecast[/@-]%i", "queuecast", plain).replace(" on %i", "")
    assert plain == one


@pytest.mark.parametrize("name", UNITS)
def test_it_may_do_little(name):
    service = read(name)["Service"]
    assert service["CapabilityBoundingSet"] == ""
    assert service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["LimitCORE"] == "0"
    if shutil.which("systemd-analyze"):
        told = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", str(FOLDER / name)],
            capture_output=True,
            text=True,
            check=False,
        )
        score = re.search(r"exposure level for \S+: ([\d.]+)", told.stdout)
        assert score is not None, told.stderr
        assert round(10 * float(score[1])) <= MOST_EXPOSED
