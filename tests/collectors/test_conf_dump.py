"""The file that `sacctmgr dump` wrote, read as the limits that `sacctmgr show assoc` tells."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.slurm.files.dump import is_dump, parse_dump
from collectors.slurm.text.limits import parse_associations
from collectors.slurm.text.sshare import grown, parse_shares

# Written by Slurm 22.05.8, without its comments.
DUMP = """\
# To edit this file start with a cluster line for the new cluster
Cluster - 'live':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
Account - 'physics':Description='the: physics':Organization='uni':Fairshare=30:GrpTRESMins=cpu=1000:GrpTRES=cpu=100,mem=20G:GrpJobs=9:GrpWall=100
Parent - 'physics'
User - 'daemon':Partition='cores':DefaultAccount='physics':AdminLevel='Operator':Fairshare=1:MaxJobs=1
Account - 'optics':Description='optics':Organization='physics':Fairshare=10:MaxTRESPerJob=cpu=8,node=2:MaxJobs=4:MaxWallDurationPerJob=1440:Priority=5:QOS='high,normal'
Parent - 'optics'
User - 'nobody':DefaultAccount='optics':Fairshare=2147483647:GrpTRESRunMins=cpu=50:MaxTRESMinsPerJob=cpu=77:MaxTRESPerNode=cpu=3:MaxSubmitJobs=7
"""  # noqa: E501
# What the same database told. What is inherited stands with the user, too, in the last row.
SHOWN = """\
Cluster|Account|User|Partition|Share|Priority|GrpJobs|GrpTRES|GrpSubmit|GrpWall|GrpTRESMins|MaxJobs|MaxTRES|MaxTRESPerNode|MaxSubmit|MaxWall|MaxTRESMins|QOS|Def QOS|GrpTRESRunMins
live|root|||1|||||||||||||normal||
live|root|root||1|||||||||||||normal||
live|physics|||30||9|cpu=100,mem=20G||01:40:00|cpu=1000|||||||normal||
live|physics|daemon|cores|1|||||||1||||||normal||
live|optics|||10|5||||||4|cpu=8,node=2|||1-00:00:00||high,normal||
live|optics|nobody||parent|||||||||cpu=3|7||cpu=77|||cpu=50
"""  # noqa: E501
SHARES = """\
Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS
root|||0.0|0||1.0||
 root|root|1|0.0|0|0.0|0.0|1.0|inf
 physics||30|0.9|0|0.0|0.0||inf
  physics|daemon|1|0.09|0|0.0|0.0|1.0|inf
  optics||10|0.9|0|0.0|0.0||inf
   optics|nobody|parent|0.9|0|0.0|0.0|1.0|
"""


def test_a_dump_says_what_the_database_tells():
    found = parse_dump(DUMP)
    told = grown(parse_associations(SHOWN, "live")[0], parse_shares(SHARES)[0])

    def limits(associations):
        return {
            (a.account, a.user, a.partition): (a.parent, a.shares, a.priority, a.limits)
            for a in associations
        }

    assert found.cluster == "live"
    assert found.remarks == ()
    assert limits(found.associations) == limits(told)


@pytest.mark.parametrize(
    ("text", "yes"),
    [(DUMP, True), (SHOWN, False), ("", False), ("# x\n\nCluster - x\n", True)],
)
def test_a_dump_is_told_from_a_table(text, yes):
    assert is_dump(text) is yes


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("Nonsense", "expected Kind - 'name':Option=value…, not 'Nonsense'"),
        ("Account - 'a':GrpJobs", "expected Kind - 'name':Option=value…, not ':GrpJobs'"),
        ("Account - 'a':GrpJobs=many", "invalid literal for int() with base 10: 'many'; left out"),
        ("Account - 'a':MaxNodesPerJob=3", "maxnodesperjob: not known; left out"),
        ("Account - 'a", "expected Kind - 'name':Option=value…, not \"'a\""),
    ],
)
def test_a_line_that_makes_no_sense_is_named(line, cause):
    found = parse_dump(f"Cluster - 'c'\n{line}\nAccount - 'b'\n", "d.cfg")
    assert [str(remark) for remark in found.remarks] == [f"d.cfg:2: {cause}"]
    assert found.associations[-1].account == "b"


@given(st.text(max_size=200).map(lambda text: f"Cluster - 'c'\nUser - 'u':{text}\n"))
def test_any_text_can_be_read(text):
    parse_dump(text)
