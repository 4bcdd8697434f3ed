"""Whose jobs keep others off a node, where Slurm tells but whose node it is."""

from dataclasses import replace

import pytest
from clusters import nodes, partition, running

from collectors.slurm.owners import beside_own
from predictor.domain import Sharing

NODES = tuple(
    replace(one, owner=owner) for one, owner in zip(nodes(3), ("ada", "", "bob"), strict=True)
)


def sharing(*jobs, exclusive_user=False):
    """Return how each job shares nodes after all."""
    parts = (partition("batch", NODES, exclusive_user=exclusive_user),)
    return [job.spec.request.sharing for job in beside_own(jobs, NODES, parts)]


def told(job, how):
    return replace(job, spec=replace(job.spec, request=replace(job.spec.request, sharing=how)))


@pytest.mark.parametrize(
    ("names", "user", "how"),
    [
        pytest.param("n1", "ada", Sharing.USER, id="on a node of its user's"),
        pytest.param("n2 n1", "ada", Sharing.USER, id="on one of them"),
        pytest.param("n2", "ada", Sharing.SHARED, id="on nobody's"),
        pytest.param("n3", "ada", Sharing.SHARED, id="on another's"),
    ],
)
def test_who_is_on_a_node_that_its_user_owns_keeps_others_off(names, user, how):
    assert sharing(running("1", names, 10, user=user)) == [how]


def test_all_of_his_there_do_if_none_is_told_to():
    assert sharing(running("1", "n1", 10), running("2", "n1", 10)) == [Sharing.USER] * 2


def test_where_one_is_told_to_the_others_need_not():
    jobs = told(running("1", "n1", 10), Sharing.USER), running("2", "n1", 10)
    assert sharing(*jobs) == [Sharing.USER, Sharing.SHARED]


def test_where_the_partition_tells_nobody_is_told_otherwise():
    assert sharing(running("1", "n1", 10), exclusive_user=True) == [Sharing.SHARED]


def test_who_has_whole_nodes_has_them_still():
    assert sharing(told(running("1", "n1", 10), Sharing.EXCLUSIVE)) == [Sharing.EXCLUSIVE]
