"""Whole simulations: compiled or in plain Python, they are the same, bit by bit; and obey laws."""

import threading
import time

import pytest
from engine_scenes import FAR, Scene, job, members
from hypothesis import given, settings
from hypothesis import strategies as st

from predictor.engine import codes, unlocked
from predictor.engine.kind import KIND

NODES, CPUS, LICENSES = 70, 4, 6
"""More nodes than a compiled word has bits."""
PARTITIONS = {"p": (1 << NODES) - 1, "q": (1 << NODES) - (1 << 50), "r": (1 << 66) - 1 >> 2 << 2}

instants = st.integers(0, 300)
caps = st.sampled_from([0, 0, 1, 3])
flags = st.booleans()
rules = st.fixed_dictionaries(
    {
        "main_depth": st.sampled_from([-1, 1, 5, 100]),
        "main_depth_per_partition": caps,
        "main_starts_max": caps,
        "main_period_s": st.sampled_from([7, 60]),
        "main_first_at": st.sampled_from([-1, 3]),
        "arrival_delay_s": st.sampled_from([0, 3]),
        "ends_wait": flags,
        "period_s": st.sampled_from([1, 30]),
        "window_s": st.sampled_from([50, 86_400]),
        "step_s": st.sampled_from([1, 10, 60]),
        "rounds_up": flags,
        "jobs_max": caps,
        "jobs_max_per_user": caps,
        "jobs_max_per_association": caps,
        "jobs_max_per_partition": caps,
        "jobs_max_per_user_and_partition": caps,
        "array_tasks_max": caps,
        "entries_max": caps,
        "starts_max": caps,
        "protected_per_partition": caps,
        "min_age_s": st.sampled_from([0, 40]),
        "exact_slots": flags,
        "group_s": st.sampled_from([0, 30]),
        "group_step_s": st.sampled_from([0, 20]),
        "one_slot_per_job": flags,
        "licenses_planned": flags,
        "licenses_with_nodes": flags,
        "licenses_seen": flags,
        "running_reserved": flags,
        "owners_leave": flags,
        "seeks_anew": flags,
        "own_ends": flags,
        "weighs_anew": flags,
        "tasks_bounded": flags,
        "stretches": flags,
    }
)
requests = {"nodes": st.integers(1, NODES), "s": st.integers(1, 120)}
others = st.lists(st.integers(0, 9).map(str), max_size=2)
tenants = st.integers(1, 3)
jobs = st.fixed_dictionaries(
    requests,
    optional={
        "cpus": st.integers(1, CPUS),
        "least_s": st.integers(1, 120),
        "user": st.integers(0, 2),
        "association": st.integers(0, 2),
        "array": st.integers(0, 2),
        "lane": st.just(0),
        "run_s": st.integers(1, 200),
        "enters_at": instants,
        "leaves_at": instants,
        "not_before": instants,
        "held": st.lists(st.tuples(instants, instants).map(sorted), max_size=2),
        "after": st.lists(
            st.fixed_dictionaries(
                {"people": others},
                optional={"started": flags, "delay_s": st.integers(0, 20), "rivals": others},
            ),
            max_size=2,
        ),
        "any_of": flags,
        "licenses": st.integers(1, LICENSES).map(lambda amount: [[0, amount]]),
        "contiguous": st.just(True),
        "allocation": st.integers(codes.FIRST_FIT, codes.HYBRID),
        "trimmed": st.integers(codes.TRIMMED_NEVER, codes.TRIMMED_ALWAYS),
        "order": st.integers(0, 1),
        "draw": st.lists(st.integers(0, 255), min_size=2, max_size=2),
        "partitions": st.lists(st.sampled_from("pqr"), min_size=1, max_size=2, unique=True),
        "parts": st.lists(st.fixed_dictionaries(requests), min_size=1, max_size=1),
        "unreserved": flags,
        "fleeting": flags,
        "tenant": tenants,
        "alone": flags,
    },
)
amended = st.lists(st.tuples(st.integers(1, 90), st.integers(1, 250)), max_size=2)
running = st.lists(
    st.fixed_dictionaries(
        {"width": st.integers(1, 9), "until": st.integers(1, 200)},
        optional={
            "cpus": st.integers(1, CPUS),
            "planned_s": st.integers(1, 250),
            "amended": amended,
            "licenses": st.just([[0, 1]]),
            "tenant": tenants,
            "alone": flags,
        },
    ),
    max_size=7,
)
calendars = st.lists(
    st.tuples(instants, instants, st.integers(0, (1 << NODES) - 1).map(str)), max_size=2
)


def simulated(asked, occupied, closed, given_rules):
    """Return who started when and where, and who waits for what in a pass afterwards."""
    scene = scene_of(asked, occupied, closed, given_rules)
    early = unlocked.run(scene.forward, 5000, 3000)
    told = scene.look()
    forward = scene.forward
    return [
        list(scene.starts().items()),
        scene.nodes(),
        told,
        early,
        forward.now,
        forward.ahead.looks,
    ]


def scene_of(asked, occupied, closed, given_rules):
    held, first = {}, 0
    for number, one in enumerate(occupied):
        nodes = (1 << one["width"]) - 1 << first
        held[f"r{number}"] = {name: one[name] for name in one if name != "width"} | {"nodes": nodes}
        first += one["width"]
    everything = (1 << NODES) - 1
    known = [(0, [[-1, [everything]]])]
    for known_at, begin, nodes in sorted(closed):
        eras = [[-1, [everything]], [begin, [int(nodes)]], [begin + 60, [everything]]]
        known.append((known_at, eras))
    machine = {"nodes": NODES, "cpus": CPUS, "licenses": [LICENSES], "calendars": known}
    machine |= {"asleep": 0b111 << 62, "boot_s": 25}
    machine["clearings"] = [[0, 40, 0b1011], [30, 90, 1 << 64]]
    weight = [0] * 30 + [1] * (NODES - 30)
    machine["node_class"] = [node // 20 % 2 for node in range(NODES)]
    machine["lacks"] = 1 << 7 | 1 << 45
    machine["orders"] = [list(range(NODES, 0, -1)), [node % 3 for node in range(NODES)]]
    names = {str(number): one for number, one in enumerate(asked)}
    return Scene(
        names,
        held,
        machine=machine | {"weight": weight, "gaps": 1 << 10 | 1 << 64},
        partitions=PARTITIONS,
        lanes=[2],
        **given_rules,
    )


problems = st.tuples(st.lists(jobs, max_size=10), running, calendars, rules)


@given(problems)
@settings(max_examples=120, deadline=None)  # the first waits for a process
def test_both_kinds_of_engine_do_the_same(same_in_both, problem):
    same_in_both(simulated, *problem)


@given(problems)
@settings(max_examples=60, deadline=None)
def test_nobody_starts_before_it_may_and_nodes_are_never_overfull(problem):
    asked, occupied, closed, given_rules = problem
    started, nodes, *_ = simulated(asked, occupied, closed, given_rules)
    use = []
    for name, at in started:
        one = asked[int(name)]
        assert at >= max(one.get("enters_at", 0), one.get("not_before", 0))
        assert at <= one.get("leaves_at", at)
        assert not any(since <= at < until for since, until in one.get("held", ()))
        # At the least: who accepts less time may have been given less.
        lasts = one.get("run_s", one["s"])
        lasts = min(lasts, one.get("least_s", lasts))
        if not one.get("parts"):
            assert len(nodes[name]) == one["nodes"]
            assert set(nodes[name]) <= set(members(candidates(one)))
            use.append((nodes[name], one.get("cpus", CPUS), at, at + lasts))
    for _, _, at, _ in use:
        free = [CPUS] * NODES
        for taken, cpus, since, until in use:
            for node in taken if since <= at < until else ():
                free[node] -= cpus
        assert min(free) >= 0


def candidates(one):
    found = 0
    for name in one.get("partitions", ["p"]):
        found |= PARTITIONS[name]
    return found


# -- other threads ------------------------------------------------------------------------------


@pytest.mark.skipif(not KIND.compiled, reason=f"nothing to let go: the engine is {KIND.words}")
def test_other_threads_go_on_while_the_engine_works():
    counted, over = [], threading.Event()

    def count():
        while not over.is_set():
            counted.append(time.monotonic())

    # Work that lasts long enough to see another thread in it, however fast the machine.
    jobs, since, until = 1500, 0.0, 0.0
    while until - since < 0.1:
        scene = crowded(jobs)
        counted.clear()
        over.clear()
        other = threading.Thread(target=count)
        other.start()
        since = time.monotonic()
        unlocked.run(scene.forward, FAR, FAR)
        until = time.monotonic()
        over.set()
        other.join()
        jobs *= 2
    # With the interpreter held it could count only before and after.
    middle = since + (until - since) / 4, until - (until - since) / 4
    assert any(middle[0] < at < middle[1] for at in counted)


def crowded(jobs):
    crowd = {str(n): job(1 + n % 5, 10 + n % 90, cpus=1 + n % 3, user=n % 3) for n in range(jobs)}
    return Scene(crowd, machine={"nodes": 64}, group_s=30)
