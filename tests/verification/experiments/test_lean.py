import json
import subprocess
import sys

import pytest

LOADED = """
import importlib, json, sys
importlib.import_module(sys.argv[1])
print(json.dumps(sorted(sys.modules)))
"""
HEAVY = {
    "_hashlib",  # OpenSSL
    "gzip",
    "lxml",
    "predictor.domain",
    "predictor.priority",
    "pydantic",
    "random",
    "requests",
    "sortedcontainers",
    "statistics",
    "verification.experiments.schedulers.easy",
}


@pytest.fixture
def loaded():
    def in_a_new_process(module):
        command = [sys.executable, "-c", LOADED, module]
        return {*json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)}

    return in_a_new_process


def test_an_experiment_loads_only_what_it_uses(loaded):
    assert loaded("verification.experiments.cell") & HEAVY == set()


def test_its_command_loads_neither_settings_nor_pages(loaded):
    found = loaded("verification.cli.experiment")
    assert found & {"jinja2", "lxml", "pydantic", "verification.experiments.page"} == set()


def test_what_is_heavy_would_be_seen(loaded):
    assert "pydantic" in loaded("verification.sweep.experiments")
