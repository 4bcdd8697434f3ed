"""JSON values spelt as Slurm's text forms have them, so that one code reads both."""

import math

from collectors.slurm.objects.fields import Fields
from predictor.domain import UNLIMITED

BOUNDLESS = "UNLIMITED"
PER_CPU = 2**63
"""The mark of memory per CPU, which as a signed number is negative."""


def number(fields: Fields, key: str) -> str:
    """Return a number; empty where none is set. Slurm 22.05 writes -1 for UNLIMITED."""
    value = fields.number(key)
    if value is UNLIMITED or value == -1:
        return BOUNDLESS
    return "" if value is None else str(value)


def memory(fields: Fields, key: str) -> str:
    """Return MB; empty for 0, by which no bound is meant.

    Versions up to v0.0.37 leave the mark in it by which Slurm tells memory per CPU.
    """
    word = number(fields, key)
    if word.startswith("-"):
        word = str(int(word) + PER_CPU)
    return "" if word == "0" else word


def bound(fields: Fields, key: str) -> str:
    """Return a limit out of the database, where one that is not set comes as unlimited."""
    word = number(fields, key)
    return "" if word == BOUNDLESS else word


def fraction(fields: Fields, key: str) -> str:
    """Return a number with its decimals; empty where none is set."""
    value = fields.fraction(key)
    return "" if value is None else ("inf" if math.isinf(value) else repr(value))


def yes(whether: bool) -> str:
    """Return `YES` or `NO`."""
    return "YES" if whether else "NO"


def several(fields: Fields, key: str) -> str:
    """Return a list with commas, also one that is written so already."""
    return ",".join(fields.words(key))


def bundle(fields: Fields, key: str) -> str:
    """Return a list of `{type, name, count}` as `cpu=4,gres/gpu=1`."""
    return ",".join(f"{_tres_name(one)}={one.count('count')}" for one in fields.parts(key))


def _tres_name(one: Fields) -> str:
    kind, name = one.text("type"), one.text("name")
    return f"{kind}/{name}" if name else kind
