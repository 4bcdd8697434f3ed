"""The Standard Workload Format: its fields, its header, its files, and a line read or written.

Source: https://www.cs.huji.ac.il/labs/parallel/workload/swf.html (version 2.2).
"""

import re
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from io import BufferedReader
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gzip import GzipFile

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
    b"TimeZone": "time_zone_s",
}
_MAY_BE_NEGATIVE: Final = {"time_zone_s"}
_WHOLE: Final = re.compile(rb"-?[0-9]{1,%d}" % MOST_DIGITS)
_LINE: Final = b" ".join([b"%d"] * len(FIELDS)) + b"\n"
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
    time_zone_s: int | None = None
    """So many seconds its clocks are ahead of UTC; negative in the west."""


def header_entry(line: bytes) -> dict[str, int]:
    """Return what a comment says for the header, under the header's name; empty if nothing."""
    key, _, value = line.lstrip(b"; \t").partition(b":")
    name, number = _HEADER_KEYS.get(key.strip()), value.strip()
    if name is None or not _WHOLE.fullmatch(number):
        return {}
    return {name: int(number)} if name in _MAY_BE_NEGATIVE or number.isdigit() else {}


def header_lines(header: Header, remarks: Mapping[str, str]) -> bytes:
    """Return the comments that a trace begins with: `remarks` by their key, then what is known.

    A remark is words of a person or program; whatever would end its line is a blank in the file.
    """
    told = {key: " ".join(words.split()) for key, words in {"Version": "2.2", **remarks}.items()}
    for key, name in _HEADER_KEYS.items():
        if (number := getattr(header, name)) is not None:
            told[key.decode()] = str(number)
    lines = (f"; {key}: {words}\n" for key, words in told.items())
    return "".join(lines).encode("ascii", "replace")


def line_of(known: Mapping[str, int]) -> bytes:
    """Return a job as a line: numbers by their field's name; -1 stands where there is none."""
    return _LINE % tuple([known.get(field, -1) for field in FIELDS])


def content(file: BufferedReader) -> "GzipFile | nullcontext[BufferedReader]":
    """Return the file's content as it was before compression, to be entered with `with`."""
    if not file.peek(len(GZIP_MAGIC)).startswith(GZIP_MAGIC):
        return nullcontext(file)
    from gzip import GzipFile

    return GzipFile(fileobj=file, mode="rb")


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
