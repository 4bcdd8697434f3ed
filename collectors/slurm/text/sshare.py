"""The fairshare tree, out of `sshare -a -l -P`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from collectors.slurm.text.records import Record, name_in, needed, table
from collectors.slurm.words import units
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Association, Fact, Fairshare, Quarantined

Who = tuple[str, str]
"""Account and user; the user is empty for the account itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareTree:
    """Everybody's standing, and the account above each account."""

    standing: dict[Who, Fairshare] = field(default_factory=dict)
    shares: Mapping[Who, int | None] = field(default_factory=dict)
    """None: the parent's shares are used."""
    parents: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Somebody's place in the tree."""

    who: Who
    shares: int | None
    standing: Fairshare


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    depth: int
    share: Share


def parse_shares(text: str) -> tuple[ShareTree, tuple[Quarantined, ...]]:
    """Return the fairshare tree. Leading blanks tell how deep an account lies in it."""
    rows, bad = sorted_out(Fact.FAIRSHARE, table(text, "Account"), _row)
    return tree_of([row.share for row in rows], _parents(rows)), bad


def tree_of(found: Sequence[Share], parents: Mapping[str, str]) -> ShareTree:
    """Return the tree of these shares and parents of accounts."""
    # Backwards, so that of somebody's rows for several partitions the first one counts.
    return ShareTree(
        standing={share.who: share.standing for share in reversed(found)},
        shares={share.who: share.shares for share in reversed(found)},
        parents=parents,
    )


def grown(found: tuple[Association, ...], tree: ShareTree) -> tuple[Association, ...]:
    """Return the associations with parents and standing out of the tree.

    Those that the account database did not tell are taken from the tree alone.
    """
    known = {(one.account, one.user) for one in found}
    rest = tuple(
        Association(account=account, user=user, shares=tree.shares[account, user])
        for account, user in reversed(tree.standing)
        if (account, user) not in known
    )
    return tuple(
        replace(
            one,
            parent=one.account if one.user else tree.parents.get(one.account, ""),
            fairshare=tree.standing.get((one.account, one.user)),
        )
        for one in (*found, *rest)
    )


def _parents(rows: Iterable[_Row]) -> Mapping[str, str]:
    path: list[str] = []
    parents = {}
    for row in rows:
        account, user = row.share.who
        if user:
            continue
        del path[row.depth :]
        parents[account] = path[-1] if path else ""
        path.append(account)
    return parents


def _row(row: Record) -> _Row:
    account = needed(row, "Account")
    shares = row.get("RawShares", "")
    share = Share(
        who=(account.strip(), name_in(row, "User").strip()),
        shares=None if shares == "parent" else units.count(shares) if shares else 1,
        standing=Fairshare(
            shares_norm=units.fraction(row.get("NormShares", "")),
            usage_raw=units.count(row.get("RawUsage", "")),
            usage_norm=units.fraction(row.get("NormUsage", "")),
            usage_effective=units.fraction(row.get("EffectvUsage", "")),
            factor=units.fraction(row.get("FairShare", "")),
            level=units.fraction(row.get("LevelFS", "")),
        ),
    )
    return _Row(depth=len(account) - len(account.lstrip(" ")), share=share)
