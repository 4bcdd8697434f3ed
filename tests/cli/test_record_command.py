import json
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from recordings import START, ended, snapshot

from predictor import lml
from predictor.cli import record as record_command
from predictor.domain import Call, Forecast, Observation
from predictor.storage import open_for_reading, open_for_writing

INSTANTS = [START + 60 * i for i in range(8)]
SECOND = "2023-11-14T22:14:20Z"
FOURTH = str(START + 180)


class TinyCapture:
    """Three minutes of a cluster, and how two jobs ended."""

    gaps = SimpleNamespace(skipped=[], cut_off="")

    def __init__(self, settings):
        assert set(settings) == {"path"}

    def observations(self):
        for at in INSTANTS[:3]:
            calls = (Call(name="squeue", duration_s=0.1, size_bytes=500_000),)
            yield Observation(snapshot=snapshot(at), calls=calls)

    def outcomes(self):
        return iter([ended("1"), ended("2")])


@pytest.fixture
def run():
    """Runs `queuecast record ...`; the answer is click's result."""

    def call(*arguments):
        return CliRunner().invoke(
            record_command.record, [str(each) for each in arguments], standalone_mode=False
        )

    return call


@pytest.fixture
def recording(tmp_path):
    folder = tmp_path / "recording"
    with open_for_writing(folder) as writer:
        for at in INSTANTS:
            writer.append(snapshot(at))
        writer.add_outcomes([ended("1")])
    return folder


@pytest.fixture
def capture(tmp_path, monkeypatch):
    class Entry:
        def load(self):
            return TinyCapture

    monkeypatch.setattr(record_command, "entry_points", lambda group, name: [Entry()])
    folder = tmp_path / "capture"
    folder.mkdir()
    return folder


def test_import_appends_snapshots_and_outcomes_and_tells_the_ratio(run, capture, tmp_path):
    said = run("import", capture, tmp_path / "new")
    assert "snapshots  3, 3 of them new" in said.output
    assert "outcomes   2 new" in said.output
    assert "% of the 1500000 bytes" in said.output
    assert said.stderr == ""
    assert len(open_for_reading(tmp_path / "new").instants) == 3


def test_import_can_be_repeated(run, capture, tmp_path):
    run("import", capture, tmp_path / "new")
    said = run("import", capture, tmp_path / "new")
    assert "snapshots  3, 0 of them new" in said.output
    assert "outcomes   0 new" in said.output


def test_import_refuses_the_recording_of_another_cluster(run, capture, tmp_path):
    with open_for_writing(tmp_path / "other") as writer:
        writer.append(snapshot(START - 60, cluster="elm"))
    said = run("import", capture, tmp_path / "other")
    assert "records cluster 'elm', not 'larch'" in str(said.exception)


def test_ls_for_people(run, recording):
    said = run("ls", recording).output
    assert "cluster    larch" in said
    assert "8, 2023-11-14T22:13:20Z to 2023-11-14T22:20:20Z" in said
    assert "outcomes   1" in said


def test_ls_of_nothing_yet(run, tmp_path):
    said = run("ls", tmp_path).output
    assert said.splitlines()[:2] == ["cluster    not known yet", "snapshots  0"]


def test_ls_for_programs(run, recording):
    facts = json.loads(run("ls", recording, "--json", "--period", "20s").output)
    assert facts["schema"] == "queuecast.recording/1"
    assert facts["instants"] == INSTANTS
    assert len(facts["gaps"]) == 7
    assert facts["gaps"][0] == {"since": "2023-11-14T22:13:20Z", "until": SECOND}
    assert facts["damage"] == []
    assert facts["size_bytes"] < facts["documents_bytes"]


def test_ls_counts_what_was_published(run, recording):
    made = Forecast(
        cluster="larch",
        snapshot_at=INSTANTS[-1],
        policy="easy",
        fingerprint="0" * 16,
        predictions=(),
        abstentions=(),
    )
    with open_for_writing(recording) as writer:
        writer.add_answers(made)
    assert "published  1 forecasts" in run("ls", recording).output
    assert json.loads(run("ls", recording, "--json").output)["answers"] == 1


def test_what_is_not_there_is_named_once_in_plain_words(run, tmp_path):
    gone = tmp_path / "gone"
    said = run("ls", gone)
    assert str(said.exception) == f"{gone}: no recording can be read: No such file or directory"


def test_ls_names_damage(run, recording):
    (segment,) = recording.glob("*.qcr")
    data = bytearray(segment.read_bytes())
    data[-900] ^= 1
    segment.write_bytes(data)
    assert "damage     segment-000001.qcr: byte " in run("ls", recording).output


def test_export_writes_the_documents_of_a_stretch(run, recording, tmp_path):
    said = run("export", recording, "-o", tmp_path / "out", "--since", SECOND, "--until", FOURTH)
    assert "2 snapshots written" in said.output
    files = sorted((tmp_path / "out").iterdir())
    assert [each.name for each in files] == ["20231114T221420Z.lml", "20231114T221520Z.lml"]
    assert lml.read(files[0].read_bytes()).snapshot == snapshot(INSTANTS[1])


def test_export_of_one_snapshot_may_name_the_file(run, recording, tmp_path):
    run("export", recording, "-o", tmp_path / "one.lml", "--since", INSTANTS[-1])
    document = lml.read((tmp_path / "one.lml").read_bytes())
    assert document.snapshot == snapshot(INSTANTS[-1])


def test_export_does_not_put_several_snapshots_into_one_file(run, recording, tmp_path):
    said = run("export", recording, "-o", tmp_path / "one.lml")
    assert "one file for several snapshots" in str(said.exception)


def test_export_of_nothing_is_an_error(run, recording, tmp_path):
    said = run("export", recording, "-o", tmp_path / "out", "--until", START)
    assert "no snapshot can be read in that time" in str(said.exception)


def test_export_as_a_smaller_recording(run, recording, tmp_path):
    run("export", recording, "-o", tmp_path / "cut", "--recording", "--since", SECOND)
    cut = open_for_reading(tmp_path / "cut")
    assert cut.instants == tuple(INSTANTS[1:])
    assert list(cut.snapshots()) == [snapshot(at) for at in INSTANTS[1:]]


def test_prune_keeps_the_newest_segment(run, recording, monkeypatch):
    monkeypatch.setattr("predictor.storage.segment.SNAPSHOTS", 8)
    with open_for_writing(recording) as writer:
        writer.append(snapshot(START + 900))
    said = run("prune", recording, "--older-than", "30d")
    assert said.output.startswith("1 segments dropped")
    assert open_for_reading(recording).instants == (START + 900,)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "give --older-than, --max-size, or both"),
        (["--older-than", "soon"], "expected 30d or the like"),
        (["--max-size", "2X"], "expected 2G or the like"),
    ],
)
def test_prune_asks_for_a_bound(run, recording, arguments, why):
    assert why in str(run("prune", recording, *arguments).exception)


def test_an_instant_is_asked_for_by_example(run, recording):
    said = run("export", recording, "-o", "x", "--since", "noon")
    assert "expected an instant such as 2026-11-20T14:02:00Z, got 'noon'" in str(said.exception)
