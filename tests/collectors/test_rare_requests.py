"""One instant of Slurm 24.11 and 26.05 under blocks: rare requests, and nodes in rare states."""

import json

import pytest
from compared import differences
from permitted import permitted
from recorded_forms import BLOCKS, read

from collectors.slurm import questions
from collectors.slurm.objects.diagnosis import parse_diagnosis
from predictor.domain import NodeFlag
from predictor.forecast import forecast
from predictor.site import default

LATER = ("24.11", "26.05")
FORMS = ("text", "json", "rest")


@pytest.fixture(params=LATER)
def version(request):
    return request.param


@pytest.fixture
def instant(version):
    return read(version, BLOCKS)


def request_of(snapshot, name):
    jobs = (*snapshot.pending, *snapshot.running)
    return next(job.spec.request for job in jobs if job.spec.name.raw == name)


def test_text_and_json_make_the_same_snapshot(instant, version):
    text, as_json = instant.snapshot("text"), instant.snapshot("json")
    assert differences(text, as_json, permitted("text", f"json {version}")) == ()


def test_slurmrestd_tells_the_same_of_jobs_reservations_and_nodes(instant, version):
    text, rest = instant.snapshot("text"), instant.snapshot("rest")
    found = differences(text, rest, permitted("text", f"rest {version}"))
    # Before v0.0.44 blocked nodes are not told, nor so when they are free.
    untold = {("nodes", "flags"), ("nodes", "back_by")} if version == "24.11" else set()
    alike = {"pending", "running", "finished", "reservations", "nodes", "licenses", "health"}
    assert {(one.kind, one.field) for one in found if one.kind in alike} == untold


@pytest.mark.parametrize("form", FORMS)
def test_threads_tasks_and_sockets_are_counted(instant, form):
    # Nodes have two sockets of two cores of two threads, but one, of which it has four.
    snapshot = instant.snapshot(form)
    found = {
        name: (request.nodes, request.cpus, request.cpus_per_core)
        for name in ("one-thread", "no-multithread", "task-a-core", "task-a-socket", "threads")
        for request in [request_of(snapshot, name)]
    }
    assert found == {
        "one-thread": (3, 12, 1),
        "no-multithread": (3, 12, 1),
        "task-a-core": (3, 24, None),
        "task-a-socket": (2, 6, None),
        "threads": (1, 3, 1),
    }


@pytest.mark.parametrize("form", FORMS)
def test_what_is_not_counted_is_named(instant, version, form):
    snapshot = instant.snapshot(form)
    segment = ("--segment=2",) if version == "26.05" else ()  # 24.11 does not tell
    assert request_of(snapshot, "cores").uncounted == (
        "--sockets-per-node=2",
        "--cores-per-socket=2",
    )
    assert request_of(snapshot, "sizes").uncounted == ("--nodes=2,4,6",)
    assert request_of(snapshot, "segments").uncounted == segment
    assert request_of(snapshot, "bound").uncounted == ("--gres-flags=enforce-binding",)
    for name in ("alone", "topo", "topo2"):
        assert request_of(snapshot, name).uncounted == ("--exclusive=topo",)


@pytest.mark.parametrize("form", ["text", "json"])
def test_nodes_that_give_room_later(instant, form):
    snapshot = instant.snapshot(form)
    nodes = {node.name: node for node in snapshot.nodes}
    ends = {job.spec.name.raw: job.ends_by for job in snapshot.running}
    boot_s, dozes_s = 60, 10
    assert nodes["n3"].back_by == ends["downs"] + dozes_s + boot_s
    assert nodes["n4"].back_by == ends["boots"] + boot_s
    for name in ("n6", "n7", "n8"):
        assert NodeFlag.BLOCKED in nodes[name].flags
        assert nodes[name].back_by == ends["alone"]
    assert all(nodes[name].usable for name in ("n3", "n4", "n6", "d1"))
    if "d4" in nodes:  # an external one
        assert not nodes["d4"].usable


def test_every_waiting_job_has_an_answer(instant):
    snapshot = instant.snapshot("text")
    made = forecast(snapshot, default(), explained=True)
    told = {one.job_id for one in (*made.predictions, *made.abstentions)}
    assert told == {job.spec.id for job in snapshot.pending}
    named = {one.job_id: one.explanation.uncounted for one in made.predictions}
    sizes = next(job.spec.id for job in snapshot.pending if job.spec.name.raw == "sizes")
    assert named[sizes] == ("--nodes=2,4,6",)


def test_there_is_no_tree_under_blocks(instant, version):
    if version == "26.05":  # where topology.yaml may hold anything, whatever the plugin's name
        assert instant.printed[questions.TOPOLOGY.name].startswith("BlockName=b1")
    assert not any(node.switches for node in instant.snapshot("text").nodes)


def test_before_the_first_pass_there_is_no_mean(instant):  # as after `sdiag -r`, and a restart
    printed = json.loads(instant.printed["rest_diag"])
    means = ("schedule_cycle_mean", "bf_cycle_mean", "bf_depth_mean", "bf_queue_len_mean")
    counters = ("schedule_cycle_total", "bf_cycle_counter")
    printed["statistics"] |= dict.fromkeys((*means, *counters), 0)
    health = parse_diagnosis(json.dumps(printed))[0].health
    assert (health.main_cycle_mean_us, health.main_depth_mean) == (None, None)
    assert (health.backfill_cycle_mean_us, health.backfill_depth_mean) == (None, None)
    assert (health.backfill_depth_tried_mean, health.backfill_queue_mean) == (None, None)
    assert health.backfill_cycle_last_us is not None
