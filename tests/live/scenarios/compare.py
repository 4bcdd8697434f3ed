"""Print how well the replica tells the recorded scenarios. Needs no Slurm.

    PYTHONPATH=tests python -m live.scenarios.compare [NAME ...] [--jobs | --misses | --floors]

Without names: all. Of each, told in one run from beginning to end: the jobs, how many the replica
starts within the tolerance, the median error, the share of pairs in the right order, and the job it
gets most wrong, real and said start in seconds after the beginning. And of the starts in the next
30 seconds, told from every third snapshot: how many, and how many within the tolerance.
With --jobs: also every job. With --misses: also, from every snapshot, those of the next starts that
are told wrong, in seconds after the snapshot; none of them follows from an earlier one, so each
shows a rule that is missing or wrong. With --floors: instead, the content of floors.toml, which
test_recorded.py holds the replica to.
"""

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

import click
from live.scenarios.judging import EVERY, RECORDED, Row, Verdict, verdict

HEAD = (
    f"{'scenario':<25} jobs close share  ±s median order | next close share | "
    "most wrong: job, real, said"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", action="store_true", help="every job")
    parser.add_argument("--misses", action="store_true", help="who is told wrong, from every look")
    parser.add_argument("--floors", action="store_true", help="the content of floors.toml")
    parser.add_argument("--of", type=Path, default=RECORDED, help="where the recordings are")
    options = parser.parse_args()
    names = options.names or sorted(folder.name for folder in options.of.iterdir())
    every = 1 if options.misses else EVERY
    verdicts = [verdict(options.of / name, every) for name in names]
    if options.floors:
        click.echo("\n".join(floors(verdicts)))
        return
    click.echo("\n".join(table(verdicts, jobs=options.jobs)))
    if options.misses:
        click.echo("\n".join(line for each in verdicts for line in misses(each)))


def misses(each: Verdict) -> Iterator[str]:
    """Yield a line for each snapshot from which a start is told wrong."""
    yield f"\n{each.scenario}"
    for at_s, rows in each.ahead.items():
        if wrong := each.missed(rows):
            yield f"  from {at_s:3} s: " + "; ".join(map(said_of, wrong))


def floors(verdicts: list[Verdict]) -> Iterator[str]:
    """Yield the lines of a TOML file: by scenario, how much the replica agrees today."""
    yield "# How many jobs the replica starts within the tolerance. No figure may fall."
    yield "# jobs, close: in one run from beginning to end; ahead: in the short runs (judging.py);"
    yield "# order: share of pairs of jobs in the right order."
    for each in verdicts:
        yield f"\n[{each.scenario}]"
        yield f"jobs = {len(each.rows)}\nclose = {each.close}\nahead = {each.ahead_close}"
        yield f"order = {math.floor(each.order * 1000) / 1000}"


def table(verdicts: list[Verdict], *, jobs: bool = False) -> Iterator[str]:
    """Yield the lines: one a scenario, and below it, if wanted, one a job."""
    yield HEAD
    for each in verdicts:
        yield line(each)
        if jobs:
            yield from (f"    {said_of(row)}" for row in each.rows)
    yield (
        f"{'all':<25} {share(sum(v.close for v in verdicts), sum(len(v.rows) for v in verdicts))}"
        f"{'':<17} | {share(*(sum(n) for n in zip(*map(ahead, verdicts), strict=True)))} |"
    )


def line(each: Verdict) -> str:
    """Return a scenario's line."""
    return (
        f"{each.scenario:<25} {share(each.close, len(each.rows))} "
        f"{each.tolerance_s:3} {each.median_s:6.0f} {each.order:5.2f} | {share(*ahead(each))} | "
        f"{said_of(each.worst)}"
    )


def ahead(each: Verdict) -> tuple[int, int]:
    """Return how many of the starts soon to come are told well, and how many there are."""
    return each.ahead_close, each.ahead_count


def share(close: int, count: int) -> str:
    """Return the count, how many of them, and what share that is."""
    return f"{count:4} {close:5} {close / count if count else 1:5.2f}"


def said_of(row: Row) -> str:
    """Return a job's name and both starts."""
    return f"{row.name} ({row.id}), {instant(row.real_s)}, {instant(row.said_s)}"


def instant(at_s: int | None) -> str:
    """Return seconds, or that there are none."""
    return "never" if at_s is None else str(at_s)


if __name__ == "__main__":
    main()
