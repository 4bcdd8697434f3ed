"""The file of results: what was appended stays, whatever happens."""

import errno

import pytest
from recordings import FailingFiles

from predictor.errors import StorageError
from predictor.storage.files import OS_FILES
from verification.sweep.lines import Appending, read_lines


def rows(path):
    return list(read_lines(path, OS_FILES).rows)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.jsonl"


def appended(path, *given, files=OS_FILES):
    end = Appending(path, files)
    try:
        for row in given:
            end.append(row)
    finally:
        end.close()


def test_what_was_appended_is_read_again(path):
    appended(path, {"a": 1}, {"b": "ä\n"})
    appended(path, {"c": None})
    assert rows(path) == [{"a": 1}, {"b": "ä\n"}, {"c": None}]


def test_of_a_file_cut_anywhere_all_whole_lines_are_kept(path):
    appended(path, {"a": 1}, {"b": 2}, {"c": 3})
    whole = path.read_bytes()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = whole[:cut].count(b"\n")
        appended(path, {"d": 4})
        assert rows(path) == [*[{"a": 1}, {"b": 2}, {"c": 3}][:kept], {"d": 4}]


@pytest.mark.parametrize("rubbish", [b"\0" * 9, b"[1]", b"{", b"3", b"\xff"])
def test_a_line_that_is_none_is_named_and_left_out(path, rubbish):
    appended(path, {"a": 1})
    path.write_bytes(path.read_bytes() + rubbish + b"\n")
    appended(path, {"b": 2})
    assert rows(path) == [{"a": 1}, {"b": 2}]
    assert read_lines(path, OS_FILES).damage == [f"{path}:2: no JSON object, left out"]


@pytest.mark.parametrize("fault", [errno.ENOSPC, "short", errno.EIO])
@pytest.mark.parametrize("n", range(1, 12))
def test_a_disk_that_refuses_loses_nothing_that_was_kept(path, n, fault):
    kept, files = [], FailingFiles(n, fault)
    try:
        end = Appending(path, files)
        for number in range(3):
            end.append({"n": number})
            kept.append({"n": number})
    except StorageError as error:
        assert "results.jsonl: cannot be written: " in str(error)
    except OSError:
        assert kept == []
    assert rows(path)[: len(kept)] == kept
    appended(path, {"later": True})
    assert rows(path)[-1] == {"later": True}
    assert read_lines(path, OS_FILES).damage == []
