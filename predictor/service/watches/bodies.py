"""What comes in and goes out about watches, as types."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from predictor.domain.instants import rfc3339
from predictor.service.bodies import SCHEMA, Body
from predictor.service.watches.watch import Kind, Watch

MOST_MINUTES = 7 * 24 * 60
LONGEST_ID = 200


class Wish(Body):
    """What somebody wants to be told of, and where."""

    job: Annotated[str, Field(min_length=1, max_length=LONGEST_ID)] | None = None
    """A job that waits; null: all own jobs, those to come included."""
    kinds: Annotated[tuple[Kind, ...], Field(min_length=1, max_length=len(Kind))] = tuple(Kind)
    soon_minutes: Annotated[int, Field(ge=1, le=MOST_MINUTES)] = 30
    """How long before its likely start a job is said to start soon."""
    webhook: Annotated[str, Field(max_length=64)] | None = None
    """One of those that the site names; null: by mail."""


class WatchBody(Body):
    """A watch."""

    id: str
    job: str | None
    """Null: all own jobs."""
    kinds: list[Kind]
    soon_minutes: int
    webhook: str | None
    """Null: by mail."""
    created_at: str


class WatchAnswer(WatchBody):
    """A watch that was asked for."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")


class WatchList(Body):
    """Somebody's watches, and where notices may go."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    watches: list[WatchBody]
    """The oldest first."""
    webhooks: list[str]
    """The names that may be chosen."""
    mail: str | None
    """Where mail would go; null: there is none."""


def watch_body(watch: Watch) -> dict[str, Any]:
    """Return what is told of a watch."""
    return {
        "id": watch.id,
        "job": watch.job,
        "kinds": [kind.value for kind in Kind if kind in watch.kinds],
        "soon_minutes": watch.soon_s // 60,
        "webhook": watch.webhook,
        "created_at": rfc3339(watch.created_at),
    }


def answer(watch: Watch) -> dict[str, Any]:
    """Return the answer about one watch."""
    return {"schema": SCHEMA, **watch_body(watch)}


def listed(watches: Iterable[Watch], webhooks: Iterable[str], mail: str | None) -> dict[str, Any]:
    """Return the answer about all of somebody's watches."""
    return {
        "schema": SCHEMA,
        "watches": [watch_body(watch) for watch in watches],
        "webhooks": list(webhooks),
        "mail": mail,
    }
