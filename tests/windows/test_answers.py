"""Of each waiting job few answers are kept to be judged, and jobs count alike."""

from collections import Counter

import pytest

from predictor.windows.answers import FORGOTTEN_S, MOST_JOBS, Answer, Waiting, named
from predictor.windows.raw import BY, HIGH, LEVELS, Marks

TOLD_S = (10, 20, 30, 40, 50, 60, 70)


def answer(seen_at=0, number=1):
    return Answer(
        seen_at=seen_at,
        bin=number,
        guesses_s=(900.0,),
        marks=Marks(800.0, 900.0, 1000.0),
        classes=("jobs of batch",),
        told_s=TOLD_S,
    )


def test_a_job_counts_once_by_shares_of_its_answers():
    waiting = Waiting({})
    for minute in range(9):
        waiting.said(
            "7", answer(60 * minute, number=2 if minute < 3 else 1), since_at=0, drawn_at=()
        )
    shares = {one.bin: share for share, one in waiting.jobs["7"].shares()}
    assert shares == {2: pytest.approx(1 / 3), 1: pytest.approx(2 / 3)}
    assert waiting.jobs["7"].first.seen_at == 0
    assert waiting.jobs["7"].told_at == 8 * 60 + 40
    assert sum(share for share, _ in waiting.open_in(1)) == pytest.approx(2 / 3)


def test_each_answer_has_the_same_chance_to_be_the_one():
    waiting = Waiting({})
    for job in range(2000):
        for minute in range(4):
            waiting.said(str(job), answer(minute), since_at=0, drawn_at=())
    kept = Counter(job.samples[1].answer.seen_at for job in waiting.jobs.values())
    assert sorted(kept) == [0, 1, 2, 3]
    assert all(430 < count < 570 for count in kept.values())


def test_ends_pass_while_a_job_waits():
    assert [answer().passed_at(now) for now in (60, 61, 70, 71)] == [0, 1, 1, 2]
    assert (LEVELS[HIGH], LEVELS[BY]) == (0.9, 0.95)


def test_jobs_beyond_the_bound_are_not_followed_and_silent_ones_forgotten():
    waiting = Waiting({})
    for number in range(MOST_JOBS + 5):
        waiting.said(str(number), answer(seen_at=100), since_at=0, drawn_at=())
    waiting.said("0", answer(seen_at=5000), since_at=0, drawn_at=())
    assert len(waiting.jobs) == MOST_JOBS
    waiting.forget(101 + FORGOTTEN_S)
    assert list(waiting.jobs) == ["0"]


def test_classes_are_few_and_short_whatever_they_are_made_of():
    assert named(["x" * 1000] * 50) == ("x" * 100,) * 6
