"""How passes are made, as plain numbers: those of a scheduler of two passes, and of policies."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How a scheduler of two passes decides. A cap of 0 is none; instants are seconds."""

    main_depth: int
    main_depth_per_partition: int
    main_starts_max: int
    main_period_s: int
    arrival_delay_s: int
    """The least time between two passes in strict order that are called for in turn."""
    period_s: int
    """From the beginning of one pass that looks ahead to that of the next."""
    first_at: int
    """When the first pass that looks ahead is due."""
    window_s: int
    step_s: int
    rounds_up: bool
    """Whether reservations end on the next multiple of `step_s`, not the last one."""
    jobs_max: int
    jobs_max_per_user: int
    jobs_max_per_association: int
    """If there is such a cap, that per user does not count."""
    jobs_max_per_partition: int
    jobs_max_per_user_and_partition: int
    array_tasks_max: int
    entries_max: int
    """So many stretches of time the table of slots has before a pass that looks ahead ends."""
    starts_max: int
    protected_per_partition: int
    min_age_s: int
    """Who has waited for less time is not protected."""
    exact_slots: bool
    """Whether a reservation keeps only what the job takes, not whole nodes."""
    group_s: int
    """How far apart ends are that count as one at first; 0: each end counts."""
    group_step_s: int
    """By so much `group_s` grows with each try; 0: it doubles."""
    one_slot_per_job: bool
    licenses_planned: bool
    owners_leave: bool
    """Whether the pass that looks ahead sees when those leave who have a node to themselves."""
    limits_stop: bool
    """Whether a job that a limit keeps back stops its partition, and gets a reservation."""
    stretches: bool
    """Whether who starts shorter than planned gets as much of that as delays nobody."""
    clearing_wait_s: int = 0
    """No pass is made while nodes have been cleared of ended jobs for less than so long."""
    running_reserved: bool = False
    """Whether who runs keeps the nodes it has whole as if it had a slot, unless it may be ended."""
    licenses_with_nodes: bool = False
    """Whether licenses are asked for where nodes are chosen, after limits on these."""
    licenses_seen: bool = False
    """Whether who is planned also waits for those who run to give back licenses."""
    overruns_foreseen: bool = False
    """Whether everybody knows from the start who will run beyond its planned end."""
    tasks_bounded: bool = False
    """Whether no more tasks of an array get slots than may run beside those that do."""
    seeks_anew: bool = False
    """Whether starts are sought from a later instant as if it had come."""
    overlaps_first: bool = False
    """Whether a start that a slot is in the way of is put off to where it lies, whatever opens
    before, and counts for no other component; and whether one instant more is tried."""
    own_ends: bool = False
    """With `seeks_anew`: whether a start waits only for those whose nodes are taken."""
    weighs_anew: bool = False
    """Whether nodes weigh for who is planned what they are said to, whoever was tried there."""
    limits_placed: bool = False
    """Whether limits on different nodes know on which ones somebody is who starts later."""
    busy_first: bool = False
    """Whether who is planned for later gets nodes first that somebody is on."""
    main_pause_s: int = 0
    """The least time between two passes in strict order, whatever calls for them."""
    ends_wait: bool = False
    """Whether who ends by itself calls for such a pass in turn, not at once."""
    main_first_at: int = -1
    """When the first regular pass in strict order is due; -1: a period from the beginning."""
    told_at: Sequence[int] = ()
    """When passes that look ahead are due as far as that is known beforehand, ascending."""
    told_holds: bool = False
    """Whether `told_at` holds whatever puts a pass off; else those behind are put off with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyRules:
    """How a scheduler decides that makes one kind of pass, whenever something happens.

    A cap of 0 is none.
    """

    reservations: int
    """So many blocked jobs keep their planned start free of later ones; -1: all of them."""
    skips: bool
    """Whether jobs behind a blocked one may start before it."""
    by_partition: bool = False
    """Whether reservations are counted, and jobs stopped, in each partition."""
    filling: int = 0
    """One of the numbers of `predictor.engine.codes`."""
    cpus: Sequence[int] = ()
    """By job: how many it asks for; only told if the filling wants to know."""
    eligible_per_user: int = 0
    """So many waiting jobs of one user are looked at in a pass."""
    queued_per_user: int = 0
    """So many jobs of one user run or are looked at."""
    nameless: int = -1
    """The user whom nothing bounds; -1: there is none."""
    every_s: int = 0
    """Passes are so far apart, from the first one on; 0: not at all."""
    forgets: bool = False
    """Whether plans are always made anew, as jobs may leave, or end otherwise than planned."""
    foresees: bool = False
    """Whether plans are made at once and kept, of those too who become ready at a known time."""
    looks_max: int = 0
    """Once places were sought so often, who becomes ready is planned behind everybody; 0: never."""
