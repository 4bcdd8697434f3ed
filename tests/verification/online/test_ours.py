"""How what was published is read job by job, and which of it counts."""

from clusters import NOW, array, cluster

from predictor.storage import Answer, Answered
from verification.judging.case import Said
from verification.online.ours import as_told
from verification.online.published import by_snapshot

LEVELS = ((0.1, NOW + 60), (0.5, NOW + 600), (0.9, NOW + 1200), (0.95, NOW + 1300))


def published(after_s, start_s, snapshot_at=NOW):
    return Answered(
        snapshot_at=snapshot_at,
        published_at=NOW + after_s,
        policy="easy",
        fingerprint="",
        follows="",
        answers=(Answer(job_id="7", start_at=NOW + start_s, cause="resources"),),
    ), "hash"


def told(kept):
    return [answered.answers[0].start_at - NOW for answered in by_snapshot(kept).values()]


def test_a_window_is_told_with_all_its_levels():
    answer = Answer(
        job_id="7",
        start_at=NOW + 600,
        cause="resources",
        low_at=NOW + 60,
        high_at=NOW + 1200,
        by_at=NOW + 1300,
        quantiles=LEVELS,
    )
    assert as_told([answer], cluster())["7"] == Said(
        likely_at=NOW + 600,
        low_at=NOW + 60,
        high_at=NOW + 1200,
        by_at=NOW + 1300,
        quantiles=LEVELS,
    )


def test_later_tasks_of_an_array_have_no_window_of_their_own():
    queue = cluster(4, array("7", 3))
    (record,) = queue.pending
    answer = Answer(
        job_id=record.spec.id,
        start_at=NOW,
        last_start_at=NOW + 60,
        cause="resources",
        low_at=NOW,
        quantiles=LEVELS,
    )
    said = as_told([answer], queue)
    assert said[record.spec.id].low_at == NOW
    assert said["7_1"] == Said(likely_at=NOW + 30)
    assert said["7_2"] == Said(likely_at=NOW + 60)


def test_the_windows_that_follow_at_once_count_instead_of_the_first_word():
    assert told([published(2, 600), published(20, 660)]) == [660]


def test_what_is_said_of_the_same_snapshot_much_later_does_not_count():
    assert told([published(2, 600), published(20, 660), published(70, 900)]) == [660]


def test_each_snapshot_counts_by_itself():
    assert told(
        [published(2, 600), published(62, 500, NOW + 60), published(80, 540, NOW + 60)]
    ) == [
        600,
        540,
    ]
