"""Slurm's own files as proposed changes: what they say, change, leave alone, and get wrong."""

import pytest

from collectors.slurm.amending import conf, tables
from predictor.domain import Qos, QosFlag
from predictor.errors import SourceError

QOS = """\
Name|Priority|UsageFactor|GrpTRES|MaxJobsPU|MaxWall
normal|10|1.000000||5|
new|7|1.000000|node=32||1-00:00:00
"""
ASSOCIATIONS = """\
Cluster|Account|User|Partition|Share|GrpTRES|MaxJobs
c|physics|||40|node=9|
c|physics|ada||10||3
"""
DUMP = """\
Cluster - 'c':Fairshare=1:QOS='normal'
Parent - 'root'
Account - 'physics':Description='x':Organization='x':Fairshare=77
Parent - 'physics'
User - 'ada':DefaultAccount='physics':Fairshare=5:MaxJobs=2
"""


@pytest.fixture
def written(tmp_path):
    def write(text, name="file"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture
def now(snapshot):
    """A real cluster's snapshot."""
    return snapshot("22.05")


def test_a_piece_of_slurm_conf(written, now):
    said = "PriorityWeightAge=10000\nPartitionName=batch MaxTime=30\nMailProg=/bin/x\n"
    found = conf.read(written(said))
    assert found.said == {
        "PriorityWeightAge": "10000",
        "partition batch MaxTime": "30",
        "MailProg": "/bin/x",
    }
    assert found.faults == ()
    assert [*found.without_effect] == ["MailProg"]
    assert found.over(now).settings.weights.age == 10000
    assert found.told(now)["PriorityWeightAge"] == str(now.settings.weights.age)


def test_what_is_so_already_is_told_as_the_file_spells_it(written, now):
    age_s = now.settings.priority_max_age_s
    assert age_s % 86_400 == 0
    found = conf.read(written(f"PriorityMaxAge={age_s // 86_400}-0\n"))
    assert found.told(now)["PriorityMaxAge"] == found.said["PriorityMaxAge"]


def test_words_of_the_scheduler_are_settings_of_their_own(written, now):
    found = conf.read(written("SchedulerParameters=bf_window=60,bf_continue,kill_invalid_depend\n"))
    assert found.said["SchedulerParameters bf_window"] == "60"
    assert found.said["SchedulerParameters bf_continue"] == "yes"
    assert found.replaces == ("SchedulerParameters ",)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param("bf_window=60", "bf_window=60,bf_continue,bf_interval=20", id="a value"),
        pytest.param("BF_Continue=NO", "bf_window=120,bf_interval=20", id="taken away"),
        pytest.param("bf_continue=", "bf_window=120,bf_interval=20", id="not set any more"),
        pytest.param("defer=yes", "bf_window=120,bf_continue,bf_interval=20,defer", id="a new one"),
    ],
)
def test_a_single_word_of_the_scheduler_leaves_the_others_as_they_are(written, now, line, words):
    whole = "SchedulerParameters=bf_window=120,bf_continue,bf_interval=20\n"
    before = conf.read(written(whole)).over(now)
    found = conf.read(written(f"SchedulerParameters.{line}\n"))
    expected = conf.read(written(f"SchedulerParameters={words}\n")).over(now)
    assert found.over(before).settings == expected.settings
    assert conf.read(written(f"{whole}SchedulerParameters.{line}\n")).over(now) == expected
    assert found.replaces == () and found.faults == ()


def test_a_single_word_is_told_as_one_of_the_list_is(written, now):
    now = conf.read(written("SchedulerParameters=bf_window=120,bf_continue\n")).over(now)
    lines = ("bf_window=60", "bf_continue=NO", "bf_max_job_user=5")
    found = conf.read(written("".join(f"SchedulerParameters.{line}\n" for line in lines)))
    names = [f"SchedulerParameters {line.partition('=')[0]}" for line in lines]
    assert [found.said[name] for name in names] == ["60", "", "5"]
    assert [found.told(now)[name] for name in names] == ["120", "yes", ""]


def test_a_word_that_nobody_knows_is_named(written):
    path = written("SchedulerParameters.bf_windwo=1\n")
    assert conf.read(path).faults == (f"{path}:1: SchedulerParameters: bf_windwo: not known",)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("PriorityWieghtAge=1\n", ":1: PriorityWieghtAge: not known", id="a key"),
        pytest.param("\nPartitionName=b MxTime=1\n", ":2: b MxTime: not known", id="a record's"),
        pytest.param("KillWait=1\nodd words\n", ":2: expected Key=Value", id="no key at all"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(written, text, fault):
    path = written(text)
    [told] = conf.read(path).faults
    assert f"{path}{fault}" in told


def test_what_a_setting_cannot_be_is_told_when_it_is_laid_over(written, now):
    with pytest.raises(SourceError, match="SOON"):
        conf.read(written("PriorityMaxAge=soon\n")).over(now)
    with pytest.raises(SourceError, match=r":1: batch: .*SOON"):
        conf.read(written("PartitionName=batch MaxTime=soon\n")).over(now)


def test_columns_of_a_table_change_and_no_others(written, now):
    found = tables.read(written(QOS))
    before = next(one for one in now.qos if one.name == "normal")
    after = {one.name: one for one in found.over(now).qos}
    assert after["normal"].priority == 10
    assert after["normal"].limits.max_jobs == 5
    assert after["normal"].usage == before.usage
    assert after["normal"].flags == before.flags
    assert after["new"].limits.group_tres == (("node", 32),)
    assert after["new"].limits.max_wall_per_job_s == 86_400
    assert found.said["QOS new GrpTRES"] == "node=32"
    assert found.over(found.over(now)) == found.over(now)


def test_a_column_alone_is_enough_and_may_take_a_limit_away(written, now):
    capped = tables.read(written("Name|GrpTRES\nnormal|node=3\n")).over(now)
    lifted = tables.read(written("Name|GrpTRES\nnormal|\n"))
    assert lifted.told(capped) == {"QOS normal GrpTRES": "node=3"}
    assert lifted.said == {"QOS normal GrpTRES": ""}
    again = {one.name: one for one in lifted.over(capped).qos}
    assert again["normal"].limits.group_tres == ()


def test_flags_of_a_qos_change_and_are_told_in_slurms_words(written, now):
    found = tables.read(written("Name|Flags\nnormal|OverPartQOS,NoDecay\n"))
    flagged = found.over(now)
    after = {one.name: one for one in flagged.qos}
    assert after["normal"].flags == {QosFlag.NO_DECAY, QosFlag.OVER_PARTITION}
    plain = tables.read(written("Name|Flags\nnormal|\n"))
    assert plain.told(now) == {"QOS normal Flags": ""}
    assert plain.told(flagged) == {"QOS normal Flags": "NoDecay,OverPartQOS"}
    assert plain.over(flagged) == plain.over(now)


def test_associations_by_table_and_by_dump(written, now):
    table = tables.read(written(ASSOCIATIONS))
    dump = tables.read(written(DUMP))
    by_table = {(a.account, a.user): a for a in table.over(now).associations}
    by_dump = {(a.account, a.user): a for a in dump.over(now).associations}
    assert by_table["physics", ""].shares == 40
    assert by_table["physics", ""].limits.group_tres == (("node", 9),)
    assert by_table["physics", "ada"].limits.max_jobs == 3
    assert by_dump["physics", ""].shares == 77
    assert by_dump["physics", "ada"].limits.max_jobs == 2
    assert dump.faults == table.faults == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        pytest.param("Name|Priority\nx|1|2\n", ":2: 3 columns, not 2", id="columns"),
        pytest.param("Name|Priority\nx|1\ny|many\n", ":3: ", id="no number"),
        pytest.param("Name|Pirority\nx|1\n", "Pirority: not known", id="a heading"),
    ],
)
def test_what_is_wrong_in_a_table(written, text, fault):
    told = tables.read(written(text)).faults
    assert any(fault in one for one in told), told


def test_each_reader_leaves_the_others_files_alone(written):
    assert tables.read(written("PriorityWeightAge=1\n")) is None
    assert conf.read(written(QOS)) is None
    assert conf.read(written(DUMP)) is None
    with pytest.raises(SourceError, match="no setting"):
        conf.read(written("# nothing\n"))


def test_what_cannot_be_read(tmp_path):
    for reader in (conf, tables):
        with pytest.raises(SourceError, match="none"):
            reader.read(tmp_path / "none")


def test_a_new_qos_has_nothing_but_what_is_said(written, now):
    found = tables.read(written("Name|MaxJobsPU\nfresh|4\n")).over(now)
    fresh = next(one for one in found.qos if one.name == "fresh")
    assert fresh == Qos(name="fresh", limits=fresh.limits)
