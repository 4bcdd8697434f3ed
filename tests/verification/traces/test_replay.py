"""Replays of traces, against a slow second opinion and by drawn scenes."""

import json
from itertools import accumulate, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slow_replay import slow_starts

from predictor.errors import DocumentError
from verification.traces.jobs import NEEDED, normalise
from verification.traces.replay import Policy, Semantics, replay, replay_jobs
from verification.traces.swf import read

ALL = list(product(Policy, Semantics))

# Machine of 4. "wide" needs all; only a job that is gone by 30, or leaves room then, may pass it.
BUSY = (0, 30, 2, 30)  # submit, run, processors, limit
WIDE = (1, 10, 4, 10)
LONG = (2, 60, 2, 60)
SHORT = (3, 20, 2, 20)


def text_of(rows, procs=None):
    header = f"; MaxProcs: {procs}\n" if procs else ""
    line = "{0} {1} -1 {2} {3} -1 -1 {3} {4} -1 1 1 1 -1 -1 -1 -1 -1\n"
    return header + "".join(line.format(number, *row) for number, row in enumerate(rows, 1))


@pytest.fixture
def starts_of(trace_file):
    def starts(rows, policy, semantics=Semantics.PER_INSTANT, procs=4):
        return list(replay(trace_file(text_of(rows)), policy, semantics, procs).starts)

    return starts


@pytest.mark.parametrize(
    ("policy", "starts"),
    [
        pytest.param(Policy.FCFS, [0, 30, 40, 40], id="fcfs: nobody passes the blocked one"),
        pytest.param(Policy.EASY, [0, 30, 40, 3], id="easy: only who is gone by 30 passes"),
        pytest.param(Policy.CONSERVATIVE, [0, 30, 40, 3], id="conservative: who fits the plan"),
    ],
)
def test_who_may_pass_a_blocked_job(starts_of, policy, starts):
    assert starts_of([BUSY, WIDE, LONG, SHORT], policy) == starts


@pytest.mark.parametrize(
    ("semantics", "start"), [(Semantics.PER_INSTANT, 2), (Semantics.PERFECT, 30)]
)
def test_a_long_job_may_pass_on_processors_that_stay_spare(starts_of, semantics, start):
    head, thin = (1, 10, 3, 10), (2, 60, 1, 60)
    assert starts_of([BUSY, head, thin], Policy.EASY, semantics)[2] == start


# At 9 "early" ends long before its limit just when "new" comes. New passes the head only if the
# end has been seen by then, or as long as it has not: that is what the semantics are about.
@pytest.mark.parametrize(
    ("semantics", "starts"),
    [(Semantics.PER_INSTANT, [0, 0, 9, 19]), (Semantics.PER_EVENT, [0, 0, 19, 9])],
)
def test_an_end_and_a_submission_at_the_same_second(starts_of, semantics, starts):
    early, other, head, new = (0, 9, 2, 90), (0, 9, 1, 90), (1, 10, 4, 10), (9, 10, 1, 10)
    assert starts_of([early, other, head, new], Policy.EASY, semantics) == starts


def test_who_ends_early_brings_plans_forward(starts_of):
    early, second, third = (0, 10, 4, 100), (1, 50, 4, 50), (2, 5, 4, 5)
    assert starts_of([early, second, third], Policy.CONSERVATIVE) == [0, 10, 60]


@pytest.mark.parametrize(
    ("policy", "semantics"), ALL, ids=lambda value: value.value if value else None
)
def test_a_real_trace_as_the_second_opinion_has_it(excerpt, policy, semantics):
    jobs = normalise(read(excerpt, NEEDED), machine=100).first(120)
    ours = list(replay_jobs(jobs, policy, semantics).starts)
    assert ours == slow_starts(rows_of(jobs), 100, policy, semantics)


def rows_of(jobs):
    columns = (jobs.submits, jobs.runs, jobs.procs, jobs.limits)
    return [list(row) for row in zip(*columns, strict=True)]


def test_the_summary_of_a_real_trace(excerpt):
    seen = replay(excerpt, Policy.EASY)
    columns = [line.split() for line in excerpt.read_text().splitlines() if line[0] != ";"]
    submits = [int(row[1]) - int(columns[0][1]) for row in columns]
    runs, procs = ([int(row[field]) for row in columns] for field in (3, 7))
    waits = [start - submit for start, submit in zip(seen.starts, submits, strict=True)]
    ends = [start + run for start, run in zip(seen.starts, runs, strict=True)]
    slow = [max(1, (w + r) / max(r, 10)) for w, r in zip(waits, runs, strict=True)]
    assert (seen.jobs, seen.incomplete, seen.too_wide) == (300, 0, 0)
    assert seen.mean_wait_s == sum(waits) / 300
    assert seen.max_wait_s == max(waits) > 0
    assert seen.mean_bounded_slowdown == pytest.approx(sum(slow) / 300, rel=1e-12)
    assert seen.makespan_s == max(ends)
    assert seen.utilisation == sum(map(int.__mul__, runs, procs)) / (100 * max(ends))


def crowded_jobs(random, count):
    """Jobs that fill a machine of 6; few distinct seconds and sizes, so that there are ties."""
    rows, submit = [], 5
    for _ in range(count):
        submit += random.choice((0, 0, 1, 2))
        run = random.randint(1, 6)
        limit = run + random.choice((0, 0, 1, 5, 9))
        rows.append((submit, run, random.choice((1, 1, 2, 2, 3, 4, 6)), limit))
    return rows


@pytest.mark.parametrize(("policy", "semantics"), ALL)
@given(random=st.randoms(use_true_random=True), count=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_any_jobs_start_as_the_second_opinion_has_it(
    tmp_path_factory, policy, semantics, random, count
):
    rows = crowded_jobs(random, count)
    file = tmp_path_factory.getbasetemp() / "any.swf"
    file.write_text(text_of(rows))
    ours = [start + rows[0][0] for start in replay(file, policy, semantics, procs=6).starts]
    assert ours == slow_starts(rows, 6, policy, semantics)


def starts_and_sums(path: str, policy: str, semantics: str) -> list[object]:
    seen = replay(Path(path), Policy(policy), Semantics(semantics))
    sums = [seen.mean_wait_s, seen.mean_bounded_slowdown, seen.utilisation, seen.makespan_s]
    return [json.dumps(sums), seen.starts_sha256, list(seen.starts)]


@pytest.mark.parametrize(("policy", "semantics"), ALL)
def test_both_kinds_of_engine_agree(same_in_both, excerpt, policy, semantics):
    same_in_both(starts_and_sums, str(excerpt), policy, semantics)


def test_a_deep_queue_behind_many_running_jobs(starts_of):
    many = [(0, 100 + number, 1, 200 + 3 * number) for number in range(900)]
    blocked = [(1, 50, 950, 50)]
    later = [(2, 5 + number % 7, 1 + number % 90, 400 + number) for number in range(900)]
    rows = many + blocked + later
    assert starts_of(rows, Policy.FCFS, procs=1000)[:902] == [0] * 900 + [949, 950]
    starts = starts_of(rows, Policy.EASY, procs=1000)
    assert starts[900] <= 200 + 3 * 849  # what it was promised at first
    assert max(starts[901:]) < starts[900]
    assert most_busy(rows, starts) == 1000


def most_busy(rows, starts):
    ends = [start + row[1] for start, row in zip(starts, rows, strict=True)]
    changes = [(start, row[2]) for start, row in zip(starts, rows, strict=True)]
    changes += [(end, -row[2]) for end, row in zip(ends, rows, strict=True)]
    return max(accumulate(change for _, change in sorted(changes)))


def test_jobs_wider_than_the_machine_are_refused_and_counted(trace_file):
    seen = replay(trace_file(text_of([BUSY, (1, 5, 5, 5), WIDE], procs=4)), Policy.EASY)
    assert (seen.jobs, seen.too_wide) == (2, 1)


def test_jobs_without_times_or_size_are_left_out_and_counted(trace_file):
    rows = [BUSY, (1, 0, 1, 5), (1, -1, 1, 5), (1, 5, 0, 5), (-1, 5, 1, 5), (2, 5, -1, 5)]
    seen = replay(trace_file(text_of(rows, procs=4)), Policy.EASY)
    assert (seen.jobs, seen.incomplete) == (1, 5)


def test_a_limit_below_the_run_time_stops_nobody(starts_of):
    assert starts_of([(0, 30, 4, 5), (1, 5, 4, -1)], Policy.EASY) == [0, 30]


def test_submissions_out_of_order_are_sorted(trace_file):
    path = trace_file(text_of([(50, 1, 1, 1), (40, 2, 1, 2), (50, 3, 1, 3)], procs=4))
    jobs = normalise(read(path, NEEDED), machine=4)
    assert list(jobs.submits) == [0, 10, 10]
    assert list(jobs.runs) == [2, 1, 3]
    assert list(jobs.numbers) == [2, 1, 3]


@pytest.mark.parametrize(
    ("text", "procs", "complaint"),
    [
        ("", 4, "no job to replay: 0 without"),
        ("; MaxProcs: 4\n", None, "no job to replay"),
        (text_of([(0, 5, 5, 5)]), 4, "0 without submit time, run time or size, 1 wider than 4"),
        (text_of([BUSY]), None, "no MaxProcs: say how many processors"),
        (text_of([BUSY]), 0, "a machine of 0 processors?"),
        (text_of([BUSY]), 10**19, "a machine of"),
        ("; MaxProcs: 0\n", None, "a machine of 0 processors?"),
        (text_of([(0, 10**15 - 1, 1, 1)] * 9), 10**6, "too long to add up"),
    ],
)
def test_what_cannot_be_replayed(trace_file, text, procs, complaint):
    with pytest.raises(DocumentError, match=r"trace\.swf: ") as raised:
        replay(trace_file(text), Policy.EASY, procs=procs)
    assert complaint in str(raised.value)


def test_large_numbers_that_still_add_up(trace_file):
    seen = replay(trace_file(text_of([(10**14, 10**14, 1, 10**14)] * 2)), Policy.FCFS, procs=1)
    assert list(seen.starts) == [0, 10**14]


def test_starts_cannot_be_changed(excerpt):
    with pytest.raises(TypeError):
        replay(excerpt, Policy.FCFS).starts[0] = 1
