"""Elements of a page: whatever is not an element already is escaped."""

import html

from predictor.cli.terminal import plain


class Markup(str):
    """Text that is markup already; only `element` and `together` make it."""

    __slots__ = ()


Content = str | int | float | None


def element(name: str, *content: Content, **attributes: Content) -> Markup:
    """Return an element. Attributes of None are left out; `class_` is `class`, `_` becomes `-`."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{told}>{together(*content)}</{name}>")


def together(*content: Content) -> Markup:
    """Return several pieces one after the other; None is nothing."""
    return Markup(
        "".join(
            piece if isinstance(piece, Markup) else _escaped(piece)
            for piece in content
            if piece is not None
        )
    )


def _escaped(value: Content) -> str:
    """Return the text without a character that means something to a page, or reorders it."""
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return html.escape(plain(str(value)))
