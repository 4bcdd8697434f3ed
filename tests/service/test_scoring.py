"""How answers came out, by a queue of which the test knows what becomes of it.

`said` tells the first free job of a scene a start in one hour, the second in two.
"""

from dataclasses import replace

import pytest
from clusters import NOW, array, cluster, nodes, partition, running, spec, waiting
from services import TERMS, outlook, said, sure

from predictor.domain import (
    UNLIMITED,
    Abstention,
    BatchEstimate,
    Cause,
    Fact,
    FinishedJob,
    Hidden,
    Outcome,
    Unpredictable,
)
from predictor.domain.durations import HOUR_S as HOUR
from predictor.service.bysize import shape_of
from predictor.service.history import Entry
from predictor.service.published import publication
from predictor.service.scoring import Judged, Miss, Scores, Scoring, lead_of


def seen(*jobs, after_s=0, made=None, **more):
    """A result of a snapshot so many seconds after the first, with windows."""
    snapshot = cluster(4, *jobs, taken_at=NOW + after_s, **more)
    return publication(snapshot, made or sure(said(snapshot)), TERMS, NOW, NOW)


def begun(id_, after_s, **more):
    return replace(running(id_, "n1", 60, **more), started_at=NOW + after_s)


def told(id_="11", start_s=None):
    return BatchEstimate(start_at=None if start_s is None else NOW + start_s)


def test_a_start_is_held_against_what_was_told_first():
    scoring = Scoring()
    scoring.take(seen(waiting("11")))
    scores = scoring.take(seen(begun("11", HOUR + 300), after_s=HOUR + 360))
    assert scores.misses == (Miss("2h", "batch", 300, None),)
    assert scores.windows == (Judged("2h", 0.8, held=True),)


def test_of_each_lead_the_first_answer_counts_and_no_other():
    scoring = Scoring()
    for minute in range(0, 50, 10):
        made = seen(waiting("11"), after_s=60 * minute)
        scoring.take(made)  # each says: in an hour
    scores = scoring.take(seen(begun("11", HOUR), after_s=HOUR + 20))
    assert [miss.late_s for miss in scores.misses] == [0]


def test_an_answer_of_another_lead_is_another_answer():
    scoring = Scoring()
    snapshot = cluster(4, waiting("11"))
    scoring.take(seen(waiting("11")))
    near = replace(snapshot, taken_at=NOW + 60)
    soon = replace(
        said(near),
        predictions=tuple(
            replace(one, start_at=NOW + 600, outlook=outlook(NOW + 600))
            for one in said(near).predictions
        ),
    )
    scoring.take(seen(waiting("11"), after_s=60, made=soon))
    scores = scoring.take(seen(begun("11", 900), after_s=960))
    assert {(miss.lead, miss.late_s) for miss in scores.misses} == {
        ("2h", 900 - HOUR),
        ("30m", 300),
    }


def test_what_the_batch_system_announced_is_judged_by_the_same_start():
    scoring = Scoring()
    scoring.take(seen(waiting("11", estimate=told(start_s=2 * HOUR))))
    scores = scoring.take(seen(begun("11", HOUR), after_s=HOUR + 20))
    assert scores.misses == (Miss("2h", "batch", 0, -HOUR),)


def test_a_start_announced_for_the_past_is_taken_for_now():
    scoring = Scoring()
    scoring.take(seen(waiting("11", estimate=told(start_s=-9 * HOUR))))
    scores = scoring.take(seen(begun("11", HOUR), after_s=HOUR + 20))
    assert scores.misses[0].theirs_late_s == HOUR


def test_a_window_is_missed_once_it_has_passed_and_never_counts_again():
    scoring = Scoring()
    scoring.take(seen(waiting("11")))  # up to two hours, with 80 %
    assert scoring.take(seen(waiting("11"), after_s=2 * HOUR)).windows == ()
    passed = scoring.take(seen(waiting("11"), after_s=2 * HOUR + 1))
    assert passed.windows == (Judged("2h", 0.8, held=False),)
    later = scoring.take(seen(begun("11", 3 * HOUR), after_s=3 * HOUR + 20))
    assert (later.windows, [miss.late_s for miss in later.misses]) == ((), [2 * HOUR])


def test_who_starts_before_the_window_has_missed_it_too():
    scoring = Scoring()
    scoring.take(seen(waiting("11")))
    scores = scoring.take(seen(begun("11", 60), after_s=120))
    assert scores.windows == (Judged("2h", 0.8, held=False),)


def test_who_gives_up_is_not_scored():
    scoring = Scoring()
    scoring.take(seen(waiting("11")))
    gone = scoring.take(seen(after_s=5 * HOUR))
    back = scoring.take(seen(begun("11", 5 * HOUR + 10), after_s=5 * HOUR + 60))
    assert (gone.misses, gone.windows, back.misses) == ((), (), ())


def test_who_started_and_ended_between_two_looks_is_scored_all_the_same():
    scoring = Scoring()
    scoring.take(seen(waiting("11")))
    over = FinishedJob(
        spec=spec("11"),
        started_at=NOW + HOUR,
        ended_at=NOW + HOUR + 5,
        outcome=Outcome.COMPLETED,
    )
    scores = scoring.take(seen(after_s=HOUR + 60, finished=(over,)))
    assert [miss.late_s for miss in scores.misses] == [0]
    assert len(scores.waits) == 1
    assert scoring.take(seen(after_s=HOUR + 120, finished=(over,))) == Scores()


def test_an_array_is_judged_by_its_next_task():
    scoring = Scoring()
    scoring.take(seen(array("12", 4)))
    members = array("12", 4).spec.array
    tasks = [begun(f"12_{task}", HOUR + task, array=members) for task in (1, 0)]
    scores = scoring.take(seen(*tasks, after_s=HOUR + 60))
    assert [miss.late_s for miss in scores.misses] == [0]
    assert scores.windows == (Judged("2h", 0.8, held=True),)


def test_those_who_ran_before_the_first_look_tell_nothing():
    assert Scoring().take(seen(running("10", "n1", 30))).waits == ()


def test_how_long_a_job_waited_begins_when_it_was_allowed_to_start():
    scoring = Scoring()
    scoring.take(seen())
    job = begun("11", 60, submitted_at=NOW - HOUR, eligible_at=NOW - 60)
    (wait,) = scoring.take(seen(job, after_s=120)).waits
    assert (wait.partition, wait.shape, wait.waited_s) == ("batch", "small", 120)


def test_what_was_told_before_a_restart_is_judged_after_it():
    entry = Entry(told_at=NOW - HOUR, likely_at=NOW + HOUR, low_at=NOW, high_at=NOW + 2 * HOUR)
    scoring = Scoring({"11": (entry,), "99": (entry,)})
    scoring.take(seen(waiting("11")))
    scores = scoring.take(seen(begun("11", HOUR + 60), after_s=HOUR + 120))
    assert Miss("2h", "batch", 60, None) in scores.misses
    assert Judged("2h", 0.8, held=True) in scores.windows


def test_who_started_while_we_were_away_is_judged_at_the_first_look():
    entry = Entry(told_at=NOW - HOUR, likely_at=NOW - 120, low_at=None, high_at=None)
    scores = Scoring({"11": (entry,)}).take(seen(begun("11", -60)))
    assert (scores.misses, scores.windows) == ((Miss("2h", "batch", 60, None),), ())


def test_a_snapshot_that_hides_jobs_teaches_nothing():
    scoring = Scoring()
    first = seen(waiting("11"))
    scoring.take(first)
    hiding = replace(first.snapshot.provenance, hidden=(Hidden(fact=Fact.JOBS, why="PrivateData"),))
    assert scoring.take(seen(after_s=60, provenance=hiding)) == Scores()
    scores = scoring.take(seen(begun("11", HOUR), after_s=HOUR + 20))
    assert len(scores.misses) == 1


def test_the_same_snapshot_again_teaches_nothing():
    scoring = Scoring()
    scoring.take(seen(waiting("11")))
    assert scoring.take(seen(begun("11", 0))) == Scores()


@pytest.mark.parametrize("waits_s", [900, 901])
def test_who_is_said_to_start_at_once_and_does_not_is_overdue(waits_s):
    def at_once(after_s):
        made = said(cluster(4, waiting("11"), taken_at=NOW + after_s))
        (one,) = made.predictions
        now = replace(one, cause=Cause.STARTS_NOW, start_at=NOW + after_s)
        return seen(waiting("11"), after_s=after_s, made=replace(made, predictions=(now,)))

    scoring = Scoring()
    assert scoring.take(at_once(0)).overdue == 0
    assert scoring.take(at_once(waits_s)).overdue == (waits_s > 900)
    assert scoring.take(seen(waiting("11"), after_s=2_000)).overdue == 0


def test_of_whom_nothing_can_be_told_nothing_is_scored():
    made = said(cluster(4, waiting("11")))
    none = Abstention(job_id="11", cause=Unpredictable.HELD, detail="held")
    scoring = Scoring()
    scoring.take(seen(waiting("11"), made=replace(made, predictions=(), abstentions=(none,))))
    assert scoring.take(seen(begun("11", 60), after_s=120)).misses == ()


@pytest.mark.parametrize(
    ("lead_s", "name"),
    [(0, "5m"), (300, "5m"), (301, "30m"), (86_400, "24h"), (259_201, "longer"), (-5, "5m")],
)
def test_leads_are_named_by_their_upper_bounds(lead_s, name):
    assert lead_of(lead_s) == name


@pytest.mark.parametrize(
    ("count", "minutes", "shape"),
    [(1, 60, "small"), (4, 60, "medium"), (5, 60, "large"), (1, 721, "long"), (40, 720, "large")],
)
def test_shapes_are_few(count, minutes, shape):
    batch = partition("batch", nodes(40))
    assert shape_of(spec("11", count, minutes), batch) == shape


def test_a_job_without_a_limit_is_long():
    endless = replace(spec("11").request, limit_s=UNLIMITED)
    assert shape_of(replace(spec("11"), request=endless), None) == "long"
