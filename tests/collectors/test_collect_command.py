import json
import os
import shutil

import pytest
from click.testing import CliRunner

from collectors.capture import Capture
from collectors.cli import collect, doctor
from collectors.lmlfile import from_settings
from predictor.errors import SiteError, SourceError, SourceFormatError
from predictor.lml import read


@pytest.fixture
def minutes(recorded):
    return recorded / "slurm-22.05" / "minutes"


def run(command, *arguments):
    return CliRunner().invoke(command, [str(argument) for argument in arguments])


def test_a_snapshot_on_standard_output(minutes):
    result = run(collect, "--once", "--capture", minutes)
    assert result.exit_code == 0
    expected = next(Capture(minutes).observations()).snapshot
    assert read(result.stdout_bytes).snapshot == expected


def test_a_snapshot_in_a_file_that_is_then_a_source(minutes, tmp_path):
    file = tmp_path / "now.lml"
    assert run(collect, "--capture", minutes, "-o", file).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["now.lml"]
    seen = from_settings({"path": str(file)}).observe().snapshot
    assert seen == next(Capture(minutes).observations()).snapshot
    assert run(collect, "--source", "lml-file", "--path", file).stdout_bytes == file.read_bytes()


def test_a_pipe_or_a_device_in_the_place_of_a_file_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "now.lml")
    for path in (tmp_path / "now.lml", tmp_path, "/dev/zero"):
        with pytest.raises(SourceFormatError):
            from_settings({"path": str(path)}).observe()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--once", "--every", "60"), "exclude each other"),
        (("--every", "5"), "5 is not in the range"),
        (("--capture", "nowhere"), "does not exist"),
    ],
)
def test_wrong_usage(arguments, why):
    result = run(collect, *arguments)
    assert result.exit_code == 2
    assert why in result.output


def test_a_source_nobody_installed():
    result = run(collect, "--source", "pbs")
    assert isinstance(result.exception, SiteError)
    assert "slurm-cli" in str(result.exception)


def test_a_file_that_cannot_be_written_is_named(minutes, tmp_path):
    error = run(collect, "--capture", minutes, "-o", tmp_path / "nowhere" / "now.lml").exception
    assert isinstance(error, SourceError)
    assert str(error).endswith("nowhere/now.lml: No such file or directory")


def test_the_lml_source_says_what_is_wrong_with_its_file(tmp_path):
    file = tmp_path / "now.lml"
    with pytest.raises(SourceError, match="No such file"):
        from_settings({"path": str(file)}).observe()
    file.write_text("<lml")
    with pytest.raises(SourceFormatError, match=r"now\.lml"):
        from_settings({"path": str(file)}).observe()
    with pytest.raises(SiteError, match="expected path"):
        from_settings({"file": "x"})


def test_the_doctor_where_there_is_no_slurm(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    result = run(doctor)
    assert result.exit_code == 1
    assert "no snapshot: squeue" in result.output
    told = json.loads(run(doctor, "--json").output)
    assert told["schema"] == "queuecast.doctor/1"
    assert told["error"].startswith("squeue")
    assert [call["ok"] for call in told["calls"]] == [False]


def test_the_doctor_examines_the_source_of_a_site_file(minutes, tmp_path):
    (tmp_path / "site.toml").write_text('[source]\nkind = "capture"\npath = "minutes"\n')
    shutil.copytree(minutes, tmp_path / "minutes")
    result = run(doctor, "--site", tmp_path / "site.toml")
    assert result.exit_code == 0
    assert "by capture, 22.05.8" in result.output
    assert "squeue_json" in result.output
    assert "seen      " in result.output


def test_the_doctor_of_a_source_that_shows_nothing(tmp_path):
    (tmp_path / "site.toml").write_text('[source]\nkind = "lml-file"\npath = "gone.lml"\n')
    result = run(doctor, "--site", tmp_path / "site.toml", "--json")
    assert result.exit_code == 1
    told = json.loads(result.output)
    assert told["error"] == f"{tmp_path / 'gone.lml'}: No such file or directory"
    assert told["calls"] == []


@pytest.mark.parametrize(
    ("content", "why"),
    [
        pytest.param(None, "site.toml: No such file", id="no file"),
        pytest.param("[source", "site.toml: Expected", id="no TOML"),
        pytest.param("source = 7", "expected a table", id="no table"),
        pytest.param("[source]\nkind = 7", "expected a table whose kind", id="no kind"),
        pytest.param('[source]\nkind = "x"', "no source 'x' is installed", id="not installed"),
        pytest.param("[source]\ntimeout = 7", "unknown key timeout", id="an unknown key"),
    ],
)
def test_site_files_that_the_doctor_cannot_use(tmp_path, content, why):
    file = tmp_path / "site.toml"
    if content is not None:
        file.write_text(content)
    error = run(doctor, "--site", file).exception
    assert isinstance(error, SiteError)
    assert why in str(error)


def test_the_doctor_does_not_wait_for_a_pipe_in_the_place_of_a_site_file(tmp_path):
    os.mkfifo(tmp_path / "site.toml")
    error = run(doctor, "--site", tmp_path / "site.toml").exception
    assert "site.toml: expected a regular file" in str(error)


def test_the_doctor_takes_a_site_file_or_a_source(tmp_path):
    file = tmp_path / "site.toml"
    assert run(doctor, "--site", file, "--source", "capture").exit_code == 2
    assert run(doctor, "--site", file, "--set", "timeout_s=2").exit_code == 2
