from dataclasses import replace

import pytest

from predictor.scheduling.planner import Plan, schedule
from predictor.scheduling.policy import CONSERVATIVE, EASY, FCFS, LIST, Policy, Scope

# minute  0           30             "wide" needs all four nodes: not before 30
# n1 n2   [ running   ]
# n3 n4     free
QUEUE = (("wide", 4, 60), ("long", 2, 60), ("short", 2, 30), ("tail", 1, 10))  # id, nodes, minutes


def starts(plan: Plan) -> dict[str, int]:
    return {p.ask.id: p.start_at // 60 for p in plan.placements}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        pytest.param(FCFS, {}, id="fcfs: nobody passes the blocked head"),
        pytest.param(LIST, {"long": 0}, id="list: whoever fits starts now"),
        pytest.param(EASY, {"wide": 30, "short": 0}, id="easy: only who is gone by 30 passes"),
        pytest.param(
            replace(EASY, name="two", reservations=2),
            {"wide": 30, "long": 90, "short": 0},
            id="two reservations: the second blocked job has one too",
        ),
        pytest.param(
            CONSERVATIVE,
            {"wide": 30, "long": 90, "short": 0, "tail": 90},
            id="conservative: everybody has one",
        ),
    ],
)
def test_who_may_pass_a_blocked_job(policy: Policy, expected, two_of_four_busy, ask):
    plan = schedule([ask(*job) for job in QUEUE], two_of_four_busy(30), policy, now=0)
    assert starts(plan) == expected


def test_a_policy_per_partition_counts_and_stops_in_each_partition(two_of_four_busy, ask):
    queue = [ask("wide", 4, 60), ask("stopped", 1, 1)]
    other = ask("other", 1, 1)
    [part] = other.parts
    elsewhere = replace(part, ways=tuple(replace(w, partition="debug") for w in part.ways))
    queue.append(replace(other, parts=(elsewhere,)))
    fcfs = replace(FCFS, scope=Scope.PARTITION)
    assert starts(schedule(queue, two_of_four_busy(30), fcfs, now=0)) == {"other": 0}


def test_parts_of_a_heterogeneous_job_start_together(two_of_four_busy, ask):
    small, large = ask("het", 1, 10).parts[0], ask("het", 3, 10).parts[0]
    both = replace(ask("het", 1, 1), parts=(small, large))
    plan = schedule([both, ask("after", 2, 20)], two_of_four_busy(30), CONSERVATIVE, now=0)
    assert starts(plan) == {"het": 30, "after": 0}


@pytest.mark.parametrize("policy", [LIST, EASY, CONSERVATIVE])
def test_parts_that_never_fit_together_leave_no_trace(policy, two_of_four_busy, ask):
    parts = (ask("het", 3, 10).parts[0], ask("het", 2, 10).parts[0])
    timeline = two_of_four_busy(30)
    before = tuple(timeline.starts)
    plan = schedule([replace(ask("het", 1, 1), parts=parts)], timeline, policy, now=0)
    assert [a.id for a in plan.unplaced] == ["het"]
    assert tuple(timeline.starts) == before


def test_a_negative_number_of_reservations_is_refused():
    with pytest.raises(ValueError, match="-1 reservations"):
        Policy(name="odd", reservations=-1, skip_blocked=True)
