"""Clusters with limits and jobs that count against them, for scenes; the engine counts."""

from predictor.domain import (
    Association,
    JobSpec,
    Node,
    NodeState,
    Partition,
    Provenance,
    Qos,
    Request,
    SchedulerSettings,
    Snapshot,
    Usage,
)
from predictor.domain import Limits as Told
from predictor.domain.durations import DAY_S as DAY
from predictor.domain.durations import HOUR_S as HOUR
from predictor.engine import store
from predictor.engine.limit_layout import LimitLayout
from predictor.engine.limits import Limits
from predictor.scheduling.machine import Machine, Shape
from predictor.scheduling.placing import Need
from predictor.simulation.dependencies import single_ids
from predictor.simulation.limit_lowering import lowered

NOW = 1_700_000_000
PARENTS = {"optics": "physics", "physics": "root"}
NODES = tuple(
    Node(
        name=f"n{i}",
        cpus=64,
        memory_mb=64_000,
        gres=(("gpu:a100", 8), ("gpu:v100", 8)),
        state=NodeState.IDLE,
    )
    for i in range(8)
)


def site(qos=None, associations=None, **settings):
    """Return a snapshot without jobs: QOS by name, associations by account and user.

    Each table holds limits, `usage`, and for a QOS also `flags` and `usage_factor`. The partition
    `fast` has the QOS `lane`; the account `optics` is part of `physics`.
    """
    plain = {"limits_enforced": True, "priority_half_life_s": DAY}
    return Snapshot(
        cluster="scene",
        taken_at=NOW,
        provenance=Provenance(source="scene"),
        partitions=(
            Partition(name="batch", node_names=("n0",)),
            Partition(name="fast", node_names=("n0",), qos="lane"),
        ),
        qos=tuple(Qos(name=name, **fields(table)) for name, table in (qos or {}).items()),
        associations=tuple(
            Association(
                account=account, user=user, parent=PARENTS.get(account, ""), **fields(table)
            )
            for (account, user), table in (associations or {}).items()
        ),
        settings=SchedulerSettings(**plain | settings),
    )


def fields(table):
    """Return a table's limits gathered in one value, the rest as it is."""
    limits = {name: table[name] for name in Told.__dataclass_fields__ if name in table}
    return {"limits": Told(**limits)} | {k: v for k, v in table.items() if k not in limits}


def used(minutes=0, **tres_minutes):
    """Return how long jobs ran, and the TRES-minutes they used up."""
    return Usage(wall_minutes=minutes, tres_minutes=tuple(sorted(tres_minutes.items())))


class Job:
    """A job that asks to start, or runs. Amounts are over all its nodes."""

    def __init__(self, **given):
        self.user, self.account, self.partition, self.qos = "ana", "optics", "batch", "normal"
        self.nodes, self.cpus, self.memory_mb, self.limit_s = 1, 4, 1000, HOUR
        self.gres, self.licenses = (), ()
        vars(self).update(given)

    def spec(self, id_):
        request = Request(nodes=self.nodes, cpus=self.nodes, licenses=self.licenses)
        return JobSpec(
            id=id_,
            user=self.user,
            account=self.account,
            qos=self.qos,
            request=request,
            partitions=(self.partition,),
            submitted_at=NOW,
        )

    def need(self, machine):
        shape = Shape(
            whole=False,
            cpus=-(-self.cpus // self.nodes),
            memory_mb=-(-self.memory_mb // self.nodes),
            gres=tuple((name, -(-amount // self.nodes)) for name, amount in self.gres),
        )
        return Need(
            partition=self.partition,
            qos=self.qos,
            shape=machine.intern(shape),
            nodes=self.nodes,
            candidates=machine.everything,
            duration_s=self.limit_s,
            licenses=self.licenses,
        )


def job(**given):
    """Return a job of one hour on one node with four CPUs, unless said otherwise."""
    return Job(**given)


class Counting:
    """The limits of a snapshot at work, asked about such jobs: all are named beforehand."""

    def __init__(self, snapshot, jobs):
        machine = Machine(NODES)
        self.jobs = list(jobs)
        asked = [(one.spec(f"asking {i}"), one.need(machine)) for i, one in enumerate(self.jobs)]
        holders = {f"asking {i}": i for i in range(len(self.jobs))}
        running = dict.fromkeys(single_ids(job.spec)[0] for job in snapshot.running)
        holders |= {id_: len(holders) + i for i, id_ in enumerate(running)}
        self.lowered = lowered(snapshot, machine, asked, holders)
        self.rules = self.lowered.rules
        self.limits = Limits(LimitLayout(self.lowered.tables))

    def start(self, number, nodes, at=NOW):
        """Start one of the jobs on a set of nodes."""
        self._place(number, nodes)
        self.limits.start(number, at)

    def end(self, number, at):
        self.limits.end(number, at)

    def verdict(self, number, nodes=0, at=NOW):
        """Return what keeps the job from starting, on these nodes or, if 0, on new ones."""
        if not nodes:
            return self.lowered.least_blocked(self.limits, number, at)
        self._place(number, nodes)
        rule = self.limits.early(number, at)
        rule = self.limits.late(at) if rule < 0 else rule
        return None if rule < 0 else self.lowered.blocked(self.limits, rule, number, at)

    def in_use(self, rule, at):
        return self.limits.in_use(rule, at)

    def _place(self, number, nodes):
        self.limits.place(number, store.rows([nodes], len(NODES)), 0, 0)


def verdict(snapshot, asking, running=(), nodes=0, at=NOW):
    """Return what keeps a job from starting on `nodes` while these run, since NOW; None: nothing.

    A running job is a job, or a job with the set of its nodes.
    """
    held = [one if isinstance(one, tuple) else (one, (1 << one.nodes) - 1) for one in running]
    counting = Counting(snapshot, [asking, *(one for one, _ in held)])
    for number, (_, held_nodes) in enumerate(held, start=1):
        counting.start(number, held_nodes)
    return counting.verdict(0, nodes, at)
