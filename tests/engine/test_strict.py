"""The pass in strict order: who stops whom. Nobody looks ahead here."""

import pytest
from engine_scenes import AHEAD_ONLY, STRICT_ONLY, Scene, busy, job

THREE_BUSY = {"r": busy(0b0111, 100)}
"""One of four nodes is free."""
WIDE, SMALL = job(2, 50), job(1, 5)


def at_once(jobs, running=None, **more):
    """Who starts in the very first pass."""
    return list(Scene(jobs, running, **STRICT_ONLY | more).run(until=1))


def test_whoever_fits_starts_in_the_order_of_the_queue():
    assert at_once({"a": job(2), "b": job(1), "c": job(1), "d": job(1)}) == ["a", "b", "c"]


def test_who_lacks_nodes_stops_its_partition():
    assert at_once({"wide": WIDE, "small": SMALL}, THREE_BUSY) == []


OVERLAPPING = {"p": 0b1111, "q": 0b1100}
APART = {"p": 0b0111, "q": 0b1000}


@pytest.mark.parametrize(
    ("partitions", "started"),
    [
        pytest.param(OVERLAPPING, [], id="they share nodes: these are closed"),
        pytest.param(APART, ["other"], id="they share none"),
    ],
)
def test_and_its_nodes_to_other_partitions(partitions, started):
    jobs = {"wide": WIDE, "other": SMALL | {"partitions": ["q"]}}
    assert (
        at_once(
            jobs,
            {"r": busy(0b0011, 100)} if partitions is APART else THREE_BUSY,
            partitions=partitions,
        )
        == started
    )


def test_of_a_partition_that_is_closed_in_part_the_rest_is_handed_out():
    partitions = {"p": 0b0011, "q": 0b1111}
    jobs = {"wide": WIDE, "one": job(1) | {"partitions": ["q"]}, "two": job(2, partitions=["q"])}
    scene = Scene(jobs, {"r": busy(0b0001, 100)}, partitions=partitions, **STRICT_ONLY)
    assert list(scene.run(until=1)) == ["one"]
    assert scene.nodes()["one"] == [2]


def test_who_names_its_nodes_closes_these_only_and_stops_nobody():
    jobs = {"named": job(1, required=0b0001), "small": SMALL}
    assert at_once(jobs, THREE_BUSY) == ["small"]
    nobody_there = {"named": job(1, required=0b0001), "same": job(1, required=0b0001)}
    assert at_once(nobody_there, {"r": busy(0b0001, 100)}) == []


@pytest.mark.parametrize(("planned", "started"), [(False, ["small"]), (True, [])])
def test_who_lacks_licenses_is_passed_over_unless_these_are_planned(planned, started):
    jobs = {"licensed": job(1, licenses=[[0, 2]]), "small": SMALL}
    licenses = {"licenses": [1]}
    assert at_once(jobs, machine=licenses, licenses_planned=planned) == started


def test_licenses_are_counted_and_come_back():
    jobs = {name: job(1, 40, licenses=[[0, 2]]) for name in "abc"}
    found = Scene(jobs, machine={"licenses": [5]}, **STRICT_ONLY).run()
    assert found == {"a": 0, "b": 0, "c": 40}


def test_who_waits_for_a_reservation_is_passed_over():
    # Reservation 1 opens node 3 to its own jobs at 100; nobody else may use that node then.
    calendar = [0, [[-1, [0b1111, 0]], [100, [0b0111, 0b1000], (), 0, "begins"]]]
    jobs = {"reserved": job(1, 20, reservation=1), "long": job(4, 90), "late": job(4, 110)}
    scene = Scene(jobs, machine={"calendars": [calendar]}, **STRICT_ONLY)
    assert scene.run(until=500) == {"long": 0, "reserved": 100}
    assert scene.nodes()["reserved"] == [3]


COURSE = [0, [[-1, [0b0011, 0b1100]], [100, [0b1111, 0], [0b1111, 0b1100]]]]
"""Reservation 1 has nodes 2 and 3 until 100."""


def test_who_lacks_nodes_of_its_reservation_stops_those_behind_who_have_the_same():
    running = {"r": busy(0b1000, 50)}
    jobs = {
        "two": job(2, 20, reservation=1),
        "one": job(1, 20, reservation=1),
        "other": job(1, 20),
    }
    scene = Scene(jobs, running, machine={"calendars": [COURSE]}, **STRICT_ONLY)
    assert scene.run() == {"other": 0, "two": 50, "one": 70}


@pytest.mark.parametrize("passes", [STRICT_ONLY, AHEAD_ONLY], ids=["strict", "ahead"])
def test_who_outlasts_its_reservation_starts_in_it_and_is_over_with_it(passes):
    # Its limit is 500; behind it, who has no reservation may have those nodes from 100 on.
    jobs = {"in": job(2, 500, reservation=1), "out": job(4, 20), "late": job(1, 9, reservation=1)}
    scene = Scene(jobs, machine={"calendars": [COURSE]}, **passes)
    found = scene.run(until=1000)
    assert found.keys() == {"in", "out"}
    assert (found["in"], found["out"] // 30) == (0, 3 + (passes is AHEAD_ONLY))


def test_looks_at_so_many_jobs_after_an_event_and_at_all_now_and_then():
    # Who is behind the depth waits for the pass that looks at everybody, a minute later.
    jobs = {"wide": WIDE, **{f"s{n}": SMALL | {"partitions": ["q"]} for n in range(3)}}
    given = {"partitions": APART, "main_depth": 2}
    found = Scene(jobs, {"r": busy(0b0111, 1000)}, **STRICT_ONLY, **given).run(until=200)
    assert found["s0"] == 0
    assert found["s1"] == 5


def test_depth_counts_only_whom_it_may_consider():
    jobs = {"later": SMALL | {"not_before": 500}, "now": SMALL}
    assert at_once(jobs, main_depth=1) == ["now"]


def test_looks_at_so_many_jobs_of_a_partition_and_passes_over_the_rest():
    jobs = {
        "gone": SMALL,
        "beyond": SMALL,
        "other": SMALL | {"partitions": ["q"]},
    }
    given = {"partitions": APART, "main_depth_per_partition": 1}
    # Who is passed over does not use up the depth for all.
    assert at_once(jobs, main_depth=2, **given) == ["gone", "other"]


@pytest.mark.parametrize("most", [0, 1, 2])
def test_starts_so_many_in_one_pass(most):
    jobs = dict.fromkeys("abc", SMALL)
    assert at_once(jobs, main_starts_max=most) == ["a", "b", "c"][: most or 3]


def test_who_is_young_stops_nobody():
    jobs = {"wide": WIDE, "small": SMALL}
    # Everybody could be considered since the epoch, so nobody is young at first.
    assert at_once(jobs, THREE_BUSY, min_age_s=60) == ["small"]
    assert at_once(jobs, THREE_BUSY, min_age_s=0) == []


def test_jobs_of_several_parts_never_start_here_and_stop_the_rest():
    jobs = {"pair": job(1, parts=[job(1)]), "small": SMALL}
    assert at_once(jobs) == []


def test_no_pass_at_all_where_there_is_none():
    assert at_once({"a": job()}, main_depth=-1) == []


def test_a_partition_that_is_stopped_lets_others_go_on_on_other_nodes():
    jobs = {"pair": job(1, parts=[job(1)]), "small": SMALL, "other": SMALL | {"partitions": ["q"]}}
    scene = Scene(jobs, partitions={"p": 0b0111, "q": 0b1110}, **STRICT_ONLY)
    assert scene.run(1) == {"other": 0}
    assert scene.nodes() == {"other": [3]}


# p: r r r f   "a0" and "a1" lack nodes in p; q has one of its own.
def test_of_an_array_one_failure_in_a_partition_is_enough():
    tasks = {f"a{n}": WIDE | {"array": 7} for n in range(5)}
    jobs = tasks | {"other": SMALL | {"partitions": ["q"], "array": 8}}
    running = {"r": busy(0b0111, 1000)}
    assert at_once(jobs, running, partitions=APART, main_depth=2) == ["other"]
    apart = {name: one | {"array": int(name[1:])} for name, one in tasks.items()}
    jobs = apart | {"other": SMALL | {"partitions": ["q"], "array": 8}}
    assert at_once(jobs, running, partitions=APART, main_depth=2) == []


def test_an_array_whose_tasks_start_goes_on():
    jobs = {f"a{n}": job(1) | {"array": 7} for n in range(6)}
    assert at_once(jobs, main_depth=10) == ["a0", "a1", "a2", "a3"]


def test_a_task_may_start_in_another_partition_than_the_one_that_failed():
    jobs = {f"a{n}": job(1, 50, partitions=["p", "q"], array=7) for n in range(2)}
    found = at_once(jobs, {"r": busy(0b0111, 1000)}, partitions=APART)
    assert found == ["a0"]


@pytest.mark.parametrize(
    ("shut", "kept", "short"),
    [
        pytest.param(0b1111, 0, 0, id="all of it is shut: who runs into that is passed over"),
        pytest.param(0b0111, 0, 0, id="as if nobody could ever use it, shut or reserved"),
        pytest.param(0, 0b0001, 200, id="enough of it is left, though somebody is there"),
    ],
)
def test_who_runs_into_what_others_keep_of_its_partition_stops_nobody(shut, kept, short):
    calendar = [0, [[-1, [0b1111]], [100, [kept], [kept], shut], [200, [0b1111]]]]
    jobs = {"long": job(1, 150), "short": job(1, 50)}
    rules = {"main_period_s": 100, **STRICT_ONLY}
    scene = Scene(jobs, {"r": busy(0b0001, 200)}, machine={"calendars": [calendar]}, **rules)
    assert scene.run() == {"long": 200, "short": short}


def test_nor_does_who_requires_nodes_that_others_have_reserved():
    calendar = [0, [[-1, [0b1111]], [100, [0b0011], [0b0011]], [200, [0b1111]]]]
    jobs = {"long": job(2, 150, required=0b0100), "short": job(2, 50)}
    rules = {"main_period_s": 100, **STRICT_ONLY}
    found = Scene(jobs, machine={"calendars": [calendar]}, **rules).run()
    assert found == {"long": 200, "short": 0}


BEHIND = {"partitions": {"top": 0b1100, "p": 0b1111}}
"""Nodes 2 and 3 are kept by whoever waits in the partition that comes first."""
TOP = job(2, 50, partitions=["top"])


@pytest.mark.parametrize(
    ("running", "found"),
    [
        pytest.param({"t": busy(0b0100, 100)}, ["other"], id="none of its nodes is left"),
        pytest.param({"t": busy(0b1100, 100)}, ["other"], id="whoever is on those kept"),
    ],
)
def test_who_may_only_use_nodes_that_those_before_keep_stops_nobody(running, found):
    jobs = {
        "top": TOP,
        "picky": job(1, 50, partitions=["p"], candidates=0b1100),
        "other": job(1, 50, partitions=["p"]),
    }
    assert at_once(jobs, running, **BEHIND) == found


@pytest.mark.parametrize(("running", "found"), [(0b0100, ["small"]), (0b0110, [])])
def test_who_finds_too_few_left_stops_those_behind_if_somebody_is_on_them(running, found):
    jobs = {
        "top": TOP,
        "picky": job(2, 50, partitions=["p"], candidates=0b1110),
        "small": job(1, 50, partitions=["p"]),
    }
    assert at_once(jobs, {"t": busy(running, 100)}, **BEHIND) == found


def test_nodes_that_are_being_cleared_are_in_use():
    jobs = {
        "top": TOP,
        "picky": job(2, 50, partitions=["p"], candidates=0b1110),
        "small": job(1, 50, partitions=["p"]),
    }
    machine = {"clearings": [[0, 100, 0b0010]]}
    assert at_once(jobs, {"t": busy(0b0100, 100)}, machine=machine, **BEHIND) == []
