"""Documents read one after the other say what each says by itself."""

from dataclasses import replace
from pathlib import Path

import pytest
import strategies as domain
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from predictor import lml
from predictor.errors import DocumentError
from predictor.lml import Series, write
from predictor.storage import open_for_reading

RECORDING = Path(__file__).parents[2] / "predictor/service/demo_recording"
PARTS = (
    *(b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x ?>", b"<!DOCTYPE a>", b"\0", b"\xff", b"\r"),
    *(b"&amp;", b"&", b"&#9;", b"&x;", b'"', b"'", b"<", b">", b"\t", b"\n", " é".encode()),
    *(b"</info>\n", b'<info oid="j1" type="short">\n', b'<data key="status" value="HELD"/>\n'),
    *(b'<data key="owner" value="x"/>\n', b"</objects>\n", b"<information>\n", b"1", b"9" * 70_000),
)


def outcome(read, data):
    """Return what a document says, or why it says nothing."""
    try:
        found = read(data)
    except DocumentError as error:
        return str(error), error.line
    return found


@pytest.fixture(scope="module")
def recorded():
    reader = open_for_reading(RECORDING)
    return [data for _, data in reader.documents(until=reader.instants[6])]


@pytest.fixture
def by_lines_only(monkeypatch):
    """Whoever wants an XML parser now gets an error."""

    def refuse(*rest):
        raise AssertionError("a whole document was parsed")

    def switch():
        monkeypatch.setattr("predictor.lml.series.records", refuse)

    return switch


def test_a_recording_is_read_without_a_parser(recorded, by_lines_only):
    whole = [lml.read(data) for data in recorded]
    by_lines_only()
    series = Series()
    assert [series.read(data) for data in recorded] == whole


def test_what_did_not_change_is_the_same_value(recorded):
    series = Series()
    one, other = (series.read(data).snapshot for data in recorded[:2])
    before = {node.name: node for node in one.nodes}
    assert one != other
    assert any(node is before[node.name] for node in other.nodes)


@settings(max_examples=20, deadline=None)
@given(st.data(), domain.snapshots(), domain.snapshots(), st.integers(-50_000, 50_000))
def test_any_snapshots_survive_one_after_the_other(data, one, other, offset_s):
    moved = replace(one, utc_offset_s=offset_s)
    forecast = data.draw(domain.forecasts(other))
    series = Series()
    for snapshot in (one, other, one, moved, one, other):
        assert series.read(write(snapshot)).snapshot == snapshot
    assert series.read(write(other, forecast)).forecast == forecast
    assert series.read(write(other)).forecast is None


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_document_that_somebody_spoiled_is_read_as_by_itself(cluster, data):
    clean = write(cluster)
    lines = clean.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines)))
        match data.draw(st.sampled_from(["part", "twice", "gone", "swap"])):
            case "part":
                part, where = data.draw(st.sampled_from(PARTS)), data.draw(st.integers(0, 40))
                line = lines[at] if at < len(lines) else b""
                lines[at : at + 1] = [line[:where] + part + line[where:]]
            case "twice":
                lines[at:at] = lines[at : at + data.draw(st.integers(1, 5))]
            case "gone":
                del lines[at : at + 1]
            case "swap":
                lines[at : at + 2] = reversed(lines[at : at + 2])
    spoiled = b"".join(lines)
    series = Series()
    series.read(clean)
    assert outcome(series.read, spoiled) == outcome(lml.read, spoiled)
    assert outcome(series.read, clean) == outcome(lml.read, clean)
    assert outcome(Series().read, spoiled) == outcome(lml.read, spoiled)


def test_tasks_of_arrays_count_in_each_document(cluster, monkeypatch):
    monkeypatch.setattr("predictor.lml.codec.MOST_TASKS", 10)
    lines = (
        write(cluster)
        .decode()
        .replace('key="step"', 'key="x_tasks" value="0..9"/>\n<data key="step"')
    )
    whole = lml.read(lines.encode())
    series = Series()
    assert [series.read(lines.encode()) for _ in range(3)] == [whole] * 3
    assert whole.notes
