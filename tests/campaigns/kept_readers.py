"""The readers of recordings, traces, models and all else that lies in files of ours, with seeds."""

import gzip
import json
import shutil
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from campaigns.hunting import Target
from campaigns.own_readers import HOUSE, WORD, filed, small
from clusters import NOW, cluster, running, waiting
from pydantic import ValidationError
from recordings import HandClock
from services import result, said, sure

from collectors.swf.source import from_settings as trace
from predictor import lml
from predictor.domain import Snapshot
from predictor.errors import (
    DocumentError,
    SiteError,
    SourceError,
    StorageError,
)
from predictor.experience import Experience
from predictor.service import ledger, memory
from predictor.service.longwork.shelf import ORDER, TOLD, Ordered, Shelf
from predictor.service.shown import Shown, load, save
from predictor.service.watches.store import Watches
from predictor.service.week import read_week
from predictor.site import default
from predictor.storage import codec, frames
from predictor.storage.answers import read as read_answers
from predictor.storage.answers import written
from predictor.storage.documents import Documents
from predictor.storage.exporting import export_files
from predictor.storage.files import OS_FILES
from predictor.storage.reader import open_for_reading
from predictor.storage.writer import open_for_writing
from predictor.swf import numbers
from predictor.web.found import found_in
from predictor.web.tries import tries
from verification.experiments.machine_file import load_machine
from verification.sweep.folder import MANIFEST, RESULTS, look
from verification.traces.swf import read as read_trace
from verification.workloads.fit import fit
from verification.workloads.modelfile import read_model, write_model
from verification.workloads.seen import read_workload


def ordered(scratch: Path) -> Iterator[Target]:
    """Yield the readers of what is ordered from the service, and of what it keeps of that."""
    sweep = {"kind": "sweep", "grid": 'kind = "trial"\n[axes]\nPriorityWeightAge = [1, 2]\n'}
    replay = {"kind": "replay", "hours": 2, "until": "2026-11-21T18:00:00Z"}
    bodies = [json.dumps(body).encode() for body in (sweep, replay)]
    yield Target(name="orders", read=ORDER.validate_json, seeds=bodies, refuses=(ValidationError,))
    shelf = Shelf(scratch / "experiments")
    order = ORDER.validate_python(replay)
    shelf.begin(Ordered(id="x1", order=order, by="ada", created_at=NOW))
    kept = shelf.place("x1") / TOLD
    yield Target(
        name="kept orders",
        read=filed(kept, lambda _file: list(shelf.all())),
        seeds=[kept.read_bytes()],
        refuses=(),
    )


def models(scratch: Path) -> Iterator[Target]:
    """Yield the reader of workload models."""
    file = scratch / "model.json"
    write_model(file, fit(read_workload(HOUSE / "tests/verification/traces/kth-sp2-first-300.swf")))
    yield Target(
        name="workload models",
        read=filed(file, read_model),
        seeds=[file.read_bytes()],
        refuses=(DocumentError,),
        weight=0.3,
    )


def experiments(scratch: Path) -> Iterator[Target]:
    """Yield the readers of machines, and of the folder of a sweep."""
    machine = (HOUSE / "verification/experiments/systems/eurora.toml").read_bytes()
    folder = scratch / "sweep"
    folder.mkdir()
    (folder / MANIFEST).write_bytes(b'{"schema": "x", "points": 2}')
    yield Target(
        name="machines",
        read=filed(scratch / "machine.toml", lambda file: load_machine(str(file))),
        seeds=[machine],
        refuses=(SiteError,),
        words=(b"[[groups]]\n", b"grid = [2, 2]\n", b"score = '1'\n"),
        weight=0.3,
    )
    yield Target(
        name="results of a sweep",
        read=filed(folder / RESULTS, lambda _file: look(folder)),
        seeds=[b'{"point": "a", "ok": true, "figures": {"x": 1.5}}\n{"point": "b", "ok": false}\n'],
        refuses=(StorageError,),
    )
    yield Target(
        name="sweeps to be shown",
        read=filed(folder / MANIFEST, lambda _file: tries(scratch, NOW)),
        seeds=[
            b'{"schema": "queuecast.sweep-manifest/1", "points": 2, "runs": 4, "grid":'
            b' {"kind": "x", "axes": {"a": [1]}, "points": []}, "inputs": [{"name": "i"}],'
            b' "begun": "1795206017"}'
        ],
        refuses=(),
    )
    yield Target(
        name="comparisons to be shown",
        read=filed(scratch / "diff.json", lambda _file: tries(scratch, NOW)),
        seeds=[
            b'{"schema": "queuecast.diff/1", "draws": 3, "recordings": [{"name": "r"}],'
            b' "change": ["a"]}'
        ],
        refuses=(),
    )
    yield Target(
        name="experiments to be compared",
        read=found_in,
        seeds=[
            b'{"schema": "queuecast.diff/1", "recordings": [{"name": "r"}],'
            b' "measures": {"mean_wait_s": {"base": 2.5, "new": 3, "detected": 1, "words": "w"}}}',
            b'{"schema": "queuecast.sweep/1", "judged": "x", "inputs": ["r"], "points":'
            b' [{"settings": {"a": 1}, "figures": {"x": 0.5}, "verdict": "same"}]}',
        ],
        refuses=(),
    )
    yield Target(
        name="manifests of a sweep",
        read=filed(folder / MANIFEST, lambda _file: look(folder)),
        seeds=[b'{"schema": "x", "points": [{"a": 1}], "seed": 3}'],
        refuses=(StorageError,),
    )


def traces(scratch: Path) -> Iterator[Target]:
    """Yield the readers of the Standard Workload Format: of lines, files, traces to be played."""
    rows = (HOUSE / "tests/verification/traces/kth-sp2-first-300.swf").read_bytes()
    plain = b"; MaxNodes: 4\n; MaxProcs: 100\n; UnixStartTime: 1000\n" + b"".join(
        line for line in rows.splitlines(keepends=True)[:60] if not line.startswith(b";")
    )
    seeds = [plain, gzip.compress(plain)]
    lines = plain.splitlines(keepends=True)[3:9]
    yield Target(
        name="lines of traces",
        read=numbers,
        seeds=lines,
        refuses=(ValueError,),
        weight=12,
        longest=WORD,
    )
    yield Target(
        name="traces",
        read=filed(scratch / "a.swf", read_trace),
        seeds=seeds,
        refuses=(DocumentError,),
    )
    yield Target(
        name="traces with bad lines",
        read=filed(scratch / "b.swf", partial(read_trace, skip_bad_lines=True)),
        seeds=seeds,
        refuses=(DocumentError,),
    )
    yield Target(
        name="traces to be played",
        read=filed(scratch / "c.swf", played),
        seeds=seeds,
        refuses=(SiteError, SourceError),
        weight=0.3,
    )


def played(file: Path) -> Snapshot:
    """Look at a trace that has been played for an hour."""
    clock = HandClock()
    player = trace({"path": str(file)}, clock=clock)
    clock.sleep(3_600)
    return player.observe().snapshot


def recordings(scratch: Path) -> Iterator[Target]:
    """Yield the readers of a recording: its files, frames, documents, answers and index."""
    folder = scratch / "recording"
    with open_for_writing(folder) as writer:
        for minute in range(3):
            seen = cluster(2, waiting("11", 2), running("10", "n1", 30), taken_at=NOW + 60 * minute)
            writer.append(seen)
            writer.add_answers(sure(said(seen)))
    (segment,) = folder.glob("segment-*.qcr")
    whole = segment.read_bytes()
    document = lml.write(small())
    packed = [codec.pack(document, None)]
    kept = written(sure(said(small())), NOW, "")
    common = {"seeds": [whole], "refuses": (StorageError,), "words": (frames.MARK, b"\0" * 8)}
    yield Target(
        name="segments", read=filed(segment, lambda _f: read_all(folder)), **common, weight=0.3
    )
    yield Target(
        name="frames",
        read=lambda data: frames.scan("x", data),
        **{**common, "refuses": (), "seeds": [whole, whole[:-9]]},
    )
    yield Target(
        name="frames with good sums", read=resealed, **{**common, "seeds": [whole]}, weight=0.3
    )
    yield Target(
        name="packed documents",
        read=lambda data: codec.unpack(data, None),
        seeds=packed,
        refuses=(StorageError,),
    )
    index = scratch / "indexed"
    shutil.copytree(folder, index)
    yield Target(
        name="indexes",
        read=filed(index / "index.sqlite", lambda _f: read_all(index)),
        seeds=[sound_index(index / "index.sqlite")],
        refuses=(StorageError,),
        weight=0.1,
        longest=2**17,
    )
    written_to = scratch / "written-to"
    shutil.copytree(folder, written_to)
    yield Target(
        name="indexes of a writer",
        read=filed(written_to / "index.sqlite", lambda _f: open_for_writing(written_to).close()),
        seeds=[sound_index(index / "index.sqlite")],
        refuses=(StorageError,),
        weight=0.02,
        longest=2**17,
    )
    yield Target(name="kept answers", read=read_answers, seeds=[kept], refuses=(StorageError,))
    exported = scratch / "exported"
    yield Target(
        name="recordings to export",
        read=filed(
            segment, lambda _f: export_files(open_for_reading(folder), exported, None, None)
        ),
        **common,
        weight=0.1,
    )


def sound_index(file: Path) -> bytes:
    """Return an index in one file."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    database.close()
    return file.read_bytes()


def read_all(folder: Path) -> object:
    """Read all that a recording holds."""
    reader = open_for_reading(folder)
    found = [*reader.snapshots(), *reader.outcomes(), *reader.answers()]
    return found, reader.damage


def resealed(data: bytes) -> object:
    """Read the documents of a segment whose records were changed, and their sums with them."""
    begin = frames.HEAD.size + 5
    pieces = data[begin:].split(frames.MARK)[1:]
    made = b"".join(_sealed(piece) for piece in pieces)
    segment = frames.segment_head("scene", 1) + made
    found = frames.scan("x", segment)
    held = Documents(segment)
    for entry in found.entries:
        try:
            held.at(entry.offset)
        except StorageError:
            continue
    return found


def _sealed(piece: bytes) -> bytes:
    """Return a record with the fields and the document of this one."""
    body = (frames.MARK + piece).ljust(frames.RECORD.size, b"\0")
    _, kind, epoch, taken_at, base, _, _ = frames.RECORD.unpack_from(body)
    return frames.record(kind, taken_at, epoch, base, body[frames.RECORD.size :])


def what_is_kept(scratch: Path) -> Iterator[Target]:
    """Yield the readers of the files beside a recording."""
    learned = Experience.of(default())
    learned_of = json.dumps(learned.state()).encode()
    body = {
        **{"schema": memory.SCHEMA, "cluster": "scene", "until": NOW, "told": [1, 2]},
        "state": learned.state(),
    }
    plain = json.dumps(body).encode()
    past = json.dumps(
        {
            **{"schema": ledger.SCHEMA, "cluster": "scene", "first_at": 5, "width_s": 60},
            **{
                "open": {"history": {"since": 1, "until": 2, "due_at": 3}},
                "missing": {"7": [1, 2]},
            },
        }
    ).encode()
    watch = {
        **{
            "id": "w",
            "owner": "ada",
            "job": "11",
            "kinds": ["soon"],
            "soon_s": 60,
            "webhook": None,
        },
        **{"created_at": NOW, "told": {"11": [1, 2, False, None]}},
    }
    watches = json.dumps({"schema": "queuecast.watches/1", "watches": [watch]}).encode()
    remembered = filed(scratch / "x.experience", lambda file: memory.load(file, "scene"))
    storage = (StorageError,)
    last = scratch / "recording.shown"
    made = result(windows=True)
    save(last, Shown(snapshot=made.snapshot, forecast=made.forecast, made_at=NOW))
    yield Target(
        name="the last result",
        read=filed(last, load),
        seeds=[last.read_bytes()],
        refuses=(StorageError,),
    )
    yield Target(
        name="memories",
        read=lambda d: remembered(codec.pack(d, None)),
        seeds=[plain],
        refuses=storage,
    )
    yield Target(
        name="memories, packed", read=remembered, seeds=[codec.pack(plain, None)], refuses=storage
    )
    yield Target(
        name="experience",
        read=lambda data: Experience.restored(default(), loaded(data)),
        seeds=[learned_of],
        refuses=storage,
        weight=0.5,
    )
    yield Target(
        name="ledgers",
        read=filed(scratch / "x.past", lambda file: ledger.load(file, "scene")),
        seeds=[past],
        refuses=storage,
    )
    yield from ordered(scratch)
    hours = {"472222": {"batch": [9, {"small": [1, 2]}]}}
    week = {"schema": "queuecast.week/1", "cluster": "scene", "hours": hours}
    yield Target(
        name="the week",
        read=filed(scratch / "x.week", lambda file: read_week(file, "scene", OS_FILES)),
        seeds=[
            json.dumps(week | {"hours": {"472222": {"batch": [9, {"small": [1, 2]}]}}}).encode()
        ],
        refuses=storage,
    )
    yield Target(
        name="watches", read=filed(scratch / "x.watches", Watches), seeds=[watches], refuses=storage
    )


def loaded(data: bytes) -> object:
    """Return what JSON tells; nothing where it is none, for that is another reader's affair."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
