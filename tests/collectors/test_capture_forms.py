"""A capture of any way of looking is read as what that way saw."""

import json
from dataclasses import replace

import pytest
import zstandard
from ways import WAYS

from collectors.capture import SLOW, Capture
from predictor.domain import Snapshot


def captured(folder, way, instants):
    """Write a capture of the way's answers: all at first, later those that change often."""
    lines = [
        {"snap": at, "t": at, "cmd": name, "rc": 0, "ms": 5, "out": text}
        for number, at in enumerate(instants)
        for name, text in way.printed.items()
        if number == 0 or name not in SLOW
    ]
    packed = zstandard.compress("".join(json.dumps(line) + "\n" for line in lines).encode())
    (folder / "snapshots.jsonl.zst").write_bytes(packed)
    return Capture(folder)


def without_origin(snapshot: Snapshot) -> Snapshot:
    """What a capture cannot know: who looked, by which way, and from which zone."""
    told = replace(snapshot.provenance, source="", account="", hidden=())
    return replace(snapshot, provenance=told, utc_offset_s=0)


@pytest.mark.parametrize("way", [pytest.param(way, id=way.name) for way in WAYS])
def test_it_is_read_as_the_way_saw_it(way, tmp_path):
    live = way.look({}).snapshot
    at = live.taken_at
    first, second = Capture.observations(captured(tmp_path, way, (at, at + 60)))
    assert without_origin(first.snapshot) == without_origin(live)
    assert len(second.snapshot.pending) == len(live.pending)
    assert second.snapshot.partitions == live.partitions
