"""Write a site as a site file, with every value that is in effect."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from predictor.site.model import Site

Values = Mapping[str, Any]


def effective(site: Site) -> dict[str, Any]:
    """Return all values that are in effect, as tables; what is unset is left out."""
    values = site.model_dump(mode="json", by_alias=True, exclude_none=True)
    policy = site.policy()
    if site.policy_table.said and not policy.two_passes:
        values["policy"] |= {
            "reservations": "all" if policy.reservations is None else policy.reservations,
            "skip_blocked": policy.skip_blocked,
            "scope": policy.scope.value,
            "allocation": policy.allocation.value,
            "seed": policy.seed,
            "filling": policy.filling.value,
        }
    return {name: value for name, value in values.items() if value not in ([], {})}


def to_toml(values: Values) -> str:
    """Return tables as a TOML document; reading it gives equal values."""
    return "\n".join(_lines(values, ())).strip() + "\n"


def _lines(values: Values, path: tuple[str, ...]) -> Iterator[str]:
    below = {name: value for name, value in values.items() if _is_table(value)}
    yield from (
        f"{_key(name)} = {_inline(value)}" for name, value in values.items() if name not in below
    )
    for name, value in below.items():
        inner = (*path, _key(name))
        several = isinstance(value, list)
        for table in value if several else [value]:
            yield ""
            yield f"[[{'.'.join(inner)}]]" if several else f"[{'.'.join(inner)}]"
            yield from _lines(table, inner)


def _is_table(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(each, Mapping) for each in value)
    return isinstance(value, Mapping)


def _inline(value: object) -> str:
    match value:
        case Mapping():
            return "{ " + ", ".join(f"{_key(k)} = {_inline(v)}" for k, v in value.items()) + " }"
        case list() | tuple():
            return f"[{', '.join(map(_inline, value))}]"
        case float() if math.isnan(value) or math.isinf(value):
            return str(value)
        case str():
            return _text(value)
        case _:
            return json.dumps(value)


def _text(value: str) -> str:
    lines = value.split("\n")
    if len(lines) > 1 and all(map(str.isprintable, lines)) and "'" not in value:
        return f"'''\n{value}'''"
    return _quoted(value)


def _quoted(value: str) -> str:
    # TOML's strings are JSON's, but that any character may be given by its number.
    written = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08X}" for c in written)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)
