"""What people read of an explanation."""

import pytest
from clusters import HOUR, MINUTE, NOW

from predictor.domain import Awaited, Cause, Explanation
from predictor.service.sentences import sentences

HALF_PAST = Awaited(job_id="12", at=NOW + 30 * MINUTE, user="bob", nodes=2)
LATER = Awaited(job_id="13_4", at=NOW + 2 * HOUR, nodes=1, waits=True)
NAMELESS = Awaited(job_id="", at=NOW + HOUR, nodes=3)
NOBODY = "Nobody ahead of it in the queue starts before it on nodes it could use."


def told(cause: Cause = Cause.RESOURCES, **fields: object) -> list[str]:
    explanation = Explanation(**({"nodes": 2} | fields))  # type: ignore[arg-type]
    return list(sentences(explanation, cause.value, NOW + HOUR, NOW, 3600))


@pytest.mark.parametrize(
    ("planned_s", "last"),
    [
        pytest.param(HOUR + 59, NOBODY, id="the likely start"),
        pytest.param(
            2 * HOUR,
            "All this is of one plan, in which it starts tomorrow 01:13; the likely start is the"
            " middle of many.",
            id="another",
        ),
    ],
)
def test_where_the_plan_has_another_start_than_is_likely_it_is_told(planned_s, last):
    assert told(planned_start=NOW + planned_s)[-1] == last


@pytest.mark.parametrize(
    ("fields", "first"),
    [
        pytest.param(
            {"nodes_free": 1}, "It needs 2 nodes; 1 that could hold it is free now.", id="too few"
        ),
        pytest.param(
            {"nodes_free": 0},
            "It needs 2 nodes; none that could hold it is free now.",
            id="none",
        ),
        pytest.param(
            {"waits_for": (HALF_PAST,)},
            "Its 2 nodes come free when job 12 of bob ends, today 23:43.",
            id="one job",
        ),
        pytest.param(
            {"nodes": 1, "waits_for": (LATER,)},
            "Its node comes free when waiting job 13_4 ends, tomorrow 01:13.",
            id="one node",
        ),
        pytest.param(
            {"nodes": 3, "waits_for": (HALF_PAST,)},
            "2 of its 3 nodes come free when job 12 of bob ends, today 23:43.",
            id="some nodes",
        ),
        pytest.param(
            {"waits_for": (LATER, HALF_PAST), "waits_for_more": 3},
            "Its nodes come free as these end: waiting job 13_4 (1 node, tomorrow 01:13),"
            " job 12 of bob (2 nodes, today 23:43), and 3 more.",
            id="many jobs",
        ),
        pytest.param(
            {"waits_for_more": 3}, "Its nodes come free as 3 other jobs end.", id="hidden jobs"
        ),
        pytest.param(
            {"limit": "no more than 1", "lifted_by": HALF_PAST},
            "A limit holds it back: no more than 1.",
            id="a limit",
        ),
        pytest.param(
            {"limit": "no more than 1", "limit_later": True},
            "A limit will hold it back: no more than 1.",
            id="a limit to come",
        ),
        pytest.param(
            {"licenses": ("matlab",), "lifted_by": HALF_PAST},
            "It waits for licenses from job 12 of bob, today 23:43: matlab.",
            id="licenses",
        ),
        pytest.param({"licenses": ("a", "b")}, "It waits for licenses: a, b.", id="whosever"),
        pytest.param(
            {"array_limit": 1, "lifted_by": HALF_PAST},
            "Of its array at most 1 task may run at a time; job 12 of bob ends today 23:43.",
            id="an array",
        ),
        pytest.param(
            {"array_limit": 4, "lifted_by": NAMELESS},
            "Of its array at most 4 tasks may run at a time.",
            id="an array, namelessly",
        ),
        pytest.param(
            {"not_before": NOW + HOUR}, "It may not start before tomorrow 00:13.", id="begin"
        ),
        pytest.param(
            {"dependencies": (HALF_PAST,)},
            "It depends on the end of job 12 of bob, today 23:43.",
            id="a dependency",
        ),
        pytest.param(
            {"dependencies": (LATER, HALF_PAST), "any_dependency": True, "dependencies_more": 2},
            "It depends on one of these: the end of waiting job 13_4, tomorrow 01:13;"
            " the end of job 12 of bob, today 23:43; 2 more, before those.",
            id="dependencies",
        ),
        pytest.param(
            {
                "reservation": "m",
                **{"reservation_from": NOW + HOUR, "reservation_until": NOW + 2 * HOUR},
            },
            "Until tomorrow 01:13 it would run into reservation m that begins tomorrow 00:13.",
            id="a reservation to come",
        ),
        pytest.param(
            {"reservation_from": NOW - HOUR, "reservation_until": NOW + HOUR},
            "Until tomorrow 00:13 nodes are kept from it by a reservation.",
            id="a reservation, namelessly",
        ),
        pytest.param(
            {
                "own_reservation": True,
                **{"reservation": "m", "reservation_from": NOW + HOUR},
                "reservation_until": NOW + 2 * HOUR,
            },
            "It waits for reservation m of its own, which begins tomorrow 00:13.",
            id="its own reservation",
        ),
        pytest.param(
            {"turn_from": NOW + MINUTE},
            "From today 23:14 on it could start, but for the turn of others.",
            id="its turn",
        ),
        pytest.param(
            {"makes_leave": (HALF_PAST,)},
            "For it job 12 of bob must make room, today 23:43.",
            id="one who must make room",
        ),
        pytest.param(
            {"makes_leave": (HALF_PAST, LATER), "makes_leave_more": 2},
            "For it these must make room: job 12 of bob (today 23:43),"
            " waiting job 13_4 (tomorrow 01:13), and 2 more.",
            id="several who must make room",
        ),
        pytest.param(
            {"makes_leave_more": 1}, "For it 1 other job must make room.", id="hidden ones"
        ),
        pytest.param(
            {"gives_way": True}, "Once it runs, others may make it leave.", id="must give way"
        ),
        pytest.param({}, NOBODY, id="nothing"),
    ],
)
def test_each_thing_has_a_sentence(fields, first):
    assert told(**fields)[0] == first


def test_a_reservation_may_keep_licenses():
    reserved = {"reservation_from": NOW - HOUR, "reservation_until": NOW + HOUR}
    assert told(Cause.LICENSES, **reserved)[0] == (
        "Until tomorrow 00:13 licenses are kept from it by a reservation."
    )


def test_the_queue_comes_last():
    assert told(
        ahead_jobs=2, ahead_node_s=9_000_000, let_past_jobs=1, let_past_node_s=3600, passes_jobs=1
    ) == [
        "Ahead of it in the queue, 2 jobs start before it on nodes it could use: 2,500 node-hours.",
        "Meanwhile 1 job behind it is let past it: 1.0 node-hour.",
        "It is let past 1 job ahead of it.",
    ]


def test_what_is_not_counted_is_told_even_of_who_starts_now():
    assert told(Cause.STARTS_NOW, uncounted=("--segment=2", "--exclusive=topo"))[-1] == (
        "Not counted is that it asks for --segment=2, --exclusive=topo: "
        "it may wait longer for that."
    )


def test_who_could_start_but_for_others_is_told_so():
    assert told(Cause.PRIORITY, nodes_free=5)[0] == (
        "It needs 2 nodes; 5 are free now, but others come first."
    )


def test_nodes_that_are_down_count_only_where_nodes_lack():
    assert told(nodes_free=1, nodes_down=2)[1] == (
        "2 more nodes could hold it, but are down or drained."
    )
    assert told(nodes_free=2, nodes_down=2) == [NOBODY]


def test_a_job_that_starts_now_is_kept_by_nothing():
    assert told(Cause.STARTS_NOW, passes_jobs=3, nodes_free=2) == [
        "It can start now.",
        "It is let past 3 jobs ahead of it.",
    ]
