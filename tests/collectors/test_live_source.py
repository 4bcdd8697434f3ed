"""The live source, with recorded answers in the place of commands."""

import pytest
from recorded_slurm import NOW, Slurm, name_of, source_of
from recordings import HandClock

from collectors.commands import Printed
from collectors.doctor import examine, report, sheet
from collectors.slurm import plans, questions
from collectors.slurm.source import SlurmSource, from_settings
from predictor.domain import Fact, PartitionState
from predictor.engine.kind import KIND
from predictor.errors import SiteError, SourceError, SourceTimeout

FIRST = ["squeue_json", "sinfo_json", "reservations"]
EVERY_MINUTE = [*FIRST, "sprio", "sshare", "sdiag", "partitions"]
OF_TREES = ["topology", "switches"]


@pytest.fixture
def clock():
    return HandClock(NOW)


@pytest.fixture(params=["22.05", "26.05"])
def version(request):
    return request.param


@pytest.fixture
def slurm(answers, clock, version):
    return Slurm(answers(version).printed, clock)


@pytest.fixture
def old_slurm(answers, clock):
    return Slurm(answers("22.05").printed, clock)


def test_a_look_at_either_version(slurm, version):
    seen = source_of(slurm).observe()
    assert seen.snapshot.provenance.version.startswith(version)
    assert seen.snapshot.provenance.hidden == ()
    assert (seen.snapshot.provenance.source, seen.snapshot.provenance.account) == (
        "slurm-cli",
        "root",
    )
    assert all(call.ok for call in seen.calls)
    assert [call.name for call in seen.calls] == slurm.asked


def test_jobs_are_asked_for_as_the_json_before_the_newest_tells_them(slurm, version):
    asked = []

    def run(argv, timeout_s):
        if name_of(argv) == questions.JOBS.name:
            asked.append(argv)
        return slurm.run(argv, timeout_s)

    source = SlurmSource(run, slurm.clock, account="root", plan=plans.by_json)
    source.observe()
    first, *others = asked
    assert first == questions.JOBS.argv
    before = [questions.JOBS_BEFORE.argv]
    assert others == (before if version == "26.05" else [])
    asked.clear()
    slurm.clock.at += 60
    source.observe()
    assert asked == (before if version == "26.05" else [first])


@pytest.mark.parametrize("version", ["", "25.11.2", "26.11.0", "27.05.1", "none"])
def test_of_no_other_version_it_is_known_that_it_answers_an_older_one(old_slurm, version):
    told = old_slurm.printed["config"]
    assert "= 22.05.8\n" in told
    old_slurm.printed["config"] = told.replace("= 22.05.8\n", f"= {version}\n")
    asked = [q for q in plans.by_json(old_slurm.printed) if q.name == questions.JOBS.name]
    assert asked == [questions.JOBS]


def test_each_minute_a_handful_of_calls(old_slurm):
    source = source_of(old_slurm)
    source.observe()
    of_text_alone = (questions.JOBS_TABLE, questions.JOBS_DETAILS, questions.JOBS_APART)
    unasked = (*of_text_alone, questions.GROUPS)
    assert sorted({*old_slurm.asked, *(q.name for q in unasked)}) == sorted(
        q.name for q in questions.ALL
    )
    old_slurm.asked.clear()
    old_slurm.clock.at += 60
    assert len(source.observe().snapshot.qos) == 4
    assert old_slurm.asked == [*EVERY_MINUTE, "switches"]


def test_without_a_tree_nobody_asks_for_switches(old_slurm):
    told = old_slurm.printed["config"]
    old_slurm.printed["config"] = told.replace("topology/tree", "topology/none")
    seen = source_of(old_slurm).observe()
    assert not set(OF_TREES) & set(old_slurm.asked)
    assert not any(node.switches for node in seen.snapshot.nodes)


def test_newer_versions_tell_of_switches_with_the_job(answers, clock):
    slurm = Slurm(answers("26.05").printed, clock)
    source_of(slurm).observe()
    assert set(OF_TREES) & set(slurm.asked) == {"topology"}


def test_what_seldom_changes_is_asked_for_again_after_a_while(old_slurm):
    source = source_of(old_slurm, slow_every_s=600)
    source.observe()
    old_slurm.asked.clear()
    old_slurm.clock.at += 601
    source.observe()
    assert "qos" in old_slurm.asked


def test_a_partition_that_an_operator_opens_is_open_at_the_next_look(old_slurm):
    opened = old_slurm.printed["partitions"]
    old_slurm.printed["partitions"] = opened.replace("State=UP", "State=DOWN")
    source = source_of(old_slurm)
    assert {one.state for one in source.observe().snapshot.partitions} == {PartitionState.DOWN}
    old_slurm.printed["partitions"] = opened
    old_slurm.clock.at += 60
    assert PartitionState.UP in {one.state for one in source.observe().snapshot.partitions}
    # What was known of them stands in for an answer that fails.
    old_slurm.failing["partitions"] = SourceTimeout("no answer")
    old_slurm.clock.at += 60
    seen = source.observe()
    assert PartitionState.UP in {one.state for one in seen.snapshot.partitions}
    assert [call.name for call in seen.calls if not call.ok] == ["partitions"]


def one_a_user(printed, cap=1):
    """Return the table of QOS with so many jobs a user in QOS normal, of whom carol runs two."""
    head, *rows = printed.splitlines()
    place = head.split("|").index("MaxJobsPU")
    cells = rows[0].split("|")
    cells[place] = str(cap)
    return "\n".join((head, "|".join(cells), *rows[1:])) + "\n"


def cap_of(seen):
    return next(qos.limits.max_jobs for qos in seen.snapshot.qos if qos.name == "normal")


def test_a_limit_that_what_runs_refutes_is_asked_for_again_in_the_same_look(old_slurm):
    qos, jobs = old_slurm.printed["qos"], old_slurm.printed["squeue_json"]
    old_slurm.printed["qos"] = one_a_user(qos)
    old_slurm.printed["squeue_json"] = jobs.replace('"RUNNING"', '"PENDING"')
    source = source_of(old_slurm)
    assert cap_of(source.observe()) == 1
    old_slurm.asked.clear()
    old_slurm.printed |= {"qos": one_a_user(qos, cap=2), "squeue_json": jobs}
    old_slurm.clock.at += 60
    assert cap_of(source.observe()) == 2
    assert old_slurm.asked == [*EVERY_MINUTE, "switches", "qos", "assoc"]


def test_of_a_limit_that_was_lowered_it_is_asked_once(old_slurm):
    source = source_of(old_slurm)
    source.observe()
    old_slurm.printed["qos"] = one_a_user(old_slurm.printed["qos"])
    old_slurm.clock.at += 600
    assert cap_of(source.observe()) == 1
    for _ in range(5):
        old_slurm.asked.clear()
        old_slurm.clock.at += 60
        assert cap_of(source.observe()) == 1
        assert "qos" not in old_slurm.asked


def test_without_an_answer_the_refuted_limit_stands_and_is_not_asked_for_each_minute(old_slurm):
    qos, jobs = old_slurm.printed["qos"], old_slurm.printed["squeue_json"]
    old_slurm.printed["qos"] = one_a_user(qos)
    old_slurm.printed["squeue_json"] = jobs.replace('"RUNNING"', '"PENDING"')
    source = source_of(old_slurm)
    source.observe()
    old_slurm.printed["squeue_json"] = jobs
    old_slurm.failing["qos"] = SourceTimeout("no answer")
    asked = []
    for _ in range(3):
        old_slurm.asked.clear()
        old_slurm.clock.at += 60
        assert cap_of(source.observe()) == 1
        asked.append("qos" in old_slurm.asked)
    assert asked == [True, False, False]


def test_newer_versions_tell_of_single_nodes_only_as_text(answers, clock):
    slurm = Slurm(answers("26.05").printed, clock)
    source = source_of(slurm)
    source.observe()
    slurm.asked.clear()
    source.observe()
    assert "nodes_text" in slurm.asked and "sinfo_json" not in slurm.asked


@pytest.mark.parametrize("name", ["sprio", "sshare", "qos", "assoc", "sdiag", "reservations"])
@pytest.mark.parametrize(
    "failure",
    [
        Printed(output="", complaint="error: Access/permission denied\nmore\n", exit_code=1),
        Printed(output="", exit_code=255),
        SourceTimeout("no answer"),
        SourceError("not installed"),
    ],
    ids=["refused", "silent", "timeout", "missing"],
)
def test_an_optional_command_that_fails_is_a_line_in_the_snapshot(old_slurm, name, failure):
    old_slurm.failing[name] = failure
    seen = source_of(old_slurm).observe()
    fact = next(q.fact for q in questions.ALL if q.name == name)
    assert fact in {hidden.fact for hidden in seen.snapshot.provenance.hidden}
    assert [call.name for call in seen.calls if not call.ok] == [name]


def test_without_jobs_nothing_else_is_asked(slurm):
    slurm.failing["squeue_json"] = SourceTimeout("squeue: no answer within 20 s")
    with pytest.raises(SourceTimeout, match="no answer"):
        source_of(slurm).observe()
    assert slurm.asked == ["squeue_json"]


def test_a_dead_controller_is_noticed_although_squeue_exits_with_0(old_slurm, recorded):
    down = recorded / "slurm-22.05" / "cluster" / "controller_down.json"
    old_slurm.printed["squeue_json"] = down.read_text()
    with pytest.raises(SourceError, match="Failed while looking for jobs"):
        source_of(old_slurm).observe()
    assert old_slurm.asked == ["squeue_json"]


def test_what_fails_without_munge_is_told_and_not_what_to_do_if_it_is_there(old_slurm):
    complaint = (
        "squeue: error: If munged is up, restart with --num-threads=10\n"
        'squeue: error: Munge encode failed: Failed to access "/run/munge/munge.socket.2"\n'
        "slurm_load_jobs error: Protocol authentication error\n"
    )
    old_slurm.failing["squeue_json"] = Printed(output="", complaint=complaint, exit_code=1)
    with pytest.raises(SourceError, match="Munge encode failed"):
        source_of(old_slurm).observe()


def test_a_slow_controller_is_spared(old_slurm):
    old_slurm.slow = dict.fromkeys(EVERY_MINUTE, 15)
    seen = source_of(old_slurm, timeout_s=20).observe()
    assert old_slurm.clock.at - NOW <= 45  # though a call may take 20 s
    whys = {hidden.why for hidden in seen.snapshot.provenance.hidden}
    assert any("took too long" in why for why in whys)
    assert Fact.HEALTH in {hidden.fact for hidden in seen.snapshot.provenance.hidden}


def test_the_batch_systems_clock_counts(old_slurm):
    assert source_of(old_slurm).observe().snapshot.taken_at == NOW
    old_slurm.clock.at = NOW + 3600  # ours is an hour ahead
    assert source_of(old_slurm).observe().snapshot.taken_at == pytest.approx(NOW, abs=5)


@pytest.mark.parametrize(
    ("settings", "first"),
    [({}, questions.JOBS_TABLE), ({"form": "text"}, questions.JOBS_TABLE),
     ({"form": "json"}, questions.JOBS)],
)  # fmt: skip
def test_text_is_asked_for_unless_told_otherwise(settings, first, monkeypatch):
    asked = []

    def run(argv, timeout_s):
        asked.append(name_of(argv))
        raise SourceTimeout("no answer")

    monkeypatch.setattr("collectors.commands.run", run)
    assert from_settings(settings).survey().error is not None
    assert asked == [first.name]


def test_long_words_of_a_command_are_cut_short_where_it_is_named():
    assert len(questions.JOBS_TABLE.command) < 100
    assert questions.JOBS_DETAILS.command == "scontrol -d -o show job"


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"timeout": 5}, "unknown key timeout"),
        ({"timeout_s": 0}, "timeout_s: expected seconds above 0"),
        ({"timeout_s": True}, "timeout_s: expected seconds above 0"),
        ({"form": "yaml"}, "form: expected one of text, json, got 'yaml'"),
        ({"slow_every_s": "often"}, "slow_every_s: expected seconds above 0"),
    ],
)
def test_settings_it_does_not_know(settings, why):
    with pytest.raises(SiteError, match=why):
        from_settings(settings)


def test_the_doctor_tells_what_it_found(old_slurm):
    old_slurm.failing["sprio"] = Printed(output="", complaint="sprio: error: no", exit_code=1)
    findings = examine(source_of(old_slurm))
    text = "\n".join(sheet(findings))
    assert "account   root" in text
    assert f"engine    {KIND.words}" in text
    assert "Slurm 22.05.8" in text
    assert "FAIL" in text and "sprio: error: no" in text
    assert "hidden    priorities: sprio -l: sprio: error: no" in text
    told = report(findings)
    assert told["error"] is None
    assert told["engine"] == {"kind": KIND.name, "why_pure": KIND.why_pure or None}
    assert told["seen"]["nodes"] == 5
    (failed,) = (call for call in told["calls"] if not call["ok"])
    assert (failed["command"], failed["why"]) == ("sprio -l", "sprio: error: no")


def test_the_doctor_names_what_is_not_simulated(old_slurm):
    printed = old_slurm.printed["partitions"]
    old_slurm.printed["partitions"] = printed.replace("=(null)", "=DefMemPerGPU=5", 1)
    old_slurm.printed["config"] += "CompleteWait            = 32 sec\n"
    findings = examine(source_of(old_slurm))
    told = {one["setting"] for one in report(findings)["not_simulated"]}
    assert "partition JobDefaults" in told
    words = "DefCpuPerGPU and DefMemPerGPU: memory is not worked out by GPU"
    line = f"no rule   partition JobDefaults: {words}"
    assert line in list(sheet(findings))


def test_the_doctor_asks_accounting_for_the_last_hour(old_slurm):
    def refusing(argv, timeout_s, take):
        assert argv[0] == "sacct"
        return Printed(output="", complaint="sacct: error: Access denied", exit_code=1)

    def silent(argv, timeout_s, take):
        return Printed(output="", size_bytes=0)

    findings = examine(source_of(old_slurm, past_s=60, stream=refusing))
    assert "past      accounting cannot be read: sacct: error: Access denied" in sheet(findings)
    assert report(findings)["accounting"]["error"] == "sacct: error: Access denied"
    findings = examine(source_of(old_slurm, past_s=60, stream=silent))
    assert report(findings)["accounting"] == {"ended_last_hour": 0, "error": None}
    assert any("0 runs ended within the last hour" in line for line in sheet(findings))


def test_the_doctor_of_a_dead_controller(old_slurm):
    old_slurm.failing["squeue_json"] = Printed(output="", complaint="no contact", exit_code=1)
    findings = examine(source_of(old_slurm))
    assert findings.snapshot is None
    assert "no snapshot: squeue -a -t all --json: no contact" in list(sheet(findings))
    assert report(findings)["error"] == "squeue -a -t all --json: no contact"
