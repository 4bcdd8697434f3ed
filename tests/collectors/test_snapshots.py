"""Whole answers of two versions, read into snapshots."""

import json
import math

import pytest

from collectors.slurm.words.visibility import ALL_PRIVATE
from predictor.domain import (
    UNLIMITED,
    CpuGranularity,
    Eviction,
    Fact,
    NodeFlag,
    NodeState,
    Outcome,
    Preemption,
    ReservationFlag,
    amount_of,
)
from predictor.errors import SourceError, SourceFormatError

VERSIONS = pytest.mark.parametrize("version", ["22.05", "26.05"])


@VERSIONS
def test_every_record_is_understood_and_nothing_is_hidden_from_root(snapshot, version):
    told = snapshot(version).provenance
    assert (told.hidden, told.quarantined) == ((), ())
    assert told.version.startswith(version)


@VERSIONS
def test_jobs(snapshot, version):
    seen = snapshot(version)
    jobs = {job.spec.id: job for job in (*seen.pending, *seen.running, *seen.finished)}
    assert jobs["7_[0-9%2]"].spec.array.max_running == 2
    assert jobs["8"].spec.request.licenses == (("matlab", 9),)
    assert jobs["4"].spec.request.gres_per_node == (("gpu:tesla", 1),)
    assert jobs["9"].spec.request.features == "fast&b"
    assert jobs["9"].begin_at == jobs["9"].spec.eligible_at
    assert jobs["14"].spec.partitions == ("debug", "batch")
    assert jobs["5"].spec.request.cpus_per_node == 4
    assert {"12+0", "12+1"} <= jobs.keys()


@VERSIONS
def test_licenses_of_which_nobody_tells_are_those_configured(answers, snapshot, version):
    told = {pool.name: pool for pool in snapshot(version).licenses}
    config = answers(version).printed["config"].replace("(null)", "matlab:10,fluent:4")
    seen = snapshot(version, licenses=None, config=config)
    used = [dict(job.spec.request.licenses).get("matlab", 0) for job in seen.running]
    assert {pool.name: (pool.total, pool.used) for pool in seen.licenses} == {
        "fluent": (told["fluent"].total, 0),
        "matlab": (told["matlab"].total, sum(used)),
    }
    odd = config.replace("matlab:10", "matlab:ten")
    assert snapshot(version, licenses=None, config=odd).licenses == ()


@VERSIONS
def test_running_jobs_hold_what_the_controller_says(snapshot, version):
    seen = snapshot(version)
    for job in seen.running:
        allocated = sum(share.cpus for share in job.allocation)
        assert allocated == job.spec.request.cpus
        assert all(share.memory_mb >= 500 for share in job.allocation)
    for node in seen.nodes:
        shares = [s for job in seen.running for s in job.allocation if s.node == node.name]
        assert sum(share.cpus for share in shares) == node.cpus_allocated
        assert sum(share.memory_mb for share in shares) == node.memory_allocated_mb


@VERSIONS
def test_a_job_in_two_partitions_has_two_priorities(snapshot, version):
    (job,) = (job for job in snapshot(version).pending if job.spec.id == "14")
    debug, batch = job.priorities
    assert (debug.partition, debug.priority, debug.partition_points) == ("debug", 3549, 1000)
    assert (batch.partition, batch.fairshare, batch.qos) == ("batch", 2500, 0)
    assert amount_of(debug.tres, "cpu") == 38


@VERSIONS
def test_nodes_in_slurms_order(snapshot, version):
    nodes = {node.name: node for node in snapshot(version).nodes}
    assert list(nodes) == ["n01", "n02", "n03", "n04", "x001"]
    assert nodes["n04"].gres == (("gpu:tesla", 2),)
    assert nodes["n03"].features == ("b", "fast")
    assert (nodes["n03"].weight, nodes["n03"].memory_mb) == (20, 4000)
    assert nodes["x001"].state is NodeState.DOWN
    assert nodes["x001"].flags == {NodeFlag.NOT_RESPONDING}
    assert nodes["n01"].boot_at == pytest.approx(1795204265, abs=5)
    assert not nodes["x001"].usable


@VERSIONS
def test_partitions(snapshot, version):
    batch, debug, gpu, virtual = snapshot(version).partitions
    assert batch.is_default and batch.max_nodes is UNLIMITED
    assert (batch.max_time_s, batch.default_time_s) == (86_400, 3600)
    assert batch.default_memory_per_cpu_mb == 500
    assert (debug.tier, debug.job_factor, debug.node_names) == (10, 100, ("n01", "n02"))
    assert (gpu.qos, gpu.allow_accounts) == ("gpupart", ("science",))
    assert dict(gpu.billing_weights) == {"cpu": 1.0, "mem": 0.25 / 1024, "gres/gpu": 2.0}
    assert len(virtual.node_names) == 200


@VERSIONS
def test_reservations(snapshot, version):
    maint, course, half = snapshot(version).reservations
    assert {ReservationFlag.MAINTENANCE, ReservationFlag.IGNORE_JOBS} <= maint.flags
    assert maint.end_at - maint.start_at == 7200
    assert (course.users, course.cpus) == (("alice", "bob"), None)
    assert (half.accounts, half.cpus, half.partition) == (("science",), 2, "batch")
    assert ReservationFlag.DAILY in half.flags


@VERSIONS
def test_the_fairshare_tree(snapshot, version):
    tree = {(one.account, one.user): one for one in snapshot(version).associations}
    assert [tree[who].parent for who in (("root", ""), ("physics", ""), ("physics", "alice"))] == [
        "",
        "science",
        "physics",
    ]
    assert tree["science", "bob"].fairshare.factor == 0.25
    assert tree["root", "root"].fairshare.level == math.inf
    assert tree["arts", "carol"].limits.max_jobs == 6
    assert tree["arts", ""].limits.group_tres == (("cpu", 12),)
    assert tree["arts", "carol"].qos == ("high", "normal")
    assert tree["arts", "carol"].usage.jobs == tree["arts", ""].usage.jobs > 0


@VERSIONS
def test_qualities_of_service(snapshot, version):
    qos = {each.name: each for each in snapshot(version).qos}
    assert (qos["high"].priority, qos["high"].preempts) == (1000, ("normal",))
    assert (qos["high"].limits.max_tres, qos["high"].limits.max_jobs) == ((("cpu", 8),), 2)
    assert qos["long"].limits.max_wall_per_job_s == 172_800
    assert qos["normal"].usage.submitted >= qos["normal"].usage.jobs > 0


@VERSIONS
def test_settings_health_and_licenses(snapshot, version):
    seen = snapshot(version)
    settings = seen.settings
    assert settings.multifactor and settings.backfill and settings.limits_enforced
    assert (settings.weights.fairshare, settings.weights.qos) == (10_000, 2000)
    assert settings.weights.tres == (("cpu", 100.0), ("mem", 50.0))
    assert (settings.granularity, settings.memory_is_consumable) == (CpuGranularity.CORE, True)
    assert settings.preemption == Preemption(by_qos=True, eviction=Eviction.SENT_BACK)
    assert settings.sent_back_s == 121
    assert settings.parameters[:2] == (("bf_interval", "20"), ("bf_window", "4320"))
    assert ("bf_continue", "") in settings.parameters
    assert seen.health.backfill_last_at < seen.taken_at
    assert seen.health.main_cycle_last_us > 0
    assert seen.health.backfill_last_at < seen.health.told_at
    assert seen.health.backfill_depth_tried_mean == {"22.05": 12, "26.05": 9}[version]
    assert seen.health.backfill_queue_mean == {"22.05": 5, "26.05": 8}[version]
    assert seen.health.backfill_cut_short == {"22.05": None, "26.05": 0}[version]
    assert 300 < seen.health.told_at - seen.health.started_at < 600
    set_up_s = {"22.05": 2, "26.05": 0}[version]
    assert seen.health.counts_since == seen.health.started_at + set_up_s
    assert [(pool.name, pool.total, pool.used) for pool in seen.licenses] == [
        ("fluent", 4, 0),
        ("matlab", 10, 9),
    ]
    assert (seen.cluster, seen.utc_offset_s) == ("lab", 0)


def test_finished_jobs_of_the_old_version(snapshot):
    finished = {job.spec.id: job for job in snapshot("22.05").finished}
    assert finished["10"].outcome is Outcome.COMPLETED
    assert (finished["10"].node_names, finished["10"].exit_code) == (("n02",), 0)


def test_times_printed_by_a_clock_east_of_greenwich(answers, snapshot):
    # The same instant, printed two hours ahead of UTC.
    sdiag = answers("22.05").printed["sdiag"].replace("Nov 20 20:20:17", "Nov 20 22:20:17")
    east, utc = snapshot("22.05", sdiag=sdiag), snapshot("22.05")
    assert east.utc_offset_s == 7200
    assert east.reservations[0].start_at == utc.reservations[0].start_at - 7200


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("reservations", Fact.RESERVATIONS),
        ("sprio", Fact.PRIORITIES),
        ("sshare", Fact.FAIRSHARE),
        ("sdiag", Fact.HEALTH),
        ("config", Fact.SETTINGS),
        ("partitions", Fact.PARTITIONS),
        ("qos", Fact.QOS),
        ("assoc", Fact.ASSOCIATIONS),
        ("assoc_mgr", Fact.USAGE),
        ("licenses", Fact.LICENSES),
        ("topology", Fact.TOPOLOGY),
        ("nodes_text", Fact.NODES),
    ],
)
def test_a_missing_answer_is_named_and_the_snapshot_stands(snapshot, name, fact):
    seen = snapshot("22.05", **{name: None})
    assert seen.pending and seen.nodes
    assert fact in {hidden.fact for hidden in seen.provenance.hidden}


def test_without_the_account_database_the_tree_stands_by_itself(snapshot):
    tree = snapshot("22.05", assoc=None).associations
    assert [(one.account, one.user) for one in tree] == [
        (one.account, one.user) for one in snapshot("22.05").associations
    ]
    assert [(one.shares, one.parent) for one in tree if one.user == "carol"] == [(7, "arts")]


@pytest.mark.parametrize("name", ["squeue_json", "sinfo_json"])
@pytest.mark.parametrize("text", ["", "{}", '{"jobs": 1, "nodes": 1}', '{"errors": ["no"]}'])
def test_without_jobs_or_nodes_there_is_no_snapshot(snapshot, name, text):
    with pytest.raises(SourceError):
        snapshot("22.05", **{name: text, "nodes_text": None})


def test_nodes_that_are_all_hidden_make_no_snapshot(snapshot):
    empty = json.dumps({"errors": [], "nodes": []})
    with pytest.raises(SourceError, match="no nodes"):
        snapshot("22.05", sinfo_json=empty)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"job_state": "DREAMING"}, id="a state nobody told us of"),
        pytest.param({"job_state": None}, id="no state"),
        pytest.param({"submit_time": 0}, id="no submit time"),
        pytest.param({"cpus": -4, "tres_req_str": ""}, id="a negative amount"),
        pytest.param({"nodes": "n[1-", "job_state": "RUNNING"}, id="a broken node list"),
        pytest.param({"time_limit": "an hour"}, id="a wrong type"),
        pytest.param({"job_id": 7}, id="an id seen before"),
    ],
)
def test_a_bad_job_is_left_out_and_counted(answers, snapshot, change):
    answer = json.loads(answers("22.05").printed["squeue_json"])
    total = len(answer["jobs"])
    bad = next(job for job in answer["jobs"] if job["job_id"] == 16)
    bad |= change | (
        {"array_job_id": 7, "array_task_string": "0-9%2"} if "job_id" in change else {}
    )
    seen = snapshot("22.05", squeue_json=json.dumps(answer))
    (note,) = seen.provenance.quarantined
    assert (note.fact, note.count) == (Fact.JOBS, 1)
    assert len(seen.pending) + len(seen.running) + len(seen.finished) == total - 1
    assert note.example.startswith("job ")


def test_an_answer_that_is_mostly_bad_is_refused(answers, snapshot):
    answer = json.loads(answers("22.05").printed["squeue_json"])
    for job in answer["jobs"][: len(answer["jobs"]) // 2 + 1]:
        del job["job_state"]
    with pytest.raises(SourceFormatError, match="jobs: 9 of 17 records make no sense"):
        snapshot("22.05", squeue_json=json.dumps(answer))


@pytest.mark.parametrize(
    ("account", "hidden"),
    [("root", False), ("slurm", False), ("alice", True), ("", True)],
)
def test_private_data_hides_others_from_all_but_the_privileged(answers, snapshot, account, hidden):
    config = with_private_data(answers("22.05").printed["config"], "usage,jobs")
    told = snapshot("22.05", account=account, config=config).provenance
    assert told.private == ("jobs", "usage")
    assert (Fact.JOBS in {each.fact for each in told.hidden}) is hidden


def test_what_is_not_told_to_be_open_is_private(answers, snapshot):
    config = answers("22.05").printed["config"]
    assert snapshot("22.05", config=config).provenance.private == ()
    untold = config.replace("PrivateData ", "Somewhat ")
    assert snapshot("22.05", config=untold).provenance.private == ALL_PRIVATE


def with_private_data(config, kinds):
    assert "PrivateData             = none" in config
    return config.replace("PrivateData             = none", f"PrivateData = {kinds}")


def test_an_operator_sees_everything(answers, snapshot):
    printed = answers("22.05").printed
    config = with_private_data(printed["config"], "jobs")
    levels = printed["assoc_mgr"].replace(
        "DefWckey= AdminLevel=None", "DefWckey= AdminLevel=Operator"
    )
    told = snapshot("22.05", account="alice", config=config, assoc_mgr=levels).provenance
    assert (told.private, told.hidden) == (("jobs",), ())


def test_a_long_partition_name_is_cut_by_sprio_but_known_from_the_job(answers, snapshot):
    printed = answers("22.05").printed
    squeue = printed["squeue_json"].replace('"gpu"', '"gpu_interactive"')
    sprio = printed["sprio"].replace("4 gpu      ", "4 gpu_inter")
    (job,) = (
        job
        for job in snapshot("22.05", squeue_json=squeue, sprio=sprio).pending
        if job.spec.id == "4"
    )
    assert job.priorities[0].partition == "gpu_interactive"
