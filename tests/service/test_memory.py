"""What was learned is kept whole or not at all, and never read when it is damaged."""

import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.errors import StorageError
from predictor.service.memory import Memory, file_of, load, save, set_aside
from predictor.storage.codec import pack

KEPT = Memory(cluster="larch", until=1_700_000_000, state={"jobs": [1, 2.5, None, "\ud800<é>"]})


@pytest.fixture
def file(tmp_path):
    return file_of(tmp_path / "recording")


def test_it_lies_beside_the_recording_and_not_in_it(file, tmp_path):
    assert file == tmp_path / "recording.experience"


def test_what_was_kept_is_read_back(file):
    assert save(file, KEPT) == file.stat().st_size
    assert load(file, "larch") == KEPT


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(json_values)
def test_any_state_survives(tmp_path_factory, state):
    file = tmp_path_factory.mktemp("memory") / "kept"
    save(file, Memory(cluster="larch", until=1, state=state))
    kept = load(file, "larch")
    assert kept is not None
    assert kept.state == state


def test_where_nothing_was_kept_there_is_nothing(file):
    assert load(file, "larch") is None


def test_a_byte_that_changed_anywhere_is_noticed(file):
    save(file, KEPT)
    whole = file.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x10
        file.write_bytes(damaged)
        try:
            kept = load(file, "larch")
        except StorageError:
            continue
        assert kept == KEPT, f"byte {place}"  # a bit of the header that means nothing


def test_a_part_of_it_is_not_read(file):
    save(file, KEPT)
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        with pytest.raises(StorageError, match=r"recording\.experience: "):
            load(file, "larch")


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        pytest.param([], "not what was learned", id="a list"),
        pytest.param({"schema": "other/1"}, "form that is not known, 'other/1'", id="a form"),
        pytest.param({"schema": "queuecast.experience/1"}, "cluster", id="of nobody"),
        pytest.param(
            {"schema": "queuecast.experience/1", "cluster": "elm", "until": 1, "state": 1},
            "of another cluster",
            id="of another cluster",
        ),
        pytest.param(
            {
                "schema": "queuecast.experience/1",
                "cluster": "larch",
                "until": "x",
                "told": [0, 0],
                "state": 1,
            },
            "invalid literal",
            id="no instant",
        ),
    ],
)
def test_something_else_is_not_read(file, body, cause):
    file.write_bytes(pack(json.dumps(body).encode(), None))
    with pytest.raises(StorageError, match=cause):
        load(file, "larch")


def test_what_is_nested_too_deep_is_not_read(file):
    file.write_bytes(pack(b"[" * 200_000, None))
    with pytest.raises(StorageError):
        load(file, "larch")


def test_what_cannot_be_written_leaves_the_old_one(file, monkeypatch):
    save(file, KEPT)

    def full(_descriptor):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(StorageError, match="No space left"):
        save(file, Memory(cluster="larch", until=2, state=None))
    monkeypatch.undo()
    assert load(file, "larch") == KEPT
    assert list(file.parent.iterdir()) == [file]


def test_what_is_set_aside_is_no_longer_read_but_not_lost(file):
    save(file, KEPT)
    aside = set_aside(file)
    assert load(file, "larch") is None
    assert load(aside, "larch") == KEPT
    assert set_aside(file) == aside  # nothing there: nothing to do
