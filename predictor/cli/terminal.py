"""The encoder for terminals: no control character of anybody's reaches the screen."""

import unicodedata

# Formatting characters may reorder what follows (bidi), surrogates cannot be written at all,
# unassigned and private ones show as anything.
UNSHOWABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str, width: int | None = None) -> str:
    """Return `text` on one line with every unshowable character replaced by `?`.

    Longer than `width` characters, it is cut and ends in `+`, as Slurm's commands cut.
    """
    shown = text if text.isascii() and text.isprintable() else "".join(map(_showable, text))
    if width is not None and len(shown) > width:
        return shown[: width - 1] + "+" if width > 0 else ""
    return shown


def _showable(char: str) -> str:
    return "?" if unicodedata.category(char) in UNSHOWABLE else char
