"""Jobs that ended before the first look, or while nobody looked."""

from dataclasses import replace

import pytest
from recorded_slurm import NOW, Slurm, source_of
from recordings import HandClock

from collectors.slurm import questions
from collectors.slurm.past import COLUMNS, MOST, with_past
from predictor.domain import Fact
from predictor.errors import SourceError

DAY = 86_400


class Accounted(Slurm):
    """A Slurm with an accounting database."""

    past = ""

    def run(self, argv, timeout_s):
        if argv[0] != "sacct":
            return super().run(argv, timeout_s)
        self.asked.append(" ".join(argv))
        if isinstance(self.past, Exception):
            raise self.past
        known = questions.ALL[0].name
        told, self.printed[known] = self.printed[known], self.past
        printed = super().run(questions.ALL[0].argv, timeout_s)
        self.asked.pop()
        self.printed[known] = told
        return printed


def table(*rows):
    return "\n".join(["|".join(COLUMNS), *rows])


def row(id_, end="2026-03-01T11:00:00", name="md"):
    return (
        f"{id_}|ana|optics|batch|normal|COMPLETED|0:0|2026-03-01T09:00:00|2026-03-01T09:00:00|"
        f"2026-03-01T10:00:00|{end}|02:00:00|1|4|cpu=4,node=1|n1|100||{name}"
    )


@pytest.fixture
def slurm(answers):
    return Accounted(answers("22.05").printed, HandClock(NOW))


def ended(seen):
    return [job.spec.id for job in seen.snapshot.finished]


def questions_to_accounting(slurm):
    return [asked for asked in slurm.asked if asked.startswith("sacct")]


def test_nobody_is_asked_about_the_past_unless_that_is_wanted(slurm):
    source_of(slurm).observe()
    assert not questions_to_accounting(slurm)


def test_the_first_look_shows_who_has_ended_long_ago(slurm):
    before = ended(source_of(Slurm(slurm.printed, slurm.clock)).observe())
    slurm.past = table(row("7001"), row("7002_3"))
    source = source_of(slurm, past_s=2 * DAY)
    seen = source.observe()
    assert ended(seen) == [*before, "7001", "7002_3"]
    run = seen.snapshot.finished[-2]
    assert (run.ended_at - run.started_at, run.spec.request.limit_s) == (3600, 7200)
    (asked,) = questions_to_accounting(slurm)
    assert f"-S now-{2 * DAY + 240} " in asked
    slurm.clock.at += 60
    assert ended(source.observe()) == before
    assert len(questions_to_accounting(slurm)) == 1


def test_after_a_pause_those_are_shown_who_ended_meanwhile(slurm):
    slurm.past = table()
    source = source_of(slurm, past_s=2 * DAY)
    source.observe()
    slurm.clock.at += 3600
    slurm.past = table(row("7001"))
    assert "7001" in ended(source.observe())
    assert "-S now-38" in questions_to_accounting(slurm)[-1]


def test_who_is_shown_already_is_not_shown_twice(slurm):
    shown = ended(source_of(Slurm(slurm.printed, slurm.clock)).observe())
    assert shown
    slurm.past = table(row(shown[0]))
    assert ended(source_of(slurm, past_s=DAY).observe()) == shown


def test_a_site_without_accounting_is_looked_at_all_the_same(slurm):
    slurm.past = SourceError("sacct: Slurm accounting storage is disabled")
    seen = source_of(slurm, past_s=DAY).observe()
    assert [call.name for call in seen.calls if not call.ok] == ["sacct"]
    assert not any(hidden.fact is Fact.JOBS for hidden in seen.snapshot.provenance.hidden)


def test_rows_that_make_no_sense_are_counted_and_left_out(slurm):
    good = [row(str(7010 + n)) for n in range(3)]
    bad = [row("7002", name="a|b"), "nonsense"]
    slurm.past = table(*good, *bad, row("7003", end="Unknown"))
    seen = source_of(slurm, past_s=DAY).observe()
    assert ended(seen)[-3:] == ["7010", "7011", "7012"]
    assert not {"7002", "7003"} & set(ended(seen))
    assert sum(part.count for part in seen.snapshot.provenance.quarantined) == 2


def test_of_very_many_the_last_are_taken(slurm):
    rows = [row(str(10_000 + n)) for n in range(MOST + 5)]
    slurm.past = table(*rows, row("9", end="2026-03-01T11:00:01"))
    found = ended(source_of(slurm, past_s=DAY).observe())[-MOST:]
    assert (found[0], found[-1]) == ("10006", "9")


def test_an_answer_that_nobody_understands_spoils_no_look(slurm):
    before = ended(source_of(Slurm(slurm.printed, slurm.clock)).observe())
    slurm.past = "sacct: something | else\nentirely"
    assert ended(source_of(slurm, past_s=DAY).observe()) == before


def test_what_is_printed_is_in_utc_wherever_the_site_is(slurm):
    snapshot = source_of(slurm).observe().snapshot
    for hours in (-11, 0, 5):
        there = replace(snapshot, utc_offset_s=hours * 3600)
        assert with_past(there, table(row("7001"))).finished[-1].ended_at == 1772362800
