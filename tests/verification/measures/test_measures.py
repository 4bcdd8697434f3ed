"""The measures of a schedule, worked out by hand on one small machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.measures import MEASURES, Ran, Watch, queue_size, slowdown, waited_s
from verification.measures.steps import held, together
from verification.measures.waits import jain

# second  0    10    20    30    40     a machine of two nodes with 2 CPUs each
# n1      [ a  a  a  ]                  a: both CPUs of n1, from the start
# n1                 [ c  c  ]          c: waits 20 s for n1, which it wants whole
# n2      [ b  ]                        b: one CPU of n2
# -                        d            d: comes at 35 and never starts
JOBS = (
    Ran(
        id="a",
        submit_at=0,
        start_at=0,
        end_at=20,
        cpus=2,
        node_names=("n1",),
        classes={"user": "u"},
    ),
    Ran(
        id="b",
        submit_at=0,
        start_at=0,
        end_at=10,
        cpus=1,
        node_names=("n2",),
        classes={"user": "u"},
    ),
    Ran(
        id="c",
        submit_at=0,
        start_at=20,
        end_at=40,
        cpus=2,
        node_names=("n1",),
        classes={"user": "v"},
    ),
    Ran(id="d", submit_at=35, cpus=4, classes={"user": "v"}),
)
WATCH = Watch(since=0, until=40, cpus=4, node_cpus={"n1": 2, "n2": 2})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("mean_wait_s", (0 + 0 + 20 + 5) / 4, id="d counts as long as it has waited"),
        pytest.param("median_wait_s", 0, id="of four the second"),
        pytest.param("p90_wait_s", 20, id="of four the fourth"),
        pytest.param("mean_slowdown", (1 + 1 + 2) / 3, id="c was there twice as long as it ran"),
        pytest.param("mean_turnaround_s", (20 + 10 + 40) / 3, id="of those who ended"),
        pytest.param("utilisation", (2 * 20 + 10 + 2 * 20) / 160, id="CPU-seconds held"),
        pytest.param("throughput_per_h", 3600 * 2 / 40, id="c ends when nobody watches any more"),
        pytest.param("makespan_s", None, id="nobody knows when d ends"),
        pytest.param("mean_queue", (20 + 5) / 40, id="c for 20 s, d for 5 s"),
        pytest.param("most_waiting", 1, id="never two"),
        # 0-10: 1 idle, c asks for 2: 1 lost; 10-20: 2 idle: 2 lost; 35-40: 2 idle, d asks for 4.
        pytest.param("fragmentation", (10 + 20 + 10) / 160, id="idle while somebody asked for it"),
        pytest.param("allocation_efficiency", 90 / (2 * 40 + 2 * 10), id="b uses half of n2"),
        pytest.param("fairness", 9 / (2 * 5), id="u meets a slowdown of 1, v of 2"),
    ],
)
def test_each_measure_by_hand(name, value):
    assert MEASURES[name].of(JOBS, WATCH) == pytest.approx(value)


def test_makespan_is_that_of_the_last_end():
    assert MEASURES["makespan_s"].of(JOBS[:3], WATCH) == 40


@pytest.mark.parametrize("name", MEASURES)
def test_of_nobody_nothing_fails(name):
    assert MEASURES[name].of((), WATCH) in (None, 0)


def test_who_left_the_queue_waited_until_then_and_delays_no_makespan():
    gone = Ran(id="e", submit_at=5, left_at=8)
    assert waited_s(gone, 40) == 3
    assert MEASURES["makespan_s"].of((*JOBS[:3], gone), WATCH) == 40


def test_a_start_after_the_watch_is_not_known_yet():
    watch = Watch(since=0, until=10, cpus=4)
    assert waited_s(JOBS[2], watch.known_until) == 10
    assert waited_s(JOBS[3], watch.known_until) is None


def test_waits_may_be_known_for_longer_than_the_machine_is_watched():
    watch = Watch(since=0, until=10, cpus=4, seen_until=30)
    assert MEASURES["mean_wait_s"].of(JOBS[:3], watch) == 20 / 3


@pytest.mark.parametrize(
    ("run_s", "wait_s", "value"),
    [
        pytest.param(100, 100, 2.0, id="as long again"),
        pytest.param(1, 99, 10.0, id="a run of a second counts as ten"),
        pytest.param(1, 0, 1.0, id="never below 1"),
    ],
)
def test_bounded_slowdown(run_s, wait_s, value):
    assert slowdown(Ran(id="x", submit_at=0, start_at=wait_s, end_at=wait_s + run_s)) == value


def test_the_queue_as_steps():
    assert list(queue_size(JOBS, WATCH)) == [(0, 20, 1), (20, 35, 0), (35, 40, 1)]


@pytest.mark.parametrize(
    ("amounts", "value"),
    [((3.0, 3.0, 3.0), 1.0), ((1.0, 0.0, 0.0, 0.0), 0.25), ((), None), ((0.0,), None)],
)
def test_jain(amounts, value):
    assert jain(amounts) == value


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="x ends before it starts"):
        Ran(id="x", submit_at=0, start_at=5, end_at=4)
    with pytest.raises(ValueError, match="x ends before it starts"):
        Ran(id="x", submit_at=0, end_at=4)
    with pytest.raises(ValueError, match="nothing is watched"):
        Watch(since=5, until=5, cpus=1)
    with pytest.raises(ValueError, match="at least one CPU"):
        Watch(since=0, until=5, cpus=0)


spans = st.lists(
    st.tuples(st.integers(-5, 25), st.none() | st.integers(-5, 25), st.integers(0, 4)), max_size=8
)


@given(spans, spans)
def test_steps_agree_with_looking_at_every_second(one, other):
    def height(of, second):
        return sum(n for begin, end, n in of if begin <= second and (end is None or second < end))

    steps = list(held(one, 0, 20))
    assert steps[0][0] == 0
    assert steps[-1][1] == 20
    assert [h for begin, end, h in steps for _ in range(begin, end)] == [
        height(one, second) for second in range(20)
    ]
    pairs = [(a, b) for length, a, b in together(steps, held(other, 0, 20)) for _ in range(length)]
    assert pairs == [(height(one, second), height(other, second)) for second in range(20)]
