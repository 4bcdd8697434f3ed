"""`data` elements on lines of their own; a long value is split over several."""

from collections.abc import Iterator

from predictor.lml.escaping import quoted

LONGEST = 10_000
"""In characters. A longer value stands under `k`, `k~2`, `k~3`, …: readers have their limits."""


def data_lines(key: str, text: str) -> Iterator[str]:
    """Yield the `data` elements that carry `text` under `key`."""
    yield f'<data key="{key}" value="{quoted(text[:LONGEST])}"/>'
    for number, start in enumerate(range(LONGEST, len(text), LONGEST), start=2):
        yield f'<data key="{key}~{number}" value="{quoted(text[start : start + LONGEST])}"/>'


def joined(values: dict[str, str]) -> dict[str, str]:
    """Return the values with those of split keys put together again. Raises ValueError."""
    whole: dict[str, list[str]] = {}
    for key, text in values.items():
        name, _, number = key.partition("~")
        pieces = whole.setdefault(name, [])
        pieces.append(text)
        if (number or "1") != str(len(pieces)):
            raise ValueError(f"{key}: a piece before it is missing")
    return {name: "".join(pieces) for name, pieces in whole.items()}
