"""Which versions of Slurm decide otherwise than those before.

Source: Slurm's own sources by release tag, and the scenarios recorded on 22.05.8.
"""

import re
from collections.abc import Mapping
from dataclasses import replace

from predictor.domain import Limits

_NUMBER = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?")

SINCE: Mapping[str, tuple[int, int, int]] = {
    # The end of a planned slot, of a reservation and of a running job is rounded up.
    "rounds_up": (24, 11, 0),
    # Before, but not up to 22.05.6, which is left out here, all CPUs of shared nodes counted also
    # for who says how many tasks are on a node.
    "tasks_trim": (23, 2, 5),
    # Before, nodes were counted to suffice even if a task fitted on none of them.
    "whole_tasks": (24, 5, 5),
    # Before, licenses were asked for before limits on nodes.
    "licenses_with_nodes": (23, 2, 0),
    # Before, how many tasks of an array may run at once bounded no reservations.
    "tasks_bounded": (23, 2, 4),
    # Before, whoever had a node to himself was taken to keep it.
    "owners_leave": (24, 11, 0),
    # Before, nodes kept the weight that they had for whoever was tried there last.
    "weighs_anew": (23, 11, 0),
    # Before, a search from a later instant looked at all ends from now on, in the same groups.
    "seeks_anew": (24, 11, 0),
    # Before, what is in the way of a start was looked at last.
    "overlaps_first": (24, 11, 0),
    # Before, limits took the nodes of a planned slot for new ones.
    "limits_placed": (24, 11, 4),
    # Before, a start was the end of the last of a group of jobs, whoever holds the nodes taken.
    "own_ends": (25, 5, 1),
    # Before, the limit was lost of which as much as possible is given back on the start.
    "stretches": (25, 5, 3),
}
"""By field of the passes' settings that is set from then on: the first release with it."""

BETWEEN: Mapping[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    # Before, nodes were chosen whatever licenses there were; since, those planned for now only.
    "licenses_seen": ((23, 2, 0), (25, 5, 0)),
}
"""The same of what is set up to another release: the first with it, and the first without."""

SINGLE_NODES_FIRST = (26, 5, 0)
"""Before, one node was chosen as several are, of runs of neighbours."""
TREE_COUNTS_CPUS = (23, 2, 0)
"""Before, a switch sufficed for a job with as many nodes as it wants, whatever CPUs these have."""
TREE_COUNTS_DOWN = (24, 5, 3)
"""Before, switches above a leaf counted its nodes, too, when these were taken."""
WEAKEST_SINGLY = (24, 11, 4)
"""Before, all nodes were left out at once that could give as little as the one that gives least."""
EXCLUSIVE_APART = (26, 5, 0)
"""Before, `OverSubscribe=NO` was how a job's wish for nodes of its own was shown."""
SHARING_HIDDEN = ((26, 5, 0), (26, 11, 0))
"""From the first up to the other, of which nobody knows yet, the newest JSON hides who shares."""
RUN_MINUTES_OF_MEMBERS = (24, 5, 0)
"""Before, what one user or one account of a QOS had before it could be bounded, but was not."""

ACCOUNTS_BELOW = (23, 2, 0)
"""Before, `AllowAccounts` and `DenyAccounts` meant only the accounts that they name."""


def release(version: str) -> tuple[int, int, int]:
    """Return `22.05.8` as numbers; zeros for what is no version."""
    found = _NUMBER.match(version)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else (0, 0, 0)


def habits(version: str) -> Mapping[str, bool]:
    """Return how this version's passes decide where versions differ."""
    number = release(version)
    since = {field: number >= first for field, first in SINCE.items()}
    return since | {field: first <= number < end for field, (first, end) in BETWEEN.items()}


def enforced(limits: Limits, version: str) -> Limits:
    """Return the limits of a QOS that this version enforces; of an unknown one, all."""
    if not (0, 0, 0) < release(version) < RUN_MINUTES_OF_MEMBERS:
        return limits
    return replace(limits, max_tres_run_minutes=(), max_tres_run_minutes_per_account=())


def admits_below(version: str) -> bool:
    """Return whether partitions look at the accounts above a job's; of an unknown version, yes."""
    return not (0, 0, 0) < release(version) < ACCOUNTS_BELOW
