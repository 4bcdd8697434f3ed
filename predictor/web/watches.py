"""The page of what somebody wants to be told of, with a form to add to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from predictor.cli.terminal import plain
from predictor.domain.durations import duration
from predictor.service.published import Published
from predictor.service.watches.bodies import MOST_MINUTES, Wish
from predictor.service.watches.watch import Kind, Watch
from predictor.web.frame import Frame
from predictor.web.words import local, utc

KINDS: Mapping[Kind, str] = {
    Kind.SOON: "starts soon",
    Kind.SLIPPED: "slipped",
    Kind.STARTED: "started",
}
MAIL = ""
"""How the form calls mail among the webhooks."""
LONGEST = 200
USUAL_MINUTES = 30

Fields = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How notices may go to somebody."""

    mail: str | None
    """The address; None: there is none."""
    webhooks: tuple[str, ...]


def wish_of(fields: Fields) -> Wish:
    """Return what a form asks for. Raises ValueError, a sentence, for what makes no sense."""
    told = {
        "job": _one(fields, "job") or None,
        "kinds": fields.get("kind", ()),
        "soon_minutes": _one(fields, "soon") or USUAL_MINUTES,
        "webhook": _one(fields, "way") or None,
    }
    try:
        return Wish.model_validate(told)
    except ValidationError as error:
        first = error.errors()[0]
        raise ValueError(f"{first['loc'][0]}: {first['msg']}") from error


def watches_page(
    current: Published | None,
    own: Sequence[Watch],
    ways: Ways,
    fields: Fields,
    mark: str,
    now: float,
    frame: Frame,
    *,
    refused: str = "",
) -> str:
    """Return the page as HTML. `fields` is what stands in the form already, `refused` why not."""
    if current is None:
        return frame.page("watches.html", None, now)
    return frame.page(
        "watches.html",
        current,
        now,
        mark=mark,
        refused=plain(refused, LONGEST),
        watches=[_watch(one, current, now) for one in own],
        ways=_ways(ways),
        way=plain(_one(fields, "way"), LONGEST),
        job=plain(_one(fields, "job"), LONGEST),
        soon=plain(_one(fields, "soon") or str(USUAL_MINUTES), LONGEST),
        most_minutes=MOST_MINUTES,
        kinds=[
            (kind.value, words, "kind" not in fields or kind.value in fields["kind"])
            for kind, words in KINDS.items()
        ],
    )


def _ways(ways: Ways) -> list[tuple[str, str]]:
    mail = [] if ways.mail is None else [(MAIL, f"mail to {plain(ways.mail)}")]
    return [*mail, *((plain(name), plain(name)) for name in ways.webhooks)]


def _watch(one: Watch, current: Published, now: float) -> Mapping[str, Any]:
    kinds = ", ".join(words for kind, words in KINDS.items() if kind in one.kinds)
    return {
        "id": one.id,
        "job": None if one.job is None else plain(one.job, LONGEST),
        "kinds": kinds,
        "soon": duration(one.soon_s) if Kind.SOON in one.kinds else "",
        "way": "mail" if one.webhook is None else plain(one.webhook),
        "since": local(one.created_at, current.utc_offset_s, now),
        "utc": utc(one.created_at),
    }


def _one(fields: Fields, name: str) -> str:
    return (list(fields.get(name, ())) or [""])[0].strip()
