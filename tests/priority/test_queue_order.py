"""Who stands before whom in the queue."""

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import snapshots

from predictor.domain import ArrayTasks, HetComponent, PriorityFactors
from predictor.priority.attributes import NAMES
from predictor.priority.formula import compile_formula
from predictor.priority.order import queue_order


def ids(entries):
    return [entry.job.spec.id for entry in entries]


def told(partition, priority):
    return PriorityFactors(partition=partition, priority=priority)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(
            {"reservation": "maint", "priority": 1},
            {"partitions": ("urgent",), "priority": 9},
            id="a job of an advance reservation before a higher tier",
        ),
        pytest.param(
            {"partitions": ("urgent",), "priority": 1},
            {"priority": 9},
            id="a higher tier before a higher priority",
        ),
        pytest.param(
            {"priority": 9}, {"priority": 8, "wait_s": 100}, id="a higher priority before age"
        ),
        pytest.param(
            {"priority": 5, "wait_s": 100}, {"priority": 5}, id="the older of equal priority"
        ),
        pytest.param({"priority": 0}, {"wait_s": 9}, id="any priority before none"),
        pytest.param({"wait_s": 9}, {}, id="without priorities the older"),
    ],
)
def test_what_counts_first(job, snapshot, first, second):
    for names in (("1", "2"), ("2", "1")):
        jobs = [job(names[0], **first), job(names[1], **second)]
        for order in (jobs, jobs[::-1]):
            assert ids(queue_order(snapshot(*order))) == list(names)


def test_equal_jobs_go_by_number_not_by_spelling(job, snapshot):
    jobs = [
        job("9"),
        job("10", het=HetComponent(job_id="10", offset=0)),
        job("10+2", het=HetComponent(job_id="10", offset=2)),
        job("10+11", het=HetComponent(job_id="10", offset=11)),
        job("12_3", array=ArrayTasks(job_id="12", tasks=(3,))),
        job("12_[5-20]", array=ArrayTasks(job_id="12", tasks=tuple(range(5, 21)))),
        job("12_30", array=ArrayTasks(job_id="12", tasks=(30,))),
        job("100"),
        job("1000.server"),
    ]
    for start in range(len(jobs)):
        turned = jobs[start::-1] + jobs[:start:-1]
        assert ids(queue_order(snapshot(*turned))) == [each.spec.id for each in jobs]


def test_ids_of_any_length_and_script_have_an_order(job, snapshot):
    odd = ["", "x", "9" * 6_000, "٣", "000", "1" + "0" * 6_000]
    assert sorted(ids(queue_order(snapshot(*map(job, odd))))) == sorted(odd)


def test_a_job_of_several_partitions_stands_in_each_with_its_priority_there(job, snapshot):
    both = job(
        "1",
        partitions=("batch", "urgent"),
        priority=50,
        pending={"priorities": (told("batch", 10), told("urgent", 20))},
    )
    entries = queue_order(snapshot(job("2", priority=15), both))
    assert [(e.job.spec.id, e.partition, e.priority) for e in entries] == [
        ("1", "urgent", 20),
        ("2", "batch", 15),
        ("1", "batch", 10),
    ]


def test_equal_partitions_keep_the_order_of_the_job_s_list(job, snapshot):
    entries = queue_order(snapshot(job("1", partitions=("b", "a")), partitions=()))
    assert [entry.partition for entry in entries] == ["b", "a"]


def test_a_job_of_no_known_partition_is_in_the_queue_too(job, snapshot):
    (entry,) = queue_order(snapshot(job("1", partitions=())))
    assert entry.partition == ""


def test_a_formula_replaces_the_batch_system_s_priority(job, snapshot):
    jobs = [job("1", nodes=1, priority=9), job("2", nodes=4, priority=1)]
    entries = queue_order(snapshot(*jobs), compile_formula("10 * nodes", NAMES))
    assert [(entry.job.spec.id, entry.priority) for entry in entries] == [("2", 40), ("1", 10)]


def test_where_a_formula_fails_the_job_is_last_and_says_why(job, snapshot):
    jobs = [job("1", nodes=2, reservation="r"), job("2", nodes=3, wait_s=5)]
    entries = queue_order(snapshot(*jobs), compile_formula("1 / (nodes - 2)", NAMES))
    assert [(e.job.spec.id, e.priority, e.error) for e in entries] == [
        ("2", 1, ""),
        ("1", None, "division by zero"),
    ]


@given(snapshots())
def test_every_job_is_in_every_queue_of_its_own_once(whole):
    entries = queue_order(whole)
    places = [(entry.job.spec.id, entry.partition) for entry in entries]
    assert sorted(places) == sorted(
        (each.spec.id, name) for each in whole.pending for name in each.spec.partitions or ("",)
    )


@given(snapshots(), st.sampled_from(sorted(NAMES)))
def test_any_job_has_a_finite_priority_or_an_error(whole, name):
    for entry in queue_order(whole, compile_formula(f"2 * {name}", NAMES)):
        assert (entry.priority is None) == bool(entry.error)
        assert entry.priority is None or math.isfinite(entry.priority)


@pytest.mark.parametrize("text", [None, "1000 * xfactor + 3 * nodes - 10 * user_running_jobs"])
def test_ten_thousand_jobs_are_ordered_quickly(job, snapshot, text):
    jobs = [job(str(n), priority=n * 7 % 1000, wait_s=n * 31 % 10_000) for n in range(10_000)]
    whole, rule = snapshot(*jobs), text and compile_formula(text, NAMES)
    # The least of some, as who shares the processor's caches makes it slower.
    took = []
    for _ in range(3):
        begin = time.process_time()
        assert len(queue_order(whole, rule)) == 10_000
        took.append(time.process_time() - begin)
    assert min(took) < 0.6
