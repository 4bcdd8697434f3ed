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
"""When nodes are compared by what a request takes of each, not by all they have. Never;"""
TRIMMED_SHARED = 1
"""unless it is tried as if it shared nodes with nobody;"""
TRIMMED_ALWAYS = 2
"""always."""

SUMS = 10
"""So many sums over a node's tenants stand behind its free amounts, if it matters who they are:"""
MOMENTS = 3
"""by so many for each sort of them, and how many there are who neither yield nor share CPUs."""

APART = 1000000
"""How many links lie between leaves of different trees."""

IN_TURN = 0
"""In which order those behind blocked jobs start. In that of the queue."""
LARGEST_FIRST = 1
"""Who asks for most CPUs first."""
MOST_TOGETHER = 2
"""Those first that together take most CPUs."""
MOST_COMBINED = 12
"""Of so many that could start, all combinations are tried."""

ALIGNED_S = 30
"""Groups of ends are counted from a multiple of it."""

MINUTE_S = 60
"""Limits are whole minutes."""

STOPS_NOBODY = 0
"""Whom a job stops that does not start. Nobody: all behind it may be looked at."""
STOPS_NODES = 1
"""Those behind it in its partition, and everybody else on the nodes of that."""
STOPS_ALL = 2
"""Everybody behind it."""

ABSENT = 0
"""States of a job. Not submitted yet."""
WAITS = 1
RUNS = 2
GONE = 3
"""Ended, or withdrawn."""

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
"""It is made another."""

LIKELY = 0
"""What comes of a try that counts nodes only. There are enough."""
REFUSED = 1
"""There are too few."""
TOUCHES = 2
"""There are too few, for a slot begins just when the job would end."""
SPARED = 0
"""What becomes of a running job that is in the way of another. Nothing."""
ENDED = 1
SENT_BACK = 2
"""It waits anew."""
STANDS_STILL = 3
"""It keeps what it holds but its CPUs, and goes on once these are free."""
ANYBODY = 1
"""Whom those of a station may end of another. Anybody;"""
LOWER = 2
"""those of lower priority;"""
NO_HIGHER = 3
"""or those of no higher one."""
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
"""So many holdings in order of ends are asked at once whether any has certain nodes."""
WEIGHT_STEPS = 256
"""So many steps are one of a node's weight; what draws jobs to it is always fewer."""
SIZES = 32
"""Classes of sizes: of 1 node or more, (none), 2, 3, 4, 6, 8, 12, 16, and so on."""
SOUGHT = 0
"""Both passes seek nodes for a record;"""
SOUGHT_AHEAD = 1
"""only that which looks ahead does, the other passes it over;"""
SOUGHT_NEVER = 2
"""none does, though both look at it."""
