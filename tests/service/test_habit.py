"""What past waits would have said, and how that is held against what we said."""

from dataclasses import replace

from clusters import NOW, cluster, running, waiting
from services import TERMS, said, sure

from predictor.domain.durations import HOUR_S as HOUR
from predictor.service.habit import FEW, MOST_KINDS, RECENT, Habit
from predictor.service.published import publication
from predictor.service.scoring import Scoring

SMALL = ("batch", "small")


def test_of_too_few_nothing_is_guessed():
    habit = Habit()
    for wait_s in range(1, FEW):
        habit.add(SMALL, wait_s)
    assert habit.guess_s(SMALL) is None
    habit.add(SMALL, 1_000)
    assert habit.guess_s(SMALL) == 3
    assert habit.guess_s(("batch", "large")) is None


def test_only_the_last_waits_count_and_of_so_many_kinds():
    habit = Habit()
    for _ in range(RECENT):
        habit.add(SMALL, 10)
    for _ in range(RECENT):
        habit.add(SMALL, 900)
    assert habit.guess_s(SMALL) == 900
    for number in range(2 * MOST_KINDS):
        for _ in range(FEW):
            habit.add((f"p{number}", "small"), 5)
    assert sum(habit.guess_s((f"p{n}", "small")) is not None for n in range(2 * MOST_KINDS)) < (
        MOST_KINDS
    )


def seen(*jobs, after_s=0):
    snapshot = cluster(4, *jobs, taken_at=NOW + after_s)
    return publication(snapshot, sure(said(snapshot)), TERMS, NOW, NOW)


def begun(id_, after_s):
    return replace(running(id_, "n1", 60), started_at=NOW + after_s)


def test_a_guess_counts_from_when_a_job_was_allowed_to_start():
    scoring = Scoring()
    # Five are seen to start after they waited for an hour and ten minutes.
    scoring.take(seen(*(waiting(f"2{n}") for n in range(FEW))))
    past = [begun(f"2{n}", 600) for n in range(FEW)]
    scoring.take(seen(*past, waiting("11"), after_s=620))
    scores = scoring.take(seen(*past, begun("11", HOUR), after_s=HOUR + 60))
    (miss,) = scores.misses
    # It waits since an hour before: by the guess it would have started any time after the look.
    assert miss.guess_late_s == HOUR - 620
    assert miss.late_s == HOUR - (620 + HOUR)


def test_a_job_is_not_judged_by_what_its_own_start_taught():
    scoring = Scoring()
    scoring.take(seen(waiting("11")))
    scores = scoring.take(seen(begun("11", 60), after_s=120))
    assert [miss.guess_late_s for miss in scores.misses] == [None]
