"""The catalogue of settings says what the code does: what is read is listed as read, and only that.

A setting counts as read if changing it changes a value that the predictor's own code looks at.
"""

import ast
import importlib.util
import re
from collections import UserDict
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from collectors.slurm.coverage.catalogue import Verdict, catalogue
from collectors.slurm.text import config as config_text
from collectors.slurm.text.config import parse_config
from collectors.slurm.text.limits import parse_associations, parse_qos
from collectors.slurm.text.partitions import parse_partitions
from collectors.slurm.text.passes import pass_settings
from collectors.slurm.text.preemption import eviction, preemption, sent_back_s
from predictor.domain import BillingRule, Eviction, FairshareFormula
from predictor.engine import codes
from predictor.limits.families import FAMILIES
from predictor.simulation.preempting import FATES

HOUSE = Path(__file__).parents[2]
DECIDING = ("simulation", "scheduling", "priority", "limits", "engine", "explain")
READ = (Verdict.REPLICATED, Verdict.APPROXIMATED)

BASE = {
    "ClusterName": "c",
    "SLURM_VERSION": "22.05.8",
    "PriorityType": "priority/multifactor",
    "SchedulerType": "sched/backfill",
    "SchedulerParameters": "",
    "SelectType": "select/cons_tres",
    "SelectTypeParameters": "CR_CORE_MEMORY",
    "PreemptType": "preempt/partition_prio",
    "PreemptMode": "REQUEUE",
    "ResumeProgram": "/bin/true",
    "SuspendTime": "600 sec",
    "CompleteWait": "32 sec",
    "Epilog": "/etc/epilog",
}
OTHERWISE = {
    "Epilog": "(null)",
    "SLURM_VERSION": "25.11.1",
    "PriorityType": "priority/basic",
    "SchedulerType": "sched/builtin",
    "SchedulerParameters": "bf_interval=7",
    "SelectType": "select/linear",
    "SelectTypeParameters": "CR_CPU",
    "PreemptType": "preempt/qos",
    "PreemptMode": "CANCEL",
    "PreemptParameters": "youngest_first",
    "PreemptExemptTime": "00:10:00",
    "ResumeProgram": "(null)",
    "ResumeTimeout": "77 sec",
    "PriorityFlags": "SMALL_RELATIVE_TO_TIME",
    "PriorityFavorSmall": "Yes",
    "PriorityUsageResetPeriod": "DAILY",
    "PriorityWeightTRES": "CPU=1",
    "TopologyParam": "TopoOptional",
    "AccountingStorageEnforce": "limits,safe",
    "AuthInfo": "cred_expire=300",
    "BOOT_TIME": "2026-01-01T00:00:00",
}
"""What differs from the base, where `17` would not do."""
SEEN_OTHERWISE = {
    "PrologFlags": "seen where there is no epilog",
    "Epilog": "(null)",
    "Licenses": "the pools themselves are asked for",
    "TopologyPlugin": "whether the tree is asked for",
    "GresTypes": "seen in nodes and jobs",
    "PrioritySiteFactorPlugin": "seen in what jobs' priorities are made of",
    "PrioritySiteFactorParameters": "seen in what jobs' priorities are made of",
}


def flat(value, name=""):
    """Return the innermost values by the name of their field."""
    if not is_dataclass(value):
        return {name: value}
    return {k: v for f in fields(value) for k, v in flat(getattr(value, f.name), f.name).items()}


def settings(**changed):
    text = "".join(f"{key} = {value}\n" for key, value in {**BASE, **changed}.items())
    return flat(parse_config(text)[0].settings)


def changes(before, after):
    """Return the fields that changed, the undecoded list of parameters not counted."""
    keys = before.keys() | after.keys()
    return {k for k in keys if before.get(k) != after.get(k)} - {"parameters"}


def source_of(module):
    return (HOUSE / f"{module.replace('.', '/')}.py").read_text()


@pytest.fixture(scope="module")
def decisive():
    """Return whether the code that decides looks at a field."""
    folder = HOUSE / "predictor"
    text = "".join(p.read_text() for part in DECIDING for p in (folder / part).glob("*.py"))
    text += (folder / "domain" / "defaults.py").read_text()
    text += (folder / "domain" / "billing.py").read_text()
    return lambda field: re.search(rf"\.{field}\b", text) is not None


def agrees(ruling, found):
    """Whether the catalogue says of a setting what the code does, and what to do if not."""
    told = f"it changes {', '.join(sorted(found)) or 'nothing'} that decides: move it"
    assert bool(found) is (ruling.verdict in READ), f"catalogue.toml: {ruling.name}: {told}"


def rulings(scope):
    return [
        pytest.param(ruling, id=f"{scope} {ruling.name}")
        for ruling in catalogue()
        if ruling.scope == scope
    ]


@pytest.mark.parametrize("module", sorted({ruling.by for ruling in catalogue() if ruling.by}))
def test_every_module_that_is_said_to_decide_is_there(module):
    assert importlib.util.find_spec(module) is not None


@pytest.mark.parametrize("ruling", rulings("settings"))
def test_settings(ruling, decisive):
    name = ruling.name.replace("*", "Thing")
    if name in SEEN_OTHERWISE:
        assert ruling.verdict in READ
        return
    after = settings(**{name: OTHERWISE.get(name, "17")})
    found = {field for field in changes(settings(), after) if decisive(field)}
    agrees(ruling, found)
    if ruling.by.startswith("predictor."):
        assert any(re.search(rf"\b{field}\b", source_of(ruling.by)) for field in found), found


@pytest.mark.parametrize("ruling", rulings("SchedulerParameters"))
def test_scheduler_parameters(ruling, decisive):
    option = ruling.name if "=" in ruling.name else f"{ruling.name.replace('*', 'x')}=7"
    found = changes(settings(), settings(SchedulerParameters=option))
    agrees(ruling, found)
    if ruling.by in {"predictor.simulation.passes", "predictor.simulation.pace"}:
        assert any(f"passes.{f}" in source_of(ruling.by) or f"settings.{f}" in source_of(ruling.by)
                   for f in found)  # fmt: skip


@pytest.mark.parametrize("ruling", rulings("PreemptParameters"))
def test_preempt_parameters(ruling):
    found = changes(settings(), settings(PreemptParameters=f"{ruling.name}=7"))
    agrees(ruling, found)


@pytest.mark.parametrize("ruling", rulings("PreemptMode"))
def test_what_becomes_of_who_must_leave(ruling):
    does = eviction(ruling.name)
    if ruling.name in ("PRIORITY", "WITHIN"):
        agrees(ruling, changes(settings(), settings(PreemptMode=f"REQUEUE,{ruling.name}")))
    elif ruling.name != "CLUSTER":
        left_alone = (
            does is not None and does is not Eviction.SPARED and FATES[does] == codes.SPARED
        )
        assert (does is not None and not left_alone) is (ruling.verdict in READ)


class Spy(UserDict):
    """A mapping that is empty, and remembers what it was asked for."""

    def __init__(self, **content):
        super().__init__(content)
        self.asked = set()

    def __contains__(self, key):
        self.asked.add(key)
        return super().__contains__(key)

    def __getitem__(self, key):
        self.asked.add(key)
        return super().__getitem__(key)

    def keys(self):
        return self.data.keys()


def test_all_that_the_code_reads_of_scheduler_parameters_is_in_the_catalogue():
    spy = Spy()
    pass_settings(spy)
    sent_back_s({}, spy)
    tree = ast.parse(Path(config_text.__file__).read_text())
    asked = spy.asked | {
        node.left.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.In)
        and isinstance(node.left, ast.Constant)
        and "parameters" in ast.unparse(node.comparators[0])
    }
    assert "bf_interval" in asked
    assert "pack_serial_at_end" in asked
    unlisted = {
        name
        for name in asked
        if catalogue().ruling("SchedulerParameters", name).verdict not in READ
    }
    assert unlisted == set()


def test_all_that_the_code_reads_of_the_settings_is_in_the_catalogue():
    spy = Spy(**BASE)
    config_text._configuration(spy, config_text._settings(spy))
    preemption(spy, {})
    unknown = {
        name
        for name in spy.asked
        if catalogue().ruling("settings", name).verdict is Verdict.UNKNOWN
    }
    assert spy.asked > {"PriorityMaxAge", "PreemptParameters", "KillWait"}
    assert unknown == set()


@pytest.mark.parametrize("ruling", rulings("PriorityFlags"))
def test_flags_of_priority_mean_something_to_the_code_that_heeds_them(ruling):
    after = settings(PriorityFlags=ruling.name)
    found = changes(settings(), after)
    assert bool(found) is (ruling.verdict in READ and ruling.name != "FAIR_TREE")
    for field in found:
        code = source_of(ruling.by)
        assert re.search(rf"\.{field}\b", code) or str(after[field]) in code


def test_one_flag_of_priority_may_stand_for_several():
    raw = {"raw_association", "raw_partition", "raw_qos", "raw_tres"}
    found = changes(settings(), settings(PriorityFlags="max_tres,NO_NORMAL_ALL"))
    assert found == raw | {"billing_rule"}


@pytest.mark.parametrize(
    ("words", "field", "meant"),
    [
        ("MAX_TRES,MAX_TRES_GRES", "billing_rule", BillingRule.DEAREST_AND_GRES),
        ("DEPTH_OBLIVIOUS,NO_FAIR_TREE", "fairshare_formula", FairshareFormula.DEPTH_OBLIVIOUS),
    ],
)
def test_of_two_flags_of_priority_about_one_thing_the_more_special_counts(words, field, meant):
    assert settings(PriorityFlags=words)[field] is meant


def test_flags_of_priority_that_nobody_knows_change_nothing():
    assert settings(PriorityFlags="FROM_THE_FUTURE,CALCULATE_RUNNING") == settings()


@pytest.mark.parametrize("ruling", rulings("qos.Flags"))
def test_flags_of_qos_mean_something_to_the_code_that_heeds_them(ruling):
    found = told_qos(Flags=ruling.name).flags
    assert bool(found) is (ruling.verdict in READ)
    for flag in found:
        assert f"QosFlag.{flag.name}" in source_of(ruling.by)


PARTITION = {"PartitionName": "p", "State": "UP", "Nodes": "n1"}
OF_PARTITIONS = {
    "PartitionName": "q",
    "Nodes": "n2",
    "State": "DOWN",
    "LLN": "YES",
    "Default": "YES",
    "ExclusiveUser": "YES",
    "Exclusive": "USER",
    "OverSubscribe": "EXCLUSIVE",
    "PreemptMode": "CANCEL",
    "TRESBillingWeights": "CPU=2",
}


def partition(**changed):
    text = " ".join(f"{key}={value}" for key, value in {**PARTITION, **changed}.items())
    return flat(parse_partitions(text)[0][0])


@pytest.mark.parametrize("ruling", rulings("partition"))
def test_partitions(ruling, decisive):
    if ruling.name == "Priority":
        return  # only files say it, and they say tier and factor by it
    after = partition(**{ruling.name: OF_PARTITIONS.get(ruling.name, "17")})
    found = {field for field in changes(partition(), after) if decisive(field)}
    agrees(ruling, found)


def told_qos(**changed):
    row = {"Name": "q", "Priority": "0"} | changed
    return parse_qos("|".join(row) + "\n" + "|".join(row.values()))[0][0]


def told_association(**changed):
    row = {"Account": "a", "Share": "1"} | changed
    return parse_associations("|".join(row) + "\n" + "|".join(row.values()), "c")[0][0]


COUNTED = {family.field for family in FAMILIES} | {"min_priority"}
COUNTED |= {"group_accruing", "max_accruing", "max_accruing_per_account"}


@pytest.mark.parametrize("read", [told_qos, told_association], ids=["qos", "association"])
def test_limits(read):
    scope = "qos" if read is told_qos else "association"
    for ruling in (one for one in catalogue() if one.scope == scope):
        if ruling.name.startswith(("Grp", "Max", "Min")):
            value = "cpu=5" if "TRES" in ruling.name else "5"
            found = changes(flat(read().limits), flat(read(**{ruling.name: value}).limits))
            counted = bool(found & COUNTED)
            assert counted is (ruling.verdict in READ), ruling.name
