"""What a site file says to a source: keys that it knows, with values that it can use."""

from collections.abc import Collection, Mapping, Sequence

from predictor.errors import SiteError


def refuse_unknown(kind: str, settings: Mapping[str, object], known: Collection[str]) -> None:
    """Raise SiteError if there is a key that the source does not know."""
    if unknown := settings.keys() - set(known):
        raise SiteError(
            f'source "{kind}": unknown key {min(unknown)}; it knows {", ".join(sorted(known))}'
        )


def number_of(
    kind: str,
    settings: Mapping[str, object],
    key: str,
    default: float,
    *,
    or_none: bool = False,
    wanted: str = "seconds",
) -> float:
    """Return a number above 0, or also 0 if it may stand for none. Raises SiteError."""
    value = settings.get(key, default)
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else -1
    if not 0 <= number < float("inf") or not (number or or_none):
        bound = "from 0 on" if or_none else "above 0"
        raise SiteError(f'source "{kind}": {key}: expected {wanted} {bound}, got {value!r}')
    return float(number)


def text_of(kind: str, settings: Mapping[str, object], key: str) -> str:
    """Return a text; empty where none is given. Raises SiteError."""
    value = settings.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise SiteError(f'source "{kind}": {key}: expected a text, got {value!r}')
    return value or ""


def truth_of(kind: str, settings: Mapping[str, object], key: str, default: bool) -> bool:
    """Return true or false. Raises SiteError."""
    value = settings.get(key, default)
    if not isinstance(value, bool):
        raise SiteError(f'source "{kind}": {key}: expected true or false, got {value!r}')
    return value


def choice_of(kind: str, settings: Mapping[str, object], key: str, among: Sequence[str]) -> str:
    """Return one of several words, by default the first. Raises SiteError."""
    value = settings.get(key, among[0])
    if value not in among:
        raise SiteError(
            f'source "{kind}": {key}: expected one of {", ".join(among)}, got {value!r}'
        )
    return str(value)


def path_of(kind: str, settings: Mapping[str, object], key: str) -> str | None:
    """Return a path; None where none is given. Raises SiteError."""
    value = settings.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise SiteError(f'source "{kind}": {key}: expected a path, got {value!r}')
    return value
