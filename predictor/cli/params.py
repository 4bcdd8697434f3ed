"""Instants, ages and sizes as they are given on the command line."""

import re
import time
from collections.abc import Mapping

import click

from predictor.cli.timesyntax import EXPECTED, deadline
from predictor.domain.durations import LETTER_S
from predictor.domain.instants import instant_of

SIZES = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


class Instant(click.ParamType[int]):
    """An RFC 3339 instant, UTC epoch seconds, or `now-2days`, as epoch seconds."""

    name = "instant"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return epoch seconds; fails as click does."""
        if isinstance(value, int):
            return value
        said = str(value)
        try:
            return deadline(said, time.time()) if said.startswith("now") else instant_of(said)
        except (ValueError, OverflowError):
            self.fail(f"expected an instant such as 2026-11-20T14:02:00Z, got {value!r}")


class Deadline(click.ParamType[int]):
    """A time as Slurm's commands take it, by the machine's clock, as UTC epoch seconds."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return epoch seconds; fails as click does."""
        try:
            return value if isinstance(value, int) else deadline(str(value), time.time())
        except (ValueError, OverflowError):
            self.fail(f"expected {EXPECTED}, not {value!r}")


class Amount(click.ParamType[int]):
    """A whole number with one of the given units behind it."""

    def __init__(self, name: str, units: Mapping[str, int], example: str) -> None:
        self.name = name
        self._units = units
        self._example = example

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return the amount in the smallest unit; fails as click does."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d{1,15})([A-Za-z]?)", str(value))
        if found is None or found[2] not in self._units:
            self.fail(
                f"expected {self._example} or the like"
                f" (units: {', '.join(filter(None, self._units))}), got {value!r}"
            )
        return int(found[1]) * self._units[found[2]]


INSTANT = Instant()
DEADLINE = Deadline()
AGE = Amount("age", LETTER_S, "30d")
SIZE = Amount("size", SIZES, "2G")
