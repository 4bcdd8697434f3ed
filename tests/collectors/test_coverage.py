"""`queuecast config coverage`: every setting with what becomes of it, and why."""

import json
import re
from importlib.metadata import EntryPoint

import pytest
from click.testing import CliRunner

import predictor.cli
from collectors.commands import Printed
from collectors.slurm.coverage.catalogue import Verdict, catalogue, read
from collectors.slurm.coverage.command import asked, coverage, of_answers
from collectors.slurm.coverage.findings import Said, judged
from collectors.slurm.coverage.report import counts, report, sheet
from collectors.slurm.coverage.told import told
from predictor.cli.config import config
from predictor.cli.exits import DONE, FAILED
from predictor.errors import SourceError

FOLDERS = {
    "22.05": "slurm-22.05/cluster",
    "24.11": "slurm-24.11/settings",
    "26.05": "slurm-26.05/cluster",
}


@pytest.fixture(params=FOLDERS)
def printed(request, recorded):
    """What a controller of one version tells of its settings."""
    folder = recorded / FOLDERS[request.param]
    return {n: (folder / f"{n}.txt").read_text() for n in ("config", "partitions", "qos", "assoc")}


@pytest.fixture
def run():
    """Run the command with arguments and return exit code and output."""

    def run(*arguments):
        done = CliRunner().invoke(coverage, list(map(str, arguments)))
        assert done.exception is None or isinstance(done.exception, SystemExit | SourceError)
        return FAILED if isinstance(done.exception, SourceError) else done.exit_code, done.output

    return run


def ruled(said, **more):
    """Return verdict and whether it matters of settings of a cluster, by title."""
    given = [Said(scope="settings", key=key, value=value) for key, value in said.items()]
    given += [
        Said(scope=scope, key=k, value=v) for scope, kv in more.items() for k, v in kv.items()
    ]
    return {f.title: (f.ruling.verdict.value, f.matters) for f in judged(given, catalogue())}


def test_nothing_that_these_versions_tell_is_unknown(printed):
    unknown = [
        finding.title
        for finding in judged(told(printed), catalogue())
        if finding.ruling.verdict is Verdict.UNKNOWN
    ]
    assert unknown == []


def test_a_plain_cluster_has_nothing_that_matters_and_is_ignored(printed):
    assert counts(judged(told(printed), catalogue()))["ignored though they matter"] == 0


@pytest.mark.parametrize(
    ("key", "value", "title", "verdict", "matters"),
    [
        pytest.param("KillWait", "30 sec", "KillWait", "replicated", False, id="read"),
        pytest.param("jobdefaults", "DefCpuPerGPU=2", "JobDefaults", "ignored", True, id="matters"),
        pytest.param("JobDefaults", "(null)", "JobDefaults", "ignored", False, id="not in use"),
        pytest.param("JobSubmitPlugins", "lua", "JobSubmitPlugins", "ignored", True, id="plugin"),
        pytest.param("MCSPlugin", "mcs/none", "MCSPlugin", "ignored", False, id="plugin of none"),
        pytest.param("MailProg", "/bin/x", "MailProg", "harmless", False, id="harmless"),
        pytest.param("PMIxTimeout", "300", "PMIxTimeout", "harmless", False, id="a whole family"),
        pytest.param("Madeup", "1", "Madeup", "unknown", True, id="unknown"),
        pytest.param(
            "TopologyPlugin",
            "topology/block",
            "TopologyPlugin: block",
            "ignored",
            True,
            id="one of several plugins",
        ),
    ],
)
def test_a_setting(key, value, title, verdict, matters):
    assert ruled({key: value}) == {title: (verdict, matters)}


@pytest.mark.parametrize(
    ("topology", "kinds"),
    [
        ("BlockName=b1 BlockIndex=0 Nodes=n[1-4] BlockSize=2\n", {"block"}),
        ("RingName=r1 Nodes=n[1-4]\n", {"ring"}),
        ("TorusName=t Dims=2x2x2\n", {"torus3d"}),
        ("SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[1-4]\n", set()),
        ("", set()),
    ],
)
def test_the_kind_of_topology_is_what_is_shown_whatever_the_plugin(topology, kinds):
    said = told({"config": "TopologyPlugin = topology/flat\n", "topology": topology})
    matter = {finding.title for finding in judged(said, catalogue()) if finding.matters}
    assert matter == {f"TopologyPlugin: {kind}" for kind in kinds}


def test_a_list_is_judged_word_by_word():
    assert ruled({"SchedulerParameters": "bf_continue,BF_Hetjob_Prio=min,max_rpc_cnt=0,odd=1"}) == {
        "SchedulerParameters: bf_continue": ("approximated", False),
        "SchedulerParameters: bf_hetjob_prio": ("ignored", True),
        "SchedulerParameters: max_rpc_cnt": ("ignored", False),
        "SchedulerParameters: odd": ("unknown", True),
    }


def test_one_value_of_a_word_may_be_ruled_otherwise_than_the_rest():
    assert ruled({}, partition={"OverSubscribe": "FORCE:1"}) == {
        "partition OverSubscribe: FORCE:1": ("approximated", False)
    }


def test_flags_of_qos_are_told_from_flags_elsewhere():
    assert ruled({}, qos={"Flags": "Relative,OverPartQOS"}) == {
        "qos Flags: Relative": ("ignored", True),
        "qos Flags: OverPartQOS": ("replicated", False),
    }


def test_a_partition_may_be_without_what_the_cluster_has():
    assert ruled(
        {}, partition={"SelectTypeParameters": "CR_SOCKET", "OverSubscribe": "FORCE:4"}
    ) == {
        "partition SelectTypeParameters": ("ignored", True),
        "partition OverSubscribe: FORCE": ("approximated", False),
    }


def test_many_partitions_make_one_finding_with_a_few_of_them():
    said = [Said(scope="partition", key="MaxTime", value="1", of=f"p{n}") for n in range(1000)]
    [finding] = judged(said, catalogue())
    assert finding.count == 1000
    assert [one.of for one in finding.instances[:2]] == ["p0", "p1"]
    assert len(finding.instances) == 20


def test_what_matters_comes_first(printed):
    plain = re.sub(r"(?m)^JobDefaults .*\n", "", printed["config"])
    changed = re.sub(r"(?m)^EpilogMsgTime .*$", "JobDefaults = DefCpuPerGPU=2", plain)
    lines = list(sheet(of_answers("here", {**printed, "config": changed}, {})))
    headings = [line for line in lines[2:] if line and not line.startswith(" ")]
    assert headings[0] == "Ignored, though it matters"
    assert lines[4].split()[:2] == ["JobDefaults", "DefCpuPerGPU=2"]
    assert headings[-1].startswith("Not told")


def test_as_data(printed):
    found = json.loads(json.dumps(report(of_answers("here", printed, {"qos": "denied"}))))
    assert found["schema"] == "queuecast.coverage/1"
    assert {one["verdict"] for one in found["settings"]} == {
        "replicated",
        "approximated",
        "ignored",
    }
    assert sum(found["counts"].values()) == len(found["settings"])
    assert found["remarks"] == ["qos: denied"]
    [weight] = [one for one in found["settings"] if one["name"] == "PriorityWeightAge"]
    assert weight["by"] == "predictor.priority.multifactor"
    assert found["untold"]["qos"] == ["LimitFactor"]


def test_without_the_configuration_there_is_nothing_to_tell():
    def run(argv, timeout_s):
        return Printed(output="", complaint="slurm_load_ctl_conf: refused", exit_code=1)

    printed, failed = asked(run)
    assert printed == {}
    assert set(failed) == {"config", "partitions", "qos", "assoc"}
    with pytest.raises(SourceError, match="scontrol show config: slurm_load_ctl_conf: refused"):
        of_answers("here", printed, failed)


CONF = """\
ClusterName=c
SchedulerParameters=bf_window=2880,defer
JobSubmitPlugins=lua
MadeUp=1
NodeName=DEFAULT CPUs=4
NodeName=n[1-999999999] Topology=t1
PartitionName=p Nodes=n1 Shared=FORCE MaxTime=60
garbage here
"""


def test_a_slurm_conf_is_told_with_file_and_line(run, tmp_path):
    path = tmp_path / "slurm.conf"
    path.write_text(CONF)
    (tmp_path / "gres.conf").write_text("AutoDetect=nvml\nName=gpu File=/dev/nvidia0\n")
    code, output = run("--slurm-conf", path, "--json")
    found = json.loads(output)
    by_name = {(one["scope"], one["name"]): one for one in found["settings"]}
    assert code == DONE
    assert by_name["cluster", "JobSubmitPlugins"]["values"] == [
        {"of": None, "value": "lua", "place": f"{path}:3"}
    ]
    assert by_name["cluster", "MadeUp"]["verdict"] == "unknown"
    assert by_name["node", "Topology"]["matters"]
    assert by_name["node", "CPUs"]["values"][0]["of"] == "n[1-999999999]"
    assert by_name["partition", "OverSubscribe: FORCE"]["verdict"] == "approximated"
    assert by_name["files", "gres.conf AutoDetect"]["matters"]
    assert found["remarks"] == [f"{path}:8: expected Key=Value, not 'garbage here'; left out"]


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        ("topology.conf", "SwitchName=a Nodes=n1\n", None),
        ("topology.conf", "BlockName=a Nodes=n1\n", "topology.conf of blocks"),
        ("topology.yaml", "- topology: t\n  flat: true\n", None),
        ("topology.yaml", "- topology: t\n  block:\n", "topology.yaml beyond one tree"),
        ("gres.conf", "AutoDetect=off\n", None),
        ("gres.conf", "AutoDetect=nvml\n", "gres.conf AutoDetect"),
    ],
)
def test_what_lies_beside_it(run, tmp_path, name, text, title):
    (tmp_path / "slurm.conf").write_text("ClusterName=c\n")
    (tmp_path / name).write_text(text)
    found = json.loads(run("--slurm-conf", tmp_path / "slurm.conf", "--json")[1])
    named = [one["name"] for one in found["settings"] if one["scope"] == "files"]
    lost = [one["name"] for one in found["settings"] if one["matters"]]
    assert name in named
    assert lost == ([] if title is None else [title])


def test_tables_of_accounting_can_be_added(run, tmp_path):
    (tmp_path / "slurm.conf").write_text("ClusterName=c\n")
    (tmp_path / "qos.txt").write_text("Name|GrpTRES|Flags|MinPrioThres\nhigh|cpu=4|Relative|\n")
    code, output = run("--slurm-conf", tmp_path / "slurm.conf", "--sacctmgr", tmp_path / "qos.txt")
    assert code == DONE
    assert "qos Flags: Relative" in output
    assert "qos MinPrioThres" not in output


def test_a_dump_of_accounting_can_be_added(run, tmp_path):
    (tmp_path / "slurm.conf").write_text("ClusterName=c\n")
    (tmp_path / "d.cfg").write_text(
        "Cluster - 'c':GrpJobsAccrue=5\nAccount - 'a':GrpJobs=3:MaxNodesPerJob=2\nodd\n"
    )
    code, output = run(
        "--slurm-conf", tmp_path / "slurm.conf", "--sacctmgr", tmp_path / "d.cfg", "--json"
    )
    told = json.loads(output)
    verdicts = {one["name"]: one["verdict"] for one in told["settings"]}
    assert code == DONE
    assert verdicts["GrpJobs"] == "replicated"
    assert verdicts["GrpJobsAccrue"] == "replicated"
    assert verdicts["maxnodesperjob"] == "unknown"
    assert len(told["remarks"]) == 2


def test_a_capture_is_read(run, recorded):
    code, output = run("--capture", recorded / "slurm-22.05/minutes")
    assert code == DONE
    assert "PriorityWeightFairShare" in output


@pytest.mark.parametrize("arguments", [["--live", "--all"], ["--slurm-conf", "/nowhere"]])
def test_wrong_usage(run, arguments):
    assert run(*arguments)[0] == 2


def test_files_that_cannot_be_read_are_an_error(run, tmp_path):
    assert run("--capture", tmp_path)[0] == FAILED


def test_hostile_files_reach_the_terminal_as_question_marks(run, tmp_path):
    (tmp_path / "slurm.conf").write_bytes(b"Evil=\x1b[31mred\nB=\xff\0\n" + b"x" * 2**21)
    code, output = run("--slurm-conf", tmp_path / "slurm.conf")
    assert code == DONE
    assert "\x1b" not in output
    assert "more than 1048576 characters" in output


def test_the_whole_catalogue_can_be_printed(run):
    code, output = run("--all")
    assert code == DONE
    assert all(ruling.name in output for ruling in catalogue())
    data = json.loads(run("--all", "--json")[1])
    assert len(data["catalogue"]) == len(list(catalogue()))


@pytest.mark.parametrize(
    "content",
    [
        {"settings": {"replicated": {"A": "no module"}}},
        {"settings": {"ignored": {"A": ["module", "why"]}}},
        {"settings": {"harmless": {"A": "x", "a": "y"}}},
        {"settings": {"forgotten": {"A": "x"}}},
    ],
)
def test_a_catalogue_that_is_wrong_is_refused(content):
    with pytest.raises(ValueError, match=r"A|forgotten|a stands twice"):
        read(content)


def test_config_finds_what_others_add(monkeypatch):
    point = EntryPoint("coverage", "collectors.slurm.coverage.command:coverage", "queuecast.config")

    def installed(group, name="coverage"):
        return [point] if group == "queuecast.config" and name == "coverage" else []

    monkeypatch.setattr(predictor.cli, "entry_points", installed)
    told = CliRunner().invoke(config, ["--help"]).output
    assert [word for word in ("check", "coverage", "schema", "show") if word in told.split()] == [
        "check",
        "coverage",
        "schema",
        "show",
    ]
    assert CliRunner().invoke(config, ["coverage", "--all"]).exit_code == DONE
