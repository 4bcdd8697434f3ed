"""The last result is kept in a file, and a start answers with it at once."""

import os
import pickle
from dataclasses import replace

import pytest
import services
from services import NOW, result, scene

from predictor.errors import StorageError
from predictor.service.parcels import packed
from predictor.service.shown import Shown, file_of, load, save


@pytest.fixture
def file(tmp_path):
    return file_of(tmp_path / "recording")


@pytest.fixture
def shown():
    made = result(windows=True)
    return Shown(snapshot=made.snapshot, forecast=made.forecast, made_at=NOW + 7)


def test_what_was_kept_is_read_back(file, shown):
    assert load(file) is None
    size = save(file, shown)
    assert load(file) == shown
    assert (file.stat().st_size, file.name) == (size, "recording.shown")


def test_a_newer_one_takes_its_place(file, shown):
    save(file, shown)
    newer = replace(shown, snapshot=scene(), made_at=NOW + 60)
    save(file, newer)
    assert load(file) == newer


def test_damage_is_named_wherever_it_is(file, shown):
    save(file, shown)
    sound = file.read_bytes()
    for place in range(0, len(sound), 97):
        data = bytearray(sound)
        data[place] ^= 0x40
        file.write_bytes(data)
        try:
            assert load(file) in (None, shown)
        except StorageError as error:
            assert str(file) in str(error)
    for length in range(0, len(sound), 211):
        file.write_bytes(sound[:length])
        try:
            assert load(file) is None
        except StorageError as error:
            assert str(file) in str(error)


class Trap:
    """Would do something when it is read."""

    def __reduce__(self):
        return os.mkdir, ("trapped",)


@pytest.mark.parametrize("trap", [Trap(), pickle.loads, len, services.Tally()])
def test_nothing_but_values_is_made_of_what_stands_there(file, shown, monkeypatch, tmp_path, trap):
    monkeypatch.chdir(tmp_path)
    save(file, shown)
    monkeypatch.setattr("predictor.service.shown.packed", lambda _value: packed((trap, trap, 1)))
    save(file, shown)
    with pytest.raises(StorageError, match="no result"):
        load(file)
    assert not (tmp_path / "trapped").exists()


def test_that_of_another_version_is_left_alone(file, shown, monkeypatch):
    save(file, shown)
    monkeypatch.setattr("predictor.service.shown._form", lambda: b"queuecast shown 0")
    assert load(file) is None


def test_a_place_that_cannot_be_written_is_named(tmp_path, shown):
    with pytest.raises(StorageError, match="nowhere"):
        save(file_of(tmp_path / "nowhere" / "recording"), shown)
