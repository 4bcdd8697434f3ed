"""The tree of accounts and users among whom a cluster is shared."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from predictor.domain import Association

Who = tuple[str, str, str]
"""Account, user and partition; an empty user means the account, an empty partition all of them."""

ROOT = 0
"""The place of the root in every tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """An account or a user in the tree. Members are told by their places in it."""

    who: Who
    above: int
    """The account it belongs to, which its usage counts for too; the root's is itself."""
    rivals_under: int
    """The nearest account above that has shares of its own: its children are the rivals."""
    shares: int | None
    """None: those of the account above."""


@dataclass(frozen=True, kw_only=True)
class ShareTree:
    """Who shares with whom. The order of the records it was made from does not matter."""

    members: tuple[Member, ...]
    """The root first, everybody after the account above, siblings by name."""

    @cached_property
    def places(self) -> Mapping[Who, int]:
        """The place of each member."""
        return {member.who: place for place, member in enumerate(self.members)}

    @cached_property
    def users(self) -> int:
        """How many users there are, counted once per account and partition."""
        return sum(1 for member in self.members if member.who[1])

    @cached_property
    def rivals(self) -> Mapping[int, tuple[int, ...]]:
        """By the place of an account, those who compete for what it gets.

        Accounts without shares of their own take no part: their members do in their stead.
        """
        found: defaultdict[int, list[int]] = defaultdict(list)
        for place, member in enumerate(self.members[1:], start=1):
            if member.who[1] or member.shares is not None:
                found[member.rivals_under].append(place)
        return {under: tuple(places) for under, places in found.items()}

    @cached_property
    def level_shares(self) -> tuple[float, ...]:
        """By place, its part of the shares of all rivals, in [0, 1]; 0 without own shares."""
        sums = {
            under: sum(self.members[place].shares or 0 for place in places)
            for under, places in self.rivals.items()
        }
        return tuple(
            member.shares / total
            if member.shares and (total := sums.get(member.rivals_under))
            else 0.0
            for member in self.members
        )

    @cached_property
    def cluster_shares(self) -> tuple[float, ...]:
        """By place, its share of the cluster: the product of those on the way to the root."""
        shares = [1.0]
        for place, member in enumerate(self.members[1:], start=1):
            level = 1.0 if member.shares is None else self.level_shares[place]
            shares.append(level * shares[member.rivals_under])
        return tuple(shares)


def share_tree(associations: Sequence[Association]) -> ShareTree | None:
    """Return the tree of these associations; None if they are no single whole tree.

    That is so where parts of it are hidden from the one who looked.
    """
    below: defaultdict[str | None, list[Association]] = defaultdict(list)
    for one in associations:
        below[_account_above(one)].append(one)
    roots = below.pop(None, [])
    if len(roots) != 1:
        return None
    tree = ShareTree(members=tuple(_grown(roots[0], below)))
    return tree if len(tree.members) == len(associations) == len(tree.places) else None


def who_is(one: Association) -> Who:
    """Return by whom the association is told."""
    return one.account, one.user, one.partition


def _account_above(one: Association) -> str | None:
    if one.user:
        return one.parent or one.account
    return one.parent or None


def _grown(
    root: Association, below: Mapping[str | None, Sequence[Association]]
) -> Iterator[Member]:
    """Yield everybody below `root`, level by level, and it first.

    What hangs on no root, such as a circle of accounts, is not met; nor is anybody twice below
    accounts of one name, such as one that is said to lie below itself.
    """
    yield Member(who=who_is(root), above=ROOT, rivals_under=ROOT, shares=root.shares)
    level = [(root.account, ROOT, ROOT)]
    grown = {root.account}
    place = ROOT
    while level:
        lower = []
        for account, above, rivals_under in level:
            for one in sorted(below.get(account, ()), key=who_is):
                place += 1
                shares = None if one.shares is None else max(0, one.shares)
                yield Member(who=who_is(one), above=above, rivals_under=rivals_under, shares=shares)
                if not one.user and one.account not in grown:
                    grown.add(one.account)
                    own = rivals_under if shares is None else place
                    lower.append((one.account, place, own))
        level = lower
