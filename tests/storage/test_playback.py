from importlib.metadata import entry_points

import pytest
from recordings import START, HandClock, snapshot

from predictor.domain.shift import shifted
from predictor.domain.source import SOURCES
from predictor.errors import SiteError, SourceError
from predictor.storage import open_for_writing
from predictor.storage.playback import from_settings

LATER = START + 1_000_000
INSTANTS = [START, START + 60, START + 120, START + 600]


@pytest.fixture
def recording(folder):
    with open_for_writing(folder) as writer:
        for at in INSTANTS:
            writer.append(snapshot(at))
    return folder


@pytest.fixture
def play(recording):
    """Begins to play at LATER; the answer tells what is seen so many seconds after."""

    def begin(**given):
        clock = HandClock(LATER)
        playback = from_settings({"path": str(recording), **given}, clock=clock)

        def after(seconds):
            clock.at = LATER + seconds
            return playback.observe().snapshot

        return after

    return begin


@pytest.mark.parametrize(
    ("seconds", "recorded"),
    [
        pytest.param(0, 0, id="the first at once"),
        pytest.param(59.9, 0, id="until the second's turn"),
        pytest.param(60, 60, id="the second"),
        pytest.param(599, 120, id="a gap shows the one before it"),
        pytest.param(600, 600, id="the last"),
        pytest.param(659, 600, id="the last for one period"),
    ],
)
def test_each_snapshot_is_shown_when_its_turn_comes(play, seconds, recorded):
    delta_s = LATER - START
    assert play()(seconds) == shifted(snapshot(START + recorded), delta_s)


def test_at_its_end_it_starts_over_and_time_goes_on(play):
    again = play()(660)
    assert again == shifted(snapshot(START), LATER + 660 - START)
    assert [job.spec.id for job in again.pending] == [j.spec.id for j in snapshot(START).pending]


def test_it_can_begin_later(play):
    assert play(**{"from": START + 61})(0) == shifted(snapshot(START + 120), LATER - START - 120)
    assert (
        play(**{"from": "2023-11-14T22:15:20Z"})(0).pending
        == play(**{"from": START + 120})(0).pending
    )


def test_faster_means_more_snapshots_not_shorter_jobs(play):
    seen = play(speed=60)(2)
    assert seen == shifted(snapshot(START + 120), LATER + 2 - (START + 120))


def test_at_the_highest_speed_no_two_snapshots_share_an_instant(play):
    after = play(speed=60)
    seen = [after(second) for second in (0, 1, 2, 10, 11, 12)]
    assert len({each.taken_at for each in seen}) == len(seen)


def test_however_fast_snapshots_never_go_back_in_time(play):
    after = play(speed=7.3)
    taken = [after(seconds).taken_at for seconds in range(0, 300, 3)]
    assert taken == sorted(taken)
    assert all(at <= LATER + second for at, second in zip(taken, range(0, 300, 3), strict=True))


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"path": ""}, r"source\.path: expected the folder"),
        ({"path": "/nowhere"}, r"source\.path: /nowhere"),
        ({"speed": 0}, r"source\.speed: expected a number above 0"),
        ({"speed": 61}, r"source\.speed: expected a number above 0, at most 60"),
        ({"speed": True}, r"source\.speed"),
        ({"from": "noon"}, r"source\.from: expected an instant"),
        ({"from": START + 601}, r"source\.from: the recording has no snapshot"),
        ({"sped": 2}, r"source\.sped: unknown"),
    ],
)
def test_wrong_settings_are_named(recording, given, why):
    with pytest.raises(SiteError, match=why):
        from_settings({"path": str(recording), **given})


def test_a_damaged_snapshot_is_a_source_that_fails(recording):
    data = bytearray((recording / "segment-000001.qcr").read_bytes())
    playback = from_settings({"path": str(recording)}, clock=HandClock(LATER))
    data[100] ^= 1
    (recording / "segment-000001.qcr").write_bytes(data)
    with pytest.raises(SourceError, match="cannot be read"):
        playback.observe()


def test_the_daemon_finds_it():
    (entry,) = entry_points(group=SOURCES, name="recording")
    assert entry.load() is from_settings
