"""Wishes for nodes on their whole path: from Slurm's answers to what is told of a job."""

from dataclasses import replace
from pathlib import Path

import pytest

from collectors.capture import Capture
from predictor.domain import Request, Sharing
from predictor.forecast import forecast
from predictor.lml import read, write
from predictor.plan import plan
from predictor.site import default

RECORDED = Path(__file__).parent / "recorded" / "scenarios"


def looks(scenario):
    return [observation.snapshot for observation in Capture(RECORDED / scenario).observations()]


def leaves(snapshot, names):
    return {node.switches[0] for node in snapshot.nodes if node.name in names}


@pytest.fixture(scope="module")
def under_switches():
    return looks("switches")


def test_a_tree_and_wishes_for_switches_are_read(under_switches):
    snapshot = under_switches[2]
    assert snapshot.nodes[0].switches == ("s1", "near", "top")
    assert snapshot.nodes[7].switches == ("s3", "top")
    wishes = {
        (job.spec.request.switches, job.spec.request.switches_wait_s)
        for look in under_switches
        for job in look.pending
    }
    assert wishes == {(None, None), (1, 25), (1, 300)}


def test_a_document_tells_all_that_decides(under_switches):
    for snapshot in under_switches[4:8]:
        again = read(write(snapshot)).snapshot
        assert again.nodes == snapshot.nodes
        assert [job.spec.request for job in again.pending] == [
            job.spec.request for job in snapshot.pending
        ]
        assert forecast(again, default()) == forecast(snapshot, default())


def test_who_insists_is_placed_under_one_leaf(under_switches):
    for snapshot in under_switches[3:20:4]:
        insist = {
            job.spec.id: replace(
                job,
                spec=replace(
                    job.spec, request=replace(job.spec.request, switches=1, switches_wait_s=None)
                ),
            )
            for job in snapshot.pending
            if job.spec.request.nodes <= 3
        }
        waiting = tuple(insist.get(job.spec.id, job) for job in snapshot.pending)
        made = forecast(replace(snapshot, pending=waiting), default())
        told = [one for one in made.predictions if one.job_id in insist and one.node_names]
        assert told and all(len(leaves(snapshot, one.node_names)) == 1 for one in told)


def test_a_plan_keeps_to_the_nodes_of_one_user():
    for snapshot in looks("own-nodes-by-wish")[2:20:5]:
        owners = {
            share.node: job.spec.user
            for job in snapshot.running
            for share in job.allocation
            if job.spec.request.sharing is Sharing.USER
        }
        users = {job.spec.id: job.spec.user for job in snapshot.pending}
        for id_, told in plan(snapshot, default()).items():
            strangers = {owners.get(name, users[id_]) for name in told.node_names} - {users[id_]}
            assert not strangers or told.start_at > snapshot.taken_at


@pytest.mark.parametrize(
    ("wishes", "detail"),
    [
        pytest.param(
            {"features": "fast*1", "required_nodes": ("n1",)},
            "node counts beside other wishes",
            id="counts beside named nodes are not guessed",
        ),
        pytest.param(
            {"required_nodes": ("n1", "future")},
            "requires nodes that the cluster does not show",
            id="nodes that are not there yet",
        ),
    ],
)
def test_what_cannot_be_told_of_wishes_for_nodes(wishes, detail):
    snapshot = looks("feature-counts")[1]
    job = snapshot.pending[0]
    request = Request(nodes=2, cpus=2, **wishes)
    asked = replace(job, spec=replace(job.spec, id="77", request=request))
    made = forecast(replace(snapshot, pending=(asked,)), default())
    assert not made.predictions
    assert detail in made.abstentions[0].detail
