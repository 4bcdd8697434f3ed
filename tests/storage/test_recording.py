import multiprocessing
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recordings import START, HandClock, ended, snapshot
from strategies import snapshots

from predictor.domain.durations import DAY_S
from predictor.errors import RecordingInUse, StorageError
from predictor.storage import Gap, export_recording, open_for_reading, open_for_writing

YEAR_S = 365 * DAY_S
MINUTES = [START + 60 * i for i in range(130)]


def record(folder, instants):
    with open_for_writing(folder) as writer:
        for at in instants:
            assert writer.append(snapshot(at))


def test_what_was_appended_is_read_back_equal_and_in_order(folder):
    record(folder, MINUTES)

    reader = open_for_reading(folder)

    assert reader.cluster == "larch"
    assert reader.instants == tuple(MINUTES)
    assert list(reader.snapshots()) == [snapshot(at) for at in MINUTES]
    assert reader.latest() == snapshot(MINUTES[-1])
    assert reader.damage == ()
    assert reader.segments == 3


def test_no_file_is_mapped_whose_holes_a_full_disk_would_refuse_to_fill(folder):
    with open_for_writing(folder) as writer:
        assert writer.append(snapshot(START))
        assert str(folder) not in Path("/proc/self/maps").read_text()


@pytest.mark.parametrize("at", [MINUTES[0], MINUTES[63], MINUTES[64], MINUTES[-1]])
def test_one_instant_is_read_alone(folder, at):
    record(folder, MINUTES)
    assert list(open_for_reading(folder).snapshots(since=at, until=at + 1)) == [snapshot(at)]


@pytest.mark.parametrize("index", ["there", "lost"])
def test_who_wants_the_end_alone_does_not_look_at_the_beginning(folder, index):
    record(folder, MINUTES)
    (folder / "segment-000001.qcr").write_bytes(b"damaged")
    if index == "lost":
        (folder / "index.sqlite").unlink()
    reader = open_for_reading(folder, first=2)
    assert reader.damage == ()
    assert reader.instants == tuple(MINUTES[64:])
    assert list(reader.snapshots()) == [snapshot(at) for at in MINUTES[64:]]


def test_since_counts_and_until_does_not(folder):
    record(folder, MINUTES[:4])
    found = open_for_reading(folder).snapshots(since=MINUTES[1], until=MINUTES[3])
    assert [each.taken_at for each in found] == MINUTES[1:3]


@pytest.mark.parametrize(
    ("instants", "since"),
    [([], None), (MINUTES[:3], START), ([START - 7_200, START - 60, *MINUTES[:2]], START - 60)],
)
def test_a_writer_tells_from_when_on_there_was_no_hole(folder, instants, since):
    record(folder, instants)
    with open_for_writing(folder) as writer:
        assert writer.evenly_since(3_600) == since


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(any_snapshot=snapshots(), at=st.integers(0, 253_402_300_799))
def test_any_snapshot_survives(tmp_path_factory, any_snapshot, at):
    any_snapshot = replace(any_snapshot, taken_at=at)
    folder = tmp_path_factory.mktemp("any") / "recording"
    with open_for_writing(folder) as writer:
        writer.append(any_snapshot)
        writer.add_outcomes(any_snapshot.finished)
    reader = open_for_reading(folder)
    assert reader.latest() == any_snapshot
    assert tuple(reader.outcomes()) == any_snapshot.finished


def test_later_openings_continue_the_same_segment(folder):
    for at in MINUTES[:10]:
        record(folder, [at])
    reader = open_for_reading(folder)
    assert list(reader.snapshots()) == [snapshot(at) for at in MINUTES[:10]]
    assert reader.segments == 1


def test_a_snapshot_costs_little_after_the_first_one(folder):
    record(folder, MINUTES[:1])
    first = open_for_reading(folder).size_bytes
    record(folder, MINUTES[1:60])
    assert open_for_reading(folder).size_bytes < first + 59 * first / 3


@pytest.mark.parametrize("again", [MINUTES[0], MINUTES[3], MINUTES[9]])
def test_a_snapshot_already_there_is_passed_over(folder, again):
    with open_for_writing(folder) as writer:
        for at in MINUTES[:10]:
            writer.append(snapshot(at))
        assert writer.append(snapshot(again)) is False
    assert open_for_reading(folder).instants == tuple(MINUTES[:10])


@pytest.mark.parametrize(
    ("refused", "why"),
    [
        pytest.param(snapshot(START + 90), "after one of", id="between two"),
        pytest.param(snapshot(START - 60), "after one of", id="before the first"),
        pytest.param(snapshot(START + 120, jobs=3), "another snapshot", id="the same instant"),
        pytest.param(snapshot(-1), "no instant", id="before our era"),
        pytest.param(snapshot(2**63), "no instant", id="after it"),
        pytest.param(snapshot(START + 180, cluster="elm"), "'larch', not 'elm'", id="cluster"),
    ],
)
def test_what_does_not_continue_the_recording_is_refused(folder, refused, why):
    record(folder, MINUTES[:3])
    with open_for_writing(folder) as writer, pytest.raises(StorageError, match=why):
        writer.append(refused)
    assert open_for_reading(folder).instants == tuple(MINUTES[:3])


@pytest.mark.parametrize("anew", [True, False], ids=["after a restart", "while it runs"])
def test_what_a_jumping_clock_dated_in_the_future_does_not_stop_the_recording(folder, anew):
    clock = HandClock(START)
    writer = open_for_writing(folder, clock=clock)
    writer.append(snapshot(START))
    clock.at = START + 10 * YEAR_S
    writer.append(snapshot(START + 10 * YEAR_S))
    clock.at = START + 60
    if anew:
        writer.close()
        writer = open_for_writing(folder, clock=clock)
    assert writer.append(snapshot(START + 60))
    with pytest.raises(StorageError, match="comes after"):
        writer.append(snapshot(START + 30))
    writer.close()
    reader = open_for_reading(folder)
    assert reader.instants == (START, START + 60, START + 10 * YEAR_S)
    assert reader.latest(until=clock.at + 3_600) == snapshot(START + 60)


def test_outcomes_are_kept_once_each(folder, clock):
    with open_for_writing(folder, clock=clock) as writer:
        writer.append(snapshot(START))
        assert writer.add_outcomes([ended("1"), ended("2"), ended("1")]) == 2
        assert writer.add_outcomes([ended("2"), ended("2", at=START + 5)]) == 1
        writer.append(snapshot(START + 60))
    with open_for_writing(folder, clock=clock) as writer:
        assert writer.add_outcomes([ended("1")]) == 0

    reader = open_for_reading(folder)

    assert list(reader.outcomes()) == [ended("1"), ended("2"), ended("2", at=START + 5)]
    assert reader.instants == (START, START + 60)


def test_when_outcomes_became_known_is_kept_also_in_a_part(folder, tmp_path):
    with open_for_writing(folder) as writer:
        writer.append(snapshot(START))
        writer.add_outcomes([ended("1"), ended("2")], learned_at=START + 7)
        writer.add_outcomes([ended("3")], learned_at=START + 9)
    reader = open_for_reading(folder)
    first, second = reader.notices()
    assert [first.learned_at, second.learned_at] == [START + 7, START + 9]
    assert [job.spec.id for job in reader.ends(first)] == ["1", "2"]
    assert reader.notices(first.mark) == (second,)
    export_recording(reader, tmp_path / "part", None, None)
    copied = open_for_reading(tmp_path / "part").notices()
    assert [notice.learned_at for notice in copied] == [START + 7, START + 9]


def test_outcomes_may_begin_a_segment(folder, monkeypatch):
    monkeypatch.setattr("predictor.storage.segment.SNAPSHOTS", 1)
    with open_for_writing(folder) as writer:
        writer.append(snapshot(START))
        writer.add_outcomes([ended("1")])
        writer.add_outcomes([ended("2")])
        writer.append(snapshot(START + 60))
    with open_for_writing(folder) as writer:
        assert writer.add_outcomes([ended("1"), ended("2")]) == 0
    reader = open_for_reading(folder)
    assert list(reader.outcomes()) == [ended("1"), ended("2")]
    assert list(reader.snapshots()) == [snapshot(START), snapshot(START + 60)]


def test_outcomes_need_a_cluster(folder):
    with open_for_writing(folder) as writer, pytest.raises(StorageError, match="a snapshot before"):
        writer.add_outcomes([ended("1")])


def test_nobody_but_its_owner_and_group_reads_any_of_it(folder, clock):
    before = os.umask(0o022)
    try:
        with open_for_writing(folder, clock=clock) as writer:
            writer.append(snapshot(START))
            writer.add_outcomes([ended("1")])
    finally:
        os.umask(before)
    assert {file.name for file in folder.iterdir() if file.stat().st_mode & 0o007} == set()


def test_gaps_are_known(folder):
    record(folder, [START, START + 60, START + 180, START + 301])
    reader = open_for_reading(folder)
    assert reader.gaps() == (Gap(since=START + 180, until=START + 301),)
    assert reader.gaps(period_s=300) == ()


def test_a_second_writer_is_turned_away_at_once(folder):
    with open_for_writing(folder), pytest.raises(RecordingInUse, match="another process"):
        open_for_writing(folder)
    open_for_writing(folder).close()


def test_each_opening_counts_the_epoch_up(folder):
    epochs = []
    for _ in range(3):
        with open_for_writing(folder) as writer:
            epochs.append(writer.epoch)
    assert epochs == [1, 2, 3]


def test_what_would_go_to_a_deleted_folder_is_not_acknowledged(folder):
    with open_for_writing(folder) as writer:
        writer.append(snapshot(START))
        elsewhere = folder.rename(folder.with_name("elsewhere"))
        with pytest.raises(StorageError, match="moved or deleted"):
            writer.append(snapshot(START + 60))
        elsewhere.rename(folder)
        assert writer.append(snapshot(START + 120))
    assert open_for_reading(folder).instants == (START, START + 120)


def test_a_writer_whose_lock_was_lost_is_stopped_by_the_next_epoch(folder):
    with open_for_writing(folder) as old:
        old.append(snapshot(START))
        (folder / "lock").unlink()  # as a network file system may forget it
        with open_for_writing(folder) as new:
            new.append(snapshot(START + 60))
            with pytest.raises(RecordingInUse, match="taken over"):
                old.append(snapshot(START + 120))
            new.append(snapshot(START + 180))
    assert open_for_reading(folder).instants == (START, START + 60, START + 180)


def test_reading_goes_on_while_another_process_writes(folder):
    record(folder, MINUTES[:1])
    child = multiprocessing.get_context("fork").Process(target=record, args=(folder, MINUTES[1:]))
    child.start()
    reader = open_for_reading(folder)
    while child.is_alive():
        newest = reader.latest()
        assert newest == snapshot(newest.taken_at)
        assert reader.damage == ()
    child.join()
    assert child.exitcode == 0
    assert reader.latest() == snapshot(MINUTES[-1])


def test_an_empty_recording_has_nothing(folder):
    open_for_writing(folder).close()
    reader = open_for_reading(folder)
    assert (reader.latest(), reader.instants, reader.cluster) == (None, (), "")


def test_reading_nothing_says_where(folder):
    with pytest.raises(StorageError, match=str(folder)):
        open_for_reading(folder)


def test_a_folder_of_something_else_is_not_written_into(folder):
    folder.mkdir()
    (folder / "thesis.tex").write_text("dear to somebody")
    with pytest.raises(StorageError, match=r"no recording: it holds 'thesis\.tex'"):
        open_for_writing(folder)
