"""What the daemon does when its time has come, without its timer."""

import errno
from dataclasses import replace

import learning
import pytest
from clusters import NOW
from services import Scripted, StandingClock, said, scene

from predictor.errors import SourceTimeout
from predictor.service.forecaster import Forecaster
from predictor.service.rounds import Rounds, Surroundings
from predictor.service.shown import Shown, file_of, save
from predictor.site import Site
from predictor.storage import open_for_reading, open_for_writing
from predictor.storage.files import OsFiles

HOUR_S = 3_600


class Disk(OsFiles):
    """The real one, until it is full."""

    full = False

    def write(self, descriptor, data):
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(descriptor, data)


class Here:
    """Computes forecasts in this process."""

    pid = None

    def __init__(self, task: Forecaster, _bounds: object) -> None:
        self._task = task

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def __call__(self, question, within_s=0.0):
        return self._task(question)


class NoTimer:
    def put_off(self, wait_s: float) -> None:
        pass

    def left_s(self) -> float:
        return 60


def test_on_a_full_disk_what_is_not_kept_goes_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr("predictor.storage.segment.SNAPSHOTS", 1)
    folder = tmp_path / "recording"
    with open_for_writing(folder) as writer:
        # For a day before now looks are whole: else the clock would not be believed.
        hours_ago = (9 * 24, 8 * 24, *reversed(range(26)))
        for hours in hours_ago:
            writer.append(scene(taken_at=NOW - hours * HOUR_S))
    disk = Disk()
    rounds = Rounds(
        Site.model_validate({"recording": {"path": str(folder), "keep_days": 7}}),
        connect=lambda site: Scripted([replace(scene(), taken_at=NOW + 10)]),
        means=learning.means(),
        around=Surroundings(clock=StandingClock(), files=disk, hire=Here),
        agenda=NoTimer(),
    )
    disk.full = True
    report = rounds.tick()
    rounds.close()
    assert "record" in {stage.name for stage in report.failures}
    assert report.published is not None
    assert open_for_reading(folder).instants[0] == NOW - 25 * HOUR_S


def restarted(tmp_path, recorded, answered, script=()):
    """One that showed what was seen a minute ago, before it was stopped."""
    folder = tmp_path / "recording"
    with open_for_writing(folder, clock=StandingClock()) as writer:
        for at in recorded:
            writer.append(scene(taken_at=at))
        for at in answered:
            writer.add_answers(said(scene(taken_at=at)))
    last = scene(taken_at=NOW - 60)
    save(file_of(folder), Shown(snapshot=last, forecast=said(last), made_at=NOW - 59))
    return Rounds(
        Site.model_validate({"recording": {"path": str(folder)}}),
        connect=lambda site: Scripted(list(script)),
        means=learning.means(),
        around=Surroundings(clock=StandingClock(), hire=Here),
        agenda=NoTimer(),
    )


@pytest.mark.parametrize(
    ("recorded", "answered", "shown_at"),
    [
        ([NOW - 60], [NOW - 60], NOW - 60),
        ([NOW - 60, NOW], [NOW - 60], NOW),
        ([NOW - 60, NOW], [NOW - 60, NOW], NOW),
        ([NOW - 120], [NOW - 120], NOW - 120),
    ],
    ids=["the last", "a later one that nobody saw", "a later one was shown", "not recorded"],
)
def test_after_a_restart_nothing_older_is_shown_than_before(tmp_path, recorded, answered, shown_at):
    rounds = restarted(tmp_path, recorded, answered)
    rounds.revive()
    rounds.close()
    current = rounds.board.current
    assert current.snapshot_at == shown_at
    assert (int(current.computed_at) == NOW - 59) is (shown_at == NOW - 60)


@pytest.mark.parametrize("newer_s", [0, 60])
def test_where_the_first_look_fails_what_was_recorded_last_is_forecast(tmp_path, newer_s):
    last = sorted({NOW - 60, NOW - 60 + newer_s})
    rounds = restarted(tmp_path, last, [NOW - 60], [SourceTimeout("no answer")])
    rounds.revive()
    rounds.tick()
    rounds.close()
    current = rounds.board.current
    assert current.snapshot_at == NOW - 60 + newer_s
    assert current.computed_at >= NOW
