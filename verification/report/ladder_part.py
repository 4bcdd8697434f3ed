"""The part of the page about the ladder."""

from collections.abc import Iterator, Mapping
from typing import Any

from verification.report.markup import Markup
from verification.report.tables import POINTS, figure_table, pair, table
from verification.report.waterfall import waterfall
from verification.report.words import signed, word


def ladder_part(figures: Mapping[str, Any]) -> Iterator[Markup]:
    """Yield what is told below the headline figures."""
    rungs = {f"{one['rung']} {one['name']}": one for one in figures["rungs"]}
    names = {key: name for key, name in POINTS.items() if key not in ("jobs_scored", "p90_abs_s")}
    yield pair(
        "The error as truths are taken away",
        waterfall(figures["rungs"]),
        figure_table("Rung by rung", "rung", rungs, names, {}),
    )
    both = zip(figures["alone"], figures["restored"], strict=True)
    rows = [
        (word(one["truth"]), signed(one["cost_s"]), signed(other["cost_s"])) for one, other in both
    ]
    heading = ("one truth", "taken alone from all", "given back alone to none")
    yield table("What a change of one truth does to the mean absolute error", heading, rows)
