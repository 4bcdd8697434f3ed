"""slurm.conf with all that it includes: which value counts, and no end to mischief."""

import os
from pathlib import Path

import pytest

from collectors.slurm.files.conf import MOST_BYTES, MOST_FILES, MOST_REMARKS, load, parse
from predictor.errors import SourceError


@pytest.fixture
def write(tmp_path):
    """Write files by name and return the first of them."""

    def write(**texts):
        paths = [tmp_path / name.replace("__", ".") for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return paths[0]

    return write


def causes(conf):
    return [remark.cause for remark in conf.remarks]


def test_keys_are_found_however_they_are_spelled():
    conf = parse("SelectTYPE=select/linear\nMadeUpKey=7\n")
    assert conf.value("SelectType") == "select/linear"
    assert str(conf.settings()["madeupkey"].place) == "slurm.conf:2"


def test_of_a_repeated_key_the_last_counts_and_that_is_said():
    conf = parse("KillWait=5\nSlurmctldHost=a\nSlurmctldHost=b\nkillwait=9\n")
    assert conf.value("KillWait") == "9"
    assert causes(conf) == ["killwait again, after slurm.conf:1; this one counts"]


def test_defaults_count_for_the_records_after_them():
    conf = parse(
        "NodeName=a CPUs=1\n"
        "NodeName=DEFAULT CPUs=4 Weight=2\n"
        "NodeName=b RealMemory=7\n"
        "NodeName=default weight=3\n"
        "NodeName=c CPUs=8\n"
    )
    found = {entry.name: dict(entry.values) for entry in conf.records("NodeName")}
    assert found == {
        "a": {"cpus": "1"},
        "b": {"cpus": "4", "weight": "2", "realmemory": "7"},
        "c": {"cpus": "8", "weight": "3"},
    }


def test_what_a_record_says_itself_is_told_from_defaults():
    [entry] = parse("PartitionName=DEFAULT MaxTime=1\nPartitionName=p Nodes=n1").records(
        "partitionname"
    )
    assert entry.own == {"nodes"}
    assert entry.written["maxtime"] == "MaxTime"


def test_keys_of_records_are_no_settings():
    conf = parse("KillWait=5 NodeName=a Weight=2\n")
    assert conf.settings().keys() == {"killwait"}


def test_included_files_stand_where_they_are_named(write):
    path = write(
        slurm__conf="ClusterName=big\nInclude %c.nodes\ninclude part-*.conf\nKillWait=1\n",
        big__nodes="NodeName=n1\nKillWait=7\n",
        **{"part-b__conf": "PartitionName=b\n", "part-a__conf": "PartitionName=a\n"},
    )
    conf = load(path)
    assert [entry.name for entry in conf.records("PartitionName")] == ["a", "b"]
    assert [entry.place.line for entry in conf.records("NodeName")] == [1]
    assert conf.value("KillWait") == "1"
    assert [Path(name).name for name in conf.files] == [
        "slurm.conf",
        "big.nodes",
        "part-a.conf",
        "part-b.conf",
    ]


def test_a_file_that_is_not_there_is_remarked_upon(write):
    conf = load(write(slurm__conf="A=1\nInclude gone.conf\nB=2\n"))
    assert causes(conf) == ["Include gone.conf: No such file or directory"]
    assert conf.value("B") == "2"


def test_without_the_first_file_there_is_nothing(tmp_path):
    with pytest.raises(SourceError, match=r"slurm\.conf: No such file"):
        load(tmp_path / "slurm.conf")
    with pytest.raises(SourceError, match="Is a directory"):
        load(tmp_path)


def test_files_that_include_each_other_are_named(write):
    conf = load(write(a__conf="A=1\nInclude b.conf\n", b__conf="B=2\nInclude a.conf\nC=3\n"))
    assert causes(conf) == ["Include a.conf: it includes itself; left out"]
    assert conf.value("C") == "3"


def test_a_bomb_of_includes_ends(write):
    files = {f"f{n}__conf": f"Include f{n + 1}.conf\n" * 10 for n in range(12)}
    conf = load(write(**files, f12__conf="A=1\n"))
    assert any("files deep" in cause for cause in causes(conf))
    assert len(conf.files) == MOST_FILES
    assert len(conf.remarks) == MOST_REMARKS


def test_neither_a_pipe_nor_endless_input_holds_us(write, tmp_path):
    os.mkfifo(tmp_path / "pipe.conf")
    conf = load(write(slurm__conf="Include pipe.conf\nInclude /dev/zero\nA=1\n"))
    assert causes(conf) == ["Include pipe.conf: not a file", "Include /dev/zero: not a file"]
    assert conf.value("A") == "1"


def test_files_beyond_all_measure_are_refused(write):
    huge = write(slurm__conf=b"A=" + b"x" * MOST_BYTES)
    with pytest.raises(SourceError, match=f"more than {MOST_BYTES} bytes"):
        load(huge)
    conf = load(write(slurm__conf="Include huge.conf\nB=2\n", huge__conf=b" " * MOST_BYTES))
    assert "more than" in causes(conf)[0]
    assert conf.value("B") == "2"


def test_more_settings_than_any_cluster_has_are_left_out():
    conf = parse("A=1 " * 1000 + "\n" + ("B=1 " * 1000 + "\n") * 500)
    assert any("more than 400000 settings" in cause for cause in causes(conf))


def test_what_is_no_text_is_kept_and_remarked_upon(write):
    conf = load(write(slurm__conf=b"A=\xff\xfe\n# caf\xe9\nB=2\0\nC=3\n"))
    assert conf.settings().keys() == {"a", "c"}
    assert len(conf.remarks) == 2
