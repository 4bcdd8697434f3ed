"""The Standard Workload Format: its fields, its header, its files, and a line of it.

Source: https://www.cs.huji.ac.il/labs/parallel/workload/swf.html (version 2.2).
"""

import gzip
import re
from contextlib import nullcontext
from dataclasses import dataclass
from io import BufferedReader
from typing import Final

FIELDS: Final = (
    "number",
    "submit_s",
    "wait_s",
    "run_s",
    "allocated_procs",
    "cpu_s",
    "used_memory_kib",
    "requested_procs",
    "requested_s",
    "requested_memory_kib",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding_job",
    "think_s",
)
"""The fields in their order; memory is per processor, and -1 stands for unknown."""
LONGEST_LINE_BYTES: Final = 4096
MOST_DIGITS: Final = 15
GZIP_MAGIC: Final = b"\x1f\x8b"
_HEADER_KEYS: Final = {
    b"MaxJobs": "max_jobs",
    b"MaxNodes": "max_nodes",
    b"MaxProcs": "max_procs",
    b"UnixStartTime": "unix_start_time",
}
_NUMBER: Final = rb"(-?[0-9]{1,%d})(?:\.[0-9]*)?" % MOST_DIGITS
_ROW: Final = re.compile(
    rb"[ \t\r]*" + rb"[ \t\r]+".join([_NUMBER] * len(FIELDS)) + rb"[ \t\r]*\n?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the comments before the first job say; None where they do not."""

    max_jobs: int | None = None
    max_nodes: int | None = None
    max_procs: int | None = None
    unix_start_time: int | None = None
    """What second 0 of the trace is, in UTC epoch seconds."""


def header_entry(line: bytes) -> dict[str, int]:
    """Return what a comment says for the header, under the header's name; empty if nothing."""
    key, _, value = line.lstrip(b"; \t").partition(b":")
    name, number = _HEADER_KEYS.get(key.strip()), value.strip()
    if name is None or not number.isdigit() or len(number) > MOST_DIGITS:
        return {}
    return {name: int(number)}


def content(file: BufferedReader) -> gzip.GzipFile | nullcontext[BufferedReader]:
    """Return the file's content as it was before compression, to be entered with `with`."""
    compressed = file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC)
    return gzip.open(file) if compressed else nullcontext(file)


def numbers(line: bytes) -> tuple[int, ...]:
    """Return the numbers of one line, decimals left out; none of a blank line or a comment.

    For one line at a time: who reads a trace as a whole has a faster way. Raises ValueError.
    """
    if row := _ROW.fullmatch(line):
        return tuple(map(int, row.groups()))
    words = [word for word in re.split(rb"[ \t\r\n]+", line) if word]
    if not words or words[0].startswith(b";"):
        return ()
    if len(words) != len(FIELDS):
        raise ValueError(f"{len(FIELDS)} fields expected, {len(words)} found")
    odd = (n for n, word in enumerate(words, start=1) if not re.fullmatch(_NUMBER, word))
    raise ValueError(f"field {next(odd, 1)} is not a number of at most {MOST_DIGITS} digits")
