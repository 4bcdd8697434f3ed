"""The command where its standard streams are full or closed."""

import os
import shlex
import subprocess
import sys

import pytest

from predictor.cli import exits

COMMAND = f"{shlex.quote(sys.executable)} -c 'from predictor.cli import main; main()'"


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, env={**os.environ}, check=False
    )


@pytest.mark.parametrize("arguments", ["config show", "config schema", "--help"])
def test_a_full_disk_is_an_error_of_one_line(arguments):
    done = shell(f"{COMMAND} {arguments} >/dev/full")
    assert (done.returncode, done.stderr) == (
        exits.FAILED,
        "queuecast: output: No space left on device\n",
    )


@pytest.mark.parametrize("arguments", ["config show", "predict -", "when --url http://127.0.0.1:1"])
def test_closed_streams_are_no_fault_of_ours(arguments):
    done = shell(f"{COMMAND} {arguments} <&- >&-")
    assert "Traceback" not in done.stderr
    assert done.returncode in (exits.DONE, exits.FAILED)


@pytest.mark.parametrize("encoding", ["latin-1", "koi8-r", "cp437"])
@pytest.mark.parametrize("arguments", ["why --help", "diff --help"])
def test_a_locale_that_lacks_a_character_costs_no_more_than_that(encoding, arguments):
    done = shell(f"PYTHONIOENCODING={encoding} {COMMAND} {arguments}")
    assert (done.returncode, done.stderr) == (exits.DONE, "")


def test_a_reader_that_leaves_early_is_left_in_peace():
    done = shell(f"{COMMAND} config schema | head -1")
    assert (done.stdout, done.stderr) == ("{\n", "")
