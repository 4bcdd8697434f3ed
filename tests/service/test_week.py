"""How the last week was: what is counted, what is kept, and what becomes of a file that is not."""

import json
from dataclasses import replace

import pytest
from clusters import HOUR, NOW, cluster, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import result

from predictor.service.hours import BOUNDS_S, NONE, added, middle_s
from predictor.service.scoring import Wait
from predictor.service.week import HOURS, MOST_PARTITIONS, SAVE_EVERY_S, Week, file_of

SMALL = Wait("batch", "small", 700)


def at(after_s=0, **more):
    return replace(result(cluster(4, waiting("1"), taken_at=NOW + after_s)), **more)


@pytest.fixture
def file(tmp_path):
    return file_of(tmp_path / "recording")


def test_waits_and_backlog_are_counted_by_the_hour(file):
    week = Week(file)
    week.take(at(), [SMALL, SMALL])
    hours = week.take(at(60), [SMALL])
    (hour,) = hours
    assert hour == NOW // HOUR
    batch = hours[hour]["batch"]
    assert (sum(batch.waits["small"]), batch.backlog_node_s) == (3, 600)


def test_what_was_shown_is_never_changed(file):
    week = Week(file)
    before = week.take(at(), [SMALL])
    week.take(at(60), [SMALL])
    assert sum(before[NOW // HOUR]["batch"].waits["small"]) == 1


def test_after_a_week_an_hour_is_forgotten_and_the_future_counts_for_nothing(file):
    week = Week(file)
    week.take(at(2 * HOURS * HOUR), [SMALL])
    week.take(at(), [SMALL])
    hours = week.take(at((HOURS - 1) * HOUR), [SMALL])
    assert set(hours) == {NOW // HOUR, NOW // HOUR + HOURS - 1}
    assert set(week.take(at(HOURS * HOUR), [])) == {
        NOW // HOUR + HOURS - 1,
        NOW // HOUR + HOURS,
    }


def test_it_outlives_a_restart(file):
    before = Week(file)
    kept = before.take(at(), [SMALL])
    assert b"ada" not in file.read_bytes()
    assert Week(file).take(at(), []) == kept


def test_it_is_kept_now_and_then_and_at_the_end(file):
    week = Week(file)
    week.take(at(), [])
    week.take(at(60), [SMALL])
    assert "small" not in file.read_text()
    week.take(at(SAVE_EVERY_S), [])
    assert "small" in file.read_text()
    week.take(at(SAVE_EVERY_S + 60), [SMALL])
    week.save()
    assert sum(Week(file).take(at(SAVE_EVERY_S + 60), [])[NOW // HOUR]["batch"].waits["small"]) == 2


def test_another_cluster_begins_anew(file):
    Week(file).take(at(), [SMALL])
    assert Week(file).take(at(cluster="second"), [])[NOW // HOUR]["batch"].waits == {}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[" * 100_000,
        b'{"schema": "queuecast.week/2"}',
        *(
            b'{"schema": "queuecast.week/1", "cluster": "scene", "hours": {%s}}' % hours
            for hours in (b'"x": {}', b'"1": {"b": [0, {"s": [1]}]}', b'"1": {"b": [0]}')
        ),
    ],
)
def test_what_is_damaged_is_set_aside(file, content, caplog):
    file.write_bytes(content)
    assert set(Week(file).take(at(), [])) == {NOW // HOUR}
    assert file.with_name(file.name + ".damaged").read_bytes() == content
    assert "begins anew" in caplog.text
    assert json.loads(file.read_bytes())["schema"] == "queuecast.week/1"


def test_where_it_cannot_be_kept_it_is_known_all_the_same(tmp_path, caplog):
    week = Week(file_of(tmp_path / "gone" / "recording"))
    assert week.take(at(), [SMALL])
    assert "not kept" in caplog.text


def test_so_many_partitions_are_remembered(file):
    waits = [Wait(f"p{n}", "small", 60) for n in range(2 * MOST_PARTITIONS)]
    (there,) = Week(file).take(at(), waits).values()
    assert len(there) == MOST_PARTITIONS


@given(st.lists(st.integers(0, 2 * BOUNDS_S[-1]), min_size=1))
def test_half_of_the_waits_are_about_so_long(waits):
    counts = [0] * len(NONE)
    for wait_s in waits:
        counts[sum(wait_s > bound for bound in BOUNDS_S)] += 1
    told = middle_s(tuple(counts))
    middle = sorted(waits)[(len(waits) - 1) // 2]
    place = sum(middle > bound for bound in BOUNDS_S)
    low = (0, *BOUNDS_S)[place]
    high = BOUNDS_S[min(place, len(BOUNDS_S) - 1)]
    assert min(low, high) <= told <= high


def test_of_nothing_there_is_no_middle():
    assert middle_s(NONE) is None
    assert added([]) == NONE
