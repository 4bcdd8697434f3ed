"""What all errors have in common."""

from predictor.errors import LONGEST, DocumentError, QueuecastError


def test_an_error_is_short_whatever_it_quotes():
    for said in (str(QueuecastError("x" * 100_000)), str(DocumentError("x" * 100_000, line=3))):
        assert len(said) == LONGEST
        assert said.endswith("x\u2026")


def test_what_is_short_is_said_whole():
    assert str(QueuecastError("x" * LONGEST)) == "x" * LONGEST
    assert str(DocumentError("no root", place="a.lml", line=3)) == "a.lml:3: no root"
