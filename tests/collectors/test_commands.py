import sys
import time
from contextlib import suppress

import pytest

from collectors.commands import environment, run
from predictor.errors import SourceError, SourceTimeout


def python(code):
    return (sys.executable, "-c", code)


def test_what_a_command_printed_and_what_it_cost():
    printed = run(python("import sys; print('é'); print('oh', file=sys.stderr); sys.exit(3)"), 20)
    assert (printed.output, printed.complaint, printed.exit_code) == ("é\n", "oh\n", 3)
    assert printed.size_bytes == 3
    assert 0 < printed.duration_s < 20


def test_bytes_that_are_no_text_are_replaced():
    assert run(python(r"import os; os.write(1, b'a\xff\xfe')"), 20).output == "a\ufffd\ufffd"


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import time; time.sleep(60)", id="says nothing"),
        pytest.param("import time\nwhile 1: print('x', flush=True); time.sleep(0.01)", id="drips"),
        pytest.param(
            "import os, time; os.close(1); os.close(2); time.sleep(60)", id="closes its output"
        ),
        pytest.param(
            "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)", id="stubborn"
        ),
    ],
)
def test_no_command_outlives_its_deadline(code):
    begun = time.monotonic()
    with pytest.raises(SourceTimeout, match=r"no answer within 0\.5 s"):
        run(python(code), 0.5)
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("last_words", ["time.sleep(60)", "pass"])
def test_what_a_command_started_ends_with_it(tmp_path, last_words):
    sign = tmp_path / "sign"
    child = f"import time, pathlib; time.sleep(1.5); pathlib.Path({str(sign)!r}).touch()"
    code = (
        "import subprocess, sys, time\n"
        f"subprocess.Popen([sys.executable, '-c', {child!r}], stdout=-3, stderr=-3)\n{last_words}"
    )
    with suppress(SourceTimeout):
        run(python(code), 0.8)
    time.sleep(2)
    assert not sign.exists()


def test_a_flood_is_stopped():
    with pytest.raises(SourceError, match="more than 1000 bytes"):
        run(python("while 1: print('x' * 1000)"), 20, most_bytes=1000)


def test_a_flood_of_complaints_is_cut():
    printed = run(python("import sys; sys.stderr.write('x' * 10**6)"), 20)
    assert len(printed.complaint) == 4096


def test_a_command_that_is_not_there():
    with pytest.raises(SourceError, match="no-such-command: no such command; is it on the PATH"):
        run(("no-such-command",), 20)


def test_the_environment_steers_nothing():
    ours = {
        "PATH": "/bin",
        "SLURM_CONF": "/etc/slurm.conf",
        "SQUEUE_FORMAT": "%i",
        "SINFO_FORMAT": "%N",
        "SLURM_TIME_FORMAT": "relative",
        "SLURM_CLUSTERS": "other",
        "TZ": "Europe/Berlin",
        "LC_ALL": "de_DE",
    }
    assert environment(ours) == {
        "PATH": "/bin",
        "SLURM_CONF": "/etc/slurm.conf",
        "TZ": "UTC",
        "LC_ALL": "C",
        "SLURM_BITSTR_LEN": "0",
        "SQUEUE_ARRAY_UNIQUE": "1",
    }
