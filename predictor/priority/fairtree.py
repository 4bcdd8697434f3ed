"""Fair Tree: fairshare factors by rank among all users."""

import math
from collections.abc import Iterator, Mapping, Sequence

from predictor.priority.sharetree import ROOT, ShareTree, Who


def fair_tree(tree: ShareTree, usage: Sequence[float]) -> Mapping[Who, float]:
    """Return the factor of every user, in (0, 1], given everybody's usage by place.

    Rivals are ranked by share over usage, users before accounts, depth first; rank r of U users
    earns r/U, the best being U. Equals in a row share the better rank. n log n in the members.
    Source: Slurm, Fair Tree Fairshare Algorithm; tied accounts are not merged, as in its code.
    """
    factors = {}
    rank = left = tree.users
    waiting = [(ROOT, False)]
    while waiting:
        place, tied = waiting.pop()
        who = tree.members[place].who
        if who[1]:
            rank = rank if tied else left
            factors[who] = rank / tree.users
            left -= 1
        else:
            waiting.extend(reversed(list(_ranked(tree, usage, place, tied))))
    return factors


def level_fairshare(tree: ShareTree, usage: Sequence[float], place: int) -> float:
    """Return share over usage, both among the rivals: above 1 for who got too little.

    Zero without shares, infinite without usage and for a user with the account's shares.
    """
    member = tree.members[place]
    if member.shares is None:
        return math.inf
    share = tree.level_shares[place]
    if not share:
        return 0.0
    used, used_by_all = usage[place], usage[member.rivals_under]
    return share * used_by_all / used if used and used_by_all else math.inf


def _ranked(
    tree: ShareTree, usage: Sequence[float], account: int, tied: bool
) -> Iterator[tuple[int, bool]]:
    """Yield the account's rivals, the best first, and whether each equals the one before it."""
    levels = {place: level_fairshare(tree, usage, place) for place in tree.rivals.get(account, ())}
    before = None
    for place in sorted(levels, key=lambda one: (-levels[one], not tree.members[one].who[1])):
        # The first one equals whoever was before the whole account, if the account does.
        yield place, tied if before is None else levels[place] == before
        before = levels[place]
