"""What jobs were told before, and what moved it."""

import json
from dataclasses import replace

import pytest
from clusters import NOW, cluster, running, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import TERMS, StandingClock, board, client, sure

from predictor.domain import Explanation, NodeState
from predictor.domain.durations import HOUR_S as HOUR
from predictor.domain.durations import MINUTE_S as MINUTE
from predictor.forecast import forecast
from predictor.service.history import Entry
from predictor.service.published import publication
from predictor.service.slips import MOST, Changes, _added, continued, moved_by, remembered
from predictor.site import default
from predictor.storage.answers import read, written

NOTHING = Changes(ended_early=0, nodes_lost=0)


def published(snapshot, *, windows=False):
    made = forecast(snapshot, default(), explained=True)
    made = sure(made) if windows else made
    return publication(snapshot, made, TERMS, snapshot.taken_at + 5, snapshot.taken_at + 6)


def busy(minutes_left, at=NOW, **more):
    """One node, held for so long, and a job that waits for it."""
    scene = cluster(1, running("r", "n1", minutes_left), waiting("1"), **more)
    return replace(scene, taken_at=at)


def told(*snapshots):
    history, before = {}, None
    for snapshot in snapshots:
        now = published(snapshot)
        history = continued(history, before, now)
        before = now
    return history


def leads(history, id_="1"):
    return [(entry.likely_at - NOW) // MINUTE for entry in history[id_]]


def test_the_first_answer_stays_and_one_that_hardly_differs_is_not_repeated():
    assert leads(told(busy(60), busy(60, NOW + 60), busy(61, NOW + 120))) == [60]


def test_of_who_goes_by_the_id_of_another_nothing_was_told_before():
    first = busy(60)
    (job,) = first.pending
    other = replace(job, spec=replace(job.spec, user="bob", submitted_at=NOW + 30))
    later = replace(busy(120, NOW + 60), pending=(other,))
    assert leads(told(first, later)) == [120]


def test_one_that_moved_is_added():
    history = told(busy(60), busy(120, NOW + 60), busy(30, NOW + 120))
    assert leads(history) == [60, 120, 30]
    assert history["1"][0].moved_by == ""
    assert all(entry.moved_by for entry in history["1"][1:])


def test_who_waits_no_more_is_forgotten():
    gone = replace(busy(60, NOW + 60), pending=())
    assert told(busy(60), gone) == {}


def test_windows_are_remembered_with_the_likely_start():
    now = published(busy(60), windows=True)
    (entry,) = continued({}, None, now)["1"]
    assert entry.low_at < entry.likely_at < entry.high_at


@given(st.lists(st.integers(0, 10**6), max_size=200))
def test_what_is_remembered_of_a_job_is_bounded_and_ordered(starts):
    entries = ()
    for minute, lead in enumerate(starts):
        now = NOW + minute * MINUTE
        entries = _added(entries, Entry(told_at=now, likely_at=now + lead))
    assert len(entries) <= MOST
    assert [e.told_at for e in entries] == sorted(e.told_at for e in entries)
    if starts:
        assert entries[0].told_at == NOW


# -- what moved it


def row(ahead=0, nodes=1, **more):
    scene = cluster(4, running("r", "n1 n2 n3 n4", 60), waiting("1", nodes, **more))
    (found,) = (one for one in published(scene).rows if one.waits)
    return replace(found, explanation=Explanation(nodes=1, ahead_jobs=ahead))


EARLIER, LATER = (Entry(told_at=NOW, likely_at=NOW + lead) for lead in (HOUR, 2 * HOUR))


@pytest.mark.parametrize(
    ("before", "now", "changes", "why"),
    [
        (row(), row(ahead=3), NOTHING, "3 jobs more ahead"),
        (row(), row(), Changes(ended_early=0, nodes_lost=1), "1 node went down"),
        (row(), row(), Changes(ended_early=5, nodes_lost=0), "others are believed to run longer"),
        (row(), row(nodes=2), NOTHING, "the job asks for something else now"),
        (None, row(), NOTHING, "others are believed to run longer"),
    ],
)
def test_what_makes_a_start_later(before, now, changes, why):
    assert moved_by(EARLIER, LATER, before, now, changes).startswith(why)


@pytest.mark.parametrize(
    ("before", "now", "changes", "why"),
    [
        (row(ahead=3), row(ahead=1), NOTHING, "2 jobs fewer ahead"),
        (row(), row(), Changes(ended_early=0, nodes_lost=-2), "2 nodes came back"),
        (row(), row(), Changes(ended_early=5, nodes_lost=0), "5 jobs ended before the limit"),
        (row(), row(ahead=3), NOTHING, "others are believed to run shorter"),
    ],
)
def test_what_makes_a_start_sooner(before, now, changes, why):
    assert moved_by(LATER, EARLIER, before, now, changes).startswith(why)


def test_a_job_that_ended_early_and_a_node_that_went_are_seen_in_the_snapshots():
    scene = cluster(3, running("r", "n1 n2 n3", 60), waiting("1"), waiting("2", 3))
    freed = replace(scene, running=(), taken_at=NOW + 60)
    assert told(scene, freed)["1"][-1].moved_by == "1 job ended before the limit"
    small = cluster(2, running("r", "n1", 600), waiting("1", 1, 10), waiting("2", 1, 10))
    lost = replace(small.nodes[1], state=NodeState.DOWN)
    down = replace(small, nodes=(small.nodes[0], lost), taken_at=NOW + 60)
    assert told(small, down)["1"][-1].moved_by == "1 node went down"


# -- over a restart, and as told


def test_what_was_told_survives_a_restart_by_what_is_kept():
    first, second = published(busy(60)), published(busy(240, NOW + 60))
    kept = [read(written(one.forecast, one.snapshot_at, "")) for one in (first, second)]
    assert leads(remembered(kept)) == [60, 240]
    gone = published(replace(busy(60, NOW + 120), pending=()))
    assert remembered([*kept, read(written(gone.forecast, gone.snapshot_at, ""))]) == {}


def test_the_api_tells_it():
    history = told(busy(60), busy(240, NOW + 60))
    now = replace(published(busy(240, NOW + 60)), history=history)
    path = "/api/v1/clusters/scene/jobs"
    body = json.loads(client(board(now), StandingClock()).get(f"{path}/1").text)
    assert [entry["likely_start"] for entry in body["history"]] == [
        "2023-11-14T23:13:20Z",
        "2023-11-15T02:13:20Z",
    ]
    assert body["history"][0]["moved_by"] is None
    assert client(board(now), StandingClock()).get(f"{path}/r").json()["history"] == []
