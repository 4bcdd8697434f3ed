"""A kind of run whose every outcome is known, and small grids of it."""

import hashlib
import json
import os
import signal
import time
from dataclasses import dataclass

import pytest

from verification.sweep import known
from verification.sweep.digests import digest_of_file
from verification.sweep.kinds import Outcome
from verification.sweep.settings import PlainKind

GRID = """\
kind = "sums"
draws = 2
[axes]
a = [1, 2, 3]
b = [10, 20]
"""


@dataclass(frozen=True)
class Sums(PlainKind):
    """Adds up its settings and what stands in the input; `do` makes it go wrong."""

    name: str = "sums"
    figures: tuple = ("mean_wait_s", "utilisation")

    def faults(self, settings):
        for key, value in settings.items():
            if key not in ("a", "b", "do", "limits.most"):
                yield key, "unknown key"
            elif key != "do" and not isinstance(value, int):
                yield key, "expected a whole number"

    def chance(self, settings):
        return True

    def digest(self, path):
        return digest_of_file(path)

    def read(self, path):
        return int(path.read_text())

    def run(self, read, settings, seed):
        do = settings.get("do", "")
        if do == "raise":
            raise ZeroDivisionError("of all\nthings")
        if do == "die" or (do == "die once" and not _done_before(settings)):
            os.kill(os.getpid(), signal.SIGKILL)
        if do == "sleep" and "SUMS_HURRY" not in os.environ:
            time.sleep(0.4)
        figure = read + settings.get("a", 0) + settings.get("b", 0) + seed % 3
        figures = {"mean_wait_s": float(figure), "utilisation": 1 / figure}
        told = json.dumps([figures, dict(settings), seed], sort_keys=True)
        return Outcome(figures=figures, sha256=hashlib.sha256(told.encode()).hexdigest())


def _done_before(settings):
    flag = os.environ["SUMS_DONE_BEFORE"]
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return True
    return False


@pytest.fixture
def sums(monkeypatch, tmp_path):
    """The kind `sums`, known for the length of a test."""
    monkeypatch.setitem(known.KINDS, "sums", kind := Sums())
    monkeypatch.setenv("SUMS_DONE_BEFORE", str(tmp_path / "done-before"))
    return kind


@pytest.fixture
def hundred(tmp_path):
    """An input."""
    return _written(tmp_path / "hundred", "100")


@pytest.fixture
def grid_file(tmp_path):
    """Return the file of a grid."""

    def write(text=GRID, name="grid.toml"):
        return _written(tmp_path / name, text)

    return write


def _written(path, text):
    path.write_text(text)
    return path
