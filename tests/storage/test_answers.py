"""What was published is kept, in order, and cannot be changed unseen."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import START, HandClock, snapshot

from predictor.domain import Abstention, Cause, Forecast, Outlook, Prediction, Unpredictable
from predictor.errors import StorageError
from predictor.storage import export_recording, open_for_reading, open_for_writing, prune
from predictor.storage.answers import Answer, answers, digest, read, written
from predictor.storage.codec import pack


def forecast(at, *, start_s=600, jobs=12):
    """Starts for all but the last job of the snapshot at that instant."""
    ids = [job.spec.id for job in snapshot(at, jobs=jobs).pending]
    return Forecast(
        cluster="larch",
        snapshot_at=at,
        policy="easy",
        fingerprint="0123456789abcdef",
        predictions=tuple(
            Prediction(
                job_id=id_,
                start_at=at + start_s * place,
                end_at=at + start_s * place + 60,
                partition="batch",
                node_names=("n1",),
                cause=Cause.RESOURCES,
                rank=place + 1,
            )
            for place, id_ in enumerate(ids[:-1])
        ),
        abstentions=(Abstention(job_id=ids[-1], cause=Unpredictable.HELD, detail="held"),),
    )


@pytest.fixture
def publish(folder):
    """Records so many minutes, each with what is published of it; the clock is 5 s late."""

    def record(minutes, first=0):
        clock = HandClock()
        with open_for_writing(folder, clock=clock) as writer:
            for at in range(START + 60 * first, START + 60 * (first + minutes), 60):
                clock.at = at + 5.9
                writer.append(snapshot(at))
                writer.add_answers(forecast(at))

    return record


def test_what_was_published_is_read_back(folder, publish):
    publish(3)
    kept = [one for one, _ in open_for_reading(folder).answers()]
    assert [one.snapshot_at for one in kept] == [START, START + 60, START + 120]
    assert [one.published_at for one in kept] == [START + 5, START + 65, START + 125]
    assert list(kept[1].answers) == list(answers(forecast(START + 60)))
    held = Answer(job_id=kept[0].answers[-1].job_id, start_at=None, cause="held")
    assert kept[0].answers[-1] == held


def test_each_names_the_hash_of_the_one_before_also_over_restarts(folder, publish):
    publish(70)  # more than a segment
    publish(3, first=70)
    kept = list(open_for_reading(folder).answers())
    assert len(kept) == 73
    assert kept[0][0].follows == ""
    assert [one.follows for one, _ in kept[1:]] == [hash_ for _, hash_ in kept[:-1]]


def test_snapshots_beside_them_stay_as_they_were(folder, publish):
    publish(5)
    instants = range(START, START + 300, 60)
    assert list(open_for_reading(folder).snapshots()) == [snapshot(at) for at in instants]


def test_they_take_little_room(folder, publish):
    publish(60)
    answers_bytes = sum(
        len(document) for _, document in open_for_reading(folder).answer_documents()
    )
    assert open_for_reading(folder).size_bytes < answers_bytes


def test_damage_costs_few_of_them_and_is_named(folder, publish):
    publish(40)
    (segment,) = folder.glob("*.qcr")
    place = open_for_reading(folder).catalogue.answers[-2]
    data = bytearray(segment.read_bytes())
    data[place.entry.offset + 40] ^= 1
    segment.write_bytes(data)
    reader = open_for_reading(folder)
    assert len(list(reader.answers())) >= 38
    assert len(list(reader.snapshots())) == 40
    assert reader.damage


def test_pruning_takes_them_along(folder, publish):
    publish(70)
    prune(folder, before=START + 64 * 60)
    kept = [one.snapshot_at for one, _ in open_for_reading(folder).answers()]
    assert kept[0] >= START + 63 * 60
    assert kept[-1] == START + 69 * 60


def test_a_stretch_taken_out_has_them_unchanged(folder, publish, tmp_path):
    publish(5)
    export_recording(open_for_reading(folder), tmp_path / "cut", START + 60, START + 180)
    all_of_them = list(open_for_reading(folder).answers())
    assert list(open_for_reading(tmp_path / "cut").answers()) == all_of_them[1:3]


def test_without_a_snapshot_there_is_nothing_to_answer(folder):
    with open_for_writing(folder) as writer, pytest.raises(StorageError, match="snapshot"):
        writer.add_answers(forecast(START))


LEVELS = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)


def with_windows(*told_at):
    """A forecast that tells these instants at LEVELS of so many jobs."""
    made = forecast(START, jobs=len(told_at) + 1)
    windows = [
        Outlook(
            likely_at=at[3],
            low_at=at[1],
            high_at=at[5],
            by_at=at[6],
            quantiles=tuple(zip(LEVELS, at, strict=True)),
        )
        for at in told_at
    ]
    pairs = zip(made.predictions, windows, strict=True)
    return replace(made, predictions=tuple(replace(one, outlook=sure) for one, sure in pairs))


windows = st.lists(st.integers(START, START + 10**8), min_size=7, max_size=7).map(sorted)


@given(st.lists(windows, min_size=1, max_size=3))
def test_starts_are_kept_to_the_second_and_windows_nearly_as_well(told_at):
    kept = read(written(with_windows(*told_at), START, "")).answers
    for one, at in zip(kept, told_at, strict=False):
        assert one.start_at == at[3]
        finest_s = max(60, (at[3] - START) / 32)
        assert [level for level, _ in one.quantiles] == list(LEVELS)
        kept_at = [instant for _, instant in one.quantiles]
        assert kept_at == sorted(kept_at)
        assert all(abs(a - b) <= finest_s / 2 for a, b in zip(kept_at, at, strict=True))
        assert (one.low_at, one.high_at, one.by_at) == (kept_at[1], kept_at[5], kept_at[6])
    assert kept[-1].quantiles == ()


def test_a_job_takes_a_dozen_bytes_whatever_its_window():
    chance, told_at = random.Random(7), []  # noqa: S311 - no secrets
    for minutes in range(1, 2_001):
        spread = sorted(chance.lognormvariate(0, 0.5) for _ in LEVELS)
        told_at.append([START + int(60 * minutes * one) for one in spread])
    assert len(pack(written(with_windows(*told_at), START, ""), None)) < 15 * len(told_at)


def test_windows_of_several_kinds_are_refused():
    made = with_windows([START] * 7, [START] * 7)
    odd = replace(made.predictions[1].outlook, quantiles=((0.5, START),))
    predictions = (made.predictions[0], replace(made.predictions[1], outlook=odd))
    with pytest.raises(ValueError, match="levels"):
        written(replace(made, predictions=predictions), START, "")


def test_the_last_task_of_an_array_is_never_said_to_start_before_the_next():
    made = forecast(START, jobs=2)
    at = START + 9_000
    sure = Outlook(likely_at=at, low_at=at, high_at=at, by_at=at, quantiles=((0.5, at),))
    array = replace(made.predictions[0], last_start_at=START + 600, outlook=sure)
    first, _ = answers(replace(made, predictions=(array,)))
    assert (first.start_at, first.last_start_at) == (at, at)


def test_documents_from_before_there_were_windows_are_read():
    old = {
        "schema": "queuecast.answers/1",
        "snapshot_at": START,
        "published_at": START + 5,
        "policy": "easy",
        "fingerprint": "0123456789abcdef",
        "follows": "",
        "answers": [["7", START + 600, None, "resources"], ["8", None, None, "held"]],
    }
    one, other = read(json.dumps(old).encode()).answers
    assert one == Answer(job_id="7", start_at=START + 600, cause="resources")
    assert other == Answer(job_id="8", start_at=None, cause="held")


def test_windows_of_documents_by_rows_are_read():
    old = {
        "schema": "queuecast.answers/2",
        "snapshot_at": START,
        "published_at": START + 5,
        "policy": "easy",
        "fingerprint": "",
        "follows": "",
        "answers": [["7", START + 9, None, "resources", START, START + 20, START + 30, [[0.5, 9]]]],
    }
    (one,) = read(json.dumps(old).encode()).answers
    assert (one.low_at, one.high_at, one.by_at) == (START, START + 20, START + 30)
    assert one.quantiles == ((0.5, 9),)


@given(st.text(max_size=20), st.integers(-(2**40), 2**40))
def test_any_id_survives(id_, start_s):
    made = forecast(START, start_s=start_s, jobs=2)
    job = made.predictions[0]
    odd = Forecast(
        **{name: getattr(made, name) for name in ("cluster", "policy", "fingerprint")},
        snapshot_at=START,
        predictions=(
            Prediction(
                **{name: getattr(job, name) for name in job.__slots__ if name != "job_id"},
                job_id=id_,
            ),
        ),
        abstentions=(),
    )
    document = written(odd, START, digest(b""))
    assert list(read(document).answers) == list(answers(odd))


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"[]",
        b"{}",
        b'{"schema": "else"}',
        b'{"schema": "queuecast.answers/1", "answers": [1]}',
        b'{"schema": "queuecast.answers/2", "answers": [["1", 2, 3, "held", 4, 5, 6, [7]]]}',
        b'{"schema": "queuecast.answers/3", "snapshot_at": 1, "job_id": ["1"], "start_at": []}',
        b'{"schema": "queuecast.answers/3", "snapshot_at": 1, "job_id": ["1"], "start_at": [1],'
        b' "last_start_at": [null], "cause": ["held"], "levels": [0.1], "windows": [["a"]]}',
        b'{"schema": "queuecast.answers/3", "snapshot_at": 1, "job_id": ["1"], "levels": [0.1],'
        b' "start_at": [Infinity], "last_start_at": [null], "cause": ["held"], "windows": [[1]]}',
    ],
)
def test_what_is_no_document_is_refused(document):
    with pytest.raises(StorageError):
        read(document)
