"""Each way to go apart is called by its cause."""

from dataclasses import replace

from clusters import HOUR, MINUTE, NOW, cluster, running, waiting

from predictor.domain import PassSettings, SchedulerSettings
from predictor.simulation.story import Start
from predictor.site import default
from verification.fidelity.diagnosis import partings
from verification.fidelity.history import history_of
from verification.fidelity.looks import look

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1))


def causes(said, *snapshots):
    """What is said of jobs that apart, if the replica had said so."""
    history = history_of(
        [
            replace(one, taken_at=NOW + minute * MINUTE, settings=SETTINGS)
            for minute, one in enumerate(snapshots)
        ],
        (),
    )
    seen = look(history, 0, HOUR, default())
    seen = replace(seen, said={i: Start(at=NOW + s, node_names=n) for i, (s, n) in said.items()})
    return {one.job_id: (one.kind, one.late) for one in partings(history, seen, default())}


def began(id_, names, second):
    return replace(running(id_, names, 50), started_at=NOW + second)


def test_a_start_said_on_time_parts_nobody():
    assert (
        causes({"1": (70, ("n1",))}, cluster(1, waiting("1")), cluster(1, began("1", "n1", 30)))
        == {}
    )


def test_a_job_said_early_that_really_had_no_node():
    full = cluster(1, running("0", "n1", 50), waiting("1", reason="Resources"))
    assert causes({"1": (0, ("n1",))}, full, full) == {
        "1": ("early: really nodes (Resources)", False)
    }


def test_a_job_said_early_that_had_room_but_did_not_start():
    waits = cluster(1, waiting("1", reason="Priority"))
    assert causes({"1": (0, ("n1",))}, waits, waits) == {
        "1": ("early: room and no limit, yet Priority", False)
    }


def test_a_real_start_whose_nodes_were_given_away():
    before = cluster(1, waiting("1"), waiting("2"))
    after = cluster(1, began("1", "n1", 30), waiting("2"))
    found = causes({"2": (0, ("n1",))}, before, after)
    assert found["1"] == ("late: nodes taken by jobs that had not started", True)


def test_a_real_start_behind_a_job_of_its_partition():
    first = waiting("0", 2, of_job={"submitted_at": NOW - 2 * HOUR})
    before = cluster(2, first, waiting("1"), running("9", "n2", 50))
    after = cluster(2, first, began("1", "n1", 30), running("9", "n2", 50))
    assert causes({}, before, after) == {"1": ("late: behind a job of its partition", True)}


def test_nobody_ahead_and_room():
    found = causes({}, cluster(1, waiting("1")), cluster(1, began("1", "n1", 30)))
    assert found == {"1": ("late: nobody ahead, room and no limit", True)}
