"""slurm.conf in the words of `scontrol show`: what a controller started with it would tell.

So what a setting means is known in one place, the readers of scontrol's text.
"""

from collections.abc import Callable, Iterable, Mapping

from collectors.slurm.files.conf import Conf, Entry
from collectors.slurm.words import units
from collectors.slurm.words.versions import release

Convert = Callable[[str], str]

NEW_DEFAULTS = (23, 11, 0)
"""From this release on priorities are weighted sums, and CPUs are shared, unless said otherwise."""
JOBS_PER_CPU = "4"
"""How many share a CPU where `OverSubscribe` gives no number."""


def config_values(conf: Conf, version: str = "") -> dict[str, str]:
    """Return what `scontrol show config` would print of the settings that matter to us, by key.

    `version` is Slurm's; empty: unknown, and taken for a new one as to its defaults.
    """
    shown = _defaults(version) | named_values(conf)
    shown.setdefault("ClusterName", "")
    if "cons_" in shown["SelectType"]:
        shown.setdefault("SelectTypeParameters", "CR_CORE_MEMORY")
    if shown["PriorityType"] == "priority/basic":
        # A controller does not tell what would only count otherwise.
        shown = {k: v for k, v in shown.items() if k == "PriorityType" or "Priority" not in k}
    return shown


def named_values(conf: Conf) -> dict[str, str]:
    """Return the same, without what the file leaves to defaults."""
    told = {key: setting.value for key, setting in conf.settings().items()}
    return {
        name: _one_line(convert(told[name.lower()]))
        for name, convert in _SETTINGS.items()
        if name.lower() in told
    }


def partition_values(entry: Entry) -> dict[str, str]:
    """Return a partition in the keys of `scontrol show partition`, but for its nodes.

    What the file leaves to defaults is not in there.
    """
    values = dict(entry.values)
    for kind in ("defmemper", "maxmemper"):
        # Of two that exclude each other the one per node counts.
        if f"{kind}node" in values:
            values.pop(f"{kind}cpu", None)
    if "shared" in values:
        values.setdefault("oversubscribe", values["shared"])
    if "priority" in values:
        values.setdefault("prioritytier", values["priority"])
        values.setdefault("priorityjobfactor", values["priority"])
    return {
        name: convert(values[name.lower()])
        for name, convert in _OF_PARTITIONS.items()
        if name.lower() in values
    }


def partition_text(entry: Entry, nodes: str, preempt_mode: str) -> str:
    """Return a partition as `scontrol -o show partition` would print it.

    `nodes` are its nodes without names of sets, `preempt_mode` is the cluster's.
    """
    shown = PARTITION_DEFAULTS | {"PreemptMode": preempt_mode} | partition_values(entry)
    return line("PartitionName", entry.name, shown | {"Nodes": nodes})


def node_text(name: str, values: Mapping[str, str]) -> str:
    """Return a node as `scontrol -o show node` would print it, by its record's values.

    Raises ValueError for amounts that are no numbers.
    """
    threads = _amount(values, "threadspercore") or 1
    cores = _amount(values, "corespersocket") or 1
    boards = _amount(values, "boards") or 1
    sockets = _amount(values, "sockets") or boards * _amount(values, "socketsperboard")
    cpus = _amount(values, "cpus") or _amount(values, "procs")
    cpus = cpus or max(1, sockets) * cores * threads
    sockets = sockets or max(1, cpus // (cores * threads))
    of_core = units.cpus_of_core(cpus, sockets * cores, threads)
    kept = _amount(values, "corespeccount") * of_core or _listed(values.get("cpuspeclist", ""))
    features = values.get("features") or values.get("feature", "")
    shown = {
        "CPUTot": str(cpus),
        "CPUEfctv": str(max(0, cpus - kept)),
        "Sockets": str(sockets),
        "CoresPerSocket": str(cores),
        "ThreadsPerCore": str(threads),
        "RealMemory": values.get("realmemory", "1"),
        "MemSpecLimit": values.get("memspeclimit", "0"),
        "TmpDisk": values.get("tmpdisk", "0"),
        "Gres": values.get("gres", ""),
        "AvailableFeatures": features,
        "Weight": values.get("weight", "1"),
        "State": _state(values.get("state", "")),
    }
    reason = " ".join(values.get("reason", "").split())
    return line("NodeName", name, shown).rstrip() + (f" Reason={reason}" if reason else "") + "\n"


def licenses_text(conf: Conf) -> str:
    """Return the controller's own licenses as `scontrol -o show licenses` would print them.

    Raises ValueError for amounts that are no numbers.
    """
    pools = units.licenses(conf.value("Licenses"))
    return "".join(f"LicenseName={name} Total={total} Used=0\n" for name, total in pools)


def switches_text(entries: Iterable[Entry]) -> str:
    """Return the switches of a topology.conf as `scontrol show topology` would print them."""
    return "".join(
        line(
            "SwitchName",
            entry.name,
            {"Nodes": entry.values.get("nodes", ""), "Switches": entry.values.get("switches", "")},
        )
        for entry in entries
    )


def is_future(values: Mapping[str, str]) -> bool:
    """Return whether a node is only meant to be there some day; a controller hides such."""
    return values.get("state", "").upper().startswith("FUTURE")


def _defaults(version: str) -> dict[str, str]:
    old = bool(version) and release(version) < NEW_DEFAULTS
    return {
        "SLURM_VERSION": version,
        "SchedulerType": "sched/backfill",
        "PriorityType": "priority/basic" if old else "priority/multifactor",
        "SelectType": "select/linear" if old else "select/cons_tres",
        "OverTimeLimit": "0 min",
    }


def line(key: str, name: str, values: Mapping[str, str]) -> str:
    """Return a record as `scontrol -o show` prints it; what is empty is left out."""
    said = {key: name} | {name: value for name, value in values.items() if value}
    return " ".join(f"{name}={_one_word(value)}" for name, value in said.items()) + "\n"


def _one_line(value: str) -> str:
    return " ".join(value.split())


def _one_word(value: str) -> str:
    # Whatever a quoted value holds, it must not look like the next key.
    return "".join(value.split())


def _amount(values: Mapping[str, str], key: str) -> int:
    word = values.get(key, "0")
    if not word.isdecimal() or len(word) > 9:
        raise ValueError(f"{key}: expected a number, not {word[:40]!r}")
    return int(word)


def _listed(word: str) -> int:
    """Return how many CPUs are in `0-3,8`; Raises ValueError."""
    total = 0
    for part in filter(None, word.split(",")):
        first, _, last = part.partition("-")
        total += _amount({"": last or first}, "") - _amount({"": first}, "") + 1
    return total


def _state(word: str) -> str:
    """Return the state of a node that nothing is wrong with, but for what the file says."""
    state = word.upper()
    if state in {"", "UNKNOWN"}:
        return "IDLE"
    if state == "CLOUD":
        return "IDLE+CLOUD+POWERED_DOWN"
    return f"IDLE+{state}" if state in {"DRAIN", "FAIL"} else state


def _same(value: str) -> str:
    return value


def _seconds(value: str) -> str:
    return f"{value} sec" if value.isdecimal() else value


def _memory(value: str) -> str:
    return "UNLIMITED" if value == "0" else value


def _upper(value: str) -> str:
    return value.upper()


def _all(value: str) -> str:
    return "ALL" if value.upper() == "ALL" else value


def _sharing(value: str) -> str:
    word = value.upper()
    if word == "YES:1":
        return "NO"
    return f"{word}:{JOBS_PER_CPU}" if word in {"YES", "FORCE"} else word


def _exempt(value: str) -> str:
    return "0" if value == "-1" else value


_SETTINGS: Mapping[str, Convert] = {
    "ClusterName": str.lower,
    "AccountingStorageEnforce": _same,
    "AuthInfo": _same,
    "CompleteWait": _seconds,
    "DefMemPerCPU": _memory,
    "DefMemPerNode": _memory,
    "FairShareDampeningFactor": _same,
    "KillWait": _seconds,
    "Licenses": _same,
    "MessageTimeout": _seconds,
    "MinJobAge": _seconds,
    "OverTimeLimit": _upper,
    "PreemptExemptTime": _exempt,
    "PreemptMode": _upper,
    "PreemptParameters": _same,
    "PreemptType": str.lower,
    "PriorityCalcPeriod": _same,
    "PriorityDecayHalfLife": _upper,
    "PriorityFavorSmall": _same,
    "PriorityFlags": _same,
    "PriorityMaxAge": _upper,
    "PriorityType": str.lower,
    "PriorityUsageResetPeriod": _upper,
    "PriorityWeightAge": _same,
    "PriorityWeightAssoc": _same,
    "PriorityWeightFairShare": _same,
    "PriorityWeightJobSize": _same,
    "PriorityWeightPartition": _same,
    "PriorityWeightQOS": _same,
    "PriorityWeightTRES": _same,
    "PrivateData": _same,
    "ResumeProgram": _same,
    "ResumeRate": _same,
    "ResumeTimeout": _seconds,
    "SchedulerParameters": _same,
    "SchedulerType": str.lower,
    "SelectType": str.lower,
    "SelectTypeParameters": _upper,
    "SlurmUser": _same,
    "SuspendExcNodes": _same,
    "SuspendExcParts": _same,
    "SuspendTime": _seconds,
    "SuspendTimeout": _seconds,
    "TopologyParam": _same,
    "TopologyPlugin": str.lower,
}
"""The settings that are read, and how a file's value becomes the one that is shown."""

PARTITION_DEFAULTS = {
    "State": "UP",
    "MaxTime": "UNLIMITED",
    "MaxNodes": "UNLIMITED",
    "MaxCPUsPerNode": "UNLIMITED",
}
_OF_PARTITIONS: Mapping[str, Convert] = {
    "AllowAccounts": _all,
    "AllowGroups": _all,
    "AllowQos": _all,
    "Default": _same,
    "DefaultTime": _upper,
    "DefMemPerCPU": _memory,
    "DefMemPerNode": _memory,
    "DenyAccounts": _same,
    "DenyQos": _same,
    "Exclusive": _upper,
    "ExclusiveUser": _same,
    "GraceTime": _same,
    "LLN": _same,
    "MaxCPUsPerNode": _upper,
    "MaxMemPerCPU": _memory,
    "MaxMemPerNode": _memory,
    "MaxNodes": _upper,
    "MaxTime": _upper,
    "MinNodes": _same,
    "OverSubscribe": _sharing,
    "OverTimeLimit": _upper,
    "PreemptMode": _upper,
    "PriorityJobFactor": _same,
    "PriorityTier": _same,
    "QoS": _same,
    "ResumeTimeout": _upper,
    "State": _upper,
    "SuspendTime": _upper,
    "SuspendTimeout": _upper,
    "TRESBillingWeights": _same,
}
