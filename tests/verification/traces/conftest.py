"""Traces written by tests, and the real excerpt."""

import gzip
from pathlib import Path

import pytest
from engine.conftest import pure_python, same_in_both

__all__ = ["pure_python", "same_in_both"]


@pytest.fixture(scope="session")
def excerpt() -> Path:
    """The first 300 jobs of a real trace; see the README beside it."""
    return Path(__file__).with_name("kth-sp2-first-300.swf")


@pytest.fixture
def trace_file(tmp_path):
    """Write a trace; `gz` compresses it."""

    def write(text: str | bytes, *, gz: bool = False) -> Path:
        content = text.encode() if isinstance(text, str) else text
        path = tmp_path / ("trace.swf.gz" if gz else "trace.swf")
        path.write_bytes(gzip.compress(content) if gz else content)
        return path

    return write
