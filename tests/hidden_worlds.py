"""Clusters that differ in nothing but whom hidden jobs belong to, and what is told of them."""

from collections.abc import Sequence

from clusters import HOUR, NOW, cluster, running, waiting
from services import TERMS

from predictor.domain import Provenance, Reservation, Snapshot, Untrusted
from predictor.forecast import forecast
from predictor.service.published import Published, publication
from predictor.site import default

Names = tuple[str, str, str]
"""A hidden user, its account, and what it writes."""
Drawn = tuple[bool, str, int, int]
"""Whether a job waits, whose it is (`bob`, `hidden 1`, `hidden 2`), its nodes and minutes."""
ALL = ("jobs", "nodes", "partitions", "reservations", "usage", "users")


def world(drawn: Sequence[Drawn], mask: Names, kept: tuple[str, ...]) -> Snapshot:
    """Return the queue drawn, in which hidden users are called so; `kept` is private there."""
    user, account, text = mask

    def owner(who: str) -> dict[str, object]:
        if who == "bob":
            return {"user": "bob", "account": "physics", "name": Untrusted("mine")}
        words = {"name": Untrusted(text + who), "comment": Untrusted(text)}
        return {"user": f"{user}{who[-1]}", "account": account, **words}

    free, found = ["n1", "n2", "n3", "n4"], []
    for number, (waits, who, nodes, minutes) in enumerate(drawn, start=1):
        if waits or nodes > len(free):
            found.append(waiting(str(number), nodes, minutes, of_job=owner(who)))
        else:
            held, free = free[:nodes], free[nodes:]
            found.append(running(str(number), " ".join(held), minutes, **owner(who)))
    later = Reservation(
        name="newroof", node_names=("n4",), start_at=NOW + HOUR, end_at=NOW + 2 * HOUR
    )
    told = Provenance(source="scene", private=kept)
    return cluster(4, *found, provenance=told, reservations=(later,))


def published(seen: Snapshot) -> Published:
    """Return what is answered of it, plan and reasons included."""
    made = forecast(seen, default(), explained=True)
    return publication(seen, made, TERMS, seen.taken_at + 5, seen.taken_at + 6)
