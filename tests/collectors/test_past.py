"""Accounting is asked for a stretch of time, and told of jobs as they are printed."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import HandClock

from collectors.commands import Printed, stream
from collectors.slurm import past
from collectors.slurm.past import ask_accounting, ended_between
from collectors.slurm.text.marked import LONGEST_ROW, MarkedRows, new_mark
from predictor.domain import Outcome
from predictor.domain.durations import HOUR_S as HOUR
from predictor.errors import SourceError, SourceFormatError, SourceOverflow

MARK = "<mark>"
TEN = 1_772_359_200
"""10:00 of 1 March 2026, UTC."""

# What Slurm 22.05.8 printed for jobs of its own: names with anything in them, a job given up while
# it was held, the rest of an array, a run that was sent back and the one that followed.
PRINTED = (
    "1 nobody root cores normal COMPLETED 2026-11-21T20:49:33 2026-11-21T20:49:33"
    " 2026-11-21T20:49:36 2026-11-21T20:49:38 00:07:00 1 1 billing=1,cpu=1,mem=4000M,node=1 n3"
    " 4294901 {} a|b 0:0",
    "2 nobody root cores normal COMPLETED 2026-11-21T20:49:33 2026-11-21T20:49:33"
    " 2026-11-21T20:49:36 2026-11-21T20:49:38 00:07:00 1 1 billing=1,cpu=1,mem=4000M,node=1 n3"
    " 4294901 {} line\nbreak|x 0:0",
    "4 nobody root cores normal CANCELLED_by_0 2026-11-21T20:49:33 Unknown None"
    " 2026-11-21T20:49:37 00:07:00 1 1 billing=1,cpu=1,mem=4000M,node=1 None_assigned"
    " 0 {} wrap 0:0",
    "3_[2-5%1] nobody root cores normal CANCELLED_by_0 2026-11-21T20:49:33 Unknown None"
    " 2026-11-21T20:49:37 00:07:00 1 1 billing=1,cpu=1,mem=4000M,node=1 None_assigned"
    " 4294901 {} wrap 0:0",
    "5 nobody root cores normal REQUEUED 2026-11-21T20:49:33 2026-11-21T20:49:33"
    " 2026-11-21T20:49:36 2026-11-21T20:49:37 00:07:00 1 1 billing=1,cpu=1,mem=4000M,node=1 n3"
    " 4294901 {} wrap 0:0",
    "5 nobody root cores normal COMPLETED 2026-11-21T20:49:37 2026-11-21T20:51:38"
    " 2026-11-21T20:51:38 2026-11-21T20:51:43 00:07:00 1 1 billing=1,cpu=1,mem=4000M,node=1 n3"
    " 4294901 {} wrap 0:0",
)


def table(rows=PRINTED, mark=MARK):
    cells = ([cell.replace("_", " ") if "CAN" in cell or "None_" in cell else cell
              for cell in row.split(" ")] for row in rows)  # fmt: skip
    return "".join(f"{mark.join(row).replace('{}', '')}\n" for row in cells).encode()


class Accounting:
    """Prints a table in pieces, or fails after it."""

    def __init__(self, printed=b"", piece=64, then=None):
        self.printed = printed
        self.piece = piece
        self.then = then
        self.asked = []

    def stream(self, argv, timeout_s, take):
        self.asked.append(argv)
        for start in range(0, len(self.printed), self.piece):
            take(self.printed[start : start + self.piece])
        if isinstance(self.then, Exception):
            raise self.then
        done = Printed(output="", duration_s=0.5, size_bytes=len(self.printed))
        return done if self.then is None else self.then

    def ask(self):
        found = []
        told = ask_accounting(
            self.stream,
            HandClock(),
            since=TEN,
            until=TEN + HOUR,
            take=found.extend,
            timeout_s=20,
            mark=lambda: MARK,
        )
        return found, told


def test_it_is_asked_by_states_for_ends_before_the_last_second():
    argv = ended_between(TEN, TEN + HOUR, MARK).argv
    assert " ".join(argv[:6]) == "sacct -a -X -D -S 2026-03-01T10:00:00"
    assert argv[argv.index("-E") + 1] == "2026-03-01T10:59:59"
    assert {"CD", "CA", "RQ"} <= set(argv[argv.index("-s") + 1].split(","))
    assert f"--delimiter={MARK}" in argv


def test_names_with_bars_and_line_breaks_shift_no_column():
    found, told = Accounting(table()).ask()
    assert (told.error, told.quarantined) == (None, ())
    assert [job.spec.name.raw for job in found[:2]] == ["a|b", "line\nbreak|x"]
    assert {job.spec.request.limit_s for job in found} == {420}


def test_who_was_given_up_before_it_was_eligible_and_each_run_of_who_was_sent_back():
    found, _ = Accounting(table()).ask()
    ends = [(job.spec.id, job.outcome, job.started_at is not None) for job in found]
    assert ends[2:] == [
        ("4", Outcome.CANCELLED, False),
        ("3_[2-5%1]", Outcome.CANCELLED, False),
        ("5", Outcome.PREEMPTED, True),
        ("5", Outcome.COMPLETED, True),
    ]
    assert found[3].spec.array.tasks == (2, 3, 4, 5)


@given(st.integers(1, 400))
def test_it_does_not_matter_where_the_pieces_begin(piece):
    assert Accounting(table(), piece).ask()[0] == Accounting(table(), 10_000).ask()[0]


TEXTS = st.text(st.sampled_from("ab|<>\n\r é"), max_size=9).filter(lambda text: MARK not in text)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5), st.integers(1, 50))
def test_rows_come_out_as_they_went_in_whatever_is_in_the_middle(middles, piece):
    rows = [{"a": f"{n}", "b": b, "c": c, "d": "0:0"} for n, (b, c) in enumerate(middles)]
    printed = "".join(f"{MARK.join(row.values())}\n" for row in rows).encode()
    reading = MarkedRows(("a", "b", "c", "d"), MARK)
    pieces = (printed[at : at + piece] for at in range(0, len(printed), piece))
    assert [row for part in pieces for row in reading.feed(part)] == rows
    reading.end()


def test_a_mark_is_another_each_time():
    assert len({new_mark() for _ in range(100)}) == 100


@pytest.mark.parametrize("cut", range(1, len(table()), 13))
def test_an_answer_that_was_cut_off_is_an_error_and_its_beginning_counts(cut):
    printed = table()[:cut]
    found, told = Accounting(printed).ask()
    whole = printed.endswith(b":0\n")
    assert (told.error is None) == whole
    if not whole:
        assert isinstance(told.error, SourceFormatError)
        assert not told.calls[0].ok
    assert len(found) <= len(PRINTED)


def test_an_endless_row_is_not_waited_for():
    _, told = Accounting(b"x" * (LONGEST_ROW + 1), 2**16).ask()
    assert isinstance(told.error, SourceFormatError)


def test_rows_that_make_no_sense_are_counted_and_left_out():
    bad = PRINTED[0].replace("20:49:38", "never")
    found, told = Accounting(table((*PRINTED, bad))).ask()
    assert (len(found), told.quarantined[0].count) == (len(PRINTED), 1)
    _, told = Accounting(table((bad,))).ask()
    assert "1 of 1" in str(told.error)


@pytest.mark.parametrize(
    ("then", "cause"),
    [
        pytest.param(SourceOverflow("more than 9 bytes"), "sacct: more than 9 bytes", id="long"),
        pytest.param(
            Printed(output="", exit_code=1, complaint="sacct: error: Connection refused"),
            "sacct: error: Connection refused",
            id="no database",
        ),
    ],
)
def test_why_there_is_no_answer_and_what_it_cost(then, cause):
    found, told = Accounting(table(PRINTED[:2]), then=then).ask()
    assert str(told.error) == cause
    assert [call.ok for call in told.calls] == [False]
    assert told.calls[0].size_bytes == len(table(PRINTED[:2]))
    assert found == []  # fewer than are handed on together


def test_what_the_taker_raises_ends_it_at_once(monkeypatch):
    monkeypatch.setattr(past, "AT_ONCE", 1)
    accounting = Accounting(table())

    def refuse(jobs):
        raise ZeroDivisionError(jobs[0].spec.id)

    with pytest.raises(ZeroDivisionError, match="1"):
        ask_accounting(
            accounting.stream, HandClock(), since=0, until=1, take=refuse, timeout_s=1,
            mark=lambda: MARK,
        )  # fmt: skip


def test_a_command_is_read_piece_by_piece_and_killed_when_nobody_wants_more():
    pieces = []

    def take(piece):
        pieces.append(len(piece))
        if sum(pieces) > 10**6:
            raise SourceError("enough")

    with pytest.raises(SourceError, match="enough"):
        stream((sys.executable, "-c", "while 1: print('x' * 999)"), 20, take)
    assert max(pieces) <= 2**16
