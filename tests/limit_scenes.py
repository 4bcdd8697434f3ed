"""Clusters with limits, jobs that come and go, and what the engine says of them.

A scene is plain dictionaries and lists, so that another process can be told of it.
"""

from hypothesis import strategies as st
from limited import DAY, NOW, PARENTS, fields, used

from predictor.domain import (
    Association,
    BillingRule,
    JobSpec,
    Node,
    NodeShare,
    NodeState,
    Partition,
    Provenance,
    Qos,
    QosFlag,
    Request,
    RunningJob,
    SchedulerSettings,
    Snapshot,
)
from predictor.engine import store
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limits import Limits
from predictor.scheduling.machine import ALL_MEMORY, Machine, Shape
from predictor.scheduling.placing import Need
from predictor.simulation.limit_lowering import lowered

HARDWARE = ((8, 16_000, ()), (8, 16_000, (("gpu:a100", 2),)), (24, 64_000, (("gpu:v100", 4),)))
AMOUNTS = ("cpu", "mem", "node", "billing", "gres/gpu", "gres/gpu:a100", "license/matlab")

caps = st.integers(-1, 60)
bundles = st.dictionaries(st.sampled_from(AMOUNTS), caps, min_size=1, max_size=3)
minutes = st.dictionaries(st.sampled_from(AMOUNTS), st.integers(0, 3000), min_size=1, max_size=2)
FAMILIES = {
    "group_jobs": st.integers(0, 5),
    "group_wall_s": st.integers(0, 30_000),
    "max_jobs": st.integers(0, 3),
    "max_jobs_per_account": st.integers(0, 3),
    "max_wall_per_job_s": st.integers(0, 9000),
    "group_tres": bundles,
    "max_tres": bundles,
    "max_tres_per_account": bundles,
    "max_tres_per_job": bundles,
    "max_tres_per_node": bundles,
    "min_tres_per_job": st.dictionaries(st.sampled_from(AMOUNTS), st.integers(0, 2), max_size=2),
    "group_tres_minutes": minutes,
    "group_tres_run_minutes": minutes,
    "max_tres_run_minutes": minutes,
    "max_tres_run_minutes_per_account": minutes,
    "max_tres_minutes_per_job": minutes,
    "usage": st.integers(0, 2000),
}
# Few at a time: else the first of them refuses everybody.
tables = st.sets(st.sampled_from(sorted(FAMILIES)), max_size=3).flatmap(
    lambda names: st.fixed_dictionaries({name: FAMILIES[name] for name in sorted(names)})
)
qos_tables = st.tuples(
    tables,
    st.sampled_from((0.0, 0.1, 0.5, 1.0, 1.0, 1.0, 2.5)),
    st.sets(st.sampled_from(("no_decay", "factor_asked", "over_partition"))).map(sorted),
)
jobs = st.fixed_dictionaries(
    {
        "user": st.sampled_from(("ana", "bob")),
        "account": st.sampled_from(("optics", "physics", "chem")),
        "qos": st.sampled_from(("normal", "lane", "gone")),
        "partition": st.sampled_from(("batch", "fast", "gone")),
        "nodes": st.integers(1, 5),
        "first": st.integers(0, 79),
        "beside": st.integers(-1, 3),
        "whole": st.booleans(),
        "cpus": st.integers(1, 8),
        "memory_mb": st.sampled_from((ALL_MEMORY, 1, 3, 1000)),
        "gpus": st.integers(0, 2),
        "matlab": st.integers(-1, 3),
        "limit_s": st.integers(1, 9000),
    }
)
HOLDERS = 6
events = st.tuples(
    st.sampled_from(("start", "start", "ask", "end")),
    st.integers(0, 9),  # which of the waiting jobs
    st.integers(0, 79),  # its first node
    st.integers(0, HOLDERS - 1),
    st.sampled_from((0, 0, 1, 60, 3600, DAY)),  # how long after the one before
).map(list)
scenes = st.fixed_dictionaries(
    {
        "nodes": st.lists(st.integers(0, 2), min_size=1, max_size=8),
        "normal": qos_tables.map(list),
        "lane": qos_tables.map(list),
        "optics": tables,
        "physics": tables,
        "ana": tables,
        "enforced": st.sampled_from((True, True, True, False)),
        "safe": st.booleans(),
        "half_life_s": st.sampled_from((0, 3600, 7 * DAY)),
        "weights": st.dictionaries(
            st.sampled_from((*AMOUNTS, "gres/none")), st.sampled_from((-1.0, 0.25, 0.3, 1.0, 2.0))
        ),
        "billing": st.sampled_from(("sum", "dearest", "dearest_and_gres")),
        "running": st.lists(jobs, max_size=HOLDERS),
        "waiting": st.lists(jobs, min_size=1, max_size=6),
        "events": st.lists(events, min_size=12, max_size=30),
    }
)


def nodes_of(scene):
    return tuple(
        Node(name=f"n{i}", cpus=cpus, memory_mb=memory_mb, gres=gres, state=NodeState.IDLE)
        for i, (cpus, memory_mb, gres) in enumerate(HARDWARE[k] for k in scene["nodes"] * 10)
    )


def limits_of(table):
    bundled = {k: tuple(v.items()) if isinstance(v, dict) else v for k, v in table.items()}
    if "usage" in bundled:
        bundled["usage"] = used(bundled["usage"], cpu=bundled["usage"], node=1)
    return fields(bundled)


def spec_of(job, id_):
    licenses = (("matlab", job["matlab"]),)
    return JobSpec(
        id=id_,
        user=job["user"],
        account=job["account"],
        qos=job["qos"],
        request=Request(nodes=1, cpus=1, limit_s=job["limit_s"], licenses=licenses),
        partitions=(job["partition"],),
        submitted_at=NOW,
    )


def chosen(job, first, nodes):
    """Return the numbers of nodes for the job, every third from the first on."""
    return sorted({(first + 3 * k) % nodes for k in range(job["nodes"])})


def snapshot_of(scene):
    nodes = nodes_of(scene)
    names = tuple(node.name for node in nodes)
    weights = tuple(scene["weights"].items())
    running = []
    for i, job in enumerate(scene["running"]):
        held = [names[n] for n in chosen(job, job["first"], len(nodes))]
        gres = (("gpu:a100", job["gpus"]),)
        started_at = NOW - 7 * job["first"] * (job["limit_s"] // 100)
        running.append(
            RunningJob(
                spec=spec_of(job, f"r{i}"),
                started_at=started_at,
                allocation=tuple(NodeShare(node=n, cpus=job["cpus"], gres=gres) for n in held),
            )
        )
    return Snapshot(
        cluster="scene",
        taken_at=NOW,
        provenance=Provenance(source="scene"),
        nodes=nodes,
        partitions=(
            Partition(name="batch", node_names=names, billing_weights=weights),
            Partition(name="fast", node_names=names, qos="lane"),
        ),
        qos=tuple(
            Qos(
                name=name,
                usage_factor=factor,
                flags=frozenset(map(QosFlag, flags)),
                **limits_of(table),
            )
            for name, (table, factor, flags) in ((n, scene[n]) for n in ("normal", "lane"))
        ),
        associations=tuple(
            Association(
                account=account,
                user=user,
                parent=PARENTS.get(account, ""),
                **limits_of(scene[user or account]),
            )
            for account, user in (("optics", ""), ("physics", ""), ("optics", "ana"))
        ),
        running=tuple(running),
        settings=SchedulerSettings(
            limits_enforced=scene["enforced"],
            limits_safe=scene["safe"],
            priority_half_life_s=scene["half_life_s"],
            billing_rule=BillingRule(scene["billing"]),
        ),
    )


def named_by(job, scene, count):
    """Return the set of nodes that the job names: the first of those where another runs, if any."""
    if not 0 <= job["beside"] < len(scene["running"]):
        return 0
    other = scene["running"][job["beside"]]
    there = [node for node in chosen(other, other["first"], count) if node >= job["first"]]
    return sum(1 << node for node in there[: job["nodes"]])


def need_of(spec, job, machine, named):
    gres = (("gpu", job["gpus"]),) if job["gpus"] else ()
    shape = Shape(whole=job["whole"], cpus=job["cpus"], memory_mb=job["memory_mb"], gres=gres)
    return Need(
        partition=job["partition"],
        shape=machine.intern(shape),
        nodes=job["nodes"],
        candidates=machine.everything >> job["first"] << job["first"],
        required=named,
        duration_s=job["limit_s"],
        qos=spec.qos,
        licenses=spec.request.licenses,
    )


# -- two ways to answer: this one, and that of `slow_limits` -----------------------------------


class InTheEngine:
    """The answers of the engine."""

    def __init__(self, snapshot, machine, asked):
        holders = {f"r{i}": i for i in range(HOLDERS)}
        self.lowered = lowered(snapshot, machine, asked, holders)
        self.limits = Limits(LimitLayout(self.lowered.tables))
        self.number = 0

    def told(self, rule, number, at):
        return None if rule < 0 else words(self.lowered.blocked(self.limits, rule, number, at))

    def early(self, number, at):
        return self.told(self.limits.early(number, at), number, at)

    def late_unplaced(self, number, at):
        return self.told(self.limits.late_unplaced(number, at), number, at)

    def least_blocked(self, number, at):
        return words(self.lowered.least_blocked(self.limits, number, at))

    def place(self, number, nodes):
        row = store.rows([0, nodes], self.lowered.tables.nodes)
        self.limits.place(number, row, len(row) // 2, 0)
        self.number = number

    def late(self, at):
        return self.told(self.limits.late(at), self.number, at)

    def start(self, holder, at):
        self.limits.start(holder, at)

    def end(self, holder, at):
        self.limits.end(holder, at)


def words(blocked):
    return None if blocked is None else [str(blocked.bound), blocked.limit]


def answers(kind, scene):
    """Return all that one of the two says while the scene is played."""
    snapshot = snapshot_of(scene)
    machine = Machine(snapshot.nodes)
    count = len(snapshot.nodes)
    asked = [(spec_of(job, f"w{i}"), job) for i, job in enumerate(scene["waiting"])]
    asked = [
        (spec, need_of(spec, job, machine, named_by(job, scene, count)))
        for spec, job in asked
        if job["first"] < count
    ]
    if not asked:
        return []
    one = kind(snapshot, machine, asked)
    return list(told(one, asked, scene, count))


def told(one, asked, scene, count):
    at = NOW
    for what, number, first, holder, later_s in scene["events"]:
        at += later_s
        if what == "end":
            one.end(holder, at)
            continue
        number %= len(asked)
        yield one.early(number, at)
        yield one.late_unplaced(number, at)
        yield one.least_blocked(number, at)
        nodes = sum(1 << n for n in chosen({"nodes": asked[number][1].nodes}, first, count))
        one.place(number, nodes)
        yield one.late(at)
        if what == "start":
            one.start(holder, at)


def engine_answers(scene):
    return answers(InTheEngine, scene)
