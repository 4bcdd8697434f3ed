"""What a site file says to a source: keys that it knows, with values that it can use."""

from collections.abc import Collection, Mapping, Sequence

from predictor.errors import SettingError


def refuse_unknown(kind: str, settings: Mapping[str, object], known: Collection[str]) -> None:
    """Raise SettingError if there is a key that the source does not know."""
    if unknown := settings.keys() - set(known):
        key = min(unknown)
        raise _wrong(kind, f"unknown key {key}; it knows {', '.join(sorted(known))}", key)


def number_of(
    kind: str,
    settings: Mapping[str, object],
    key: str,
    default: float,
    *,
    or_none: bool = False,
    wanted: str = "seconds",
) -> float:
    """Return a number above 0, or also 0 if it may stand for none. Raises SettingError."""
    value = settings.get(key, default)
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else -1
    if not 0 <= number < float("inf") or not (number or or_none):
        bound = "from 0 on" if or_none else "above 0"
        raise _wrong(kind, f"{key}: expected {wanted} {bound}, got {value!r}", key)
    return float(number)


def text_of(kind: str, settings: Mapping[str, object], key: str) -> str:
    """Return a text; empty where none is given. Raises SettingError."""
    value = settings.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise _wrong(kind, f"{key}: expected a text, got {value!r}", key)
    return value or ""


def truth_of(kind: str, settings: Mapping[str, object], key: str, default: bool) -> bool:
    """Return true or false. Raises SettingError."""
    value = settings.get(key, default)
    if not isinstance(value, bool):
        raise _wrong(kind, f"{key}: expected true or false, got {value!r}", key)
    return value


def choice_of(kind: str, settings: Mapping[str, object], key: str, among: Sequence[str]) -> str:
    """Return one of several words, by default the first. Raises SettingError."""
    value = settings.get(key, among[0])
    if value not in among:
        raise _wrong(kind, f"{key}: expected one of {', '.join(among)}, got {value!r}", key)
    return str(value)


def path_of(kind: str, settings: Mapping[str, object], key: str) -> str | None:
    """Return a path; None where none is given. Raises SettingError."""
    value = settings.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise _wrong(kind, f"{key}: expected a path, got {value!r}", key)
    return value


def _wrong(kind: str, what: str, key: str) -> SettingError:
    return SettingError(f'source "{kind}": {what}', key=key)
