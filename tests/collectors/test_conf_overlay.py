"""A piece of slurm.conf laid over a snapshot: what it names changes, and nothing else."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.slurm.files.conf import parse
from collectors.slurm.files.overlay import overlaid
from collectors.slurm.files.shown import line
from collectors.slurm.files.spoken import spoken_partition, spoken_settings
from collectors.slurm.text.config import configuration_of
from collectors.slurm.text.partitions import parse_partitions
from predictor.domain import UNLIMITED, NodeSharing, PartitionState
from predictor.errors import SourceFormatError


def differences(before, after):
    """Return by field what is there now and was not before."""
    names = [field.name for field in fields(before)]
    return {n: getattr(after, n) for n in names if getattr(after, n) != getattr(before, n)}


@pytest.fixture(params=["22.05", "26.05"])
def now(request, snapshot):
    """A real cluster's snapshot."""
    return snapshot(request.param)


def under(now, text):
    found, remarks = overlaid(now, parse(text))
    assert remarks == ()
    return found


@pytest.mark.parametrize("text", ["", "# nothing\n", "MailProg=/bin/x\nUnknown=1\n"])
def test_what_names_nothing_changes_nothing(now, text):
    assert under(now, text) == now


def test_a_cluster_laid_over_itself_stays_what_it_is(now):
    own = spoken_settings(now.settings, now.provenance.version)
    said = "".join(f'{key}="{value}"\n' for key, value in own.items() if value)
    for partition in now.partitions:
        said += line("PartitionName", partition.name, spoken_partition(partition))
    assert under(now, said) == now


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        pytest.param("KillWait=77", {"kill_wait_s": 77}, id="one setting"),
        pytest.param("AccountingStorageEnforce=safe", {"limits_safe": True}, id="a list"),
        pytest.param("SelectTypeParameters=CR_Core", {"memory_is_consumable": False}, id="words"),
        pytest.param("PreemptType=preempt/none", {"preemption": None}, id="off"),
    ],
)
def test_a_setting(now, text, changes):
    found = under(now, f"{text}\n")
    assert differences(now.settings, found.settings) == changes
    assert replace(found, settings=now.settings) == now


def test_scheduler_parameters_are_replaced_as_a_whole(now):
    found = under(now, "SchedulerParameters=bf_window=60,assoc_limit_stop\n")
    changed = differences(now.settings.passes, found.settings.passes)
    assert changed == {
        "window_s": 3600,
        "limits_stop": True,
        "interval_s": 30,
        "jobs_max": 500,
        "jobs_max_per_user": 0,
        "main_depth": 100,
        "continues": False,
    }


def test_looking_ahead_can_be_told_to_begin(now):
    idle = under(now, "SchedulerParameters=bf_interval=-1\n")
    assert not idle.settings.backfill
    assert under(idle, "SchedulerParameters=bf_interval=30\n").settings.backfill


def test_what_a_site_file_changed_of_the_passes_stays(now):
    passes = replace(now.settings.passes, exact=True, reach=7)
    site = replace(now, settings=replace(now.settings, passes=passes))
    found = under(site, "SchedulerParameters=bf_window=60\n")
    assert (found.settings.passes.exact, found.settings.passes.reach) == (True, 7)
    assert found.settings.passes.window_s == 3600


def test_keys_of_a_partition(now):
    found = under(now, "PartitionName=batch PriorityTier=9 MaxTime=30 OverSubscribe=EXCLUSIVE\n")
    before, after = (next(p for p in one.partitions if p.name == "batch") for one in (now, found))
    assert differences(before, after) == {
        "tier": 9,
        "max_time_s": 1800,
        "sharing": NodeSharing.EXCLUSIVE,
    }
    assert [p.name for p in found.partitions] == [p.name for p in now.partitions]


def test_a_new_partition_has_slurms_defaults(now):
    found = under(now, "PartitionName=new Nodes=n[03-04],n01\n")
    assert found.partitions[:-1] == now.partitions
    assert found.partitions[-1].node_names == ("n01", "n03", "n04")
    assert found.partitions[-1].state is PartitionState.UP
    assert found.partitions[-1].max_time_s is UNLIMITED


def test_nodes_keep_what_they_are_at_the_moment(now):
    found = under(now, "NodeName=n01,new1 Weight=77 Features=z TmpDisk=9 State=UNKNOWN\n")
    before, after = (next(n for n in one.nodes if n.name == "n01") for one in (now, found))
    assert differences(before, after) == {"weight": 77, "features": ("z",), "tmp_disk_mb": 9}
    assert [n.name for n in found.nodes] == [*(n.name for n in now.nodes), "new1"]


def test_licenses_in_use_stay_in_use(now):
    found = under(now, "Licenses=matlab:99,new:1\n")
    pools = {pool.name: (pool.total, pool.used) for pool in found.licenses}
    before = {pool.name: pool.used for pool in now.licenses}
    assert pools == {"matlab": (99, before["matlab"]), "new": (1, 0)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("PriorityWeightAge=12345", False, id="a weight"),
        pytest.param("PartitionName=batch PriorityJobFactor=77", False, id="a factor"),
        pytest.param("KillWait=77", True, id="something else"),
    ],
)
def test_what_priorities_were_made_of_counts_only_while_it_holds(now, text, told):
    assert any(job.priorities for job in now.pending)
    assert any(job.priorities for job in under(now, f"{text}\n").pending) is told


def test_the_least_loaded_nodes_everywhere(now):
    found = under(now, "SelectTypeParameters=CR_Core_Memory,CR_LLN\n")
    assert all(partition.spread for partition in found.partitions)


def test_what_cannot_be_read_is_left_out_and_named(now):
    found, remarks = overlaid(now, parse("PartitionName=batch MaxTime=soon\nodd\nKillWait=77\n"))
    assert found.partitions == now.partitions
    assert found.settings.kill_wait_s == 77
    assert [remark.place.line for remark in remarks] == [2, 1]


def test_settings_that_make_no_sense_are_refused(now):
    with pytest.raises(SourceFormatError, match="not a duration"):
        overlaid(now, parse("PriorityMaxAge=soon\n"))


NUMBERS = st.integers(0, 10**6).map(str)
CLOCKS = st.sampled_from(["0", "7", "00:10:00", "3-12", "99 sec"])
MEMORY = st.sampled_from(["UNLIMITED", "0", "500", "2000"])
YES = st.sampled_from(["YES", "NO"])
PRIORITY_FLAGS = st.sampled_from(
    (
        *("ACCRUE_ALWAYS", "CALCULATE_RUNNING", "DEPTH_OBLIVIOUS", "INCR_ONLY", "MAX_TRES"),
        *("MAX_TRES_GRES", "NO_FAIR_TREE", "NO_NORMAL_QOS", "no_normal_all"),
        *("NO_NORMAL_TRES", "SMALL_RELATIVE_TO_TIME"),
    )
)
SETTINGS = {
    "PriorityType": st.sampled_from(["priority/basic", "priority/multifactor"]),
    "SchedulerType": st.sampled_from(["sched/builtin", "sched/backfill"]),
    "SelectType": st.sampled_from(["select/linear", "select/cons_tres"]),
    "SelectTypeParameters": st.sampled_from(
        ["CR_CPU", "CR_CORE_MEMORY", "CR_SOCKET,CR_PACK_NODES", "CR_SOCKET_MEMORY", "CR_MEMORY"]
    ),
    "SchedulerParameters": st.sampled_from(
        [
            "",
            "bf_continue,bf_window=7",
            "bf_interval=-1,sched_interval=-1",
            "preempt_strict_order",
            "requeue_delay=9,odd",
        ]
    ),
    "PreemptType": st.sampled_from(["preempt/none", "preempt/qos", "preempt/partition_prio"]),
    "PreemptMode": st.sampled_from(["OFF", "CANCEL", "REQUEUE", "SUSPEND,GANG"]),
    "PreemptParameters": st.sampled_from(["", "youngest_first", "strict_order,reorder_count=3"]),
    "PreemptExemptTime": CLOCKS,
    "AccountingStorageEnforce": st.sampled_from(["", "limits", "safe", "all", "qos"]),
    "AuthInfo": st.sampled_from(["", "cred_expire=7"]),
    "CompleteWait": CLOCKS,
    "KillWait": CLOCKS,
    "MessageTimeout": CLOCKS,
    "MinJobAge": CLOCKS,
    "OverTimeLimit": st.sampled_from(["0 min", "UNLIMITED", "7"]),
    "DefMemPerCPU": MEMORY,
    "DefMemPerNode": MEMORY,
    "FairShareDampeningFactor": NUMBERS,
    "PriorityCalcPeriod": CLOCKS,
    "PriorityDecayHalfLife": CLOCKS,
    "PriorityFavorSmall": YES,
    "PriorityFlags": st.lists(PRIORITY_FLAGS, max_size=4).map(",".join),
    "PriorityMaxAge": CLOCKS,
    "PriorityUsageResetPeriod": st.sampled_from(["NONE", "DAILY"]),
    "PriorityWeightAge": NUMBERS,
    "PriorityWeightTRES": st.sampled_from(["", "CPU=0.1,Mem=0.25G", "gres/gpu=-3"]),
    "ResumeProgram": st.sampled_from(["(null)", "/x"]),
    "ResumeTimeout": CLOCKS,
    "TopologyParam": st.sampled_from(["", "TopoOptional"]),
}
PARTITIONS = {
    "State": st.sampled_from(["UP", "DRAIN"]),
    "OverSubscribe": st.sampled_from(["NO", "EXCLUSIVE", "YES:3", "FORCE:1"]),
    "MaxTime": st.sampled_from(["UNLIMITED", "1-00:00:00", "NONE"]),
    "DefaultTime": st.sampled_from(["NONE", "00:10:00"]),
    "MaxNodes": st.sampled_from(["UNLIMITED", "7"]),
    "OverTimeLimit": st.sampled_from(["NONE", "5", "UNLIMITED"]),
    "PreemptMode": st.sampled_from(["OFF", "REQUEUE", "GANG"]),
    "AllowAccounts": st.sampled_from(["ALL", "a,b"]),
    "DenyQos": st.sampled_from(["z"]),
    "QoS": st.sampled_from(["N/A", "q"]),
    "DefMemPerCPU": MEMORY,
    "MaxMemPerNode": MEMORY,
    "GraceTime": NUMBERS,
    "PriorityTier": NUMBERS,
    "LLN": YES,
    "TRESBillingWeights": st.sampled_from(["CPU=1.5,Mem=0.25G", "(null)"]),
}


@given(st.fixed_dictionaries({}, optional=SETTINGS), st.sampled_from(["22.05.8", "25.11.0"]))
def test_settings_read_as_the_same_once_they_are_spoken(keys, version):
    told = {"ClusterName": "", "SLURM_VERSION": version, **keys}
    settings = configuration_of(told, "here").settings
    assert configuration_of(spoken_settings(settings, version), "here").settings == settings


@given(st.fixed_dictionaries({}, optional=PARTITIONS))
def test_partitions_read_as_the_same_once_they_are_spoken(keys):
    told = line("PartitionName", "p", {"State": "UP", **keys})
    [partition] = parse_partitions(told)[0]
    spoken = line("PartitionName", "p", spoken_partition(partition))
    assert parse_partitions(spoken)[0] == (partition,)
