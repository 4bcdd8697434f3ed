"""Preemption: who is ended for whom, in which order, and what becomes of those."""

import pytest
from engine_scenes import AHEAD_ONLY, FAR, STRICT_ONLY, Scene, busy, job, members

from predictor.engine import codes

LOW, HIGH = 0, 1
NOW, GONE = 0, codes.DIES_S
"""When who preempts is looked at, and when those are gone who must make room."""
BACK_S = 20
EARLY = {"period_s": 1}


def stations(fate=codes.ENDED, **of_low):
    """Two stations, of which the second may end the jobs of the first."""
    return [{"ends": [], "fate": fate} | of_low, {"ends": [LOW]}]


def high(nodes=1, s=10, **more):
    return job(nodes, s, station=HIGH, **more)


def played(jobs, running=None, kinds=None, until=FAR, preemption=None, **more):
    given = {"back_after_s": BACK_S} | (preemption or {})
    scene = Scene(jobs, running, stations=kinds or stations(), preemption=given, **more)
    scene.run(until)
    return scene


def starts(*arguments, **more):
    return played(*arguments, **more).starts()


BOTH = pytest.mark.parametrize("passes", [STRICT_ONLY, AHEAD_ONLY | EARLY], ids=["strict", "ahead"])
HALVES = {"r0": busy(0b0011, 500), "r1": busy(0b1100, 500)}


@BOTH
def test_who_may_end_others_starts_as_soon_as_they_are_gone(passes):
    scene = played({"a": high(2)}, HALVES, **passes)
    assert scene.starts() == {"a": GONE}
    roster = scene.forward.roster
    assert (list(roster.for_whom), list(roster.gone_at)) == ([-1, 0, -1, -1], [-1, GONE, -1, -1])


@BOTH
def test_the_station_that_may_end_nobody_waits(passes):
    assert starts({"a": job(2, station=LOW)}, HALVES, **passes) == {"a": 500}


@BOTH
def test_nobody_is_ended_where_all_together_would_not_be_enough(passes):
    running = {"r0": busy(0b0011, 500), "own": busy(0b1100, 100, station=HIGH)}
    scene = played({"a": high(4)}, running, until=50, **passes)
    assert list(scene.forward.roster.cut_at) == [-1] * 4


@BOTH
def test_only_those_are_ended_whose_nodes_it_gets(passes):
    scene = played({"a": high(2)}, HALVES, until=GONE + 1, **passes)
    assert scene.nodes() == {"a": [0, 1]}
    assert starts({"a": high(2, 900), "b": job(2, 5, station=LOW)}, HALVES, **passes)["b"] == 500


def test_who_looks_ahead_plans_with_what_others_must_leave():
    # n0 n1  low, until 500         both would be free for `wide` at 100, when `own` ends
    # n2 n3  high, until 100
    running = {"low": busy(0b0011, 500), "own": busy(0b1100, 100, station=HIGH)}
    scene = Scene({"wide": high(4)}, running, stations=stations())
    assert scene.look() == {"wide": 100}


# nodes    150   200      "h" is in the way of "first" if it starts now. When that one's slot is
# n0    low |     | f |    over, it is tried on what is free without anybody going, or on what would
# n1    own |     | i |    be if all were gone who may be ended: "low", which runs until 500.
# n2        |     | r |
# n3        |     | s |
@pytest.mark.parametrize(("anew", "nodes"), [(False, [2]), (True, [0])])
def test_who_is_tried_from_later_instants_is_so_without_those_who_may_be_ended(anew, nodes):
    jobs = {"first": high(4, 50), "h": high(1, 200)}
    running = {"low": busy(0b0001, 500), "own": busy(0b0010, 150, station=HIGH)}
    scene = Scene(jobs, running, stations=stations(), group_s=30, seeks_anew=anew)
    assert scene.look() == {"first": 150, "h": 200}
    assert members(scene.planned_nodes()["h"]) == nodes


def test_nobody_slips_into_the_room_that_is_being_made():
    jobs = {"a": high(2), "b": job(2, 5, station=LOW, enters_at=GONE)}
    found = starts(jobs, HALVES, arrival_delay_s=0)
    assert (found["a"], found["b"]) == (GONE, GONE + 10)


# -- whose turn it is --------------------------------------------------------------------------

QUARTERS = {f"r{n}": busy(1 << n, 500, since=-100 + n) for n in range(4)}


def ended(scene):
    """Return the names of those whom somebody ends."""
    people = dict(enumerate([*scene.jobs, *scene.running]))
    return {name for number, name in people.items() if scene.forward.roster.cut_at[number] >= 0}


def test_the_lower_station_goes_first():
    kinds = [{"ends": [], "fate": codes.ENDED, "order": order} for order in (5, 1)]
    kinds.append({"ends": [0, 1]})
    running = {name: one | {"station": int(name == "r2")} for name, one in QUARTERS.items()}
    assert ended(played({"a": job(1, station=2)}, running, kinds, until=5)) == {"r2"}


def test_among_equals_the_narrower_goes_first():
    running = {"two": busy(0b0011, 500), "one": busy(0b0100, 500), "more": busy(0b1000, 500)}
    assert ended(played({"a": high(1)}, running, until=5)) == {"one"}


def test_the_youngest_goes_first_if_wanted():
    scene = played({"a": high(1)}, QUARTERS, until=5, preemption={"youngest_first": True})
    assert ended(scene) == {"r3"}


@pytest.mark.parametrize(
    ("tries", "who"),
    [
        pytest.param(1, {"wide"}, id="those in the way of the last one found come first"),
        pytest.param(-1, {"n0", "wide"}, id="else whoever came first in the order"),
    ],
)
def test_a_better_choice_is_looked_for(tries, who):
    # n0 n0's | n1 n2 wide | n3 own      `pair` wants two nodes; n0 alone is taken away in vain.
    running = {
        "n0": busy(0b0001, 500),
        "wide": busy(0b0110, 500),
        "own": busy(0b1000, 500, station=HIGH),
    }
    scene = played({"pair": high(2)}, running, until=5, preemption={"tries": tries})
    assert ended(scene) == who


@pytest.mark.parametrize(("cpus", "who"), [(1, {"a"}), (2, {"a"}), (3, {"a", "b"})])
def test_who_shares_a_node_stays_if_there_is_room_without(cpus, who):
    running = {"a": busy(1, 500, cpus=2), "b": busy(1, 500, cpus=2)}
    scene = played({"x": high(cpus=cpus)}, running, machine={"nodes": 1}, until=5)
    assert ended(scene) == who


@pytest.mark.parametrize(("spared_from", "who"), [(0, {"r0"}), (3, {"r1"}), (1, set())])
def test_nobody_is_ended_who_has_so_high_a_priority(spared_from, who):
    running = {"r0": busy(0b0001, 500, level=3), "r1": busy(0b1110, 500, level=2)}
    preemption = {"spared_from": spared_from}
    assert ended(played({"a": high(1)}, running, until=5, preemption=preemption)) == who


@BOTH
@pytest.mark.parametrize(
    ("whom", "level", "who"),
    [
        pytest.param("ends", 1, {"r0", "r1"}, id="anybody"),
        pytest.param("ends_lower", 5, {"r0"}, id="those of lower priority"),
        pytest.param("ends_no_higher", 5, {"r0", "r1"}, id="and those of the same"),
        pytest.param("ends_no_higher", 4, {"r0"}, id="but of no higher one"),
    ],
)
def test_a_station_may_spare_who_has_a_higher_priority(passes, whom, level, who):
    kinds = [{"fate": codes.ENDED}, {whom: [LOW]}]
    running = {"r0": busy(0b0011, 500, level=3), "r1": busy(0b1100, 500, level=5)}
    jobs = {"a": high(2, level=level), "b": high(2, level=level)}
    assert ended(played(jobs, running, kinds, until=5, **passes)) == who


def test_those_of_one_station_may_end_each_other_by_priority():
    kinds = [{"fate": codes.ENDED, "ends_lower": [LOW]}]
    jobs = {"first": job(4, 100, level=3), "second": job(4, 10, level=9, enters_at=20)}
    scene = played(jobs, {}, kinds, arrival_delay_s=0, **EARLY)
    assert scene.starts() == {"first": NOW, "second": 20 + GONE}
    assert ended(scene) == {"first"}


# -- grace and exemption -----------------------------------------------------------------------


@BOTH
def test_a_grace_time_puts_the_start_off(passes):
    kinds = stations(grace_s=30)
    found = starts({"a": high(2)}, HALVES, kinds, **passes, main_period_s=1)
    assert found == {"a": 30 + GONE}


def test_whom_nobody_wants_gone_any_more_outlives_its_grace_time_a_while():
    # n0 n1  r0, to go for `a`      n2 n3  r1, ends first: `a` starts there
    running = {"r0": busy(0b0011, 500), "r1": busy(0b1100, 12)}
    jobs = {"a": high(2, 200), "b": job(2, 5, station=LOW)}
    found = starts(jobs, running, stations(grace_s=30), **EARLY)
    assert found == {"a": 12, "b": 30 + codes.LATE_S}


@BOTH
def test_whose_grace_time_began_before_has_what_is_left_of_it(passes):
    running = {"r0": busy(0b0011, 500, spared=12), "r1": busy(0b1100, 500)}
    jobs = {"a": high(2)}
    found = starts(jobs, running, stations(grace_s=30), **passes, main_period_s=1)
    assert found == {"a": 12 + GONE}


def test_whose_grace_time_is_over_goes_a_while_later_though_nobody_wants_its_room():
    running = {"r0": busy(0b1111, 500, spared=12)}
    jobs = {"b": job(2, 5, station=LOW)}
    assert starts(jobs, running, stations(grace_s=30), **EARLY) == {"b": 12 + codes.LATE_S}


@BOTH
def test_who_ends_within_its_grace_time_makes_room_then(passes):
    running = {"r0": busy(0b0011, 12), "r1": busy(0b1100, 500)}
    assert starts({"a": high(2)}, running, stations(grace_s=30), **passes) == {"a": 12}


@BOTH
def test_the_young_are_spared(passes):
    running = {"r0": busy(0b0011, 500, since=-10), "r1": busy(0b1100, 500)}
    kinds = stations(exempt_s=60)
    assert starts({"a": high(2)}, running, kinds, **passes, main_period_s=1) == {"a": 50 + GONE}


@pytest.mark.parametrize("amended", [[], [(5, 400), (10, 300)]])
def test_whom_others_end_is_gone_then_whatever_its_limit_becomes(amended):
    running = {"r0": busy(0b01111, 500, amended=amended)}
    # Were b planned for when r0's limit ends, c would be in nobody's way.
    jobs = {"a": high(4), "b": job(5, 5, station=LOW), "c": job(1, 60, station=LOW, enters_at=12)}
    scene = played(jobs, running, stations(grace_s=30), machine={"nodes": 5}, **AHEAD_ONLY | EARLY)
    assert ended(scene) == {"r0"}
    assert scene.starts() == {"a": 30 + GONE, "b": 40 + GONE, "c": 45 + GONE}


# -- patience ----------------------------------------------------------------------------------

CLEARED_AT = 60
MEANWHILE = {"nodes": 4, "clearings": [[GONE, CLEARED_AT, 0b0011]]}
"""The nodes of who is ended first are cleared only then."""


@pytest.mark.parametrize(
    ("passes", "patience_s", "start", "who"),
    [
        pytest.param(STRICT_ONLY, CLEARED_AT, CLEARED_AT, {"r0"}, id="until they are cleared"),
        pytest.param(STRICT_ONLY, 20, 20 + GONE, {"r0", "r1"}, id="then others must go, too"),
        pytest.param(AHEAD_ONLY, 20, CLEARED_AT, {"r0"}, id="but not looking ahead: it has a slot"),
    ],
)
def test_a_job_waits_for_those_to_be_gone_who_were_ended_for_it(passes, patience_s, start, who):
    more = {"machine": MEANWHILE, "main_period_s": 1, "preemption": {"patience_s": patience_s}}
    scene = played({"a": high(2)}, HALVES, **passes | more)
    assert (scene.starts(), ended(scene)) == ({"a": start}, who)


def test_nobody_is_ended_for_who_would_start_on_nodes_that_are_being_cleared():
    # n0 is, until 60      n1  r1      n2 n3  r2
    running = {"r1": busy(0b0010, 500), "r2": busy(0b1100, 500)}
    machine = {"nodes": 4, "clearings": [[NOW, CLEARED_AT, 0b0001]]}
    scene = played({"a": high(2)}, running, machine=machine, **AHEAD_ONLY | EARLY)
    assert (scene.starts(), ended(scene)) == ({"a": CLEARED_AT + GONE}, {"r1"})


@BOTH
def test_nobody_starts_on_nodes_that_are_cleared_of_those_who_were_ended(passes):
    preemption = {"vacating": (30, 30), "patience_s": 100}
    jobs = {"a": high(2), "b": job(2, 5, station=LOW, enters_at=GONE)}
    scene = played(jobs, HALVES, preemption=preemption, main_period_s=1, **passes | EARLY)
    assert scene.starts()["a"] == GONE + 30
    assert scene.starts()["b"] >= GONE + 30 + 10


@pytest.mark.parametrize(
    ("vacating", "start"),
    [
        pytest.param((30, 5), GONE + 5, id="soon"),
        pytest.param((30, 0), GONE, id="or at once"),
    ],
)
def test_nodes_but_the_first_of_who_was_ended_may_be_cleared_sooner(vacating, start):
    running, more = {"r0": busy(0b1111, 500)}, {"preemption": {"vacating": vacating}}
    scene = played({"a": high()}, running, **STRICT_ONLY | more | {"main_period_s": 1})
    assert scene.starts() == {"a": start}


def test_who_is_sent_back_waits_until_its_nodes_are_cleared():
    jobs = {"low": job(4, 100, station=LOW), "high": high(4, 10, enters_at=40)}
    preemption = {"vacating": (30, 30), "patience_s": 100}
    scene = played(jobs, kinds=stations(codes.SENT_BACK), preemption=preemption, **EARLY)
    start = scene.starts()["high"]
    assert scene.starts()["low"] == start + BACK_S
    assert list(scene.forward.placer.clearing.until) == [0] * 4


def test_tasks_looked_at_in_the_same_pass_do_not_wait_for_each_other():
    tasks = {name: high(2, array=0) for name in ("a", "b")}
    scene = played(tasks, HALVES, preemption={"patience_s": 100}, **AHEAD_ONLY | EARLY)
    assert scene.starts() == {"a": GONE, "b": GONE}


def test_who_starts_may_end_others_again_when_it_comes_back():
    # r ends for `a`, then `low` starts, and ends for it once it is back at 20
    jobs = {
        "a": high(4, 50, run_s=5, later_runs=[[20, 10]]),
        "low": job(4, 100, station=LOW, enters_at=2),
    }
    running = {"r": busy(0b1111, 500)}
    scene = played(jobs, running, preemption={"patience_s": 400}, arrival_delay_s=0, **EARLY)
    assert scene.all_starts() == ["a", "low", "a"]
    assert (scene.starts()["a"], ended(scene)) == (20 + GONE, {"low", "r"})


# -- what is planned ---------------------------------------------------------------------------


def test_room_without_anybody_going_counts_first():
    # n0  low, until 500      n1-n3  idle, but others' until 100
    calendar = [0, [[-1, [0b0001]], [100, [0b1111]]]]
    running, machine = {"low": busy(0b0001, 500)}, {"calendars": [calendar]}
    scene = Scene({"j": high(2)}, running, stations=stations(), machine=machine, **AHEAD_ONLY)
    assert scene.look() == {"j": 101}
    assert members(scene.planned_nodes()["j"]) == [1, 2]


# -- sent back ---------------------------------------------------------------------------------


def test_who_is_sent_back_runs_anew_all_its_length():
    jobs = {"low": job(4, 100, station=LOW), "high": high(4, 10, enters_at=40)}
    scene = played(jobs, kinds=stations(codes.SENT_BACK), arrival_delay_s=0, **EARLY)
    assert scene.all_starts() == ["low", "high", "low"]
    assert scene.starts() == {"high": 40 + GONE, "low": 40 + GONE + BACK_S}
    assert scene.forward.past.at[0] == 0


def test_who_ran_at_the_beginning_waits_as_another():
    jobs = {"high": high(4, 10), "again": job(4, 60, asleep=True, station=LOW)}
    running = {"r": busy(0b1111, 500, again="again")}
    found = starts(jobs, running, stations(codes.SENT_BACK), **EARLY)
    assert found == {"high": GONE, "again": GONE + BACK_S}


def test_a_sleeper_whom_nobody_calls_never_starts():
    jobs = {"high": high(2, 10), "again": job(4, 60, asleep=True)}
    assert starts(jobs, {"r": busy(0b0011, 500, again="again")}) == {"high": NOW}


def test_who_cannot_be_sent_back_is_ended_for_good():
    jobs = {"low": job(4, 100, station=LOW, stays=True), "high": high(4, enters_at=40)}
    assert played(jobs, kinds=stations(codes.SENT_BACK)).all_starts() == ["low", "high"]


def test_who_waits_for_its_end_waits_on():
    after = {"people": ["low"]}
    jobs = {
        "low": job(4, 100, station=LOW),
        "high": high(4, 10, enters_at=40),
        "then": job(1, 5, after=[after], station=HIGH),
    }
    scene = played(jobs, kinds=stations(codes.SENT_BACK), arrival_delay_s=0, **EARLY)
    assert scene.starts()["then"] == 40 + GONE + BACK_S + 100


def test_somebody_sends_a_job_back():
    scene = Scene({"a": job(4, 100, run_s=30, later_runs=[[50, 20]]), "b": job(4, 10)}, **EARLY)
    assert scene.run() == {"a": 50, "b": 30}
    assert scene.all_starts() == ["a", "b", "a"]
    assert scene.forward.past.at[0] == 0
