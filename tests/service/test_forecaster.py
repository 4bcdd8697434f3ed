"""What the worker does: learn, answer, keep, and take up again what was kept."""

from dataclasses import replace

import learning
import pytest
from clusters import NOW, cluster, running, spec, waiting
from learning import Counted, means, minute, site
from services import StandingClock, scene

from predictor.domain import FinishedJob, Outcome
from predictor.errors import ServiceError
from predictor.service import memory, shown
from predictor.service.forecaster import SAVE_EVERY_S, Forecaster, Look, Save, Sure
from predictor.service.means import USUAL
from predictor.storage import open_for_writing


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "recording").mkdir()
    return tmp_path


class Held:
    """Gives everybody the same learner, to look at it from outside."""

    def __init__(self):
        self.learner = Counted()

    def fresh(self, _site):
        return self.learner

    def restored(self, _site, state):
        self.learner = Counted(**state)
        return self.learner


@pytest.fixture
def held():
    return Held()


def forecaster(folder, held, clock=None, **instead):
    ways = {"fresh": held.fresh, "restored": held.restored} | instead
    return Forecaster(site(folder), means(**ways), clock or StandingClock())


def seen(number):
    return replace(scene(), taken_at=minute(number))


def record(folder, numbers):
    with open_for_writing(folder / "recording", clock=StandingClock()) as writer:
        for number in numbers:
            writer.append(seen(number))


def tick(worker, number):
    """Ask as the service does each minute; return the windows told."""
    worker(Look(snapshot=seen(number)))
    return worker(Sure(budget_s=20)).forecast


def raising(*_, **__):
    raise ZeroDivisionError("oops")


def test_the_point_answer_comes_first_and_then_its_windows(folder, held):
    worker = forecaster(folder, held)
    point = worker(Look(snapshot=seen(0))).forecast
    told = worker(Sure(budget_s=20)).forecast
    assert all(one.outlook is None for one in point.predictions)
    assert all(one.outlook is not None for one in told.predictions)
    assert [one.job_id for one in told.predictions] == [one.job_id for one in point.predictions]


def test_it_learns_each_snapshot_once_and_hears_what_it_said_of_it(folder, held):
    worker = forecaster(folder, held)
    for number in (0, 1, 1, 2):
        tick(worker, number)
    # The first minute goes to catching up: what was said in it cannot be judged.
    assert held.learner.instants == [minute(1), minute(2)]
    assert held.learner.heard_of == [minute(1), minute(1), minute(2)]


def test_windows_of_nothing_are_refused(folder, held):
    with pytest.raises(ServiceError, match="is gone"):
        forecaster(folder, held)(Sure(budget_s=20))


def test_where_no_windows_are_wanted_it_learns_all_the_same(folder, held):
    worker = Forecaster(
        site(folder, draws=0), means(fresh=held.fresh, restored=held.restored), StandingClock()
    )
    assert tick(worker, 0) is None
    tick(worker, 1)
    assert held.learner.instants == [minute(1)]


def test_who_is_stopped_before_windows_are_worked_out_begins_with_the_point_answer(folder, held):
    worker = forecaster(folder, held, with_outlooks=raising)
    made = worker(Look(snapshot=seen(0))).forecast
    with pytest.raises(ZeroDivisionError):
        worker(Sure(budget_s=20))
    kept = shown.load(shown.file_of(folder / "recording"))
    assert (kept.snapshot, kept.forecast) == (seen(0), made)


def test_without_time_no_windows_are_begun(folder, held):
    worker = forecaster(folder, held)
    worker(Look(snapshot=seen(0)))
    assert worker(Sure(budget_s=0)).forecast is None


def test_what_was_learned_is_kept_every_few_minutes(folder, held):
    clock = StandingClock()
    worker = forecaster(folder, held, clock)
    tick(worker, 0)
    worker(Look(snapshot=seen(1)))
    assert worker(Sure(budget_s=20)).saved_bytes is None
    clock.at += SAVE_EVERY_S
    told = worker(Sure(budget_s=20))
    kept = memory.load(folder / "recording.experience", "scene")
    assert told.saved_bytes > 0
    assert (kept.until, kept.state["instants"]) == (minute(1), [minute(1)])


def test_a_new_process_takes_up_what_was_kept_and_learns_what_it_missed(folder, held):
    record(folder, range(10))
    first = forecaster(folder, held)
    tick(first, 9)
    first(Save())
    assert held.learner.instants == [minute(1), minute(5), minute(9)]
    record(folder, [10, 11])
    later = forecaster(folder, held)
    tick(later, 11)
    assert held.learner.instants == [minute(1), minute(5), minute(9), minute(11)]
    tick(later, 12)
    assert held.learner.instants[-1] == minute(12)


def test_a_damaged_file_is_set_aside_and_learning_begins_anew_from_the_recording(folder, held):
    record(folder, range(10))
    file = folder / "recording.experience"
    file.write_bytes(b"not what was kept")
    worker = forecaster(folder, held)
    told = worker(Look(snapshot=seen(9)))
    assert told.forecast is not None
    (note,) = told.notes
    assert note.startswith("learning begins anew, what was kept is now")
    assert str(folder / "recording.experience.damaged") in note
    worker(Sure(budget_s=20))
    assert held.learner.instants == [minute(1), minute(5), minute(9)]


def test_a_state_that_cannot_be_restored_is_set_aside(folder, held):
    file = folder / "recording.experience"
    memory.save(file, memory.Memory(cluster="scene", until=NOW, state={"strange": 1}))
    told = forecaster(folder, held)(Look(snapshot=seen(0)))
    assert told.forecast is not None
    assert "strange" in told.notes[0]
    assert not file.exists()


def test_what_was_learned_never_keeps_anybody_from_an_answer(folder, held):
    memory.save(
        folder / "recording.experience",
        memory.Memory(cluster="scene", until=minute(5), state={"instants": [NOW]}),
    )

    def poisoned(snapshot, _site, learned):
        return raising() if NOW in learned.instants else learning.likely(snapshot, _site, learned)

    worker = forecaster(folder, held, fresh=learning.fresh, likely=poisoned)
    told = worker(Look(snapshot=seen(6)))
    assert told.forecast is not None
    assert "ZeroDivisionError: oops" in told.notes[0]
    assert not (folder / "recording.experience").exists()


def test_a_fault_that_has_other_causes_costs_nothing_of_what_was_learned(folder, held):
    worker = forecaster(folder, held, likely=raising)
    memory.save(
        folder / "recording.experience",
        memory.Memory(cluster="scene", until=minute(0), state={"instants": [NOW]}),
    )
    with pytest.raises(ZeroDivisionError):
        worker(Look(snapshot=seen(1)))
    assert (folder / "recording.experience").exists()


def test_a_snapshot_that_cannot_be_learned_from_is_noted_and_answered(folder, held, monkeypatch):
    worker = forecaster(folder, held)
    tick(worker, 0)
    monkeypatch.setattr(held.learner, "learn", raising)
    told = worker(Look(snapshot=seen(1)))
    assert told.forecast is not None
    assert told.notes == ("a snapshot teaches nothing: ZeroDivisionError: oops",)
    monkeypatch.undo()
    tick(worker, 2)
    assert held.learner.instants == [minute(2)]


def test_what_was_learned_in_the_future_is_set_aside(folder, held):
    memory.save(
        folder / "recording.experience",
        memory.Memory(cluster="scene", until=minute(10_000), state={"instants": [NOW]}),
    )
    told = forecaster(folder, held)(Look(snapshot=seen(0)))
    assert "a clock was wrong" in told.notes[0]
    assert held.learner.instants == []


def test_windows_that_fail_leave_the_point_answer_and_what_was_learned(folder, held):
    worker = forecaster(folder, held, with_outlooks=raising)
    worker(Look(snapshot=seen(0)))
    with pytest.raises(ZeroDivisionError):
        worker(Sure(budget_s=20))
    assert worker(Look(snapshot=seen(1))).forecast is not None


def test_what_cannot_be_kept_is_told_and_nothing_else_happens(folder, held):
    (folder / "recording.experience").mkdir()
    worker = forecaster(folder, held)
    told = worker(Look(snapshot=seen(0)))
    assert told.forecast is not None
    worker(Sure(budget_s=20))
    worker(Look(snapshot=seen(1)))
    (folder / "recording.experience").mkdir(exist_ok=True)
    saved = worker(Save())
    assert saved.saved_bytes is None
    assert "cannot be kept" in saved.notes[0]


def test_without_a_recording_it_learns_from_what_it_sees(tmp_path, held):
    worker = forecaster(tmp_path, held)
    told = worker(Look(snapshot=seen(0)))
    assert "nothing is learned from the recording" in told.notes[0]
    tick(worker, 1)
    assert held.learner.instants[-1] == minute(1)


def passed(number):
    """A minute of a cluster on which jobs of 40 minutes' limit end after five."""
    ended = tuple(
        FinishedJob(
            spec=spec(f"e{number}-{one}", minutes=40),
            started_at=minute(number) - 330,
            ended_at=minute(number) - 30,
            outcome=Outcome.COMPLETED,
        )
        for one in range(3)
    )
    queue = (running("r", "n1", 30), waiting("1", minutes=40), waiting("2", minutes=40))
    return cluster(1, *queue, finished=ended, taken_at=minute(number))


def test_who_takes_up_what_was_kept_says_the_same_as_who_never_stopped(folder):
    first = Forecaster(site(folder, draws=8), USUAL, StandingClock())
    for number in range(6):
        first(Look(snapshot=passed(number)))
        first(Sure(budget_s=20))
    first(Save())
    with open_for_writing(folder / "recording", clock=StandingClock()) as writer:
        writer.append(passed(6))
    later = Forecaster(site(folder, draws=8), USUAL, StandingClock())
    told = [
        (one(Look(snapshot=passed(6))).forecast, one(Sure(budget_s=20)).forecast)
        for one in (first, later)
    ]
    (_, sure), (_, sure_again) = told
    by_id = {one.job_id: one for one in sure.predictions}
    assert by_id["2"].outlook.likely_at < minute(6) + 30 * 60  # who runs need not use its limit
    assert by_id["2"].explanation is not None
    assert [one.outlook.quantiles for one in sure_again.predictions] == [
        one.outlook.quantiles for one in sure.predictions
    ]


def test_who_ended_unseen_is_learned_from_once_the_recording_holds_it(folder, held):
    record(folder, [0])
    worker = forecaster(folder, held)
    tick(worker, 0)
    with open_for_writing(folder / "recording", clock=StandingClock()) as writer:
        over = FinishedJob(spec=spec("9"), ended_at=NOW, outcome=Outcome.COMPLETED)
        writer.add_outcomes([over], learned_at=minute(0))
    tick(worker, 1)
    assert held.learner.told_of == []
    worker(Sure(budget_s=20, told=True))
    worker(Sure(budget_s=20, told=True))
    assert held.learner.told_of == ["9"]
    worker(Save())
    assert memory.load(folder / "recording.experience", "scene").told > (0, 0)
    again = forecaster(folder, held)
    tick(again, 2)
    assert held.learner.told_of == []
