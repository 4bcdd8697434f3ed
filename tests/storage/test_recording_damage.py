"""Damage is named, costs what it hit and what builds on it, and nothing else."""

import random
import sqlite3
from contextlib import closing
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recordings import START, ended, snapshot

from predictor.storage import open_for_reading, open_for_writing
from predictor.storage.catalogue import catalogue
from predictor.storage.codec import pack
from predictor.storage.documents import base_number, chain_of
from predictor.storage.frames import Kind, record, scan, segment_head

INSTANTS = [START + 60 * i for i in range(20)]
FIRST = "segment-000001.qcr"
SECOND = "segment-000002.qcr"
IN_FIRST = 16


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A recording's files as they should be, by name, without the index."""
    folder = tmp_path_factory.mktemp("sound") / "recording"
    with pytest.MonkeyPatch.context() as patch, open_for_writing(folder) as writer:
        patch.setattr("predictor.storage.segment.SNAPSHOTS", IN_FIRST)
        for at in INSTANTS:
            writer.append(snapshot(at))
        writer.add_outcomes([ended("7")])
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.suffix == ".qcr"}


@pytest.fixture
def put(sound, folder):
    """Lays the recording down, with one file replaced."""

    def lay_down(name, content):
        folder.mkdir(exist_ok=True)
        for each, data in {**sound, name: content}.items():
            (folder / each).write_bytes(data)
        return open_for_reading(folder)

    return lay_down


def read_all(reader):
    """Return the instants that can be read, after checking that each is as it was recorded."""
    found = list(reader.snapshots())
    assert all(each == snapshot(each.taken_at) for each in found)
    return [each.taken_at for each in found]


def test_a_flipped_bit_anywhere_is_noticed_and_the_rest_survives(sound, put):
    chance = random.Random(1)  # noqa: S311
    for _ in range(60):
        data = bytearray(sound[FIRST])
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        reader = put(FIRST, bytes(data))
        survivors = read_all(reader)
        assert survivors[-4:] == INSTANTS[IN_FIRST:]
        assert len(survivors) == len(INSTANTS) or reader.damage
        assert reader.damage


def test_damage_in_an_odd_record_costs_that_record_alone(sound, put):
    entries = scan(FIRST, sound[FIRST]).entries
    data = bytearray(sound[FIRST])
    data[entries[9].offset + 40] ^= 1

    reader = put(FIRST, bytes(data))

    assert read_all(reader) == INSTANTS[:9] + INSTANTS[10:]
    assert [str(each) for each in reader.damage] == [
        f"{FIRST}: byte {entries[9].offset}: a damaged record"
    ]


def test_damage_in_a_record_costs_what_builds_on_it(sound, put):
    entries = scan(FIRST, sound[FIRST]).entries
    data = bytearray(sound[FIRST])
    data[entries[8].offset + 40] ^= 1
    reader = put(FIRST, bytes(data))
    assert read_all(reader) == INSTANTS[:8] + INSTANTS[IN_FIRST:]


def test_a_segment_cut_anywhere_keeps_what_stands_before_the_cut(sound, put):
    data = sound[FIRST]
    ends = [entry.offset + entry.size for entry in scan(FIRST, data).entries]
    for length in range(0, len(data), 61):
        reader = put(FIRST, data[:length])
        before = sum(end <= length for end in ends)
        assert read_all(reader) == INSTANTS[:before] + INSTANTS[IN_FIRST:]
        assert reader.damage or length in ends


def test_an_unfinished_record_at_the_very_end_is_no_damage_and_is_dropped(sound, put, folder):
    end = scan(SECOND, sound[SECOND]).entries[-2]
    cut = put(SECOND, sound[SECOND][: end.offset + 50])
    assert (read_all(cut), cut.damage) == (INSTANTS[:-1], ())

    with open_for_writing(folder) as writer:
        assert writer.append(snapshot(INSTANTS[-1]))

    reader = open_for_reading(folder)
    assert (read_all(reader), reader.damage, reader.segments) == (INSTANTS, (), 2)


@pytest.mark.parametrize("junk", [b"\0" * 4096, b"junk" * 99, b"qc\x1eR" * 99], ids=repr)
def test_recording_goes_on_after_junk_at_the_end(sound, put, folder, junk):
    put(SECOND, sound[SECOND] + junk)
    later = [START + 9000 + 60 * i for i in range(4)]
    with open_for_writing(folder) as writer:
        for at in later:
            writer.append(snapshot(at))
    assert read_all(open_for_reading(folder)) == [*INSTANTS, *later]


@settings(
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(content=st.binary(max_size=300))
def test_any_bytes_in_place_of_a_segment_are_survived(put, folder, content):
    reader = put(FIRST, content)
    assert read_all(reader) == INSTANTS[IN_FIRST:]
    assert reader.damage
    with open_for_writing(folder) as writer:
        writer.append(snapshot(START + 9000))


@pytest.mark.parametrize("base", ["itself", "a later one"])
def test_a_record_cannot_build_on_what_does_not_stand_before_it(base):
    head = segment_head("larch", 1)
    offset = len(head) if base == "itself" else len(head) + 5000
    found = scan(FIRST, head + record(Kind.SNAPSHOT, START, 1, offset, pack(b"x", None)))
    assert found.entries == ()
    assert found.damage


def test_a_record_of_an_epoch_that_was_over_does_not_count():
    late = [
        record(Kind.SNAPSHOT, at, epoch, 0, pack(b"x", None))
        for at, epoch in [(1, 1), (2, 3), (3, 2), (4, 3)]
    ]
    found = catalogue([scan(FIRST, segment_head("larch", 1) + b"".join(late))])

    assert list(found.snapshots) == [1, 2, 4]
    assert "epoch 2, which was over" in str(found.damage[0])


def changed(index, column):
    """Put into a column what no scan would."""
    with closing(sqlite3.connect(index)) as database, database:
        database.execute(f"UPDATE entry SET {column} = 'x'")  # noqa: S608


def done(index, what):
    """Do what a damaged page may do: the numbers left are sound, each by itself."""
    with closing(sqlite3.connect(index)) as database, database:
        database.execute(what)


LEAST = "(SELECT min(position) FROM entry)"
MOST = "(SELECT max(position) FROM entry)"


@pytest.mark.parametrize(
    "spoil",
    [
        *(
            pytest.param(partial(done, what=what), id=what)
            for what in (
                f"DELETE FROM entry WHERE position = {LEAST}",  # noqa: S608
                f"DELETE FROM entry WHERE position = {MOST}",  # noqa: S608
                f"DELETE FROM entry WHERE position NOT IN ({LEAST}, {MOST})",  # noqa: S608
                "DELETE FROM entry",
                f"UPDATE entry SET position = position + 1 WHERE position = {MOST}",  # noqa: S608
                "UPDATE entry SET size = size - 1",
                'UPDATE segment SET "end" = "end" - 1',
            )
        ),
        pytest.param(lambda index: index.unlink(), id="gone"),
        pytest.param(lambda index: index.write_bytes(b"no database at all" * 500), id="junk"),
        pytest.param(lambda index: index.write_bytes(b""), id="empty"),
        pytest.param(
            lambda index: sqlite3.connect(index).execute("PRAGMA user_version = 99"),
            id="another version",
            marks=pytest.mark.filterwarnings("ignore::ResourceWarning"),
        ),
        *(
            pytest.param(partial(changed, column=column), id=f"another {column}")
            for column in ("kind", "taken_at", "size")
        ),
    ],
)
def test_the_index_is_remade_from_the_segments(folder, spoil):
    with open_for_writing(folder) as writer:
        for at in INSTANTS:
            writer.append(snapshot(at))
        writer.add_outcomes([ended("7"), ended("8")])
    for leftover in folder.glob("index.sqlite-*"):
        leftover.unlink()
    spoil(folder / "index.sqlite")

    assert read_all(open_for_reading(folder)) == INSTANTS
    with open_for_writing(folder) as writer:
        assert writer.add_outcomes([ended("8"), ended("9")]) == 1
    assert len(list(open_for_reading(folder).outcomes())) == 3


@pytest.mark.parametrize("name", [FIRST, SECOND])
def test_an_index_that_disagrees_with_a_segment_is_put_right(put, sound, folder, name):
    put(FIRST, sound[FIRST])
    open_for_writing(folder).close()
    entries = scan(name, sound[name]).entries
    put(name, sound[name][: entries[3].offset])
    expected = [at for at in INSTANTS if at not in {e.taken_at for e in entries[3:]}]
    assert read_all(open_for_reading(folder)) == expected
    open_for_writing(folder).close()
    assert read_all(open_for_reading(folder)) == expected


@given(st.integers(1, 10_000))
def test_a_base_is_always_still_at_hand(number):
    """Writing keeps only the chain of the last snapshot, so the next base must be in it."""
    assert base_number(number) in set(chain_of(number - 1))
    assert base_number(number) < number
