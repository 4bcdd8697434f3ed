"""Limits of QOS and associations that few sites set: read alike from every form that tells them."""

import json

import pytest

from collectors.slurm.objects import limits as objects
from collectors.slurm.text.assoc_mgr import parse_usage
from collectors.slurm.text.limits import completed, parse_associations, parse_qos
from collectors.slurm.words.flags import spoken_qos_flags
from predictor.domain import Limits, QosFlag


def told_qos(**columns):
    row = {"Name": "q", "Priority": "0"} | columns
    (qos,), bad = parse_qos("|".join(row) + "\n" + "|".join(row.values()))
    assert not bad
    return qos


def json_qos(**parts):
    (qos,), bad = objects.parse_qos(json.dumps({"qos": [{"name": "q", **parts}], "errors": []}))
    assert not bad
    return qos


def cpus(count):
    return [{"type": "cpu", "name": "", "id": 1, "count": count}]


def test_minutes_that_running_jobs_of_one_have_before_them():
    text = told_qos(MaxTRESRunMinsPU="cpu=600", MaxTRESRunMinsPA="cpu=900")
    per = {"user": cpus(600), "account": cpus(900)}
    by_json = json_qos(limits={"max": {"tres": {"minutes": {"per": per}}}})
    assert text.limits == by_json.limits
    assert text.limits.max_tres_run_minutes == (("cpu", 600),)
    assert text.limits.max_tres_run_minutes_per_account == (("cpu", 900),)


@pytest.mark.parametrize(
    ("by_text", "by_json", "meant"),
    [
        ("NoDecay", "NO_DECAY", QosFlag.NO_DECAY),
        ("NoReserve", "NO_RESERVE", QosFlag.UNRESERVED),
        ("OverPartQOS", "OVERRIDE_PARTITION_QOS", QosFlag.OVER_PARTITION),
        ("PartitionMaxNodes", "PARTITION_MAXIMUM_NODE", QosFlag.ABOVE_MAX_NODES),
        ("PartitionMinNodes", "PARTITION_MINIMUM_NODE", QosFlag.BELOW_MIN_NODES),
        ("PartitionTimeLimit", "PARTITION_TIME_LIMIT", QosFlag.ABOVE_MAX_TIME),
        ("UsageFactorSafe", "USAGE_FACTOR_SAFE", QosFlag.FACTOR_ASKED),
    ],
)
def test_flags_mean_the_same_however_they_are_told(by_text, by_json, meant):
    assert told_qos(Flags=f"DenyOnLimit,{by_text},FromTheFuture").flags == {meant}
    assert json_qos(flags=["DENY_LIMIT", by_json, "FROM_THE_FUTURE"]).flags == {meant}


def test_every_flag_is_told_by_some_word_and_spoken_as_such():
    words = spoken_qos_flags(QosFlag)
    assert told_qos(Flags=words).flags == {*QosFlag}


def told_association(**columns):
    row = {"Account": "a", "Share": "1"} | columns
    (one,), bad = parse_associations("|".join(row) + "\n" + "|".join(row.values()), "c")
    assert not bad
    return one


def json_association(**parts):
    record = {"account": "a", "shares_raw": 1, **parts}
    answer = json.dumps({"associations": [record], "errors": []})
    (one,), bad = objects.parse_associations(answer, "c")
    assert not bad
    return one


def test_how_many_of_a_qos_grow_old_and_who_is_protected():
    text = told_qos(GrpJobsAccrue="9", MaxJobsAccruePU="2", MaxJobsAccruePA="5", MinPrioThres="77")
    most = {"active_jobs": {"accruing": 9}, "accruing": {"per": {"user": 2, "account": 5}}}
    by_json = json_qos(limits={"max": most, "min": {"priority_threshold": 77}})
    assert text.limits == by_json.limits
    assert text.limits == Limits(
        group_accruing=9, max_accruing=2, max_accruing_per_account=5, min_priority=77
    )


def test_how_many_of_an_association_grow_old_and_who_is_protected():
    text = told_association(GrpJobsAccrue="9", MaxJobsAccrue="2", MinPrioThres="77")
    most = {"jobs": {"accruing": 2, "per": {"accruing": 9}}}
    by_json = json_association(max=most, min={"priority_threshold": 77})
    assert text.limits == by_json.limits
    assert text.limits == Limits(group_accruing=9, max_accruing=2, min_priority=77)


def test_by_how_much_a_qos_stretches_limits():
    assert told_qos(LimitFactor="1.500000").limit_factor == 1.5
    assert json_qos(limits={"factor": 1.5}).limit_factor == 1.5
    unset = {"set": False, "infinite": True, "number": 0}
    assert told_qos().limit_factor == json_qos().limit_factor == 1.0
    assert json_qos(limits={"factor": unset}).limit_factor == 1.0
    assert {told_qos(LimitFactor=word).limit_factor for word in ("inf", "nan", "-1", "0")} == {1.0}


# As Slurm 24.11 prints it with -o, cut to what is read here.
ASSOC_MGR = """Current Association Manager state

Association Records

ClusterName=c Account=root UserName= Partition= Priority=0 ID=1 GrpJobs=N(2) GrpJobsAccrue=7(3) \
GrpSubmitJobs=N(0) GrpWall=N(0.00) MaxJobs= MaxJobsAccrue= MaxWallPJ= MinPrioThresh= Comment=
ClusterName=c Account=a UserName=ada(1000) Partition= Priority=0 ID=2 GrpJobs=N(0) \
GrpJobsAccrue=N(1) GrpSubmitJobs=N(0) GrpWall=N(0.00) MaxJobs= MaxJobsAccrue=4(1) \
MinPrioThresh=50 Comment=

QOS Records

QOS=normal(1) UsageRaw=0.000000 GrpJobs=N(0) GrpJobsAccrue=N(2) GrpWall=N(0.00) MinPrioThresh=9  \
Account Limits= a={MaxJobsPA=N(0) MaxJobsAccruePA=6(1) } \
User Limits= ada(1000)={MaxJobsPU=N(0) MaxJobsAccruePU=3(1) }
QOS=plain(2) UsageRaw=0.000000 GrpJobs=N(0) GrpJobsAccrue=N(0) GrpWall=N(0.00) MinPrioThresh=  \
Account Limits= No Accounts User Limits= No Users
"""


def test_what_sacctmgr_does_not_show_by_itself_stands_with_the_usage():
    told, bad = parse_usage(ASSOC_MGR)
    assert not bad
    assert told.bounds_of_associations == {
        ("root", "", ""): Limits(group_accruing=7),
        ("a", "ada", ""): Limits(max_accruing=4, min_priority=50),
    }
    assert told.bounds_of_qos == {
        "normal": Limits(min_priority=9, max_accruing=3, max_accruing_per_account=6)
    }
    assert told.associations["root", "", ""].jobs == 2


def test_what_is_set_in_both_is_as_sacctmgr_says():
    told = Limits(max_jobs=5, max_accruing=1)
    more = Limits(max_accruing=3, min_priority=9)
    assert completed(told, more) == Limits(max_jobs=5, max_accruing=1, min_priority=9)
    assert completed(told, None) is told
