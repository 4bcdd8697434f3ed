"""What a proposed slurm.conf would change of a cluster that runs."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner
from clusters import cluster

from collectors.slurm.coverage.changed import changes, changes_report, changes_sheet
from collectors.slurm.coverage.command import coverage
from collectors.slurm.files.conf import parse
from collectors.slurm.files.setup import load_setup
from collectors.slurm.text.config import parse_config
from collectors.slurm.text.partitions import parse_partitions
from predictor import lml
from predictor.domain import License
from predictor.errors import SourceFormatError


@pytest.fixture(scope="module")
def folder(request):
    return request.path.parents[1] / "recorded" / "slurm-22.05" / "minutes"


@pytest.fixture(scope="module")
def running(folder):
    """A real cluster as its controller told it."""
    bare = cluster(1)
    return replace(
        bare,
        provenance=replace(bare.provenance, version="22.05.8"),
        settings=parse_config((folder / "config.txt").read_text())[0].settings,
        nodes=load_setup(folder / "slurm.conf", "22.05.8").nodes,
        partitions=parse_partitions((folder / "partitions.txt").read_text())[0],
        licenses=(License(name="db", total=9, remote=True),),
    )


@pytest.fixture(scope="module")
def conf(folder):
    return (folder / "slurm.conf").read_text()


def found(text, running):
    told = changes(parse(text), running)
    return {(one.what, one.name): (one.running, one.proposed) for one in told.found}


def test_the_file_that_a_cluster_runs_by_changes_nothing(conf, running):
    assert found(conf, running) == {}
    assert list(changes_sheet(changes(parse(conf), running))) == [
        "  nothing that decides on starts"
    ]


def test_another_way_of_writing_a_value_is_no_change(conf, running):
    same = conf.replace("PriorityMaxAge=1-0", "prioritymaxage=1440")
    assert found(same, running) == {}


def test_keys_are_changed_added_and_removed_with_both_values(conf, running):
    text = conf.replace("KillWait=30", "KillWait=60").replace("PriorityWeightAge=2000\n", "")
    text = text.replace("bf_continue", "bf_max_time=90")
    assert found(text, running) == {
        ("changed", "KillWait"): ("00:00:30", "00:01:00"),
        ("removed", "PriorityWeightAge"): ("2000", "0"),
        ("removed", "SchedulerParameters bf_continue"): ("yes", None),
        ("added", "SchedulerParameters bf_max_time"): (None, "90"),
    }


def test_partitions_nodes_and_licenses_come_go_and_change(conf, running):
    text = conf.replace("PartitionName=debug", "PartitionName=brief")
    text = text.replace("MaxTime=1-00:00:00", "MaxTime=2-0").replace("n[001-128]", "n[001-129]")
    text = text.replace("Port=[17001-17128]", "").replace("CPUs=16", "CPUs=16 Feature=z TmpDisk=9")
    assert found(text + "Licenses=matlab:3\n", running) == {
        ("removed", "partition debug"): ("n[001-016]", None),
        ("added", "partition brief"): (None, "n[001-016]"),
        ("changed", "partition batch MaxTime"): ("24:00:00", "48:00:00"),
        ("added", "node n129"): (None, "there"),
        ("changed", "node n[001-128] Features"): ("", "z"),
        ("changed", "node n[001-128] TmpDisk"): ("0", "9"),
        ("added", "license matlab"): (None, "3"),
    }


def test_a_piece_removes_nothing_that_it_does_not_name(running):
    piece = "PriorityDecayHalfLife=14-0\nPartitionName=batch MaxNodes=9\n"
    told = changes(parse(piece), running)
    assert not told.whole
    assert found(piece, running) == {
        ("changed", "PriorityDecayHalfLife"): ("24:00:00", "336:00:00"),
        ("changed", "partition batch MaxNodes"): ("UNLIMITED", "9"),
    }


def test_what_makes_no_sense_is_refused(conf, running):
    with pytest.raises(SourceFormatError):
        changes(parse(conf + "\nPriorityWeightAge=many\n"), running)


def test_the_command_tells_it_and_no_secret(tmp_path, conf, running):
    text = conf.replace("KillWait=30", "KillWait=60") + "\nJobCompPass=hunter2\n"
    (tmp_path / "slurm.conf").write_text(text)
    (tmp_path / "seen.lml").write_bytes(lml.write(running))
    names = ("--slurm-conf", tmp_path / "slurm.conf", "--against", tmp_path / "seen.lml")
    printed = CliRunner().invoke(coverage, list(map(str, names))).output
    assert "KillWait: 00:00:30 -> 00:01:00" in printed
    told = CliRunner().invoke(coverage, [*map(str, names), "--json"]).output
    assert "hunter2" not in printed + told
    kill_wait = {"name": "KillWait", "running": "00:00:30", "proposed": "00:01:00"}
    assert json.loads(told)["changes"] == {
        "whole": True,
        "changed": [kill_wait],
        "added": [],
        "removed": [],
    }


def test_there_is_nothing_to_compare_with_an_answer_of_slurm_s(tmp_path):
    (tmp_path / "seen.lml").write_text("")
    done = CliRunner().invoke(coverage, ["--live", "--against", str(tmp_path / "seen.lml")])
    assert done.exit_code == 2 and "goes with --slurm-conf" in done.output


def test_the_report_has_all_kinds_even_if_empty(running):
    report = changes_report(changes(parse(""), running))
    assert report == {"whole": False, "changed": [], "added": [], "removed": []}
