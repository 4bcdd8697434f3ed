"""Forecasts on a trace: what they may know, and what they are worth."""

from dataclasses import replace

import pytest

from predictor.domain.durations import DAY_S as DAY
from predictor.domain.durations import HOUR_S as HOUR
from predictor.errors import DocumentError
from verification.judging.case import Said
from verification.traces.ladder.courses import Course, Newcomer
from verification.traces.ladder.looks import looks
from verification.traces.ladder.rows import (
    ALL,
    COMERS,
    CORRECTED,
    JOINED,
    RESTORED,
    ROWS,
    RUN_TIMES,
    RUNNING,
    WAITING,
    told,
    truths,
    with_a_truth,
)
from verification.traces.ladder.simple import CLASS, LIMITS
from verification.traces.ladder.table import HEADING, closed, figures, lines
from verification.traces.ladder.world import world_of

FIELDS = (
    "{number} {submit} -1 {run} {procs} -1 -1 {procs} {limit} -1 1 {user} 1 {program} 1 1 -1 -1"
)


@pytest.fixture
def world(tmp_path):
    """Return the world of jobs `(submit, run, procs, limit)`, in hours, on four processors."""

    def make(*jobs, **options):
        rows = [
            FIELDS.format(
                number=number,
                submit=round(submit * HOUR),
                run=round(run * HOUR),
                procs=procs,
                limit=-1 if limit is None else round(limit * HOUR),
                user=number % 3,
                program=number % 2,
            )
            for number, (submit, run, procs, limit) in enumerate(jobs, start=1)
        ]
        path = tmp_path / "made.swf"
        path.write_text("\n".join(["; MaxProcs: 4", *rows, ""]), encoding="ascii")
        return world_of(path, **options)

    return make


# hour       0         2         4         6
# 0 (4)      [ runs 2  ]                        may run 6
# 1 (4)                [ runs 1 ]               from hour 0.5 on
# 2 (1)                     [ runs 1 ]          from hour 1.5 on
SCENE = ((0, 2, 4, 6), (0.5, 1, 4, 1), (1.5, 1, 1, 1), (9, 1, 1, 1))


def hours(world, starts):
    return [(at - world.submits[0]) / HOUR for at in starts]


def test_the_truth_is_what_easy_does(world):
    made = world(*SCENE)
    assert hours(made, made.starts) == [0, 2, 3, 9]
    assert hours(made, made.ends) == [2, 3, 4, 10]


def test_nobody_outlives_the_limit_for_that_would_tell_the_run_time(world):
    made = world((0, 5, 4, 3), (0, 1, 1, None), (9, 1, 1, 1))
    assert [run / HOUR for run in made.runs] == [3, 1, 1]
    assert [limit / HOUR for limit in made.limits] == [3, 3, 1]


def test_submissions_are_squeezed_and_jobs_counted(world):
    made = world(*SCENE, squeeze=0.5, first=3)
    assert hours(made, made.submits) == [0, 0.25, 0.75]


def test_jobs_may_be_skipped_but_time_goes_on(world):
    whole, part = world(*SCENE), world(*SCENE, skip=2)
    assert hours(part, part.submits) == [0, 7.5]
    assert part.submits == whole.submits[2:]


def test_a_trace_of_which_nothing_is_left_is_refused(world):
    with pytest.raises(DocumentError, match="no job to replay"):
        world(*SCENE, skip=4)


def test_a_look_tells_who_runs_and_waits_and_what_happened_since(world):
    first, second, *_ = looks(world(*SCENE), round(1.75 * HOUR))
    assert [job.number for job in first.running] == [0]
    assert [job.number for job in first.waiting] == [1, 2]
    assert [spec.id for spec in first.submitted] == ["0", "1", "2"]
    assert not first.ended
    assert [(job.spec.id, job.run_s / HOUR) for job in second.ended] == [("0", 2), ("1", 1)]
    assert [job.number for job in second.started] == [1, 2]
    assert not second.waiting


def test_a_course_goes_on_from_the_look(world):
    made = world(*SCENE)
    look = next(looks(made, HOUR))
    course = Course(look)
    assert course.left_s == [5 * HOUR, HOUR]
    assert hours(made, course.starts([HOUR // 2, HOUR])) == [1.5]
    passes = Newcomer(submitted_at=look.at + 60, procs=4, limit_s=HOUR, run_s=HOUR)
    assert hours(made, course.starts(course.left_s, [passes])) == [6]


def test_who_knows_all_is_never_off(excerpt):
    cases = list(told(world_of(excerpt), 3 * HOUR, "limit", 2))
    found = figures(cases, ROWS)
    assert found[ALL].points.mae_s == 0
    assert found[RUN_TIMES].closed == 1
    assert found[LIMITS].closed == 0
    assert 0 < found[CORRECTED].windows.coverage80 <= 1


def test_the_limit_as_model_says_what_limits_say(excerpt):
    for case in told(world_of(excerpt), 12 * HOUR, "limit", 2):
        assert case.said["R run-time model's medians"] == case.said[LIMITS]


def test_nothing_is_known_of_what_comes_later(excerpt):
    """After the last look that counts, everything is different: the answers are the same."""
    whole = world_of(excerpt)
    cut = whole.submits[0] + 2 * DAY
    number = next(n for n, at in enumerate(whole.submits) if at > cut)
    later = replace(
        whole,
        submits=whole.submits[:number] + [at + HOUR for at in whole.submits[number:]],
        runs=[run if end <= cut else 9 for run, end in zip(whole.runs, whole.ends, strict=True)],
        ends=[end if end <= cut else end + DAY for end in whole.ends],
        starts=[at if at <= cut else at + HOUR for at in whole.starts],
    )
    before = [case for case in told(whole, 4 * HOUR, "history", 3) if case.seen_at <= cut]
    after = [case for case in told(later, 4 * HOUR, "history", 3) if case.seen_at <= cut]
    assert len(before) > 20
    for one, other in zip(before, after, strict=True):
        assert one.job == other.job
        for row in set(ROWS) - {ALL, RUN_TIMES}:
            assert one.said[row] == other.said[row]


def test_the_same_trace_is_always_told_the_same(excerpt):
    assert list(told(world_of(excerpt), DAY, "history", 3)) == list(
        told(world_of(excerpt), DAY, "history", 3)
    )


def test_those_who_know_what_comes_need_a_look_only(world):
    made = world(*SCENE)
    look = next(looks(made, HOUR))
    assert truths(made, look)[RUN_TIMES] == [Said(likely_at=made.starts[1])]


def test_who_draws_may_be_told_one_truth(world):
    """Drawn: whoever runs has two hours left, whoever waits runs for one; it is one in truth."""
    made = world(*SCENE, (1.2, 1, 4, 1))
    look = next(looks(made, HOUR))
    said = with_a_truth(made, look, [[2 * HOUR, HOUR]])
    assert {row: hours(made, [one.likely_at for one in said[row]]) for row in RESTORED} == {
        RUNNING: [2],
        WAITING: [3],
        COMERS: [3],
    }


@pytest.mark.parametrize(
    ("mae_s", "limits_s", "perfect_s", "share"),
    [
        pytest.param(11_702, 11_702, 2_387, 0, id="limits close nothing"),
        pytest.param(2_387, 11_702, 2_387, 1, id="perfect run times close all"),
        pytest.param(9_037, 11_702, 2_387, 0.286, id="medians of history on KTH"),
        pytest.param(0, 11_702, 2_387, 1.256, id="arrivals known as well"),
        pytest.param(100, 50, 50, None, id="no gap"),
        pytest.param(None, 50, 10, None, id="nothing was said"),
    ],
)
def test_the_share_of_the_gap_that_is_closed(mae_s, limits_s, perfect_s, share):
    found = closed(mae_s, limits_s, perfect_s)
    assert found == (share if share is None else pytest.approx(share, abs=0.001))


def test_the_table_has_a_line_for_each_row(excerpt):
    cases = list(told(world_of(excerpt), DAY, "limit", 2))
    heading, *rows = lines(figures(cases, (LIMITS, RUN_TIMES, JOINED, CLASS)))
    assert heading == HEADING
    assert [row.split()[0] for row in rows] == ["L", "B", "E", "C"]
