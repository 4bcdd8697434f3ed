"""How the batch system is set up to decide, and how well it keeps up."""

from dataclasses import dataclass
from enum import Enum

from predictor.domain.amounts import Limit, Tres
from predictor.domain.billing import BillingRule
from predictor.domain.durations import DAY_S, WEEK_S
from predictor.domain.preemption import Preemption


class CpuGranularity(Enum):
    """The smallest piece of a node that a job gets."""

    CPU = "cpu"
    CORE = "core"
    SOCKET = "socket"
    NODE = "node"


class FairshareFormula(Enum):
    """How a user's factor comes of shares and usage."""

    FAIR_TREE = "fair_tree"
    """By rank, level by level: no user of an account is before one of a better account."""
    CLASSIC = "classic"
    """It halves with each share used, where usage is partly that of the accounts above."""
    DEPTH_OBLIVIOUS = "depth_oblivious"
    """The classic one, but it does not count how many accounts are above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityWeights:
    """The integer weights of the multifactor sum; 0: the factor does not count.

    A factor is a part of the highest there is or, where `raw_*` says so, the priority or the
    amount itself.
    """

    age: int = 0
    association: int = 0
    fairshare: int = 0
    job_size: int = 0
    partition: int = 0
    qos: int = 0
    tres: tuple[tuple[str, float], ...] = ()
    raw_association: bool = False
    raw_partition: bool = False
    raw_qos: bool = False
    raw_tres: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PassSettings:
    """How a scheduler of two passes works. A cap of 0 is none.

    A quick pass starts jobs in strict order; a slow one looks ahead and lets later jobs pass.
    """

    main_depth: int = 100
    """So many jobs, and one more, the quick pass looks at after an event."""
    main_depth_per_partition: int = 0
    """So many jobs of a partition it looks at, whatever the occasion."""
    main_starts_max: int = 0
    """So many jobs it starts."""
    interval_s: int = 30
    """The pause between two slow passes."""
    window_s: int = DAY_S
    """Who would start later than that gets no reservation."""
    step_s: int = 60
    """Reservations begin and end on multiples of it."""
    jobs_max: int = 500
    jobs_max_per_user: int = 0
    jobs_max_per_association: int = 0
    """Of each user in each account; if there is one, that per user does not count."""
    jobs_max_per_partition: int = 0
    jobs_max_per_user_and_partition: int = 0
    starts_max: int = 0
    array_tasks_max: int = 20
    """So many tasks of one array get reservations."""
    tasks_bounded: bool = False
    """Whether no more tasks of an array get reservations than may run beside those that do."""
    entries_max: int | None = None
    """So many entries the table of reservations has before a slow pass ends; None: `jobs_max`."""
    protected_per_partition: int = 0
    """So many blocked jobs of a partition get reservations."""
    protected_age_s: int = 0
    """Who has been eligible for less time gets none, and stops nobody."""
    protected_priority: int = 0
    """The same of who has a lower priority, unless its QOS or association says otherwise."""
    main_interval_s: int = 60
    """So often the quick pass looks at everybody."""
    main_pause_us: int = 2
    """So long after a quick pass the next one begins at the soonest."""
    arrival_delay_s: int = 3
    """So far apart, at least, are the quick passes that submissions call for."""
    ends_wait: bool = False
    """Whether ends share the turns of submissions, unless jobs are killed; else a quick pass
    follows them at once."""
    rounds_up: bool = False
    """Whether reservations end on the next multiple of `step_s` instead of the last one."""
    exact: bool = False
    """Whether a reservation keeps only what its job takes, instead of whole nodes."""
    group_s: int = 30
    """Ends of running jobs closer than that count as one at first; 0: each counts."""
    group_step_s: int = 0
    """By so much that distance grows from group to group; 0: it doubles."""
    one_per_job: bool = False
    """Whether a job of several partitions gets a reservation in the first of them only."""
    licenses_planned: bool = False
    """Whether who lacks licenses gets a reservation, and stops everybody behind."""
    licenses_with_nodes: bool = False
    """Whether licenses are asked for where nodes are chosen, after limits on these; else before."""
    licenses_seen: bool = False
    """Whether who is planned also waits for those who run to give back licenses, wherever they are;
    else only for what `licenses_planned` keeps."""
    running_reserved: bool = False
    """Whether running jobs keep nodes they have whole as reservations do, to the last full step."""
    owners_leave: bool = True
    """Whether reservations reckon with their leaving who have a node to themselves."""
    seeks_anew: bool = False
    """Whether starts are sought from an instant as if it had come: who is to end before it is gone,
    also who should have ended by now, and, from a later one, who may be ended; ends count as one
    from there on."""
    overlaps_first: bool = False
    """Whether it is looked whether a reservation is in the way of a start before anything else: one
    that is in the way is tried again from that start on, whatever opens before it, and no other
    component of the job waits for it; and whether one instant more is tried where none opens."""
    own_ends: bool = False
    """With `seeks_anew`: whether a start waits only for those whose nodes are taken, of all whose
    ends count as one; and whether who ends at the very instant is gone."""
    weighs_anew: bool = False
    """Whether nodes weigh for who is planned what they are said to, but a little more as long as
    they are being cleared (with `seeks_anew` only in the try from now, and not if it was tried
    there in vain to start now); else what they weighed for whoever was tried there last."""
    limits_placed: bool = False
    """Whether a limit on different nodes counts those of a reservation as what they are; else all
    as new but those that the job names."""
    limits_stop: bool = False
    """Whether who may not start by a limit stops its partition, and gets a reservation."""
    busy_first: bool = False
    """Whether reservations take nodes first that somebody is on."""
    tasks_trim: bool = False
    """Whether of a node no more CPUs count than its tasks would use, where it says how many these
    are; they all do for who is tried as if it shared nodes with nobody."""
    whole_tasks: bool = False
    """Whether of a node only CPUs for whole tasks count, whether or not memory goes with them."""
    stretches: bool = False
    """Whether who is started for the shortest time it accepts gets as much as delays nobody."""
    reach: int | None = None
    """So many jobs a slow pass looks at before its time is over; None: as its statistics tell."""
    time_max_s: int | None = None
    """So long a slow pass takes at most; None: as long as the pause between two."""
    continues: bool = False
    """Whether a slow pass goes on after a rest during which jobs or nodes have changed."""
    rest_after_us: int = 2_000_000
    """So long it works before it rests; 0: it never does."""
    rest_us: int = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerSettings:
    """The settings a replica needs. Defaults are those of a batch system that says nothing."""

    multifactor: bool = True
    """False: first come, first served."""
    weights: PriorityWeights = PriorityWeights()
    priority_max_age_s: int = WEEK_S
    priority_half_life_s: int = WEEK_S
    """0: usage does not decay."""
    priority_period_s: int = 300
    priority_usage_reset: str = ""
    priority_favor_small: bool = False
    size_per_minute: bool = False
    """Whether a job's size is divided by its limit in minutes."""
    ages_from_submission: bool = False
    """Whether jobs grow old from their submission on, whatever they wait for."""
    priorities_only_rise: bool = False
    fairshare_formula: FairshareFormula = FairshareFormula.FAIR_TREE
    fairshare_dampening: int = 1
    billing_rule: BillingRule = BillingRule.SUM
    backfill: bool = True
    passes: PassSettings | None = None
    """None: the scheduler is not known to work so."""
    granularity: CpuGranularity = CpuGranularity.CORE
    memory_is_consumable: bool = True
    single_cpus_last: bool = False
    """Whether jobs of one CPU get the last node that fits."""
    single_nodes_first: bool = False
    """Whether who may have but one node gets the first that will do of those that weigh least."""
    weakest_singly: bool = False
    """Whether nodes that can give least are left out one by one, else all that can give as little,
    for who would be on too few CPUs with them."""
    plans_by_weight: bool = True
    """Whether the weights of nodes count where a start is planned; else only where one is made,
    which takes nodes of the lightest that will do, whatever they weigh among these."""
    packs_tasks: bool = False
    """Whether tasks fill node after node instead of going round."""
    tree_on_demand: bool = False
    """Whether the tree of switches counts only for jobs that ask for a number of them."""
    tree_counts_cpus: bool = False
    """Whether a switch of the tree suffices only with CPUs enough; nodes of further weights are
    looked at up to the most that a job wants, of which it does with fewer under few switches."""
    tree_counts_down: bool = False
    """Whether switches count only what is left below them; and whether of two leaves the closer
    one is next only where enough is below it, or below the switch above it that is compared."""
    drawn_by: str = ""
    """The kind of generic resource that draws who asks for it to nodes where they get more of it,
    and who takes whole nodes to those that have most; empty: none does."""
    limits_enforced: bool = False
    limits_safe: bool = False
    admits_below: bool = True
    """Whether a partition that admits an account, or bars it, means those below it as well."""
    message_timeout_s: int = 10
    """So long nodes may take to answer. With `kill_wait_s` it is for how long nobody else is ended
    for a job for which somebody was."""
    kill_wait_s: int = 30
    boot_s: int = 0
    """So long a node that sleeps to save power takes at most until a job runs on it."""
    sleeps_after_s: int = 0
    """A node sleeps once it has been idle for so long; 0: never."""
    dozes_s: int = 0
    """So long it then takes at most until it can be woken."""
    wakes_per_minute: int = 0
    """So many nodes are woken per minute at most; 0: any number."""
    sleepless_nodes: tuple[str, ...] = ()
    """Nodes that never sleep."""
    sleepless_partitions: tuple[str, ...] = ()
    """Partitions whose nodes never sleep."""
    sleepless_some: Tres = ()
    """Lists of nodes and how many idle ones of each never sleep, the first: `(("n[1-8]", 2),)`."""
    over_time_s: Limit = 0
    complete_wait_s: int = 0
    """Nobody is started while nodes have been cleared of ended jobs for less than so long."""
    min_job_age_s: int = 300
    """For how long a finished job stays visible."""
    default_memory_per_cpu_mb: int | None = None
    default_memory_per_node_mb: int | None = None
    preemption: Preemption | None = None
    """None: nobody must make room for others."""
    sent_back_s: int = 121
    """So long after its end a job may not start that was sent back into the queue."""
    parameters: tuple[tuple[str, str], ...] = ()
    """The scheduler's own parameters by name, e.g. `("bf_window", "2880")`; a bare word has ""."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerHealth:
    """How the scheduler keeps up, by its own statistics. None: not told."""

    told_at: int | None = None
    """When it said so."""
    started_at: int | None = None
    """Since when it runs."""
    counts_since: int | None = None
    """Since when its statistics count: they begin once it is set up, and anew from time to time."""
    main_cycle_last_us: int | None = None
    main_cycle_mean_us: int | None = None
    main_depth_mean: int | None = None
    backfill_cycle_last_us: int | None = None
    backfill_cycle_mean_us: int | None = None
    backfill_cycle_max_us: int | None = None
    backfill_last_at: int | None = None
    backfill_depth_last: int | None = None
    backfill_depth_tried_last: int | None = None
    backfill_depth_mean: int | None = None
    backfill_depth_tried_mean: int | None = None
    backfill_queue_last: int | None = None
    """How many records waited for the slow pass."""
    backfill_queue_mean: int | None = None
    backfill_cut_short: int | None = None
    """How many slow passes ended for lack of time, or because something had changed."""
    queue_length_last: int | None = None
    jobs_started: int | None = None
    jobs_backfilled: int | None = None
