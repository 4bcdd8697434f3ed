"""The fairshare tree, out of JSON: of slurmrestd, and of `sshare -a --json`."""

from collectors.slurm.objects.fields import Fields, decoded, record_list
from collectors.slurm.text.sshare import Share, ShareTree, tree_of
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import UNLIMITED, Fact, Fairshare, Quarantined

PLACE = "shares"
_PARENTS = 0x7FFF_FFFF
"""The number of shares by which the parent's are meant."""

Placed = tuple[Share, str]
"""With the account above."""


def parse_shares(text: str) -> tuple[ShareTree, tuple[Quarantined, ...]]:
    """Return the fairshare tree."""
    told = decoded(text, PLACE).get(PLACE)
    found = record_list(told if isinstance(told, dict) else {}, PLACE, PLACE)
    placed, bad = sorted_out(Fact.FAIRSHARE, found, _placed)
    parents = {share.who[0]: parent for share, parent in placed if not share.who[1]}
    return tree_of([share for share, _ in placed], parents), bad


def _placed(record: object) -> Placed:
    fields = Fields(record)
    name, parent = fields.text("name"), fields.text("parent")
    if not name:
        raise ValueError("a share without a name")
    is_user = "USER" in fields.words("type")
    factors = fields.part("fairshare")
    standing = Fairshare(
        shares_norm=fields.fraction("shares_normalized"),
        usage_raw=round(fields.fraction("usage") or 0),
        usage_norm=fields.fraction("usage_normalized"),
        usage_effective=fields.fraction("effective_usage"),
        # Of an account it is no factor, though there is a number.
        factor=factors.fraction("factor") if is_user else None,
        level=factors.fraction("level"),
    )
    who = (parent, name) if is_user else (name, "")
    return Share(who=who, shares=_shares(fields), standing=standing), "" if is_user else parent


def _shares(fields: Fields) -> int | None:
    """Return the shares; None for the parent's, 1 where Slurm says nothing, as of the root."""
    told = fields.number("shares")
    if told is UNLIMITED or told == _PARENTS:
        return None
    return told if isinstance(told, int) else 1
