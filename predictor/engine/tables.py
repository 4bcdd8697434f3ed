"""What the engine is told, as plain numbers: nodes, requests, the queue and the rules."""

from collections.abc import Sequence
from dataclasses import dataclass

from predictor.engine import codes
from predictor.engine.calendar_tables import Calendar, Cleared


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """How a total of CPUs lies on nodes of which each gives as many as it has. Rows are by class.

    At least one CPU is what a node gives, and the kind's shape is what goes with the least.
    """

    least: tuple[int, ...]
    """How many CPUs a node gives at least."""
    step: tuple[int, ...]
    """CPUs are handed out in multiples of so many."""
    each: tuple[tuple[int, ...], ...]
    """What goes with each CPU, or with so many as `cpus_each` tells, in the order of `capacity`."""
    cpus_each: tuple[int, ...] = ()
    """With how many CPUs each of these goes; 0: with none of them; empty: with every one."""
    task: int = 1
    """So many CPUs a task takes, which are all on one node."""
    pieces: int = 1
    """So often, all together, nodes must have what goes with none of their CPUs."""
    unit: int = 1
    """Of a node's CPUs only multiples of so many count."""
    nodes_least: int = 1
    nodes_wanted: int = 1
    """It is spread over so many nodes if possible."""
    nodes_most: int = 0
    """It is spread over so many nodes at most; 0: over any number."""
    whole: bool = False
    """Whether a node gives all it has: the least."""
    widest_first: bool = False
    """Whether the widest nodes come first where some might be too narrow."""
    weakest_singly: bool = False
    """Whether nodes that can give least are dropped one by one if the others might do."""
    loose: bool = False
    """Whether anything goes with none of its CPUs."""
    scatters: bool = False
    """Whether tasks are dealt over all steps of a node that are free, each of which goes whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What requests have in common that may go to the same places. Sets of nodes are bitmaps."""

    shape: int
    candidates: int
    """The nodes that may be chosen, if they have what is asked for."""
    required: int = 0
    """The nodes that must be among the chosen."""
    whole: bool = False
    """Whether nobody may be beside it on its nodes."""
    pinned: bool = False
    """Whether it is put off as a whole until nobody else's reservation keeps any of these."""
    members: int = 0
    """All nodes of the partition."""
    reservation: int = 0
    """The number of the reservation asked for; 0: none."""
    licenses: tuple[tuple[int, int], ...] = ()
    """The licenses it takes: the number of the pool, and how many."""
    contiguous: bool = False
    allocation: int = 0
    """Which of the nodes that fit are taken; one of the numbers of `predictor.engine.codes`."""
    order: int = 0
    """The number of the order in which they are taken, if they have one of their own."""
    trimmed: int = codes.TRIMMED_NEVER
    """When nodes are compared by what it asks for, not by all they have."""
    counted: tuple[int, int] = (1, 0)
    """Untrimmed, CPUs count in so many, as far as each has so much memory; 0: whatever it has."""
    quota: int = -1
    """Untrimmed, no more CPUs count than are left of this amount; -1: all do."""
    draw: tuple[int, ...] = ()
    """By node class: by so many steps of 1/256 less it weighs for this; empty: by none."""
    draws_by_piece: bool = False
    """Whether `draw` counts for each piece for which a node has generic resources."""
    switches_max: int = 0
    """On at most so many leaf switches, for as long as the job insists on it; 0: on any number."""
    groups: tuple[tuple[int, int], ...] = ()
    """So many of its nodes must be of each of these sets, none twice; at most two overlap."""
    group_kinds: tuple[int, ...] = ()
    """By group: the kind that wants all its nodes of that set."""
    spread: Spread | None = None
    """None: every node gives the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenant:
    """For whom something is taken of a node."""

    user: int
    """A number from 1 on."""
    alone: bool = False
    """Whether it goes on no node where anybody else has something, nor lets others come there."""
    crowd: int = 0
    """A number that is no user's: who has it lets nobody come there who has not. 0: none."""
    shares: bool = False
    """Whether those it is alone with are all who share CPUs; else it owns the nodes."""
    yields: bool = False
    """Whether it goes on no node where anybody has something who neither yields nor shares."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """A network switch of a tree."""

    nodes: int
    """Bitmap of all nodes below it."""
    above: int = -1
    """The number of the switch it hangs on; -1: none."""
    is_leaf: bool = True
    """Whether nodes hang on it directly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutTables:
    """A machine: `nodes` nodes in the order in which they are taken, in classes of equal ones."""

    nodes: int
    node_class: Sequence[int]
    capacity: Sequence[Sequence[int]]
    """By class: CPUs, memory in MB, then each kind of generic resource."""
    cpus: Sequence[int]
    """By node, each as often as the deepest of them counts it."""
    weight: Sequence[int]
    """By node; never falling."""
    plans_by_weight: bool = True
    """Whether weights, and what makes nodes weigh more or less, count where a start is planned."""
    up_to_weight: Sequence[int] = ()
    """By weight, from the least to the greatest: the nodes no heavier; empty: all weigh the same.

    Only asked where weights count when a start is made, not where it is planned.
    """
    make: Sequence[int] = ()
    """By node: those that are alike in all that is configured have the same; empty: all have."""
    gaps: int
    """Bitmap of the nodes that do not directly follow the one before in the site's own order."""
    usable: int
    amounts: Sequence[Sequence[Sequence[int]]]
    """By shape and class: what a job takes of a node, in the order of `capacity`."""
    fits_empty: Sequence[int]
    """By shape: the nodes that could hold it if nothing else ran there."""
    kinds: Sequence[Kind]
    licenses: Sequence[int] = ()
    """How many there are of each pool."""
    calendars: Sequence[Calendar] = ()
    """By instant of becoming known; empty: nothing is ever reserved."""
    switches: Sequence[Switch] = ()
    switches_count_cpus: bool = False
    """Whether a switch suffices only if the nodes below it have CPUs enough, too."""
    switches_count_down: bool = False
    """Whether switches count only what is left below them."""
    asleep: int = 0
    """The nodes that boot before the first job on them runs."""
    boot_s: Sequence[int] = ()
    """By node: how long it takes; empty: none of them sleeps."""
    sleeps_after_s: Sequence[int] = ()
    """By node: it sleeps again once nobody was on it for so long; 0: never. Empty: none does."""
    dozes_s: Sequence[int] = ()
    """By node: so long it then cannot be woken; empty: it can at once."""
    idle_since: Sequence[int] = ()
    """By node that is idle or sleeps at the beginning: since when idle; empty: since then."""
    sleepless: Sequence[tuple[int, int]] = ()
    """So many of the idle ones of each of these sets never sleep, the first."""
    wakes_per_minute: int = 0
    """So many nodes are woken per minute; 0: any number."""
    orders: Sequence[Sequence[int]] = ()
    """Orders of their own, by node: who has less comes first."""
    wanted: int | None = None
    """So many of the shapes, the first ones, may be looked for; None: all."""
    tenants: Sequence[Tenant] = ()
    """By shape: whose it is; empty: that makes no difference anywhere."""
    owned: bool = True
    """Whether nodes may belong to users; else tenants only differ in whether they share CPUs."""
    gres_kinds: int = 0
    """How many kinds of generic resource there are."""
    exact: bool = False
    """Whether only whole nodes are ever taken, none by two jobs at a time."""
    depth: Sequence[int] = ()
    """By node: how often `capacity` counts its CPUs, each for so many jobs; empty: once."""
    clearings: Sequence[Cleared] = ()
    """When nodes are cleared of ended jobs, where the pass in strict order waits for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to place a part of a job."""

    kind: int
    nodes: int
    """So many of them; at least, where they may give different numbers of CPUs."""
    length_s: int
    """How long it is planned to run."""
    least_s: int = 0
    """A pass that looks ahead may plan it so short; 0: no shorter than `length_s`."""
    claim: int = -1
    """What it counts as by the limits; -1: nothing."""
    rates: tuple[float, ...] = ()
    """By node class: the usage per second that a node of it is charged for, or a CPU of it
    where nodes may give different numbers of them."""
    cpus: int = 0
    """How many CPUs the nodes give together, if they may give different numbers; 0: they do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A job's place in the queue of one partition; its parts start together."""

    job: int
    partition: int
    parts: tuple[tuple[Way, ...], ...]
    """Of each part: its ways, of which the earliest start wins."""
    slot: int = -1
    """Its number in the ranking; -1: its place does not move."""
    band: int = 0
    """Of two records, the one in the lower band comes first; then decides the priority."""
    tie: int = 0
    """Among equals, the one with the lower number comes first; no two have the same."""
    protected_from: int = 0
    """With a lower priority it gets no slot, and stops nobody."""
    reserves: bool = True
    """Whether it may get a slot."""
    fleeting: bool = False
    """Whether it is planned for `least_s` only to find a place, and then stays as planned."""
    component: int = -1
    """Which of its job's parts it stands for, where each has a place of its own; -1: for all."""
    drawn: bool = False
    """Whether it is there for a reservation that draws its job in: it counts for nothing."""
    chance: int = -1
    """The number of its partition with the QOS and the reservation by which it is there; -1: with
    none of these."""
    queued: bool = True
    """Whether it has a place in the queue; if not, its job's components have, and it starts so."""
    sought: int = codes.SOUGHT
    """Which passes seek nodes for it: both, that which looks ahead, or none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """Not before these people have all ended (or started), plus a delay.

    People are numbered: first those who wait, then those who run.
    """

    people: tuple[int, ...]
    started: bool = False
    delay_s: int = 0
    rivals: tuple[int, ...] = ()
    """People who must have ended as well, should they start before that is met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A job that waits, or will."""

    user: int
    array: int
    """The array of which it is a task, or a number of its own."""
    apart: bool = False
    """Whether it is a task with a record of its own, beside the one for its array's other ones."""
    association: int = 0
    """Its user and account together."""
    run_s: int = -1
    """How long it will really run; -1: as long as it is planned."""
    enters_at: int = 0
    """When it is submitted; until then nobody knows of it."""
    kept_back: bool = False
    """Whether it has been noted that a limit keeps it back."""
    leaves_at: int = -1
    """When it is withdrawn if it still waits; -1: never."""
    over_by: int = -1
    """By when it is over: its limit is cut to that when it starts. -1: it keeps its limit."""
    not_before: int = 0
    after: tuple[After, ...] = ()
    any_of: bool = False
    """Whether one of `after` is enough."""
    lane: int = -1
    """The array whose number of running tasks is limited; -1: none."""
    held: tuple[tuple[int, int], ...] = ()
    """From when to when it is held."""
    original: int = -1
    """Whose other form it is, after attributes changed; others know it by that. -1: nobody's."""
    replaced: bool = False
    """Whether leaving is only giving way to another form."""
    eligible_since: int = 0
    """From when on at the soonest it could be considered, as far as that was before the begin."""
    insists_s: int = -1
    """So long it insists on few switches; -1: for ever, if its kind wants few."""
    asleep: bool = False
    """Whether it waits only once somebody who runs is sent back, of whom it is another form."""
    later_runs: tuple[tuple[int, int], ...] = ()
    """Of one that is sent back when a run ends: when it is ready again, and how long it runs then.

    The latter may be -1, as above.
    """
    awaited: bool = True
    """Whether time is to run until it has started."""
    ordinal: int = 0
    """Its number in the list of all jobs, in whose order equals are looked at, or ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What somebody who runs holds of some nodes."""

    person: int
    nodes: int
    kind: int
    """The kind whose licenses it holds; -1: none."""
    shape: int
    planned_end_at: int
    whole: bool = False
    """Whether it has the nodes to itself, whoever comes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """Somebody who runs already."""

    ends_at: int
    lane: int = -1
    run: int = -1
    """Its number in the ranking; -1: it is not charged."""
    user: int = -1
    """-1: it does not count as anybody's."""
    ordinal: int = 0
    """As in `Waiting`."""
    due_at: int = -1
    """When its limit is over, even if it has run on beyond that; -1: when its plan is."""
    grace_s: int = 0
    """How long after that it is taken to end if it runs on."""
    ahead_s: int = 1
    """How long from now it is taken to end if that is later."""
    amended: Sequence[tuple[int, int]] = ()
    """When its planned end is made another, and which; ascending."""
    sent_back: bool = False
    """Whether it has ended so as to wait anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueTables:
    """Who waits, in queue order, and who runs."""

    records: Sequence[Record]
    """In queue order."""
    waiting: Sequence[Waiting]
    running: Sequence[Runner]
    holdings: Sequence[Holding]
    lane_width: Sequence[int]
    partitions: int
    users: int
    arrays: int
    associations: int = 1
    boots_s: int = -1
    """So long nodes really take that boot, as far as that is less than the layout says; -1: not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fates:
    """What becomes of everybody in one course of many, in place of what the tables say."""

    run_s: Sequence[int]
    """By job, as in `Waiting`."""
    leaves_at: Sequence[int]
    """By job, as in `Waiting`."""
    ends_at: Sequence[int]
    """By runner, as in `Runner`."""
    boots_s: int = -1
    """As in `QueueTables`."""
