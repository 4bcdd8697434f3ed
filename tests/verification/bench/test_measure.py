"""Figures of a piece of work, and the exponents of its growth."""

import json
from hashlib import sha256

import pytest

from verification.bench.growth import exponent, growth
from verification.bench.measure import NEVER, Figures, hash_of, measure, report


def test_figures_of_a_piece_of_work():
    runs = []

    def work():
        runs.append("run")
        return [0, 10, NEVER, 20]

    figures = measure("plan", lambda: work, jobs=4, nodes=2, repeat=3)
    assert len(runs) == 3
    assert figures.starts_mean_s == 10
    assert figures.hash == hash_of([0, 10, NEVER, 20])
    assert figures.user_s < 1 and figures.prepare_s < 1
    assert figures.peak_kib > 1024


def test_work_that_gives_another_result_when_repeated_is_refused():
    results = iter([[1], [2]])
    with pytest.raises(AssertionError, match="another result"):
        measure("plan", lambda: lambda: next(results), jobs=1, nodes=1, repeat=2)


def test_nobody_starts():
    assert measure("plan", lambda: lambda: [NEVER], jobs=1, nodes=1, repeat=1).starts_mean_s == 0


def test_the_hash_is_that_of_the_starts_as_64_bit_numbers():
    assert hash_of([0, 10]) == sha256(bytes(8) + b"\n" + bytes(7)).hexdigest()
    assert hash_of([NEVER]) == sha256(b"\xff" * 8).hexdigest()
    assert hash_of([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert hash_of([1, 0]) != hash_of([10])


def test_a_report_names_what_was_run():
    figures = measure("plan", lambda: lambda: [3], jobs=1, nodes=2, repeat=1)
    told = json.loads(json.dumps(report(figures, policy="conservative", seed=9)))
    assert told["schema"] == "queuecast.bench/1"
    assert (told["task"], told["jobs"], told["nodes"], told["seed"]) == ("plan", 1, 2, 9)
    assert {"user_s", "prepare_s", "hash", "peak_kib", "starts_mean_s", "version"} <= told.keys()


@pytest.mark.parametrize("power", [0, 1, 1.5, 2])
def test_the_exponent_of_a_power(power):
    assert exponent([1, 4, 16], [0.3 * n**power for n in (1, 4, 16)]) == pytest.approx(power)


def test_growth_over_jobs_and_over_nodes():
    def run(jobs: int, nodes: int) -> Figures:
        return Figures(
            task="plan",
            jobs=jobs,
            nodes=nodes,
            engine="pure",
            prepare_s=0,
            user_s=jobs**1.2 * nodes**0.4,
            hash="",
            peak_kib=0,
            starts_mean_s=0,
        )

    grown = growth(run, 100, 10)
    assert [(f.jobs, f.nodes) for f in grown.rows] == [
        (100, 10),
        (400, 10),
        (1600, 10),
        (100, 40),
        (100, 160),
    ]
    assert grown.jobs_exponent == pytest.approx(1.2)
    assert grown.nodes_exponent == pytest.approx(0.4)
