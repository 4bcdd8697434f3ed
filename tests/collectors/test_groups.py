"""Who is in which group, for partitions that take the jobs of some groups only."""

import pytest
from recorded_slurm import NOW, Slurm, source_of
from recordings import HandClock

from collectors.commands import Printed
from collectors.slurm import questions
from collectors.slurm.text.groups import asked_by, parse_groups, with_members
from collectors.slurm.text.partitions import parse_partitions
from predictor.domain import Fact, Partition
from predictor.errors import SourceFormatError

GETENT = "physics:x:501:ada,emmy\nchem:*:502:\n"
ONE = Partition(name="club", node_names=(), allow_groups=("physics", "chem"))


def test_groups_and_their_users():
    assert parse_groups(GETENT) == ((("physics", ("ada", "emmy")), ("chem", ())), ())


def test_a_bad_line_is_set_aside():
    found, bad = parse_groups(GETENT + "what:is:this\n")
    assert (len(found), bad[0].fact, bad[0].count) == (2, Fact.PARTITIONS, 1)


def test_an_answer_that_is_all_bad_is_refused():
    with pytest.raises(SourceFormatError):
        parse_groups("no groups here\n")


def test_a_partition_takes_the_users_of_all_its_groups_and_those_everywhere():
    [one] = with_members([ONE], parse_groups(GETENT)[0], "slurm")
    assert one.group_members == ("ada", "emmy", "root", "slurm")


def test_where_a_group_is_not_told_nobody_is_known():
    [one] = with_members([ONE], [("physics", ("ada",))], "slurm")
    assert not one.groups_told


def test_a_partition_for_everybody_has_no_members():
    everybody = Partition(name="open", node_names=())
    assert with_members([everybody], parse_groups(GETENT)[0], "") == (everybody,)


@pytest.fixture
def old_slurm(answers):
    """A Slurm 22.05 whose first partition takes everybody's jobs."""
    return Slurm(answers("22.05").printed, HandClock(NOW))


@pytest.mark.parametrize(
    ("printed", "argv"),
    [
        ("PartitionName=a State=UP AllowGroups=ALL\n", None),
        ("PartitionName=a State=UP AllowGroups=physics,chem\n", ("chem", "physics")),
        ("PartitionName=", None),
        (None, None),
    ],
)
def test_who_asks_after_which_groups(printed, argv):
    known = {} if printed is None else {questions.PARTITIONS.name: printed}
    asked = list(asked_by(known, (questions.PARTITIONS, parse_partitions)))
    assert [one.argv for one in asked] == ([("getent", "group", *argv)] if argv else [])


def limited(slurm):
    told = slurm.printed["partitions"]
    slurm.printed["partitions"] = told.replace("AllowGroups=ALL", "AllowGroups=physics", 1)
    return slurm


def test_it_is_asked_only_where_a_partition_names_groups(old_slurm):
    source_of(old_slurm).observe()
    assert "groups" not in old_slurm.asked


def test_a_look_tells_who_is_in_the_groups(old_slurm):
    old_slurm.printed["groups"] = GETENT
    seen = source_of(limited(old_slurm)).observe()
    first = next(p for p in seen.snapshot.partitions if p.allow_groups)
    assert first.group_members == ("ada", "emmy", "root", "slurm")
    assert seen.snapshot.provenance.hidden == ()


def test_a_machine_that_does_not_know_the_group_is_a_line_in_the_snapshot(old_slurm):
    old_slurm.failing["groups"] = Printed(output="", exit_code=2)
    seen = source_of(limited(old_slurm)).observe()
    first = next(p for p in seen.snapshot.partitions if p.allow_groups)
    assert not first.groups_told
    assert [hidden.fact for hidden in seen.snapshot.provenance.hidden] == [Fact.PARTITIONS]
