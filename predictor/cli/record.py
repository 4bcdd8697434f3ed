"""`queuecast record`: make recordings, look at them, cut and prune them."""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Protocol

import click

from predictor.cli.params import AGE, INSTANT, SIZE
from predictor.cli.terminal import plain
from predictor.domain import FinishedJob, Observation
from predictor.domain.counts import counted
from predictor.domain.instants import rfc3339
from predictor.domain.source import SOURCES
from predictor.errors import StorageError
from predictor.site.pseudonyms import read_key
from predictor.storage import (
    RecordingReader,
    RecordingWriter,
    export_files,
    export_recording,
    open_for_reading,
    open_for_writing,
    prune,
)

SCHEMA = "queuecast.recording/1"
FOLDER = click.Path(file_okay=False, path_type=Path)
KEY = click.Path(dir_okay=False, path_type=Path)


class Gaps(Protocol):
    """What a capture had to leave out."""

    @property
    def skipped(self) -> Sequence[str]:
        """One line per instant that could not be read."""
        ...

    @property
    def cut_off(self) -> str:
        """Why the capture ends before its time; empty: it does not."""
        ...


class Capture(Protocol):
    """What can be imported: the source of kind `capture`."""

    @property
    def gaps(self) -> Gaps:
        """What `observations` left out, once it is over."""
        ...

    def observations(self) -> Iterator[Observation]:
        """Yield what was seen, oldest first."""
        ...

    def outcomes(self) -> Iterator[FinishedJob]:
        """Yield how jobs ended by the batch system's accounting."""
        ...


@click.group()
def record() -> None:
    """Make recordings of a cluster, look at, cut and prune them."""


@record.command(name="import")
@click.argument("capture", type=click.Path(exists=True, path_type=Path))
@click.argument("recording", type=FOLDER)
def import_(capture: Path, recording: Path) -> None:
    """Append a CAPTURE of the batch system's answers to RECORDING.

    The jobs' ends come along. What RECORDING has already is passed over, so that an import can be
    repeated. Standard error names the instants that CAPTURE has but that could not be read.
    """
    source = _open_capture(capture)
    say = _progress()
    with open_for_writing(recording) as writer:
        seen, added, printed_bytes = _import_snapshots(source, writer, say)
        ends = writer.add_outcomes(source.outcomes())
    say("\n")
    _tell_gaps(source.gaps)
    size_bytes = open_for_reading(recording).size_bytes
    click.echo(f"snapshots  {seen}, {added} of them new")
    click.echo(f"outcomes   {ends} new")
    click.echo(f"recording  {size_bytes} bytes")
    if printed_bytes:
        click.echo(
            f"ratio      {size_bytes / printed_bytes:.3%} of the {printed_bytes} bytes"
            " that the batch system printed"
        )


@record.command(name="ls")
@click.argument("recording", type=FOLDER)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
@click.option("--period", type=AGE, default="60s", show_default=True, help="Between snapshots.")
def ls(recording: Path, as_json: bool, period: int) -> None:
    """Tell what RECORDING holds, and what of it is damaged.

    That is its cluster, instants, gaps, sizes, forecasts and outcomes. Reads all of it, so that
    damage shows.
    """
    facts = _facts(recording, open_for_reading(recording), period)
    if as_json:
        click.echo(json.dumps(facts, indent=2))
    else:
        _show(facts)


@record.command(name="export")
@click.argument("recording", type=FOLDER)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Where to.")
@click.option("--since", type=INSTANT, help="From this instant on.")
@click.option("--until", type=INSTANT, help="Before this instant.")
@click.option("--recording", "as_recording", is_flag=True, help="Write a smaller recording.")
@click.option("--pseudonyms", type=KEY, help="Everybody by another name, made by the key in FILE.")
def export(
    recording: Path,
    output: Path,
    since: int | None,
    until: int | None,
    as_recording: bool,
    pseudonyms: Path | None,
) -> None:
    """Write snapshots of RECORDING as LML or a smaller recording.

    OUTPUT is a folder, of LML with one file per instant; if it ends in .lml, it is the file for the
    one snapshot asked for.
    """
    if pseudonyms is not None and not as_recording:
        raise click.UsageError("--pseudonyms needs --recording")
    reader = open_for_reading(recording)
    if pseudonyms is not None:
        count = export_recording(reader, output, since, until, read_key(pseudonyms))
    elif as_recording:
        count = export_recording(reader, output, since, until)
    else:
        count = export_files(reader, output, since, until)
    if not count:
        raise StorageError(f"{recording}: no snapshot can be read in that time")
    click.echo(f"{counted(count, 'snapshot')} written to {plain(str(output))}")
    for each in reader.damage:
        click.echo(f"skipped: {plain(str(each))}", err=True)


@record.command(name="prune")
@click.argument("recording", type=FOLDER)
@click.option("--older-than", type=AGE, help="Drop what is older, e.g. 30d.")
@click.option("--max-size", type=SIZE, help="Drop the oldest until it takes at most, e.g. 2G.")
def prune_(recording: Path, older_than: int | None, max_size: int | None) -> None:
    """Drop the oldest segments of RECORDING, never the newest.

    A segment holds about an hour.
    """
    if older_than is None and max_size is None:
        raise click.UsageError("give --older-than, --max-size, or both")
    before = None if older_than is None else int(time.time()) - older_than
    gone = prune(recording, before=before, max_bytes=max_size)
    begins = "" if gone.begins_at is None else f"; it begins at {rfc3339(gone.begins_at)} now"
    click.echo(f"{gone.segments} segments dropped, {gone.size_bytes} bytes{begins}")


def _open_capture(path: Path) -> Capture:
    for entry in entry_points(group=SOURCES, name="capture"):
        from_settings: Callable[[Mapping[str, object]], Capture] = entry.load()
        return from_settings({"path": str(path)})
    raise StorageError("no installed package can read captures")


def _import_snapshots(
    source: Capture, writer: RecordingWriter, say: Callable[[str], None]
) -> tuple[int, int, int]:
    """Return how many snapshots there were, how many were new, and the bytes they came from."""
    seen = added = size_bytes = 0
    for observation in source.observations():
        added += writer.append(observation.snapshot)
        seen += 1
        size_bytes += sum(call.size_bytes for call in observation.calls)
        say(f"\r{seen} snapshots, up to {rfc3339(observation.snapshot.taken_at)}")
    return seen, added, size_bytes


def _tell_gaps(gaps: Gaps) -> None:
    for cause in gaps.skipped:
        click.echo(f"skipped: {plain(cause)}", err=True)
    if gaps.cut_off:
        click.echo(f"cut off: {plain(gaps.cut_off)}", err=True)


def _progress() -> Callable[[str], None]:
    """Return what shows how far we are, to a person who watches; to nobody else."""

    def say(text: str) -> None:
        if sys.stderr.isatty():
            click.echo(text, nl=False, err=True)

    return say


def _facts(path: Path, reader: RecordingReader, period_s: int) -> dict[str, object]:
    documents_bytes = sum(len(document) for _, document in reader.documents())
    outcomes = sum(1 for _ in reader.outcomes())
    instants = reader.instants
    return {
        "schema": SCHEMA,
        "path": str(path),
        "cluster": reader.cluster,
        "snapshots": len(instants),
        "first": rfc3339(instants[0]) if instants else None,
        "last": rfc3339(instants[-1]) if instants else None,
        "instants": list(instants),
        "gaps": [
            {"since": rfc3339(gap.since), "until": rfc3339(gap.until)}
            for gap in reader.gaps(period_s)
        ],
        "answers": sum(1 for _ in reader.answers()),
        "outcomes": outcomes,
        "segments": reader.segments,
        "size_bytes": reader.size_bytes,
        "documents_bytes": documents_bytes,
        "damage": [str(each) for each in reader.damage],
    }


def _show(facts: Mapping[str, Any]) -> None:
    stretch = f", {facts['first']} to {facts['last']}" if facts["snapshots"] else ""
    lines = [
        f"cluster    {facts['cluster'] or 'not known yet'}",
        f"snapshots  {facts['snapshots']}{stretch}",
        f"published  {facts['answers']} forecasts",
        f"outcomes   {facts['outcomes']}",
        f"size       {facts['size_bytes']} bytes in {facts['segments']} segments,"
        f" for {facts['documents_bytes']} bytes of LML",
        *(f"gap        {gap['since']} to {gap['until']}" for gap in facts["gaps"]),
        *(f"damage     {cause}" for cause in facts["damage"]),
    ]
    for line in lines:
        click.echo(plain(line))
