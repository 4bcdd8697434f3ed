"""Tables and cards of a page."""

from collections.abc import Mapping, Sequence
from typing import Any

from verification.report.markup import Markup, element, together
from verification.report.words import UNKNOWN, WORDS, told, word

Row = Sequence[str]

POINTS: Mapping[str, str] = {
    "jobs_scored": "jobs",
    "mae_s": "mean",
    "median_abs_s": "median",
    "p90_abs_s": "90 %",
    "within_600s": "within 10 min",
}
"""The figures that tables of classes tell, and what their columns are called."""


def table(
    caption: str,
    heading: Row,
    rows: Sequence[Row],
    *,
    strong: int | None = None,
    wordy: Sequence[int] = (),
) -> Markup:
    """Return a table that can be moved sideways where it is too wide.

    `strong` is the number of a row that sums up; `wordy` are those of columns of text,
    which may take several lines.
    """
    head = element(
        "tr",
        *(
            element("th", one, scope="col", class_="wordy" if column in wordy else None)
            for column, one in enumerate(heading)
        ),
    )
    body = (
        element(
            "tr",
            element("th", row[0], scope="row"),
            *(
                element("td", one, class_="wordy" if column in wordy else None)
                for column, one in enumerate(row[1:], start=1)
            ),
            class_="strong" if number == strong else None,
        )
        for number, row in enumerate(rows)
    )
    content = element(
        "table",
        element("caption", caption),
        element("thead", head),
        element("tbody", *body),
    )
    return element("div", content, class_="scroll", tabindex=0, role="region", aria_label=caption)


def figure_table(
    caption: str,
    first: str,
    found: Mapping[str, Mapping[str, Any]],
    names: Mapping[str, str],
    labels: Mapping[str, str],
) -> Markup:
    """Return one row for each of `found`, with the figures of these names under their words."""
    rows = [
        (labels.get(key, key), *(told(name, one.get(name)) for name in names))
        for key, one in found.items()
    ]
    return table(caption, (first, *names.values()), rows)


def cards(figures: Mapping[str, Any]) -> Markup:
    """Return the headline figures, each with the interval that it lies in where that is known."""
    intervals = figures.get("intervals") or {}
    names = [name for name in WORDS if name in figures]
    known = [name for name in names if figures[name] is not None]
    unknown = [word(name) for name in names if figures[name] is None]
    return together(
        element(
            "dl",
            *(_card(name, figures[name], intervals.get(name)) for name in known),
            class_="figures",
        ),
        element("p", f"{UNKNOWN.capitalize()}: {', '.join(unknown)}.", class_="note")
        if unknown
        else None,
    )


def _card(name: str, value: object, interval: object) -> Markup:
    between = None
    if isinstance(interval, list | tuple) and len(interval) == 2:
        between = element("small", f"{told(name, interval[0])} to {told(name, interval[1])}")
    return element(
        "div", element("dt", word(name)), element("dd", together(told(name, value), between))
    )


def pair(title: str, plot: Markup, *beside: Markup, shape: str = "") -> Markup:
    """Return a plot with the same in figures beside it.

    `shape`: `even`, if these need half the page; `wide`, if they come below.
    """
    return element(
        "section",
        element("h3", title),
        element("div", plot),
        element("div", *beside),
        class_=f"pair {shape}".strip(),
    )
