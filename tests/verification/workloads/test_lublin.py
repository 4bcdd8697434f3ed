"""The model of Lublin and Feitelson as published."""

import math
from bisect import bisect_right
from itertools import islice, pairwise

import pytest

from verification.workloads.gammas import gamma_cdf
from verification.workloads.lublin import (
    ALL,
    BATCH,
    INTERACTIVE,
    lublin_feitelson,
    slots_of,
)

# Deciles of 10,000 jobs for 256 nodes that the authors' own program wrote (lublin_256.swf).
RUNS_S = (7, 15, 29, 60, 137, 591, 6276, 10286, 15590)
SIZES = (1, 1, 2, 4, 8, 8, 16, 32, 64)
GAPS_S = (18, 32, 51, 77, 116, 176, 281, 501, 1270)


@pytest.fixture(scope="module")
def jobs():
    return list(islice(lublin_feitelson(256, 1, (ALL,)), 20_000))


def share_up_to(values, most):
    ordered = sorted(values)
    return bisect_right(ordered, most) / len(ordered)


def test_run_times_are_spread_as_the_authors_have_them(jobs):
    shares = [share_up_to([job.run_s for job in jobs], one) for one in RUNS_S]
    assert shares == pytest.approx([k / 10 for k in range(1, 10)], abs=0.02)


def test_gaps_are_spread_as_the_authors_have_them(jobs):
    gaps = [b.submit_s - a.submit_s for a, b in pairwise(jobs)]
    shares = [share_up_to(gaps, one) for one in GAPS_S]
    assert shares == pytest.approx([k / 10 for k in range(1, 10)], abs=0.02)


def test_sizes_are_spread_as_the_authors_have_them(jobs):
    sizes = sorted(job.procs for job in jobs)
    assert tuple(sizes[len(sizes) * k // 10] for k in range(1, 10)) == SIZES


@pytest.mark.parametrize("one", [ALL, BATCH, INTERACTIVE])
def test_published_shares_of_serial_jobs_and_powers_of_two(one):
    sizes = [job.procs for job in islice(lublin_feitelson(128, 2, (one,)), 20_000)]
    serial = sizes.count(1) / len(sizes)
    assert serial == pytest.approx(one.serial, abs=0.015)
    power = sum(1 for size in sizes if size & (size - 1) == 0) / len(sizes)
    assert power >= one.serial + one.powers - 0.02
    assert max(sizes) <= 128 * 2**-one.high_below + 1


def test_means_of_the_logarithms_are_those_of_the_gammas():
    runs = [job.run_s for job in islice(lublin_feitelson(128, 3, (BATCH,)), 20_000)]
    sizes = [job.procs for job in islice(lublin_feitelson(128, 3, (BATCH,)), 20_000)]
    shorter = sum(BATCH.share_slope * size + BATCH.share_at_0 for size in sizes) / len(sizes)
    (a1, b1), (a2, b2) = BATCH.shorter, BATCH.longer
    expected = shorter * a1 * b1 + (1 - shorter) * a2 * b2
    # Run times are whole seconds, cut; those above exp(12) s are drawn again.
    assert sum(math.log(run + 0.5) for run in runs) / len(runs) == pytest.approx(expected, rel=0.03)


def test_both_types_come_in_the_order_of_their_arrival():
    jobs = list(islice(lublin_feitelson(128, 1), 5000))
    assert [job.submit_s for job in jobs] == sorted(job.submit_s for job in jobs)
    assert {job.queue for job in jobs} == {0, 1}


def test_the_day_is_busiest_in_the_afternoon():
    slots = slots_of(ALL)
    assert sum(slots) / 48 == pytest.approx(1)
    assert 22 <= slots.index(max(slots)) <= 30
    assert slots.index(min(slots)) <= 12


def test_the_same_seed_gives_the_same_jobs():
    first, again, other = (list(islice(lublin_feitelson(64, s), 100)) for s in (1, 1, 2))
    assert first == again != other


def test_a_machine_too_small_for_the_model():
    with pytest.raises(ValueError, match="8 processors and more, not 4"):
        lublin_feitelson(4, 1)


@pytest.mark.parametrize(("shape", "value"), [(1.0, 0.5), (1.0, 3.0), (2.0, 4.0)])
def test_the_gamma_distribution_where_it_is_known(shape, value):
    known = 1 - math.exp(-value) * (1 if shape == 1 else 1 + value)
    assert gamma_cdf(value * 3, shape, 3.0) == pytest.approx(known)
    assert gamma_cdf(0, shape, 3.0) == 0
