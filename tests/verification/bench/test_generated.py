"""Generated clusters: what the benchmark definition says of them."""

from collections import Counter

import pytest

from verification.bench.generated import LIMITS_S, generate

MANY = generate(20_000, 1000)


def test_the_first_draws_are_these_forever():
    cluster = generate(3, 10, seed=1)
    assert cluster.free_at == (*(20464, 292, 593, 553, 5364, 23541, 1840, 10104, 5152, 18136),)
    assert [(w.partition, w.nodes, w.limit_s) for w in cluster.queue] == [
        (3, 1, 7200),
        (0, 1, 10440),
        (0, 1, 43200),
    ]


def test_equal_numbers_give_an_equal_cluster():
    assert generate(50, 20, seed=7) == generate(50, 20, seed=7)
    assert generate(50, 20, seed=7) != generate(50, 20, seed=8)


def test_three_partitions_share_the_nodes_and_one_overlaps_them():
    assert [len(nodes) for nodes in MANY.partitions] == [700, 150, 150, 1000]
    assert [*MANY.partitions[0], *MANY.partitions[1], *MANY.partitions[2]] == list(range(1000))


def test_jobs_by_partition():
    shares = Counter(wish.partition for wish in MANY.queue)
    assert [100 * shares[p] / 20_000 for p in range(4)] == pytest.approx([75, 10, 10, 5], abs=1)


def test_widths():
    assert sum(w.nodes == 1 for w in MANY.queue) / 20_000 > 0.5
    assert sum(w.nodes.bit_count() == 1 for w in MANY.queue) / 20_000 > 0.8
    assert all(1 <= w.nodes <= len(MANY.partitions[w.partition]) // 4 for w in MANY.queue)


def test_limits():
    assert sum(w.limit_s in LIMITS_S for w in MANY.queue) / 20_000 == pytest.approx(0.6, abs=0.02)
    assert all(60 <= w.limit_s <= 86_400 and w.limit_s % 60 == 0 for w in MANY.queue)


def test_most_nodes_are_taken():
    assert 0.7 < sum(end_s > 0 for end_s in MANY.free_at) / 1000 < 1
    assert max(MANY.free_at) <= 86_400


@pytest.mark.parametrize(("jobs", "nodes"), [(0, 1), (5, 1), (5, 2), (1, 3)])
def test_the_smallest_clusters(jobs, nodes):
    cluster = generate(jobs, nodes)
    assert (len(cluster.queue), len(cluster.free_at)) == (jobs, nodes)
    assert all(wish.nodes == 1 for wish in cluster.queue)
