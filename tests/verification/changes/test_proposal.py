"""What is proposed, by files and wishes, and how it is told in plain words."""

from dataclasses import replace

import pytest
from clusters import HOUR, NOW, cluster, partition

from predictor.domain import PassSettings, PriorityWeights, Qos, SchedulerSettings
from predictor.errors import SiteError, SourceError
from verification.changes.files import is_site
from verification.changes.proposal import Wishes, proposal
from verification.changes.wishes import added, removed, reservation

SETTINGS = SchedulerSettings(
    weights=PriorityWeights(age=2000),
    passes=PassSettings(),
    parameters=(("bf_continue", ""), ("bf_window", "2880")),
)
SITE = '[policy]\nname = "easy"\n'


@pytest.fixture
def now():
    empty = cluster(4, settings=SETTINGS, qos=(Qos(name="low"),))
    members = empty.nodes
    return replace(empty, partitions=(partition("batch", members), partition("few", members[:1])))


@pytest.fixture
def file(tmp_path):
    def write(text, name="new"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def words(now, **wishes):
    return proposal(Wishes(**wishes), now).words


def test_against_the_recording(now, file):
    assert words(now, new=(file("PriorityWeightAge=10000\n"),)) == (
        "PriorityWeightAge 2000 -> 10000",
    )


def test_against_another_file(now, file):
    base = file("PriorityWeightAge=5\nKillWait=9\n", "base")
    new = file("PriorityWeightAge=7\n")
    found = proposal(Wishes(base=(base,), new=(new,)), now)
    assert found.words == ("PriorityWeightAge 5 -> 7",)
    assert found.base.over(now).settings.weights.age == 5
    after = found.new.over(now).settings
    assert (after.weights.age, after.kill_wait_s) == (7, 9)


def test_words_that_the_scheduler_is_told_no_more(now, file):
    assert words(now, new=(file("SchedulerParameters=bf_window=60\n"),)) == (
        "SchedulerParameters bf_window 2880 -> 60",
        "SchedulerParameters bf_continue yes -> (not set)",
    )


def test_what_nothing_on_paper_depends_on_is_named_apart(now, file):
    found = proposal(Wishes(new=(file("MailProg=/bin/x\n"),)), now)
    assert found.words == ()
    [told] = found.without_effect
    assert told.startswith("MailProg (not told) -> /bin/x: ")


def test_limits_that_nobody_enforces_change_nothing(now, file):
    table = file("Name|GrpTRES\nlow|node=2\n")
    [told] = proposal(Wishes(new=(table,)), now).without_effect
    assert "does not enforce" in told
    enforced = replace(now, settings=replace(SETTINGS, limits_enforced=True))
    assert proposal(Wishes(new=(table,)), enforced).without_effect == ()


def test_several_files_of_several_kinds(now, file):
    conf = file("PartitionName=batch MaxTime=60\n", "conf")
    table = file("Name|GrpTRES\nlow|node=2\n", "table")
    site = file(SITE, "site")
    told = words(now, new=(conf, table, site))
    assert "partition batch MaxTime 24:00:00 -> 60" in told
    assert "QOS low GrpTRES (not set) -> node=2" in told
    assert "policy.name (not set) -> easy" in told


def test_priorities_are_made_anew_on_both_sides_if_the_change_is_about_them(now, file):
    weights = proposal(Wishes(new=(file("PriorityWeightAge=1\n"),)), now)
    assert (weights.base.ranks_anew, weights.new.ranks_anew) == (True, True)
    limits = proposal(Wishes(new=(file("PartitionName=batch MaxTime=60\n"),)), now)
    assert (limits.base.ranks_anew, limits.new.ranks_anew) == (False, False)


def test_nodes_and_reservations(now):
    told = words(
        now,
        reservations=("start=+5h,duration=90m,nodes=n1,n[3-4]",),
        add_nodes=("x[1-3] like n1",),
        remove_nodes=("n[2-3]",),
    )
    assert told == (
        "maintenance of 3 nodes (n[1,3-4]) from 2023-11-15T03:13:20Z until 2023-11-15T04:43:20Z",
        "3 nodes more, like n1: x[1-3]",
        "2 nodes less: n[2-3]",
    )


def test_new_nodes_are_in_the_partitions_of_the_one_they_are_like(now):
    found = proposal(Wishes(add_nodes=("x1 like n1", "x2 like n4")), now).new.over(now)
    assert [p.node_names[-2:] for p in found.partitions] == [("x1", "x2"), ("n1", "x1")]
    assert len(found.nodes) == 6


@pytest.mark.parametrize(
    ("make", "text", "cause"),
    [
        (reservation, "start=+1h,nodes=n1", "expected start="),
        (reservation, "start=+1h,duration=soon,nodes=n1", "expected a duration"),
        (reservation, "start=soon,duration=1h,nodes=n1", "expected an instant"),
        (reservation, "start=+1h,duration=1h,nodes=n9", "n9: there is no such node"),
        (reservation, "oh start=+1h,duration=1h,nodes=n1", "expected start="),
        (added, "x1", "expected nodes and one they are like"),
        (added, "x1 like n9", "n9: there is no such node"),
        (added, "n2 like n1", "n2: there is such a node already"),
        (added, "x1 like n[1-2]", "expected one node"),
        (removed, "n[1-9]", "n5: there is no such node"),
        (removed, "n[", "n["),
    ],
)
def test_wishes_that_make_no_sense(now, make, text, cause):
    arguments = (text, 1, now) if make is reservation else (text, now)
    with pytest.raises(ValueError, match=cause.replace("[", r"\[")):
        make(*arguments)


def test_a_reservation_at_an_instant(now):
    found = reservation("start=2023-11-15T00:00:00Z,duration=2h,nodes=ALL", 1, now)
    assert (found.end_at - found.start_at, found.node_names) == (2 * HOUR, ("n1", "n2", "n3", "n4"))
    assert found.start_at > NOW


@pytest.mark.parametrize(
    ("text", "site"),
    [
        ("# words\n\n[policy]\n", True),
        ("[[qos]]\n", True),
        ('cluster = "x"\n', True),
        ("PriorityWeightAge=1\n", False),
        ("clustername=x\n", False),
        ("", False),
        ("Name|Priority\n", False),
    ],
)
def test_files_are_told_apart_by_what_is_in_them(file, text, site):
    assert is_site(file(text)) is site


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("PriorityWieghtAge=1\nodd\n", r":2: expected Key=Value.*\n.*:1: PriorityWieghtAge"),
        ("PriorityMaxAge=soon\n", "SOON"),
        ("[polcy]\n", ":1: polcy"),
        ("[policy\n", ":1: not TOML"),
        ("Name|GrpTRES\nlow\n", ":2: 1 columns, not 2"),
        ("", "no setting"),
    ],
)
def test_files_that_make_no_sense(now, file, text, cause):
    with pytest.raises((SiteError, SourceError), match=cause):
        proposal(Wishes(new=(file(text),)), now)


def test_two_site_files_on_one_side(now, file):
    with pytest.raises(SiteError, match="a second site file"):
        proposal(Wishes(new=(file(SITE, "one"), file(SITE, "other"))), now)
