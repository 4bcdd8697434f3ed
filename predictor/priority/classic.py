"""The older fairshare formulas: a factor that falls as usage exceeds the share."""

import math
from collections.abc import Mapping, Sequence

from predictor.priority.sharetree import ROOT, ShareTree, Who

STRICTNESS = 5.0
"""How much an account's distance from its share keeps its users from making up for it."""


def classic(
    tree: ShareTree, usage: Sequence[float], dampening: float, depth_oblivious: bool
) -> Mapping[Who, float]:
    """Return the factor of every user, in [0, 1], given everybody's usage by place.

    `2 ** -(effective usage / share / dampening)`, both as parts of the whole cluster; 0 without
    a share. Linear in the members. Source: Slurm, Multifactor Priority Plugin, "fairshare".
    This is for one instant; what Slurm reads when, as it recomputes, the engine knows (`shares`).
    """
    shares = tree.cluster_shares
    used = [min(1.0, one / usage[ROOT]) if usage[ROOT] else 0.0 for one in usage]
    effective = _depth_oblivious(tree, used, shares) if depth_oblivious else _by_level(tree, used)
    return {
        member.who: 2 ** -(effective[place] / shares[place] / dampening) if shares[place] else 0.0
        for place, member in enumerate(tree.members)
        if member.who[1]
    }


def _by_level(tree: ShareTree, used: Sequence[float]) -> list[float]:
    """Return effective usage: one's own, and by one's share that of the whole account."""
    effective = [1.0]
    for place, member in enumerate(tree.members[1:], start=1):
        above = effective[member.rivals_under]
        if member.shares is None:
            effective.append(above)
        elif member.rivals_under == ROOT:
            effective.append(used[place])
        else:
            effective.append(used[place] + (above - used[place]) * tree.level_shares[place])
    return effective


def _depth_oblivious(
    tree: ShareTree, used: Sequence[float], shares: Sequence[float]
) -> list[float]:
    """Return effective usage: the account's ratio of usage to share times one's own within it."""
    effective = [1.0]
    for place, member in enumerate(tree.members[1:], start=1):
        above = member.rivals_under
        if member.shares is None:
            effective.append(effective[above])
        elif above == ROOT or not (shares[place] and used[place] and effective[above]):
            effective.append(used[place])
        else:
            rivals = sum(used[one] for one in tree.rivals[above] if tree.members[one].shares)
            own = (used[place] / shares[place]) / (rivals / shares[above])
            ratio = effective[above] / shares[above]
            effective.append(ratio * own ** _exponent(ratio, own) * shares[place])
    return effective


def _exponent(ratio: float, own: float) -> float:
    """Return how much one's own ratio counts: 1, and less where it would mend the account's."""
    if math.log(ratio) * math.log(own) >= 0:
        return 1.0
    return 1 / (1 + (STRICTNESS * math.log(ratio)) ** 2)
