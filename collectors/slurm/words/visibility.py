"""What `PrivateData` hides from the account that looks."""

from collections.abc import Mapping, Sequence

from predictor.domain import Fact, Hidden

_FACTS: Mapping[str, tuple[Fact, ...]] = {
    "jobs": (Fact.JOBS, Fact.PRIORITIES),
    "nodes": (Fact.NODES,),
    "partitions": (Fact.PARTITIONS,),
    "reservations": (Fact.RESERVATIONS,),
    "usage": (Fact.FAIRSHARE, Fact.USAGE),
    "users": (Fact.ASSOCIATIONS,),
    "accounts": (Fact.ASSOCIATIONS,),
}
ALL_PRIVATE = ("accounts", "jobs", "nodes", "partitions", "reservations", "usage", "users")
"""What is taken for private as long as nobody tells `PrivateData`, sorted."""
_SEES_ALL = frozenset({"Operator", "Administrator"})


def hidden_from(
    account: str, *, private: Sequence[str], slurm_user: str, admin_level: str
) -> tuple[Hidden, ...]:
    """Return the facts of which the account sees only its own part; none if it is privileged.

    Of an unknown account (empty) we say that it may be so.
    """
    if account and (account in {"root", slurm_user} or admin_level in _SEES_ALL):
        return ()
    effect = f"shows {account} only its own part" if account else "may have hidden others' part"
    return tuple(
        Hidden(fact=fact, why=f"PrivateData={word} {effect}")
        for word in private
        for fact in _FACTS.get(word, ())
    )
