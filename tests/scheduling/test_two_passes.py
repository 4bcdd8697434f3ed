"""Scenes measured on a real Slurm 22.05.8: one node of 8 CPUs, CPUs handed out one by one."""

import pytest

from predictor.domain import Node, NodeState, PassSettings
from predictor.scheduling.machine import Machine, Shape
from predictor.scheduling.planner import Ask, Part, Placement
from predictor.scheduling.timeline import Holding, Need, Timeline
from predictor.scheduling.two_passes import backfill_pass, main_pass

MINUTE = 60
NOW = 1_700_000_040  # a whole minute, and some seconds before the next hour
UNLIMITED_S = 365 * 86_400
MACHINE = Machine([Node(name="n1", cpus=8, memory_mb=1, state=NodeState.IDLE)])


class OpenGate:
    """No limits."""

    def refuses(self, _ask: Ask, _at: int) -> None:
        return None

    def refuses_on(self, _placement: Placement, _at: int) -> None:
        return None

    def started(self, placement: Placement, at: int) -> None:
        pass

    def ended(self, id_: str, at: int) -> None:
        pass


def cpus(count: int) -> int:
    return MACHINE.intern(Shape(whole=False, cpus=count, memory_mb=0))


def ask(id_: str, count: int, minutes: float, partition: str = "p") -> Ask:
    need = Need(
        partition=partition,
        shape=cpus(count),
        nodes=1,
        candidates=1,
        members=1,
        duration_s=int(minutes * MINUTE),
    )
    return Ask(id=id_, parts=(Part(job_id=id_, ways=(need,)),))


def busy(*held: tuple[int, float]) -> Timeline:
    """A timeline on which jobs of so many CPUs end in so many minutes."""
    return Timeline(
        MACHINE,
        NOW,
        [
            Holding(
                start_at=NOW - 1, end_at=NOW + int(minutes * MINUTE), nodes=1, shape=cpus(count)
            )
            for count, minutes in held
        ],
    )


def look(queue: list[Ask], timeline: Timeline, **settings: int):
    """Who starts now (0) and who is announced for which minute."""
    looked = backfill_pass(queue, timeline, OpenGate(), PassSettings(**settings), NOW)
    placed = (*looked.started, *looked.announced)
    return {p.ask.id: (p.start_at - NOW) / MINUTE for p in placed}


def start(queue: list[Ask], timeline: Timeline) -> list[str]:
    return [p.ask.id for p in main_pass(queue, timeline, OpenGate(), NOW)]


G1 = [ask("b", 4, 60), ask("c", 2, 30), ask("d", 2, 5)]


def test_a_slot_empties_the_whole_node():
    # a holds 6 CPUs until minute 10. b needs 4 then. c would fit beside b, yet waits for the
    # end of b's slot; d is gone before it begins.
    assert look(G1, busy((6, 10))) == {"b": 10, "c": 70, "d": 0}


def test_but_the_pass_in_strict_order_sees_cpus():
    # a was cancelled: b and c start in the same second.
    assert start(G1[:2], busy()) == ["b", "c"]


def test_nobody_is_announced_behind_a_job_without_a_limit():
    queue = [ask("b", 1, UNLIMITED_S / MINUTE), *(ask(f"t{i}", 1, 5) for i in range(3))]
    assert look(queue, busy((8, 3))) == {"b": 3}


def test_tasks_of_an_array_get_slots_one_after_another():
    queue = [ask(f"t{i}", 1, 5) for i in range(4)]
    assert look(queue, busy((8, 3))) == {"t0": 3, "t1": 8, "t2": 13, "t3": 18}
    assert start(queue, busy()) == ["t0", "t1", "t2", "t3"]


def test_a_blocked_job_stops_its_partition_and_those_that_share_its_nodes():
    queue = [ask("b", 4, 10), ask("c", 1, 1), ask("d", 1, 1, partition="q")]
    assert start(queue, busy((6, 10))) == []


@pytest.mark.parametrize(("step_s", "starts"), [(1, {"b": 10, "c": 0}), (300, {"b": 10, "c": 65})])
def test_a_coarse_step_costs_late_fillers_their_chance(step_s, starts):
    # c lasts 9 minutes; with steps of 5 minutes b's slot begins up to 5 minutes early.
    queue = [ask("b", 8, 60), ask("c", 2, 9)]
    found = look(queue, busy((6, 10)), step_s=step_s)
    assert found["b"] == starts["b"]
    assert (found["c"] == 0) == (starts["c"] == 0)


def test_so_many_jobs_of_a_partition_are_protected():
    queue = [ask("b", 8, 60), ask("c", 8, 60), ask("d", 2, 15)]
    assert look(queue, busy((6, 10)), protected_per_partition=1)["d"] == 70
    assert look([queue[0], queue[2]], busy((6, 20)), protected_per_partition=1)["d"] == 0


def test_slots_are_forgotten_after_the_pass():
    timeline = busy((6, 10))
    before = tuple(timeline.starts)
    first = look(G1[:2], timeline)
    assert tuple(timeline.starts) == before
    assert look(G1[:2], timeline) == first
