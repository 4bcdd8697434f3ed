"""What is wrong with a recording is named, and the rest is judged all the same."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, running, waiting

from predictor.errors import StorageError
from predictor.storage import open_for_reading, open_for_writing
from verification.parallel import Processes
from verification.recorded import read_recording


def read(path):
    return read_recording(path, Processes(1), lambda label, done, total: None)


def starts(found):
    """When whom did the recording see start?"""
    return {id_: [run.started_at for run in runs] for id_, runs in found.history.runs.items()}


def segments(folder):
    return sorted(folder.glob("*.qcr"))


def test_of_a_sound_recording_nothing_is_told(recording, minutes):
    found = read(recording)
    assert found.findings == ()
    assert list(found.history.snapshots) == minutes


def test_a_truncated_segment_costs_its_end(recording, minutes):
    (segment,) = segments(recording)
    places = open_for_reading(recording).catalogue.snapshots
    cut = places[minutes[30].taken_at].entry
    segment.write_bytes(segment.read_bytes()[: cut.offset + cut.size // 2])
    found = read(recording)
    assert list(found.history.snapshots) == minutes[:30]
    assert found.findings == (
        f"segment-000001.qcr: byte {cut.offset}: ends in the middle of a record",
    )


def test_a_flipped_byte_costs_what_builds_on_it(recording, minutes, outcomes):
    (segment,) = segments(recording)
    place = open_for_reading(recording).catalogue.snapshots[minutes[33].taken_at]
    data = bytearray(segment.read_bytes())
    data[place.entry.offset + 40] ^= 1
    segment.write_bytes(data)
    found = read(recording)
    assert set(found.history.snapshots) == set(minutes) - {minutes[33]}
    (damage,) = found.findings
    assert damage.startswith(f"segment-000001.qcr: byte {place.entry.offset}: ")
    assert starts(found)["3"] == [NOW + 10 * MINUTE]


def test_a_damaged_head_costs_nothing_else(recording, minutes):
    (segment,) = segments(recording)
    data = bytearray(segment.read_bytes())
    data[26] ^= 1
    segment.write_bytes(data)
    (recording / "index.sqlite").unlink()
    found = read(recording)
    assert list(found.history.snapshots) == minutes
    assert found.findings == ("segment-000001.qcr: byte 0: the head is damaged",)


def test_missing_minutes_are_named(recorded, minutes, outcomes):
    found = read(recorded("holed", minutes[:10] + minutes[20:], outcomes))
    assert found.findings == ("2023-11-14T22:22:20Z to 2023-11-14T22:33:20Z: no snapshots",)
    assert len(found.history.snapshots) == 30
    assert starts(found)["3"] == [NOW + 10 * MINUTE]


@pytest.fixture
def joined(tmp_path, recorded):
    """Return a folder that somebody filled with the segments of several recordings."""

    def join(*parts):
        folder = tmp_path / "joined"
        folder.mkdir()
        for number, part in enumerate(parts, start=1):
            (segment,) = segments(recorded(f"part-{number}", part))
            (folder / f"segment-{number:06}.qcr").write_bytes(segment.read_bytes())
        return folder

    return join


def test_the_segment_of_another_cluster_is_left_out(joined, minutes):
    stranger = [replace(snapshot, cluster="elsewhere") for snapshot in minutes[5:9]]
    found = read(joined(minutes[:20], stranger, minutes[20:]))
    assert list(found.history.snapshots) == minutes
    (finding,) = found.findings
    assert finding.startswith("segment-000002.qcr: byte 0: records cluster 'elsewhere'")


def test_a_writer_goes_on_beside_the_segment_of_another_cluster(joined, minutes):
    stranger = [replace(snapshot, cluster="elsewhere") for snapshot in minutes[5:9]]
    folder = joined(minutes[:20], stranger)
    with open_for_writing(folder) as writer:
        assert writer.cluster == "scene"
        assert writer.append(minutes[20])
    assert list(open_for_reading(folder).snapshots()) == minutes[:21]


def test_snapshots_recorded_twice_are_named_and_count_once(joined, minutes):
    found = read(joined(minutes[:20], minutes[19:]))
    assert list(found.history.snapshots) == minutes
    assert found.findings == ("2023-11-14T22:32:20Z: recorded 2 times: the last one counts",)


def test_a_clock_set_back_costs_the_shorter_part(joined, minutes):
    """Twelve minutes were dated an hour late; then the clock was put right."""
    late = [replace(s, taken_at=s.taken_at + 3600) for s in minutes[10:22]]
    found = read(joined(minutes[:10], late, minutes[22:]))
    assert list(found.history.snapshots) == minutes[:10] + minutes[22:]
    assert "the clock was set back by" in found.findings[0]
    assert "12 snapshots, 2023-11-14T23:23:20Z to 2023-11-14T23:34:20Z" in found.findings[1]


def test_what_shows_the_future_is_left_out(recorded, minutes):
    """The recorder's clock was slow at minute 15: a job it shows began ten minutes later."""
    early = replace(running("5", "n1", 20), started_at=NOW + 25 * MINUTE)
    odd = replace(minutes[15], running=(early,))
    found = read(recorded("odd", [*minutes[:15], odd, *minutes[16:]]))
    assert odd not in found.history.snapshots
    assert found.findings == ("2023-11-14T22:28:20Z: shows what happened 600 s later: left out",)


def test_a_recording_of_nothing_cannot_be_judged(recorded, tmp_path):
    with pytest.raises(StorageError, match="no snapshot"):
        read(recorded("empty", ()))
    with pytest.raises(StorageError):
        read(tmp_path / "missing")


def test_who_waits_across_a_hole_has_one_start(recorded, minutes):
    """Before and after the hole `12` waits; accounting knows nothing of it yet."""
    shown = [replace(s, pending=(waiting("12"),)) for s in minutes]
    found = read(recorded("waits", shown[:5] + shown[30:]))
    assert "12" not in found.history.runs
    assert found.history.gone_at("12") is None
