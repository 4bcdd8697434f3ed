"""How long nodes that slept took to boot, by the starts that are told anew."""

import json
from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, running, waiting
from hypothesis import given, settings
from strategies import snapshots

from predictor.domain import FinishedJob, NodeFlag, Outcome, RunState
from predictor.errors import StorageError
from predictor.runtimes.booting import LONGEST_S, MOST_KEPT, Beginnings, Boots

ASLEEP = (replace(nodes(1)[0], flags=frozenset({NodeFlag.POWERING_UP})), nodes(2)[1])


def given_nodes(id_, at_s, names="n1"):
    job = replace(running(id_, names, 60), state=RunState.CONFIGURING)
    return replace(job, started_at=NOW + at_s)


def begun(id_, at_s, names="n1"):
    return replace(given_nodes(id_, at_s, names), state=RunState.RUNNING)


def over(id_, at_s):
    job = begun(id_, at_s)
    return FinishedJob(
        spec=job.spec,
        started_at=job.started_at,
        ended_at=job.started_at + 5,
        outcome=Outcome.COMPLETED,
    )


def seen(minute, *jobs, asleep=ASLEEP, **more):
    return cluster(2, *jobs, nodes=asleep, taken_at=NOW + minute * MINUTE, **more)


def learned(*looks):
    boots = Boots()
    for look in looks:
        boots.learn(look)
    return boots


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(seen(3, begun("1", 150)), id="seen to run"),
        pytest.param(seen(3, finished=(over("1", 150),)), id="over since"),
    ],
)
def test_it_takes_from_the_start_told_first_to_the_one_told_last(last):
    looks = seen(1, given_nodes("1", 30)), seen(2, given_nodes("1", 30)), last
    assert learned(*looks).takes_s(0.5) == 120


def test_a_node_may_be_awake_again_before_its_job_runs():
    looks = seen(0), seen(1, given_nodes("1", 30), asleep=nodes(2)), seen(2, begun("1", 95))
    assert learned(*looks).takes_s(0.5) == 65


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param((), id="nobody was seen"),
        pytest.param((seen(1, begun("1", 30)), seen(2, begun("1", 30))), id="who did not wait"),
        pytest.param(
            (seen(1, given_nodes("1", 30, "n2")), seen(2, begun("1", 90, "n2"))),
            id="who waits where nobody slept",
        ),
        pytest.param(
            (seen(1, given_nodes("1", 30)), seen(2, waiting("1")), seen(3, begun("1", 150))),
            id="who was sent back in between",
        ),
        pytest.param(
            (seen(1, given_nodes("1", 30)), seen(2, begun("1", 31 + LONGEST_S))),
            id="what cannot be",
        ),
    ],
)
def test_of_these_nothing_is_learned(looks):
    assert learned(*looks).takes_s(0.5) is None


def some(count):
    """Return looks by which nodes took 1 s, 2 s and so on."""
    for number in range(count):
        yield seen(number, given_nodes(str(number), 0))
        yield seen(number, begun(str(number), 1 + number))


def test_draws_are_of_what_was_seen():
    boots = learned(*some(4))
    assert [boots.takes_s(u) for u in (0.0, 0.3, 0.5, 0.99)] == [1, 2, 3, 4]


def test_only_the_latest_count():
    assert learned(*some(MOST_KEPT + 9)).takes_s(0.0) == 10


def test_it_is_restored():
    state = json.loads(json.dumps(learned(*some(3)).state()))
    assert Boots.restored(state).takes_s(0.5) == 2


@pytest.mark.parametrize("state", [None, {}, ["1"], [0], [LONGEST_S + 1], [1.5]])
def test_what_is_no_state_is_refused(state):
    with pytest.raises(StorageError):
        Boots.restored(state)


@settings(max_examples=50)
@given(snapshots())
def test_any_snapshot_may_come(snapshot):
    boots = learned(snapshot, snapshot)
    assert boots.takes_s(0.5) is None
    assert list(Beginnings().see(snapshot)) == []
