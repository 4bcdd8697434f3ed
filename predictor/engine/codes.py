"""Numbers with a meaning that several parts of the engine share."""

GROUP = 64
"""Nodes whose free amounts are kept together, and copied only once they differ."""

FIRST_FIT = 0
"""Allocations. The first nodes in the order of the machine."""
BEST_FIT = 1
"""Of the lowest weight, those with the fewest free CPUs."""
BALANCED = 2
"""Of the lowest weight, those with the largest share of their CPUs free."""
CONSECUTIVE = 3
"""Runs of neighbours: of the lowest weight, the tightest that suffices; else the largest."""
ROUND_ROBIN = 4
"""The first after the node that was chosen last."""
DUAL_END = 5
"""The first in the order of the machine for one node, the last for several."""
TREE = 6
"""The tightest switch, in it leaf after leaf, the tightest that suffices first."""
LAST = 7
"""The last in the order of the machine."""
IN_ORDER = 8
"""The first in an order of their own."""
HYBRID = 9
"""The first in an order of their own; of equal ones those with the largest share free."""

BUSY_FIRST = 10
"""Of the lowest weight, the first that somebody is on; then the first that nobody is."""

LIGHTEST = 11
"""The first of the lowest weight."""

TRIMMED_NEVER = 0
"""Nodes are never compared by what a request takes of each, but by all they have."""
TRIMMED_SHARED = 1
"""They are compared by that unless it is tried as if it shared nodes with nobody."""
TRIMMED_ALWAYS = 2
"""They are always compared by what a request takes of each."""

SUMS = 10
"""So many sums over a node's tenants stand behind its free amounts, if it matters who they are.

The last tells how many there are who neither yield nor share CPUs.
"""
MOMENTS = 3
"""So many of these sums are there for each sort of tenants."""

APART = 1000000
"""How many links lie between leaves of different trees."""

IN_TURN = 0
"""Those behind blocked jobs start in the order of the queue."""
LARGEST_FIRST = 1
"""Of them, who asks for most CPUs starts first."""
MOST_TOGETHER = 2
"""Of them, those start first that together take most CPUs."""
MOST_COMBINED = 12
"""Of so many that could start, all combinations are tried for that."""

ALIGNED_S = 30
"""Groups of ends are counted from a multiple of it."""

MINUTE_S = 60
"""Limits are whole minutes."""

STOPS_NOBODY = 0
"""A job that does not start stops nobody: all behind it may be looked at."""
STOPS_NODES = 1
"""It stops those behind it in its partition, and everybody else on the nodes of that."""
STOPS_ALL = 2
"""It stops everybody behind it."""

ABSENT = 0
"""States of a job. It is not submitted yet."""
WAITS = 1
RUNS = 2
GONE = 3
"""It has ended, or was withdrawn."""

END = 0
"""Kinds of events, in the order in which those of one instant happen."""
LEAVE = 1
ARRIVE = 2
HOLD = 3
RELEASE = 4
RIPEN = 5
"""The instant has come before which a job may not start."""
PART_END = 6
"""A part of a job ends before the job does."""
OVERDUE = 7
"""The planned end of somebody has come who runs on."""
AMENDED = 8
"""The planned end of somebody is made another."""

LIKELY = 0
"""A try that counts nodes only has found enough."""
REFUSED = 1
"""Such a try has found too few."""
TOUCHES = 2
"""It has found too few, for a slot begins just when the job would end."""
SPARED = 0
"""Nothing becomes of a running job that is in the way of another."""
ENDED = 1
SENT_BACK = 2
"""Such a job is ended, and waits anew."""
STANDS_STILL = 3
"""Such a job keeps what it holds but its CPUs, and goes on once these are free."""
ANYBODY = 1
"""Those of a station may end anybody of another."""
LOWER = 2
"""They may only end those of lower priority."""
NO_HIGHER = 3
"""They may only end those of no higher priority."""
CLEARS_S = 1
"""Who is planned on nodes that are still being cleared is to start after so long."""
LIMITED_S = 500
"""After so long who may not start by a limit is planned, if there is no opening before."""
DIES_S = 1
"""So long it takes until who was ended is gone."""
LATE_S = 15
"""So long somebody outlives its grace time whom nobody wants to be gone any more."""

BLOCK = 16
"""So many slots at most have their unions kept together."""
BATCH = 32
BATCH_BITS = 5
"""2 to the power of so many holdings, a batch, are asked at once if any has certain nodes."""
WEIGHT_STEPS = 256
"""So many steps are one of a node's weight; what draws jobs to it is always fewer."""
SIZES = 32
"""Classes of sizes: of 1 node or more, (none), 2, 3, 4, 6, 8, 12, 16, and so on."""
SOUGHT = 0
"""Both passes seek nodes for a record."""
SOUGHT_AHEAD = 1
"""Only the pass that looks ahead seeks nodes for a record; the other passes it over."""
SOUGHT_NEVER = 2
"""No pass seeks nodes for a record, though both look at it."""
