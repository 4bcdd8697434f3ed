"""The page on which an operator has a slurm.conf looked at before it is set."""

from collections.abc import Iterator, Mapping
from typing import Any

from predictor.cli.terminal import plain
from predictor.service.published import Published
from predictor.web.frame import Frame

LONGEST = 300
MOST_TEXT = 40_000
"""Of what is typed; its form is longer."""
MOST_VALUES = 3
KINDS = ("changed", "added", "removed")


def check_page(
    current: Published | None,
    text: str,
    told: Mapping[str, Any] | None,
    mark: str,
    now: float,
    frame: Frame,
    *,
    refused: str = "",
) -> str:
    """Return the page as HTML. `told` is what was found of the text; None: nobody looked yet.

    `mark` goes with its form, so that only ours is taken; `refused` is why it was not looked at.
    """
    if current is None:
        return frame.page("check.html", None, now)
    changes = None if told is None else told.get("changes")
    return frame.page(
        "check.html",
        current,
        now,
        mark=mark,
        text=text,
        most_text=MOST_TEXT,
        refused=plain(refused, LONGEST),
        looked_at=told is not None,
        whole=changes is not None and changes["whole"],
        changes=list(_changes(changes or {})),
        unheeded=list(_unheeded(told or {})),
        remarks=[plain(str(one), LONGEST) for one in (told or {}).get("remarks", ())],
    )


def _changes(changes: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    for kind in KINDS:
        for one in changes.get(kind, ()):
            values = {key: _value(one[key]) for key in ("running", "proposed")}
            yield {"kind": kind, "name": plain(one["name"], LONGEST), **values}


def _unheeded(told: Mapping[str, Any]) -> Iterator[Mapping[str, str]]:
    """Yield what matters and is not replicated."""
    for one in told.get("settings", ()):
        if one["matters"]:
            values = [plain(each["value"], LONGEST) for each in one["values"][:MOST_VALUES]]
            yield {
                "name": plain(one["name"], LONGEST),
                "said": ", ".join(values),
                "why": plain(one["why"], LONGEST),
            }


def _value(value: str | None) -> str:
    return "" if value is None else plain(value, LONGEST)
