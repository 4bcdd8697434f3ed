"""`queuecast verify`: how wrong the predictions are, by recordings."""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from predictor.cli.terminal import plain
from predictor.domain.instants import rfc3339
from predictor.outfile import replace_file
from predictor.site import default, load
from verification.cli.progress import teller
from verification.clusters import dask_pool
from verification.online.mode import all_cases, read_asking
from verification.parallel import Processes
from verification.recorded import Recorded
from verification.scoring.score import score

SCHEMA = "queuecast.verify/1"
SEED = 1
"""Of the samples that intervals rest on: equal input gives equal bytes."""
MOST_FINDINGS = 20
"""So many are told of each recording; the JSON has all."""


@click.command()
@click.argument(
    "recordings",
    nargs=-1,
    required=True,
    metavar="RECORDING...",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--mode", type=click.Choice(["online"]), default="online", show_default=True)
@click.option(
    "--site",
    "site_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The site file: what the recordings do not say.",
)
@click.option(
    "--every",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Ask at each n-th snapshot only.",
)
@click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 1, help="Processes at a time."
)
@click.option(
    "--dask",
    metavar="ADDRESS|local|slurm",
    help="Work on a Dask cluster instead, which can read the recordings at the same paths.",
)
@click.option(
    "--json",
    "json_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write all figures to FILE; - is standard output.",
)
def verify(
    recordings: Sequence[Path],
    mode: str,
    site_file: Path | None,
    every: int,
    jobs: int,
    dask: str | None,
    json_file: Path | None,
) -> None:
    """Judge the predictions by what happened in each RECORDING.

    Online: at each snapshot we, the batch system, and simple baselines are asked when the waiting
    jobs start, knowing only what had been received by then.
    """
    site = load(site_file) if site_file else default()
    pool = dask_pool(dask, jobs) if dask else Processes(jobs)
    progress = teller(sys.stderr)
    read = [read_asking(path, site, pool, progress, every=every) for path in recordings]
    for line in _findings(read):
        click.echo(line, err=True)
    figures = score(list(all_cases(read, site)), seed=SEED).as_json()
    report = {"schema": SCHEMA, "recordings": [_about(one) for one in read], mode: figures}
    text = json.dumps(report, indent=2) + "\n"
    if json_file is not None and str(json_file) != "-":
        replace_file(json_file, text.encode())
    click.echo(text if str(json_file) == "-" else "\n".join(_table(figures)))


def _about(recorded: Recorded) -> Mapping[str, object]:
    instants = recorded.history.instants
    return {
        "name": recorded.path.name,
        "cluster": recorded.history.snapshots[0].cluster,
        "snapshots": len(instants),
        "asked": len(recorded.told),
        "first": rfc3339(instants[0]),
        "last": rfc3339(instants[-1]),
        "findings": list(recorded.findings),
    }


def _findings(read: Sequence[Recorded]) -> Iterator[str]:
    for recorded in read:
        name, findings = recorded.path.name, recorded.findings
        yield from (plain(f"{name}: {finding}") for finding in findings[:MOST_FINDINGS])
        if (more := len(findings) - MOST_FINDINGS) > 0:
            yield plain(f"{name}: and {more} more findings; see the JSON")


def _table(figures: Mapping[str, Any]) -> Iterator[str]:
    names = ("answered", "mae_s", "median_abs_s", "p90_abs_s", "bias_s", "within_600s")
    yield f"{'':<14}" + "".join(f"{name:>14}" for name in names)
    for who, row in {"ours": figures, **figures["baselines"]}.items():
        shown = ("-" if row[name] is None else f"{row[name]:.4g}" for name in names)
        yield f"{who:<14}" + "".join(f"{one:>14}" for one in shown)
