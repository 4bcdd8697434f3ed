"""What the daemon does when its time has come, without its timer."""

import errno
from dataclasses import replace

import learning
import pytest
from clusters import NOW
from services import Scripted, StandingClock, said, scene

from predictor.domain.durations import HOUR_S
from predictor.errors import SourceTimeout
from predictor.service.forecaster import Forecaster
from predictor.service.rounds import Rounds, Surroundings
from predictor.service.shown import Shown, file_of, save
from predictor.site import Site
from predictor.storage import open_for_reading, open_for_writing
from predictor.storage.files import OsFiles


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


def hung_up(rounds):
    """What hangs on the board while that answers from before: instants, and when each was made."""
    hung = []
    put = rounds.board.put
    rounds.board.put = lambda result: (hung.append(result), put(result))
    rounds.revive()
    rounds.close()
    return [(one.snapshot_at - NOW, int(one.computed_at) - NOW) for one in hung], hung


KEPT, MADE_NOW = -59, 20


@pytest.mark.parametrize(
    ("recorded", "answered", "hung"),
    [
        ([-60], [-60], [(-60, KEPT)]),
        ([-60, 0], [-60], [(-60, KEPT), (0, MADE_NOW)]),
        ([-60, -30, 0], [-60], [(-60, KEPT), (0, MADE_NOW)]),
        ([-60, 0], [-60, 0], [(0, MADE_NOW)]),
        ([-120], [-120], [(-120, MADE_NOW)]),
        ([-180, -120], [-180, -60], [(-120, MADE_NOW)]),
        ([-60, 0], [], [(0, MADE_NOW)]),
    ],
    ids=[
        "the last",
        "a later one that nobody was told of",
        "two of those",
        "a later one was shown",
        "not recorded",
        "later than what is recorded: a clock was set",
        "nothing is known of what was told",
    ],
)
def test_after_a_restart_nothing_older_is_shown_than_before(tmp_path, recorded, answered, hung):
    rounds = restarted(tmp_path, (NOW + s for s in recorded), (NOW + s for s in answered))
    assert hung_up(rounds)[0] == hung


def test_an_older_result_tells_its_true_age_until_the_newer_one_is_there(tmp_path):
    rounds = restarted(tmp_path, [NOW - 60, NOW], [NOW - 60])
    older, newer = hung_up(rounds)[1]
    now = StandingClock().now()
    assert (older.age_s(now), newer.age_s(now)) == (80, 20)
    assert older.stale(NOW - 60 + older.terms.stale_after_s + 1)


def test_where_what_was_recorded_last_is_damaged_the_last_result_stays(tmp_path):
    rounds = restarted(tmp_path, [NOW - 60], [NOW - 60])
    rounds.close()
    file = tmp_path / "recording" / "segment-000001.qcr"
    sound = file.stat().st_size
    restarted(tmp_path, [NOW], []).close()
    data = bytearray(file.read_bytes())
    data[(sound + len(data)) // 2] ^= 0x40
    file.write_bytes(data)
    rounds = restarted(tmp_path, [], [])
    assert hung_up(rounds)[0] == [(-60, KEPT)]


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
