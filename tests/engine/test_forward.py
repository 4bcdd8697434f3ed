"""Time moves: who ends, comes, leaves, is held or waits for others, and when passes follow."""

import pytest
from engine_scenes import AHEAD_ONLY, FAR, STRICT_ONLY, Scene, busy, job

from predictor.engine import unlocked


def starts(jobs, running=None, until=100_000, **more):
    return Scene(jobs, running, **more).run(until)


AT_ONCE = {"period_s": 1}
"""A pass may follow each second."""
ALL_BUSY = {"r": busy(0b1111, 100)}


# -- ends ------------------------------------------------------------------------------------


def test_who_ends_makes_room_at_once():
    assert starts({"a": job(4, 10), "b": job(4, 10)}, ALL_BUSY) == {"a": 100, "b": 110}


def test_the_planned_end_decides_who_may_pass_and_the_real_one_when():
    # n0  r, planned until 100, ends at 30 | wide |       small would be gone by 90: it may pass.
    jobs = {"wide": job(4, 10), "small": job(1, 90), "long": job(1, 101)}
    running = {"r": busy(0b0111, 30, planned_s=100)}
    found = starts(jobs, running)
    assert found["small"] == 0
    assert found["wide"] == 90
    assert found["long"] >= 30


def test_who_really_runs_for_less_time_makes_room_sooner():
    assert starts({"a": job(4, 100, run_s=7), "b": job(4)}) == {"a": 0, "b": 7}


def test_who_overruns_keeps_its_nodes():
    comer = job(1, 5, enters_at=12)
    assert starts({"a": job(4, 10, run_s=25), "b": comer}, **AT_ONCE) == {"a": 0, "b": 25}
    assert starts({"a": comer}, {"r": busy(0b1111, 40, planned_s=10)}, **AT_ONCE) == {"a": 40}


def test_that_somebody_overruns_is_seen_once_its_time_is_over():
    # n0  r, planned until 100, ends at 160 | wide |
    # n1  brief |                           | wide | late |
    # Behind 100 it may end any moment: late would keep wide from it.
    jobs = {
        "wide": job(2, 100),
        "brief": job(1, 60),
        "late": job(1, 50, enters_at=60),
        "long": job(1, 70),
    }
    running = {"r": busy(0b01, 160, planned_s=100), **{f"s{n}": busy(1 << n, FAR) for n in (2, 3)}}
    found = starts(jobs, running, **AT_ONCE)
    assert found == {"brief": 0, "late": 260, "wide": 160, "long": 260}


@pytest.mark.parametrize(
    ("seen", "brief"),
    [
        pytest.param({}, 210, id="any moment"),
        pytest.param({"grace_s": 55}, 60, id="once the time is over that it is given to die"),
        pytest.param({"grace_s": 45}, 210, id="which is too little"),
        pytest.param({"ahead_s": 55}, 60, id="always so long from now"),
        pytest.param({"due_at": 20, "grace_s": 55}, 210, id="was due long before"),
    ],
)
def test_when_who_overruns_is_taken_to_end(seen, brief):
    # n0  r, planned until 55, ends at 110 | wide |
    # n1  gone at 60 |  brief if it may    | wide |
    running = {f"s{n}": busy(1 << n, FAR) for n in (2, 3)}
    running["gone"] = busy(0b10, 60)
    running["r"] = busy(0b01, 110, planned_s=55, **seen)
    jobs = {"wide": job(2, 100), "brief": job(1, 49)}
    found = starts(jobs, running, **AT_ONCE)
    assert found == {"wide": 110, "brief": brief}


def test_that_an_own_job_overruns_is_seen_once_its_time_is_over():
    jobs = {
        "over": job(1, 100, run_s=160),
        "wide": job(2, 100),
        "late": job(1, 50, enters_at=60),
    }
    running = {f"s{n}": busy(1 << n, FAR) for n in (2, 3)}
    assert starts(jobs, running, **AT_ONCE) == {"over": 0, "late": 100, "wide": 160}


@pytest.mark.parametrize(
    ("amended", "brief"),
    [
        pytest.param((), 20, id="as planned until 100"),
        pytest.param([(30, 40)], 20, id="not known before its time"),
        pytest.param([(15, 60)], 170, id="sooner, so that wide comes before brief"),
        pytest.param([(5, 60), (15, 100)], 20, id="sooner, and then not"),
        pytest.param([(15, 1)], 170, id="at once, and then it overruns"),
    ],
)
def test_a_planned_end_is_made_another(amended, brief):
    # n0  r, ends at 70             | wide |
    # n1        brief, from 20 on?  | wide |     unless wide is planned before that would be gone
    jobs = {"wide": job(2, 100), "brief": job(1, 79, enters_at=20)}
    running = {
        "r": busy(0b01, 70, planned_s=100, amended=amended),
        **{f"s{n}": busy(1 << n, FAR) for n in (2, 3)},
    }
    found = starts(jobs, running, **AT_ONCE)
    assert found == {"wide": 99 if brief == 20 else 70, "brief": brief}


def test_a_planned_end_that_is_put_off_lets_others_pass():
    jobs = {"wide": job(2, 100), "brief": job(1, 140, enters_at=20)}
    running = {
        "r": busy(0b01, 160, planned_s=100, amended=[(15, 170)]),
        **{f"s{n}": busy(1 << n, FAR) for n in (2, 3)},
    }
    assert starts(jobs, running, **AT_ONCE) == {"brief": 20, "wide": 160}


def test_nothing_happens_at_the_end_or_later():
    assert starts({"a": job(4)}, ALL_BUSY, until=100) == {}
    assert starts({"a": job(4)}, ALL_BUSY, until=101) == {"a": 100}


def test_who_can_never_start_does_not_keep_time_going():
    scene = Scene({"a": job(4)}, {"r": busy(0b1111, FAR)})
    assert scene.run() == {}


def test_it_stops_after_so_many_looks():
    jobs = {f"j{n}": job(4, 10) for n in range(50)}
    scene = Scene(jobs, **AHEAD_ONLY)
    few = len(scene.run(looks=10))
    assert 0 < few < 50
    assert len(scene.run()) == 50


# -- who comes, leaves, is held ----------------------------------------------------------------


def test_a_pass_follows_an_arrival_at_once():
    jobs = {"a": job(1, enters_at=77)}
    assert starts(jobs, arrival_delay_s=3, main_period_s=10_000, **STRICT_ONLY) == {"a": 77}


@pytest.mark.parametrize(("delay_s", "second"), [(0, 43), (3, 45)])
def test_passes_that_arrivals_call_for_are_so_far_apart(delay_s, second):
    # As measured on a real scheduler: submissions at 42, 43 and 46 start at 42, 45 and 48.
    jobs = {"a": job(1, enters_at=42), "b": job(1, enters_at=43), "c": job(1, enters_at=46)}
    found = starts(jobs, arrival_delay_s=delay_s, main_period_s=10_000, **STRICT_ONLY)
    assert found == {"a": 42, "b": second, "c": 46 if delay_s == 0 else 48}


def test_the_pass_that_an_end_calls_for_does_not_put_submissions_off():
    running = {"r": busy(0b0001, 50)}
    found = starts({"a": job(1, enters_at=51)}, running, arrival_delay_s=3, **STRICT_ONLY)
    assert found == {"a": 51}


@pytest.mark.parametrize(("pause_s", "second"), [(0, 101), (2, 102)])
def test_passes_in_strict_order_keep_a_pause_whatever_calls_for_them(pause_s, second):
    running = {"r": busy(0b0001, 100), "s": busy(0b0010, 101), "t": busy(0b1100, FAR)}
    found = starts({"a": job(1), "b": job(1)}, running, main_pause_s=pause_s, **STRICT_ONLY)
    assert found == {"a": 100, "b": second}


@pytest.mark.parametrize(("pause_s", "start"), [(0, 60), (5, 63)])
def test_a_regular_pass_that_falls_into_a_pause_looks_at_everybody_behind_it(pause_s, start):
    # The pass that the end at 58 calls for looks at the first job only.
    jobs = {"wide": job(3, partitions=["p"]), "small": job(1, partitions=["q"])}
    running = {"r": busy(0b0001, 58), "s": busy(0b0010, FAR)}
    rules = {"main_depth": 1, "main_pause_s": pause_s, **STRICT_ONLY}
    found = starts(jobs, running, partitions={"p": 0b1110, "q": 0b0001}, **rules)
    assert found == {"small": start}


def test_passes_that_look_ahead_are_made_when_told_and_then_go_on_in_their_rhythm():
    jobs = {f"at {at}": job(1, enters_at=at) for at in (5, 20, 48, 110)}
    found = starts(jobs, first_at=10, told_at=(10, 47), period_s=60, **AHEAD_ONLY)
    assert found == {"at 5": 10, "at 20": 47, "at 48": 107, "at 110": 167}


def test_a_told_pass_is_left_out_where_nothing_has_changed():
    jobs = {"a": job(1), "b": job(1, enters_at=50)}
    found = starts(jobs, first_at=10, told_at=(10, 20, 30, 77), period_s=9, **AHEAD_ONLY)
    assert found == {"a": 10, "b": 77}


def test_who_has_not_come_stops_nobody():
    assert starts({"a": job(4, 10, enters_at=5), "b": job(1, 60)})["b"] == 0


def test_who_leaves_does_not_start_and_makes_way():
    jobs = {"wide": job(4, leaves_at=50), "small": job(1, 500)}
    found = starts(jobs, {"r": busy(0b0111, 100)}, **AHEAD_ONLY)
    assert found == {"small": 60}


@pytest.mark.parametrize("leaves_at", [60, 77])
def test_who_is_withdrawn_when_it_comes_does_not_start(leaves_at):
    jobs = {"a": job(1, enters_at=77, leaves_at=leaves_at), "b": job(1, after=[{"people": ["a"]}])}
    assert starts(jobs, **AT_ONCE) == {"b": leaves_at}


@pytest.mark.parametrize(
    ("held", "start"),
    [
        pytest.param([[-9, 50]], 50, id="released"),
        pytest.param([[10, 50]], 0, id="held only later"),
        pytest.param([[-9, 50], [40, 70]], 70, id="held twice"),
        pytest.param([[-9, FAR]], None, id="never released"),
    ],
)
def test_holds(held, start):
    assert starts({"a": job(1, held=held)}).get("a") == start


def test_not_before():
    assert starts({"a": job(1, not_before=55)}, **AT_ONCE) == {"a": 55}


def test_nobody_hurries_because_a_time_has_come():
    # The next pass of either kind is due after a minute.
    assert starts({"a": job(1, not_before=55)}) == {"a": 60}


# -- who waits for others ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "start"),
    [
        pytest.param({"people": ["r"]}, 100, id="ended"),
        pytest.param({"people": ["r"], "delay_s": 20}, 120, id="ended, and some time later"),
        pytest.param({"people": ["r", "r"]}, 100, id="named twice"),
        pytest.param({"people": ["r"], "started": True}, 0, id="started long ago"),
        pytest.param({"people": ["r"], "started": True, "delay_s": 9}, 9, id="and some time"),
        pytest.param({"people": []}, 0, id="nobody"),
        pytest.param({"people": ["nobody knows"]}, None, id="somebody who never ends"),
    ],
)
def test_a_condition(condition, start):
    found = starts({"a": job(1, after=[condition])}, {"r": busy(0b0001, 100)}, **AT_ONCE)
    assert found.get("a") == start


@pytest.mark.parametrize(("any_of", "start"), [(False, 100), (True, 40)])
def test_all_conditions_or_any(any_of, start):
    after = [{"people": ["r"]}, {"people": ["s"]}]
    running = {"r": busy(0b0001, 100), "s": busy(0b0010, 40)}
    assert starts({"a": job(1, after=after, any_of=any_of)}, running) == {"a": start}


def test_who_waits_for_a_start_is_let_in_a_second_later():
    jobs = {"a": job(1), "b": job(1, after=[{"people": ["a"], "started": True}])}
    assert starts(jobs, **AT_ONCE)["b"] == 1


def test_a_chain_and_a_circle():
    chain = {"a": job(1, 10), "b": job(1, 10, after=[{"people": ["a"]}])}
    assert starts(chain | {"c": job(1, 10, after=[{"people": ["b"]}])}) == {
        "a": 0,
        "b": 10,
        "c": 20,
    }
    circle = {name: job(1, after=[{"people": [other]}]) for name, other in ("ab", "ba")}
    assert starts(circle) == {}


def test_who_left_counts_as_ended():
    jobs = {"a": job(1, not_before=FAR, leaves_at=33), "b": job(1, after=[{"people": ["a"]}])}
    assert starts(jobs, **AT_ONCE) == {"b": 33}


def test_so_many_of_a_lane_at_a_time():
    jobs = {f"j{n}": job(1, 10, lane=0) for n in range(5)}
    assert list(starts(jobs, lanes=[2]).values()) == [0, 0, 10, 10, 20]
    running = {"r": busy(0b0001, 25, lane=0)}
    assert list(starts({"a": job(1, lane=0)}, running, lanes=[1]).values()) == [25]


# -- other forms -------------------------------------------------------------------------------


def changed(at):
    """A wide job that shrinks at an instant, and one that waits for its end."""
    return {
        "first": job(4, 20, leaves_at=at, replaced=True),
        "later": job(1, 20, enters_at=at, other_form_of="first"),
        "after": job(1, 5, after=[{"people": ["first"]}]),
    }


def test_a_job_is_as_changed_from_then_on_and_known_as_before():
    found = starts(changed(50), {"r": busy(0b0011, 1000)}, arrival_delay_s=0)
    assert found == {"later": 50, "after": 70}


def test_who_started_before_is_not_started_again_in_another_form():
    assert starts(changed(50)) == {"first": 0, "after": 20}


# -- reservations ------------------------------------------------------------------------------

# From 200 to 300 the machine is closed.
CLOSED = [[-1, [0b1111]], [200, [0]], [300, [0b1111]]]
OPEN = [[-1, [0b1111]]]


def test_who_would_run_into_a_reservation_waits_for_its_end():
    jobs = {"fits": job(1, 200), "runs into it": job(1, 201)}
    assert starts(jobs, machine={"calendars": [[0, CLOSED]]}) == {"fits": 0, "runs into it": 300}


def test_a_reservation_binds_once_it_is_known():
    machine = {"calendars": [[0, OPEN], [50, CLOSED]]}
    jobs = {"before": job(1, 500), "after": job(1, 500, enters_at=60)}
    assert starts(jobs, machine=machine) == {"before": 0, "after": 300}


def test_a_withdrawn_reservation_lets_in_at_once():
    machine = {"calendars": [[0, CLOSED], [50, OPEN]]}
    assert starts({"a": job(1, 500)}, machine=machine) == {"a": 50}


# -- passes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("ahead", [STRICT_ONLY, {"jobs_max_per_user": 1}], ids=str)
def test_the_pass_that_looks_at_everybody_comes_round(ahead):
    # Nothing but time passes: only the depth of the quick pass keeps "behind" waiting, and that
    # whoever looks ahead passes over the second job of a user.
    partitions = {"p": 0b0111, "q": 0b1000}
    jobs = {"wide": job(3), "behind": job(1, partitions=["q"])}
    found = starts(
        jobs,
        {"r": busy(0b0111, 1000)},
        partitions=partitions,
        main_depth=1,
        main_period_s=45,
        **ahead,
    )
    assert found["behind"] == 45


def test_looking_ahead_lets_pass_what_strict_order_stops():
    jobs = {"wide": job(4, 10), "small": job(1, 50)}
    running = {"r": busy(0b0111, 100)}
    assert starts(jobs, running, **STRICT_ONLY) == {"wide": 100, "small": 110}
    assert starts(jobs, running) == {"wide": 100, "small": 0}


def test_equals_keep_the_order_given():
    jobs = {f"j{n}": job(4, 10) for n in range(6)}
    assert list(starts(jobs)) == list(jobs)


def test_a_rehearsal_lets_everything_happen_first_whose_time_has_come():
    jobs = {"leaves": job(4, 90, leaves_at=0), "waits": job(4, 50)}
    told = [
        Scene(jobs, {"r": busy(0b0001, 100)}, **AHEAD_ONLY).look(look)
        for look in (unlocked.look_ahead, unlocked.rehearse)
    ]
    assert told == [{"leaves": 100, "waits": 190}, {"waits": 100}]
