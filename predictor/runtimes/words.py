"""Lengths of time in words, for the sentences that say where an estimate comes from."""

_UNITS = ((86_400, "d"), (3600, "h"), (60, "min"))


def lasting(seconds: int) -> str:
    """Return a length of time in two units at most: `45 s`, `12 min`, `2 h 30 min`, `3 d 4 h`."""
    for (unit_s, name), (part_s, part) in zip(_UNITS, (*_UNITS[1:], (1, "s")), strict=True):
        if seconds >= unit_s:
            whole, rest = divmod(seconds, unit_s)
            parts = rest // part_s if unit_s > 60 or whole < 10 else 0
            return f"{whole} {name} {parts} {part}" if parts else f"{whole} {name}"
    return f"{seconds} s"
