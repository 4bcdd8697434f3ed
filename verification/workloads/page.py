"""The comparison as a page, and as a table for a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from verification.report.markup import Markup, element
from verification.report.standalone import standalone
from verification.report.tables import pair, table
from verification.report.words import seconds
from verification.workloads.compare import Compared
from verification.workloads.panels import ASPECTS, MONTH_NAMES, WEEKDAYS, Parts, Values
from verification.workloads.plots import plot
from verification.workloads.seen import Workload

QUANTILES = (0.1, 0.5, 0.9, 0.99)
HEADING = ("", "real", "generated")
ROWS: Mapping[str, tuple[Sequence[str], int]] = {
    "slots": ([f"from {hour}:00 on" for hour in range(0, 24, 4)], 8),
    "weekdays": (WEEKDAYS, 1),
    "months": (MONTH_NAMES, 1),
    "ranks": ([f"from {rank} % on" for rank in range(0, 100, 20)], 20),
}
"""How parts are told in a table, and so many as one."""
DISTANCE = (
    "The distance is that of Kolmogorov and Smirnov: the largest difference between the shares of "
    "jobs up to any value; 0: the same, 1: nothing in common."
)


def render_page(real: Workload, generated: Workload, compared: Mapping[str, Compared]) -> str:
    """Return the comparison as one page that needs nothing else."""
    return standalone(f"queuecast workload: {real.name}", *_parts(real, generated, compared))


def _parts(
    real: Workload, generated: Workload, compared: Mapping[str, Compared]
) -> Iterator[Markup]:
    yield element("h1", "A real workload and a generated one")
    for words in _both(real, generated):
        yield element("p", f"{words}.", class_="quiet")
    yield element("p", DISTANCE, class_="note")
    rows = [(ASPECTS[name].title, f"{one.distance:.3f}") for name, one in compared.items()]
    yield table("How far apart they are", ("look", "distance"), rows)
    for name, look in compared.items():
        aspect = ASPECTS[name]
        distance = element("p", f"distance {look.distance:.3f}")
        yield pair(aspect.title, plot(name, aspect, look), distance, _figures(aspect.unit, look))


def _figures(unit: str, one: Compared) -> Markup:
    """Return quantiles of both, or shares of both."""
    if isinstance(one.real, Values) and isinstance(one.generated, Values):
        return _quantiles(unit, one.real, one.generated)
    if isinstance(one.real, Parts) and isinstance(one.generated, Parts):
        return _shares(unit, one.real, one.generated)
    raise TypeError("both are of one kind")


def _quantiles(unit: str, *both: Values) -> Markup:
    rows = [("mean", *(_told(unit, sum(side.values) / len(side.values)) for side in both))]
    for share in QUANTILES:
        rows.append((f"{share:.0%} up to", *(_told(unit, _quantile(side, share)) for side in both)))
    return table("Quantiles", HEADING, rows)


def _shares(unit: str, *both: Parts) -> Markup:
    """Return the shares of parts, several of them as one where there are many."""
    names, step = ROWS[unit]
    rows = []
    for number, name in enumerate(names):
        some = slice(number * step, (number + 1) * step)
        shares = (sum(part or 0.0 for part in side.shares[some]) for side in both)
        rows.append((name, *(f"{share:.1%}" for share in shares)))
    return table("Shares", HEADING, rows)


def _quantile(one: Values, share: float) -> float:
    return one.values[int(share * (len(one.values) - 1))]


def _told(unit: str, value: float) -> str:
    if unit == "s":
        return seconds(value)
    return f"{value:.0%}" if unit == "share" else f"{value:,.3g}"


def render_lines(
    real: Workload, generated: Workload, compared: Mapping[str, Compared]
) -> list[str]:
    """Return the comparison as lines of text."""
    told = [*_both(real, generated)]
    width = max(len(aspect.title) for aspect in ASPECTS.values())
    told += [f"{ASPECTS[name].title:{width}}  {one.distance:.3f}" for name, one in compared.items()]
    return told


def _both(real: Workload, generated: Workload) -> Iterator[str]:
    for side, one in (("Real", real), ("Generated", generated)):
        yield f"{side}: {one.name}, {len(one.jobs):,} jobs in {one.days:.1f} days"
