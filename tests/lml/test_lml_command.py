"""`queuecast lml check`, as a person and as a program use it."""

import json

import pytest
from click.testing import CliRunner

from predictor.cli.lml import lml


@pytest.fixture
def run(tmp_path):
    """Write a document and check it: (exit code, output)."""

    def checked(document: bytes, *options: str) -> tuple[int, str]:
        path = tmp_path / "x.lml"
        path.write_bytes(document)
        result = CliRunner().invoke(lml, ["check", str(path), *options])
        return result.exit_code, result.output.replace(str(tmp_path), "")

    return checked


def test_a_sound_document_ends_in_0_and_tells_what_is_in_it(run, larch):
    code, output = run(larch)
    assert code == 0
    assert "objects.job  2\n" in output
    assert output.endswith("0 errors, 0 warnings\n")


def test_an_error_ends_in_1_and_tells_its_line(run, larch):
    code, output = run(larch.replace(b"#3A7", b"red"))
    assert code == 1
    assert "/x.lml:12: error: 'red' is neither #RGB nor #RRGGBB [colour]\n" in output


def test_warnings_alone_end_in_0(run, larch):
    code, output = run(larch.replace(b"14400", b"never"))
    assert code == 0
    assert "warning: job '90211': wall is no positive number of seconds: 'never' [wall]" in output


def test_programs_get_the_same_as_json(run, larch):
    code, output = run(larch.replace(b"#3A7", b"red"), "--json")
    report = json.loads(output)
    assert (code, report["schema"]) == (1, "queuecast.lml-check/1")
    assert report["errors"][0] == {
        "rule": "colour",
        "text": "'red' is neither #RGB nor #RRGGBB",
        "line": 12,
        "count": 1,
    }
    assert report["counters"]["objects.job"] == 2


def test_nothing_in_the_document_reaches_the_terminal_unseen(run, larch):
    code, output = run(larch.replace(b"c000001", "\x9b2J\u202e".encode()))
    assert code == 1
    assert "is no XML name" in output
    assert all(line.isprintable() for line in output.splitlines())
