"""The pass that looks ahead: who is told which start, and who is protected by a slot."""

import pytest
from engine_scenes import AHEAD_ONLY, Scene, busy, job

ONE_NODE = {"nodes": 1, "cpus": 8}
SIX_CPUS = {"r": busy(0b1, 600, cpus=6)}
# CPUs      600      4200
#  1-4  r | b      |         c would fit beside b; d is gone before b begins
#  5-6  r |        | c
BESIDE = {"b": job(1, 3600, cpus=4), "c": job(1, 1800, cpus=2), "d": job(1, 300, cpus=2)}


def look(jobs, running=None, **more):
    return Scene(jobs, running, **more).look()


@pytest.mark.parametrize(
    ("exact", "c_at"),
    [
        pytest.param(False, 4200, id="a slot keeps the whole node"),
        pytest.param(True, 0, id="a slot keeps what its job takes"),
    ],
)
def test_what_a_slot_keeps(exact, c_at):
    found = look(BESIDE, SIX_CPUS, machine=ONE_NODE, exact_slots=exact)
    assert found["b"] == 600
    assert found["c"] == c_at


def test_who_is_gone_before_a_slot_begins_starts_now():
    assert look(BESIDE, SIX_CPUS, machine=ONE_NODE)["d"] == 0


def test_slots_are_gone_after_the_pass():
    scene = Scene({name: BESIDE[name] for name in "bc"}, SIX_CPUS, machine=ONE_NODE)
    slots = scene.forward.timeline.count
    first = scene.look()
    assert (scene.look(), scene.forward.timeline.count) == (first, slots)


@pytest.mark.parametrize(
    ("step_s", "rounds_up", "next_at"),
    [
        pytest.param(1, False, 1090, id="to the second"),
        pytest.param(60, False, 1080, id="down to the minute"),
        pytest.param(60, True, 1140, id="up to the minute"),
    ],
)
def test_slots_end_on_a_step(step_s, rounds_up, next_at):
    jobs = {"wide": job(4, 590), "next": job(4, 60)}
    found = look(jobs, {"r": busy(0b1111, 500)}, step_s=step_s, rounds_up=rounds_up)
    assert found == {"wide": 500, "next": next_at}


def test_a_slot_that_ends_on_a_step_is_not_made_longer():
    jobs = {"wide": job(4, 580), "next": job(4, 60)}
    found = look(jobs, {"r": busy(0b1111, 500)}, step_s=60, rounds_up=True)
    assert found == {"wide": 500, "next": 1080}


def test_slots_begin_on_the_step_before():
    # "wide" can start at 130: with steps of a minute its nodes are kept from 120 on.
    given = {"wide": job(4, 600), "short": job(1, 125)}
    running = {"r": busy(0b0111, 130)}
    assert look(given, running)["short"] == 0
    assert look(given, running, step_s=60)["short"] > 0


def test_a_slot_may_reach_into_the_step_in_which_the_next_begins():
    # The slot of "wide" begins at 120: that of "short" is to end then, and does so for others.
    jobs = {"wide": job(4, 600), "short": job(1, 55)}
    running = {"r": busy(0b0111, 130), "s": busy(0b1000, 70)}
    assert look(jobs, running, step_s=60) == {"wide": 130, "short": 70}
    assert look(jobs, running, step_s=60, rounds_up=True) == {"wide": 130, "short": 780}


def test_a_slot_lasts_a_step_at_least():
    jobs = {"brief": job(4, 5), "next": job(4, 60)}
    assert look(jobs, {"r": busy(0b1111, 120)}, step_s=60) == {"brief": 120, "next": 180}


# All want the free node, one after another; so everybody looked at is told something.
def in_line(**of_each):
    return {f"j{n}": job(1, 100) | fields for n, fields in enumerate(_rows(of_each))}


def _rows(of_each):
    return [dict(zip(of_each, row, strict=True)) for row in zip(*of_each.values(), strict=True)]


BUSY = {"r": busy(0b1111, 50)}
TWO = {"p": 0b1111, "q": 0b1111}


@pytest.mark.parametrize(
    ("rule", "jobs", "told"),
    [
        pytest.param({"jobs_max": 2}, in_line(user=[0, 1, 2]), ["j0", "j1"], id="in all"),
        pytest.param(
            {"jobs_max_per_user": 1}, in_line(user=[0, 0, 1, 1]), ["j0", "j2"], id="per user"
        ),
        pytest.param(
            {"jobs_max_per_association": 1, "jobs_max_per_user": 1},
            in_line(user=[0, 0, 0, 0], association=[0, 0, 1, 1]),
            ["j0", "j2"],
            id="per association, which takes the place of the user",
        ),
        pytest.param(
            {"jobs_max_per_partition": 1},
            in_line(partitions=[["p"], ["p"], ["q"]]),
            ["j0", "j2"],
            id="per partition",
        ),
        pytest.param(
            {"jobs_max_per_user_and_partition": 1},
            in_line(partitions=[["p"], ["q"], ["p"], ["p"]], user=[0, 0, 1, 0]),
            ["j0", "j1", "j2"],
            id="per user and partition",
        ),
        pytest.param(
            {"array_tasks_max": 2}, in_line(array=[0, 0, 0, 3]), ["j0", "j1", "j3"], id="per array"
        ),
    ],
)
def test_looks_at_so_many(rule, jobs, told):
    assert list(look(jobs, BUSY, partitions=TWO, **rule)) == told
    assert list(look(jobs, BUSY, partitions=TWO)) == list(jobs)


def test_caps_count_those_who_may_be_considered():
    jobs = {"later": job(1, 100, not_before=9999), "now": job(1, 100)}
    assert look(jobs, BUSY, jobs_max=1, jobs_max_per_user=1) == {"now": 50}


def test_who_lacks_licenses_counts_for_the_user_and_not_for_all():
    jobs = {
        "licensed": job(1, 100, licenses=[[0, 1]]),
        "same": job(1, 100),
        "other": job(1, 100, user=1),
    }
    running = {"r": busy(0b1, 70, licenses=[[0, 1]])}
    machine = {"licenses": [1]}
    assert look(jobs, running, machine=machine, jobs_max_per_user=1) == {"other": 0}
    assert list(look(jobs, running, machine=machine, jobs_max=1)) == ["same"]


@pytest.mark.parametrize(
    "why",
    [
        pytest.param({"licenses": [[0, 1]]}, id="who lacks licenses"),
        pytest.param({"unreserved": True}, id="who gets no slot"),
        pytest.param({"nodes": 5}, id="who never fits"),
    ],
)
@pytest.mark.parametrize(("arrays", "told"), [([0, 0, 3], True), ([0, 1, 3], False)])
def test_where_a_task_gets_nothing_the_others_are_not_looked_at(why, arrays, told):
    jobs = in_line(array=arrays)
    jobs |= {name: jobs[name] | why for name in ("j0", "j1")}
    running = BUSY | {"s": busy(0, 70, licenses=[[0, 1]])}
    found = look(jobs, running, machine={"licenses": [1]}, jobs_max_per_user=2)
    assert ("j2" in found) is told


@pytest.mark.parametrize("most", [0, 1, 2])
def test_starts_so_many(most):
    jobs = {name: job(1, 100) for name in "abc"}
    assert list(look(jobs, starts_max=most)) == ["a", "b", "c"][: most or 3]


def test_protects_so_many_of_each_partition():
    first, late = {"partitions": ["p"]}, {"partitions": ["q"]}
    jobs = {"a": job(4, 100, **first), "b": job(4, 100, **first), "late": job(1, 140, **late)}
    running, partitions = {"r": busy(0b0111, 50)}, {"p": 0b1111, "q": 0b1111}
    assert look(jobs, running, partitions=partitions) == {"a": 50, "b": 150, "late": 250}
    # Nothing is kept for b, nor is it told: "late" gets its place, and is gone no sooner than b.
    found = look(jobs, running, partitions=partitions, protected_per_partition=1)
    assert found == {"a": 50, "late": 150}


@pytest.mark.parametrize(
    ("most", "told"),
    [
        (1, {"a": 50}),
        (3, {"a": 50, "b": 150}),
        (4, {"a": 50, "b": 150, "c": 250}),
        (5, {"a": 50, "b": 150, "c": 250, "now": 0}),
        (0, {"a": 50, "b": 150, "c": 250, "now": 0}),
    ],
)
def test_ends_once_its_table_is_full(most, told):
    jobs = {name: job(4, 100) for name in "abc"} | {"now": job(1, 49)}
    # The first slot parts the window in three, the next ones in one more each. Who has no place in
    # the table any more is told a start all the same.
    assert look(jobs, {"r": busy(0b0111, 50)}, entries_max=most) == told


def test_protects_a_job_of_two_partitions_in_the_first_only_if_told_so():
    partitions = {"p": 0b0011, "q": 0b1100}
    jobs = {"both": job(2, 100, partitions=["p", "q"]), "late": job(1, 100, partitions=["q"])}
    running = {"r": busy(0b0111, 50)}
    assert look(jobs, running, partitions=partitions)["late"] > 0
    assert look(jobs, running, partitions=partitions, one_slot_per_job=True)["late"] == 0


def test_protects_nobody_who_is_young():
    jobs = {"wide": job(4, 100), "small": job(1, 100)}
    running = {"r": busy(0b0111, 50)}
    assert look(jobs, running, min_age_s=60) == {"small": 0}


@pytest.mark.parametrize(("min_age_s", "found"), [(0, [1, 1]), (60, [0, 1])])
def test_nobody_looks_for_a_later_place_for_the_young(min_age_s, found):
    jobs = {"wide": job(4, 100), "small": job(1, 10)}
    scene = Scene(jobs, {"r": busy(0b0111, 50)}, min_age_s=min_age_s)
    scene.look()
    assert list(scene.forward.placer.tried) == found


@pytest.mark.parametrize(("since", "told"), [(0, {"small": 0}), (-61, {"wide": 50})])
def test_is_young_by_when_it_could_be_considered_first(since, told):
    # Whoever waits when time begins can be considered at any time before, as far as is known.
    early = {"not_before": -1_000}
    jobs = {"wide": job(4, 100, eligible_since=since, **early), "small": job(1, 100, **early)}
    assert look(jobs, {"r": busy(0b0111, 50)}, min_age_s=60) == told


def test_who_has_a_slot_already_is_told_of_no_start_elsewhere_but_now():
    # q is free sooner, but p comes first: there it gets its only slot
    jobs = {"both": job(2, 100, partitions=["p", "q"])}
    running, partitions = {"r": busy(0b0011, 80), "s": busy(0b1100, 50)}, {"p": 0b0011, "q": 0b1100}
    assert look(jobs, running, partitions=partitions, one_slot_per_job=True) == {"both": 80}
    running = {"r": busy(0b0011, 80)}
    assert look(jobs, running, partitions=partitions, one_slot_per_job=True) == {"both": 0}


def test_of_several_partitions_the_earliest_start_is_told():
    jobs = {"both": job(2, 100, partitions=["p", "q"])}
    running = {"r": busy(0b0011, 80), "s": busy(0b1100, 50)}
    assert look(jobs, running, partitions={"p": 0b0011, "q": 0b1100}) == {"both": 50}


@pytest.mark.parametrize(("planned", "told"), [(False, {}), (True, {"licensed": 70})])
def test_who_lacks_licenses_is_planned_only_if_told_so(planned, told):
    jobs = {"licensed": job(1, 100, licenses=[[0, 1]])}
    running = {"r": busy(0b1, 70, licenses=[[0, 1]])}
    machine = {"licenses": [1]}
    assert look(jobs, running, machine=machine, licenses_planned=planned) == told


def test_nobody_is_told_of_nodes_that_a_reservation_takes():
    # From 100 to 300 nodes 0 and 1 are closed.
    calendar = [0, [[-1, [0b1111]], [100, [0b1100]], [300, [0b1111]]]]
    jobs = {"wide": job(4, 150), "narrow": job(2, 150)}
    found = look(jobs, machine={"calendars": [calendar]})
    # Who meets it is tried again a second after its end.
    assert found == {"wide": 301, "narrow": 0}


@pytest.mark.parametrize(
    ("over_at", "step_s", "wide_at"),
    [
        pytest.param(300, 60, 301, id="at the end of a step"),
        pytest.param(310, 60, 361, id="within a step"),
        pytest.param(300, 1, 301, id="to the second"),
    ],
)
def test_behind_a_reservation_starts_are_sought_once_its_last_step_is_over(
    over_at, step_s, wide_at
):
    calendar = [0, [[-1, [0b1111]], [100, [0b1100]], [over_at, [0b1111], (), 0, "ends"]]]
    found = look({"wide": job(4, 150)}, machine={"calendars": [calendar]}, step_s=step_s)
    assert found == {"wide": wide_at}


# -- groups of ends ---------------------------------------------------------------------------

EIGHT = {"nodes": 1, "cpus": 8}


def ends(*seconds):
    return {f"r{n}": busy(0b1, at, cpus=1) for n, at in enumerate(seconds)}


@pytest.mark.parametrize(
    ("cpus", "told"),
    [
        pytest.param(1, 420, id="first group: from the first end, up to the mark and 30 s"),
        pytest.param(4, 440, id="second group: as wide"),
        pytest.param(5, 500, id="third group: as wide as the first two"),
        pytest.param(7, 600, id="fourth group: twice that"),
    ],
)
def test_ends_count_by_groups_that_double(cpus, told):
    # Counted from 390, as 360 is on a mark itself: groups end at 420, 450, 510, 630.
    running = ends(360, 390, 420, 440, 480, 500, 560, 600)
    jobs = {"a": job(1, 60, cpus=cpus)}
    assert look(jobs, running, machine=EIGHT, group_s=30) == {"a": told}


def test_ends_count_on_nodes_too_that_get_no_room():
    # Node 0 has no room when the slot of "before" ends, with which node 3 comes back. But the first
    # end is there, so that the one at 395 belongs to a group of its own.
    running = {"s": busy(0b0001, 331, cpus=1), "t": busy(0b0001, 9000, cpus=1)}
    running |= {"u": busy(0b0010, 395), "v": busy(0b0100, 425), "w": busy(0b1000, 600)}
    jobs = {"before": job(1, 60, candidates=0b1000), "a": job(1, 60, cpus=2)}
    found = look(jobs, running, machine={"nodes": 4, "cpus": 2}, group_s=30)
    assert found == {"before": 600, "a": 395}


def test_groups_that_grow_by_a_step():
    running = ends(360, 390, 420, 440, 480, 500, 560, 600)
    jobs = {"a": job(1, 60, cpus=7)}
    given = {"machine": EIGHT, "group_s": 30, "group_step_s": 30}
    assert look(jobs, running, **given) == {"a": 570 - 10}


def test_groups_are_counted_from_the_next_half_minute():
    # The first end is at 331, the mark at 360: so 390 still belongs to the first group.
    jobs = {"a": job(1, 60, cpus=1)}
    assert look(jobs, ends(*[331] * 1, *[390] * 7), machine=EIGHT, group_s=30) == {"a": 390}
    assert look(jobs, ends(*[330] * 1, *[390] * 7), machine=EIGHT, group_s=30) == {"a": 390}
    assert look(jobs, ends(*[329] * 1, *[390] * 7), machine=EIGHT, group_s=30) == {"a": 329}


def test_ends_elsewhere_do_not_count():
    machine = {"nodes": 2, "cpus": 1}
    partitions = {"p": 0b01, "q": 0b10}
    running = {"here": busy(0b01, 360), "there": busy(0b10, 380)}
    given = {"machine": machine, "partitions": partitions, "group_s": 30}
    assert look({"a": job(1, 60)}, running, **given) == {"a": 360}


@pytest.mark.parametrize(("elsewhere", "told"), [(380, 5000), (420, 5000), (421, 360)])
def test_an_end_elsewhere_lets_a_group_go_on_to_the_next_end_here(elsewhere, told):
    # As announced by a real scheduler: ends at 06:07:42 and 07:07:03 counted as one group, for
    # jobs on other nodes ended a few seconds after the first.
    machine = {"nodes": 3, "cpus": 1}
    partitions = {"p": 0b011, "q": 0b100}
    running = {"a": busy(0b001, 360), "b": busy(0b100, elsewhere), "c": busy(0b010, 5000)}
    given = {"machine": machine, "partitions": partitions, "group_s": 30}
    assert look({"j": job(1, 60)}, running, **given) == {"j": told}


def test_who_starts_now_is_not_delayed_by_groups():
    assert look({"a": job(1, 60, cpus=1)}, ends(10, 20), machine=EIGHT, group_s=30) == {"a": 0}


def test_passes_are_made_in_a_rhythm():
    # Who comes between two of them waits for the second.
    jobs = {"a": job(1, 10), "b": job(1, 10, enters_at=7)}
    found = Scene(jobs, **AHEAD_ONLY, first_at=5, period_s=30).run()
    assert found == {"a": 5, "b": 35}


# node  100      700
#  1    | wide   |       "wide" needs both nodes; node 1 is free until it starts
#  2  r |        |
TWO_NODES = {"nodes": 2, "cpus": 4}
WIDE = {"wide": job(2, 600)}
R_IS_BUSY = {"r": busy(0b10, 100)}


def test_who_accepts_less_time_is_tried_with_that():
    def starts(**fields):
        jobs = WIDE | {"j": job(1, 300, **fields)}
        return look(jobs, R_IS_BUSY, machine=TWO_NODES)["j"]

    assert starts() == 700
    assert starts(least_s=100) == 700
    assert starts(least_s=99) == 0


@pytest.mark.parametrize(
    ("stretches", "wide_at", "ends_at"),
    [
        pytest.param(False, 100, 30, id="it gets no more than it was tried with"),
        pytest.param(True, 100, 60, id="it gets as many whole minutes as delay nobody"),
        pytest.param(True, 900, 300, id="it gets no more than it asks for"),
    ],
)
def test_how_long_somebody_may_run_who_accepts_less(stretches, wide_at, ends_at):
    jobs = WIDE | {"j": job(1, 300, least_s=30)}
    scene = Scene(
        jobs,
        {"r": busy(0b10, wide_at)},
        machine=TWO_NODES,
        stretches=stretches,
        first_at=0,
        **AHEAD_ONLY,
    )
    scene.run(until=1)
    queue = scene.forward.queue
    assert queue.events.at[0] == min(ends_at, wide_at)
    assert scene.starts() == {"j": 0}


def test_a_reservation_is_in_the_way_like_a_slot():
    eras = [[-1, [0b11]], [150, [0b10]]]
    machine = TWO_NODES | {"calendars": [(0, eras)]}
    jobs = {"j": job(1, 300, least_s=30, candidates=0b01)}
    scene = Scene(jobs, machine=machine, stretches=True, **AHEAD_ONLY)
    scene.run(until=1)
    assert (scene.starts(), scene.forward.queue.events.at[0]) == ({"j": 0}, 120)


def test_the_pass_in_strict_order_takes_nobody_for_less():
    jobs = {"wide": job(2, 600, partitions=["q"]), "j": job(1, 300, least_s=30)}
    scene = Scene(jobs, R_IS_BUSY, machine=TWO_NODES, partitions={"p": 0b01, "q": 0b11})
    scene.run(until=1)
    assert scene.starts() == {"j": 0}


# n0-n2 [ r        ] 100
# n3      free           "wide" would have all four from 100 on
@pytest.mark.parametrize("unreserved", [False, True])
def test_who_gets_no_slot_is_in_nobodys_way(unreserved):
    jobs = {"wide": job(4, 50, unreserved=unreserved), "long": job(1, 500)}
    found = Scene(jobs, {"r": busy(0b0111, 100)}, **AHEAD_ONLY).run()
    assert found["long"] == (0 if unreserved else 180)


FLEETING = {"wide": job(4, 50), "long": job(1, 500, least_s=60, fleeting=True, unreserved=True)}
THREE_BUSY = {"r": busy(0b0111, 100)}


class TestWhoIsPlannedShortOnlyToFindAPlace:
    def test_has_all_its_time_then(self):
        assert Scene(FLEETING, THREE_BUSY, **AHEAD_ONLY).run() == {"long": 0, "wide": 510}

    def test_and_is_not_shortened_as_others_are(self):
        jobs = FLEETING | {"long": job(1, 500, least_s=60)}
        assert Scene(jobs, THREE_BUSY, **AHEAD_ONLY).run() == {"long": 0, "wide": 120}

    @pytest.mark.parametrize(("closes_at", "starts"), [(499, False), (500, True)])
    def test_but_does_not_start_where_it_would_have_to_leave(self, closes_at, starts):
        eras = [[-1, [0b1111]], [closes_at, [0b0111]]]
        machine = {"calendars": [(0, eras)]}
        found = Scene(FLEETING, THREE_BUSY, machine=machine, **AHEAD_ONLY).run(until=99)
        assert found == ({"long": 0} if starts else {})
