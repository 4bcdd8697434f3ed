"""To which nodes jobs are drawn: where their group runs, or where they get most; others' plans."""

import pytest
from engine_scenes import AHEAD_ONLY, STRICT_ONLY, Scene, busy, job, members

from predictor.engine import bound, codes
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limit_tables import Binding, Claim, Group, LimitTables, Rule, Running
from predictor.engine.limits import Limits

RUNS = {"allocation": codes.CONSECUTIVE}
FULL = {"r": busy(0b11111111, 100)}


def limits(used, at_most=8, asked=1, named=0):
    """Return the limits of eight nodes, of which a group uses some: claim 0, and 1 for a node.

    Both name the same nodes.
    """
    cap = Rule(kind=bound.SPREAD, resource=bound.NODES, cap=at_most, group=0)
    running = Running(holder=9, binding=0, amounts=[1, 1], nodes=used, started_at=0, limit_s=100)
    tables = LimitTables(
        nodes=8,
        opened_at=0,
        resources=2,
        holders=10,
        claims=[
            Claim(binding=0, form=0, nodes=nodes, node_class=0, limit_s=100, named=named)
            for nodes in (asked, 1)
        ],
        classes=[0b11111111],
        forms=[[[0, 1]]],
        groups=[Group(held=[bound.ONE], spread=True)],
        bindings=[Binding(groups=[0], late=[cap], held_weight=1, asked_weight=1)],
        running=[running] if used else [],
    )
    return Limits(LimitLayout(tables))


def planned(jobs, used, running=FULL, at_most=8, asked=1, machine=None, **more):
    """Return where everybody starts or is planned: a pass in strict order, then a look ahead."""
    wanted = {name: one | RUNS for name, one in jobs.items()}
    more = STRICT_ONLY | more
    known = limits(used, at_most, asked)
    machine = {"nodes": 8} | (machine or {})
    scene = Scene(wanted, running, machine=machine, limits=known, **more)
    scene.run(until=1)
    scene.look()
    return {name: members(nodes) for name, nodes in scene.planned_nodes().items()}


def test_its_jobs_go_where_the_group_runs():
    taken = {"r": busy(0b00100000, 100, cpus=1)}
    jobs = {"own": job(1, cpus=1, claim=0)}
    assert planned(jobs, 0b00100000, taken) == {"own": [5]}
    assert planned(jobs, 0, taken) == {"own": [5]}
    assert planned(jobs, 0b01000000, {}) == {"own": [6]}
    assert planned(jobs, 0, {}) == {"own": [0]}


@pytest.mark.parametrize(
    ("make", "nodes"),
    [
        pytest.param([0] * 8, [5, 6], id="all are of one make"),
        pytest.param([0] * 4 + [1] * 4, [0, 1], id="others are of another, of which it uses none"),
    ],
)
def test_only_nodes_of_makes_that_the_group_uses_are_worse_for_it(make, nodes):
    taken = {"r": busy(0b00100000, 100, cpus=1)}
    jobs = {"own": job(2, cpus=1, claim=0)}
    machine = {"make": make}
    assert planned(jobs, 0b00100000, taken, machine=machine, asked=2) == {"own": nodes}


@pytest.mark.parametrize(
    ("used", "own", "other"),
    [
        pytest.param(0b00100100, [2], [0, 1], id="the rest is run by run"),
        pytest.param(0, [0], [1, 2], id="a group that runs nowhere"),
        pytest.param(0b11111111, [0], [1, 2], id="a group that runs everywhere"),
    ],
)
def test_the_group_comes_first(used, own, other):
    jobs = {"own": job(1, claim=0), "other": job(2)}
    assert planned(jobs, used, {}) == {"own": own, "other": other}


@pytest.mark.parametrize("allocation", [codes.BALANCED, codes.LAST], ids=["emptiest", "last"])
def test_the_group_comes_first_however_nodes_are_taken(allocation):
    taken = {"r": busy(0b00100000, 100, cpus=1)}
    scene = Scene(
        {"own": job(1, cpus=1, claim=0, allocation=allocation)},
        taken,
        machine={"nodes": 8},
        limits=limits(0b00100000),
        **STRICT_ONLY,
    )
    scene.run(until=1)
    assert scene.nodes() == {"own": [5]}


def test_who_wants_more_nodes_than_the_group_may_have_is_not_tried_on_any():
    # It would let its group's nodes weigh less; as it is, the first ones do.
    jobs = {"vain": job(3, claim=0), "other": job(2)}
    assert planned(jobs, 0b01100000, at_most=2, asked=3) == {"vain": [], "other": [0, 1]}


@pytest.mark.parametrize(("stops", "own", "other"), [(False, 5, [6, 7]), (True, 0, [1, 2])])
def test_who_may_have_fewer_keeps_others_from_being_tried_if_limits_stop(stops, own, other):
    jobs = {"vain": job(3, claim=0), "own": job(1, claim=1), "other": job(2)}
    found = planned_at_once(jobs, 0b00100000, at_most=2, asked=3, limits_stop=stops)
    assert (found["own"], found["other"]) == ([own], other)


@pytest.mark.parametrize(("named", "own"), [(0b00000001, [5]), (0b10000000, [1])])
def test_who_names_nodes_that_others_keep_is_not_tried_on_any(named, own):
    # The first one keeps node 0 from those behind it, the second may have no new node.
    jobs = {
        "first": job(1, partitions=["one"]),
        "own": job(1, claim=1, partitions=["all"]),
        "namer": job(1, partitions=["all"], required=named),
    }
    partitions = {"one": 0b1, "all": 0b11111111}
    assert planned_at_once(jobs, 0b00100000, at_most=1, partitions=partitions)["own"] == own


def planned_at_once(jobs, used, at_most=8, asked=1, **more):
    """Return where everybody is planned by a look ahead, as nodes are weighed by then."""
    wanted = {name: one | RUNS for name, one in jobs.items()}
    known = limits(used, at_most, asked)
    scene = Scene(wanted, FULL, machine={"nodes": 8}, limits=known, **STRICT_ONLY | more)
    scene.look()
    return {name: members(nodes) for name, nodes in scene.planned_nodes().items()}


def test_others_are_planned_by_the_group_tried_last():
    jobs = {"own": job(1, claim=0), "other": job(2)}
    assert planned(jobs, 0b01100000) == {"own": [5], "other": [6, 7]}


@pytest.mark.parametrize(
    ("tried_on", "own", "third"),
    [
        pytest.param(0b00001111, [5], [1, 2], id="elsewhere"),
        pytest.param(0b11111111, [4], [6, 7], id="there as well"),
    ],
)
def test_who_is_tried_without_a_group_sets_that_right_where_it_might_run(tried_on, own, third):
    jobs = {
        "own": job(1, claim=0),
        "other": job(1, partitions=["q"]),
        "third": job(2, partitions=["all"]),
    }
    partitions = {"p": 0b11110000, "q": tried_on, "all": 0b11111111}
    found = planned(jobs, 0b00100000, partitions=partitions)
    assert (found["own"], found["third"]) == (own, third)


def test_who_starts_in_a_look_ahead_goes_where_it_belongs_itself():
    jobs = {"own": job(8, claim=0), "other": job(2)}
    some = {"r": busy(0b00000001, 100)}
    assert planned(jobs, 0b01100000, some, first_at=0)["other"] == [1, 2]


def test_who_starts_in_a_look_ahead_weighs_only_nodes_that_it_could_have():
    # The other one would run into the slot of the first, whose nodes 0 to 2 stay heavy.
    jobs = {"own": job(4, 100, claim=0), "other": job(1, 200), "third": job(4, 500)}
    scene = Scene(
        {name: one | RUNS for name, one in jobs.items()},
        {"r": busy(0b00011111, 50)},
        machine={"nodes": 8},
        limits=limits(0b00100000),
        **STRICT_ONLY,
    )
    scene.run(until=0)
    assert scene.look() == {"own": 50, "other": 0, "third": 150}
    found = {name: members(nodes) for name, nodes in scene.planned_nodes().items()}
    assert found == {"own": [0, 1, 2, 5], "other": [6], "third": [3, 4, 5, 7]}


@pytest.mark.parametrize(("at_most", "started"), [(2, {"other"}), (8, set())])
def test_who_is_limited_wherever_it_runs_stops_nobody_though_nodes_lack_too(at_most, started):
    wanted = {"own": job(3, claim=0) | RUNS, "other": job(2) | RUNS}
    scene = Scene(
        wanted,
        {"r": busy(0b00111111, 100)},
        machine={"nodes": 8},
        limits=limits(0b00000011, at_most),
        **STRICT_ONLY,
    )
    scene.run(until=1)
    assert scene.nodes().keys() == started


def test_plans_are_drawn_nowhere_by_who_is_limited():
    jobs = {"own": job(1, claim=0), "other": job(2)}
    assert planned(jobs, 0b01100000, at_most=8)["other"] == [6, 7]
    assert planned(jobs, 0b01100000, at_most=2)["other"] == [0, 1]


@pytest.mark.parametrize(
    ("kept", "with_nodes", "started"),
    [
        pytest.param(True, False, set(), id="before, which stops everybody"),
        pytest.param(False, False, {"other"}, id="before, which stops nobody"),
        pytest.param(True, True, {"other"}, id="after"),
    ],
)
def test_licenses_are_asked_for_before_limits_or_after(kept, with_nodes, started):
    wanted = {"own": job(3, claim=0, licenses=[(0, 1)]) | RUNS, "other": job(2) | RUNS}
    scene = Scene(
        wanted,
        {"r": busy(0b00111111, 100, licenses=[(0, 1)])},
        machine={"nodes": 8, "licenses": [1]},
        limits=limits(0b00000011, 2),
        licenses_planned=kept,
        licenses_with_nodes=with_nodes,
        **STRICT_ONLY,
    )
    scene.run(until=1)
    assert scene.nodes().keys() == started


@pytest.mark.parametrize(
    ("at_most", "named", "other"),
    [
        pytest.param(1, 0, 100, id="none"),
        pytest.param(2, 0, 110, id="one more"),
        pytest.param(1, 0b1, 110, id="none but the one it names, which the group has"),
        pytest.param(1, 0b10, 100, id="not the one it names"),
    ],
)
def test_who_starts_later_has_a_slot_only_if_the_group_may_have_new_nodes(at_most, named, other):
    # As logged by a real scheduler: though "own" would be on the group's node, which is to end.
    jobs = {"own": job(1, 10, claim=0, required=named) | RUNS, "other": job(8, 10) | RUNS}
    known = limits(0b1, at_most, named=named)
    scene = Scene(jobs, FULL, machine={"nodes": 8}, limits=known, **AHEAD_ONLY)
    assert scene.look() == {"own": 100, "other": other}


# Nodes 4 to 7 have more of what draws who asks for it.
TWO_SORTS = {"nodes": 8, "node_class": [0, 0, 0, 0, 1, 1, 1, 1]}
DRAWN = {"draw": (1, 2)}


def drawn(jobs, running, machine=TWO_SORTS, **more):
    """Return who would have which nodes, at once or as planned, if a look ahead comes alone."""
    wanted = {name: RUNS | one for name, one in jobs.items()}
    scene = Scene(wanted, running, machine=machine, **AHEAD_ONLY | more)
    scene.look()
    return {name: members(nodes) for name, nodes in scene.planned_nodes().items()}


def test_who_asks_for_what_draws_goes_where_it_gets_most():
    jobs = {"asks": job(2) | DRAWN, "other": job(3)}
    assert drawn(jobs, {}) == {"asks": [4, 5], "other": [0, 1, 2]}
    assert drawn({"asks": job(5) | DRAWN}, {}) == {"asks": [0, 4, 5, 6, 7]}


def test_who_gets_the_same_everywhere_is_drawn_nowhere():
    assert drawn({"asks": job(2) | {"draw": (2, 2)}}, {}) == {"asks": [0, 1]}


def test_weight_counts_for_more_than_what_draws():
    machine = TWO_SORTS | {"weight": [1] * 4 + [2] * 4}
    strongly = job(2) | {"draw": (1, 255)}
    assert drawn({"asks": strongly}, {}, machine) == {"asks": [0, 1]}


def test_plans_of_others_are_drawn_by_who_was_planned_before():
    jobs = {"asks": job(2) | DRAWN, "other": job(2)}
    assert drawn(jobs, FULL) == {"asks": [4, 5], "other": [6, 7]}
    assert drawn({"other": job(2)}, FULL) == {"other": [0, 1]}


def test_under_switches_the_lightest_come_first():
    switches = [[0b11, -1, True], [0b11111100, -1, True]]
    machine = TWO_SORTS | {"switches": switches}
    asks = job(2) | DRAWN | {"allocation": codes.TREE}
    assert drawn({"asks": asks}, {}, machine) == {"asks": [4, 5]}
    assert drawn({"asks": asks | {"draw": ()}}, {}, machine) == {"asks": [0, 1]}


def test_nodes_that_may_give_different_numbers_of_cpus_draw_too():
    asks = job(1, cpus=1, total=3) | {"draw": (1, 2)}
    machine = {"nodes": 8, "node_class": TWO_SORTS["node_class"], "cpus": 4}
    assert drawn({"asks": asks}, {}, machine) == {"asks": [4]}


def test_all_may_be_planned_by_what_nodes_are_said_to_weigh():
    jobs = {"own": job(1, claim=0), "other": job(2)}
    assert planned(jobs, 0b01100000, weighs_anew=True) == {"own": [0], "other": [1, 2]}


@pytest.mark.parametrize(("anew", "node"), [(False, 0), (True, 1)])
def test_nodes_that_are_being_cleared_may_weigh_more_for_who_could_start(anew, node):
    jobs = {"j": job(1, **RUNS)}
    machine = {"nodes": 2, "clearings": [[0, 40, 0b01]]}
    scene = Scene(jobs, {}, machine=machine, weighs_anew=anew, **AHEAD_ONLY)
    scene.look()
    assert members(scene.planned_nodes()["j"]) == [node]
    # Who is tried later finds nothing of that.
    assert not scene.forward.placer.leaning.leans


@pytest.mark.parametrize(("placed", "behind"), [(False, 100), (True, 200)])
def test_limits_may_know_the_nodes_of_a_slot(placed, behind):
    # The group may use one node, and uses the one there is: a slot there is no other node.
    jobs = {"own": job(1, 100, claim=0), "behind": job(1, 10)}
    scene = Scene(
        jobs,
        {"r": busy(0b1, 100)},
        machine={"nodes": 8},
        partitions={"p": 0b1},
        limits=limits(0b1, at_most=1),
        limits_placed=placed,
        **AHEAD_ONLY,
    )
    assert scene.look() == {"own": 100, "behind": behind}


ANEW = {"weighs_anew": True}
FROM_LATER = ANEW | {"seeks_anew": True, "group_s": 30}


def eight():
    """A job of eight CPUs on two nodes, whatever each of them gives."""
    two = {"nodes_least": 2, "nodes_most": 2, "weakest_singly": True}
    return job(cpus=1, total=8, spread=two)


# Node 0 is being cleared of somebody, and the job waits for others to end at 100.
@pytest.mark.parametrize(
    ("one", "used", "rules", "nodes"),
    [
        pytest.param(job(2), (0, 4, 4), {}, [0, 1], id="whatever is being cleared"),
        pytest.param(job(2), (0, 4, 4), ANEW, [1, 2], id="what is being cleared weighs more"),
        pytest.param(job(2), (0, 4, 4), FROM_LATER, [0, 1], id="but not what was left now"),
        pytest.param(job(1, cpus=4), (1, 4, 4), FROM_LATER, [1], id="it has too little room now"),
        pytest.param(eight(), (1, 1, 1), FROM_LATER, [1, 2], id="it was of no use now"),
    ],
)
def test_what_is_being_cleared_may_weigh_more_for_who_waits(one, used, rules, nodes):
    running = {f"r{n}": busy(1 << n, 100, cpus=cpus) for n, cpus in enumerate(used) if cpus}
    machine = {"nodes": len(used), "cpus": 4, "clearings": [[0, 40, 0b1]]}
    scene = Scene({"j": one | RUNS}, running, machine=machine, **AHEAD_ONLY | rules)
    assert scene.look() == {"j": 100}
    assert members(scene.planned_nodes()["j"]) == nodes
