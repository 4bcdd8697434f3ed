"""`data` elements on lines of their own; a long value is split over several."""

from predictor.lml.escaping import quoted

LONGEST = 10_000
"""In characters. A longer value stands under `k`, `k~2`, `k~3`, …: readers have their limits."""


def data_lines(key: str, text: str) -> list[str]:
    """Return the `data` elements that carry `text` under `key`."""
    pieces = [text]
    if len(text) > LONGEST:
        pieces = [text[start : start + LONGEST] for start in range(0, len(text), LONGEST)]
    return [
        f'<data key="{key}{f"~{number}" if number > 1 else ""}" value="{quoted(piece)}"/>'
        for number, piece in enumerate(pieces, start=1)
    ]


def joined(values: dict[str, str]) -> dict[str, str]:
    """Return the values with those of split keys put together again. Raises ValueError."""
    if "~" not in "".join(values):
        return values
    whole: dict[str, list[str]] = {}
    for key, text in values.items():
        name, _, number = key.partition("~")
        pieces = whole.setdefault(name, [])
        pieces.append(text)
        if (number or "1") != str(len(pieces)):
            raise ValueError(f"{key}: a piece before it is missing")
    return {name: "".join(pieces) for name, pieces in whole.items()}
