import os
import stat
import threading
from pathlib import Path

import pytest

from predictor.outfile import replace_file


def test_a_new_file_can_be_read_by_everybody(tmp_path):
    replace_file(tmp_path / "now.lml", b"one")
    assert (tmp_path / "now.lml").read_bytes() == b"one"
    assert stat.S_IMODE((tmp_path / "now.lml").stat().st_mode) == 0o644
    assert len(list(tmp_path.iterdir())) == 1


def test_whoever_reads_the_old_file_goes_on_reading_it(tmp_path):
    file = tmp_path / "now.lml"
    file.write_bytes(b"old")
    with file.open("rb") as reader:
        replace_file(file, b"new")
        assert (reader.read(), file.read_bytes()) == (b"old", b"new")


def test_the_mode_of_a_file_and_a_link_to_it_stay(tmp_path):
    file, link = tmp_path / "now.lml", tmp_path / "link.lml"
    file.write_bytes(b"old")
    file.chmod(0o600)
    link.symlink_to("now.lml")
    replace_file(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_pipe_is_written_into_and_stays(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    replace_file(pipe, b"new")
    reader.join(10)
    assert read == [b"new"]
    assert pipe.is_fifo()


def test_what_cannot_be_written_is_named_and_nothing_is_left_behind(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match=r"Is a directory: .*folder"):
        replace_file(tmp_path / "folder", b"new")
    with pytest.raises(OSError, match=r"No such file or directory: .*nowhere/file"):
        replace_file(tmp_path / "nowhere" / "file", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_full_disk_is_said_to_be_full():
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        replace_file(Path("/dev/full"), b"new")
