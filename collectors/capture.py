"""A capture: the batch system's recorded answers, replayed through the parsers of the live source.

A folder with `snapshots.jsonl.zst` (one JSON line per command run: `snap`, `t`, `cmd`, `rc`,
`ms`, `out`), answers read once (`config.txt`, `qos.txt`, ...) and the accounting's final say,
`sacct_jobs.psv.gz`.
"""

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import BinaryIO

import zstandard

from collectors.pbs import questions as pbs
from collectors.pbs.assemble import assemble as assemble_pbs
from collectors.slurm import questions
from collectors.slurm.assemble import assemble
from collectors.slurm.library import questions as library
from collectors.slurm.objects.fields import Fields
from collectors.slurm.questions import Answers
from collectors.slurm.rest import questions as rest
from collectors.slurm.text.accounting import parse_accounting
from collectors.slurm.text.sdiag import parse_diagnosis
from predictor.domain import Call, FinishedJob, Observation, Snapshot
from predictor.errors import SiteError, SourceError, SourceFormatError

KEYS = frozenset({"path"})
"""What the source can be told in a site file."""
RUNS = "snapshots.jsonl.zst"
OUTCOMES = "sacct_jobs.psv.gz"
PIECE = 2**13
"""Small, for a packed byte may stand for ten thousand."""
LONGEST_LINE = 256 * 2**20
LONGEST_FILE = 512 * 2**20
ALL = (*questions.ALL, *rest.ALL, *library.ALL, *pbs.ALL)
SLOW = frozenset(question.name for question in ALL if question.slow)


@dataclass(slots=True)
class Gaps:
    """What a replay had to leave out; complete once the replay is over."""

    skipped: list[str] = field(default_factory=list)
    """One line per instant without jobs or nodes."""
    cut_off: str = ""
    """Why the recording ends before its time; empty: it does not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One recorded run of a command."""

    snap: int
    name: str
    rc: int
    duration_s: float
    printed: str


class Capture:
    """A recorded cluster. Each `observe()` returns the next instant."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.gaps = Gaps()
        self._replay: Iterator[Observation] | None = None

    def observe(self) -> Observation:
        """Return the next recorded instant. Raises SourceError after the last one."""
        if self._replay is None:
            self._replay = self.observations()
        found = next(self._replay, None)
        if found is None:
            left_out = "".join(f"; left out: {line}" for line in self.gaps.skipped[:1])
            raise SourceError(f"{self.folder}: the capture is over{left_out}")
        return found

    def observations(self) -> Iterator[Observation]:
        """Yield all recorded instants in order; `gaps` says what was left out.

        An instant without jobs or nodes is skipped, and so is the rest of a recording that was
        cut off. Raises SourceError if there is no recording at all.
        """
        self.gaps = Gaps()
        known = once_read(self.folder)
        for snap, runs in groupby(runs_of(self.folder, self.gaps), key=lambda run: run.snap):
            taken = tuple(runs)
            answers = answers_of(taken, known)
            known |= {name: out for name, out in answers.printed.items() if name in SLOW}
            try:
                snapshot = _assembled(answers, snap)
            except SourceError as error:
                self.gaps.skipped.append(f"{snap}: {error}")
                continue
            yield Observation(snapshot=snapshot, calls=tuple(map(_call, taken)))

    def outcomes(self) -> Iterator[FinishedJob]:
        """Yield how each job ended, by the accounting database; none without its table.

        Raises SourceFormatError for a broken one.
        """
        path = self.folder / OUTCOMES
        if not path.exists():
            return
        try:
            jobs, _ = parse_accounting(_unpacked(path), self._offset_s())
        except SourceFormatError as error:
            raise SourceFormatError(f"{path}: {error}") from error
        yield from jobs

    def _offset_s(self) -> int:
        """Return how far the capture's local time was ahead of UTC, by its first sdiag."""
        for run in runs_of(self.folder, Gaps()):
            if run.name == questions.DIAGNOSIS.name and run.rc == 0:
                return parse_diagnosis(run.printed)[0].offset_s
        return 0


def from_settings(settings: Mapping[str, object]) -> Capture:
    """Return the capture in the folder `path`. Raises SiteError."""
    path = settings.get("path")
    if not isinstance(path, str) or settings.keys() - KEYS:
        raise SiteError(f'source "capture": expected path = "FOLDER" alone, got {dict(settings)}')
    return Capture(Path(path))


def once_read(folder: Path) -> dict[str, str]:
    """Return the answers that were recorded once, by the name of the question."""
    return {
        name: (folder / f"{name}.txt").read_text(errors="replace")
        for name in SLOW
        if (folder / f"{name}.txt").exists()
    }


def runs_of(folder: Path, gaps: Gaps) -> Iterator[Run]:
    """Yield the recorded runs in order; where the file is cut off, `gaps` says so.

    Raises SourceError if the file cannot be read.
    """
    path = folder / RUNS
    try:
        with path.open("rb") as file:
            for number, line in enumerate(_lines(_pieces(file, path, gaps)), start=1):
                run = _run(line)
                if run is None:
                    gaps.cut_off = gaps.cut_off or f"{path}:{number}: no recorded run"
                    return
                yield run
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error


def _pieces(file: BinaryIO, path: Path, gaps: Gaps) -> Iterator[bytes]:
    # The recordings are packed with long-distance matching: windows far above the default.
    packing = zstandard.ZstdDecompressor(max_window_size=2**31)
    frame, packed = None, b""
    try:
        while packed := packed or file.read(PIECE):
            frame = frame or packing.decompressobj()
            yield frame.decompress(packed)
            packed, frame = frame.unused_data, None if frame.eof else frame
    except zstandard.ZstdError as error:
        gaps.cut_off = f"{path}: {error}"
        return
    if frame is not None:
        gaps.cut_off = f"{path}: it ends in the middle"


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines, the last one also if it is not whole. Raises SourceFormatError."""
    parts: list[bytes] = []
    size = 0
    for piece in pieces:
        first, *more = piece.split(b"\n")
        parts.append(first)
        size += len(first)
        if size > LONGEST_LINE:
            raise SourceFormatError(f"{RUNS}: a line of more than {LONGEST_LINE} bytes")
        for part in more:
            yield b"".join(parts)
            parts, size = [part], len(part)
    if any(parts):
        yield b"".join(parts)


def _run(line: bytes) -> Run | None:
    """Return the run on a line; None if the line was cut off or is something else."""
    try:
        found = Fields(json.loads(line))
        return Run(
            snap=found.count("snap"),
            name=found.text("cmd"),
            rc=found.count("rc"),
            duration_s=found.decimal("ms") / 1000,
            # As from the live command: what is no text has become question marks.
            printed=found.text("out").encode(errors="replace").decode(),
        )
    except (ValueError, RecursionError):
        return None


def _call(run: Run) -> Call:
    return Call(
        name=run.name,
        duration_s=run.duration_s,
        size_bytes=len(run.printed.encode(errors="replace")),
        ok=run.rc == 0,
    )


def _unpacked(path: Path) -> str:
    """Return the text in a gzip file. Raises SourceFormatError for a broken or huge one."""
    try:
        with gzip.open(path) as file:
            content = file.read(LONGEST_FILE + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise SourceFormatError(str(error)) from error
    if len(content) > LONGEST_FILE:
        raise SourceFormatError(f"more than {LONGEST_FILE} bytes when unpacked")
    return content.decode(errors="replace")


def _assembled(answers: Answers, taken_at: int) -> Snapshot:
    """Return the snapshot that the answers make, in the words of who gave them."""
    if pbs.JOBS.name in answers.printed or pbs.JOBS.name in answers.failed:
        return assemble_pbs(answers, taken_at=taken_at, source="capture")
    return assemble(answers, taken_at=taken_at, source="capture")


def answers_of(runs: tuple[Run, ...], known: Mapping[str, str]) -> Answers:
    """Return one instant's answers; slow ones not asked for again stand as `known`."""
    good = {run.name: run.printed for run in runs if run.rc == 0}
    failed = {run.name: f"it exited with {run.rc}" for run in runs if run.rc != 0}
    return Answers(printed={**known, **good}, failed=failed)
