"""`queuecast workload`: learn workloads from traces, generate others, and compare both."""

import json
from collections.abc import Iterator
from pathlib import Path

import click

from predictor.cli.terminal import plain
from predictor.domain.counts import counted
from predictor.outfile import replace_file
from predictor.swf import Header
from verification.workloads import compare as comparing
from verification.workloads.eurora import eurora
from verification.workloads.fit import fit
from verification.workloads.generate import Job, generate
from verification.workloads.lublin import ALL, BATCH, INTERACTIVE, SMALLEST, lublin_feitelson
from verification.workloads.modelfile import read_model, write_model
from verification.workloads.page import render_lines, render_page
from verification.workloads.seen import read_workload
from verification.workloads.written import some, write_trace

TRACE = click.Path(exists=True, dir_okay=False, path_type=Path)
OUT = click.Path(dir_okay=False, path_type=Path)
TYPES = {
    "both": (BATCH, INTERACTIVE),
    "batch": (BATCH,),
    "interactive": (INTERACTIVE,),
    "alike": (ALL,),
}
PUBLISHED_PROCS = 128


@click.group()
def workload() -> None:
    """Learn workloads from traces, generate and compare others.

    What is generated may be of any length. Traces are of the Standard Workload Format, also
    compressed by gzip.
    """


@workload.command(name="fit")
@click.argument("trace", type=TRACE)
@click.option(
    "-o",
    "--output",
    "model_file",
    type=OUT,
    required=True,
    metavar="MODEL.json",
    help="What was learned.",
)
def fit_command(trace: Path, model_file: Path) -> None:
    """Learn from TRACE when work comes, who brings it, what recurs."""
    model = fit(read_workload(trace))
    write_model(model_file, model)
    users = counted(len(model.users), "user")
    habits = counted(sum(len(user.habits) for user in model.users), "habit")
    click.echo(plain(f"{model.source}: {users}, {habits}"))


@workload.command(name="generate")
@click.argument("model_file", type=TRACE, required=False, metavar="[MODEL]")
@click.option(
    "--lublin-feitelson", "published", is_flag=True, help="Their model of 2003 instead of a MODEL."
)
@click.option("--eurora", "like_eurora", is_flag=True, help="A workload like Eurora's instead.")
@click.option("--jobs", type=click.IntRange(1), help="So many, at most.")
@click.option("--days", type=click.IntRange(1), help="Of so many days.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the trace.")
@click.option(
    "--procs",
    type=click.IntRange(SMALLEST),
    default=PUBLISHED_PROCS,
    show_default=True,
    help="Processors of the machine, with --lublin-feitelson.",
)
@click.option(
    "--types",
    type=click.Choice(list(TYPES)),
    default="both",
    show_default=True,
    help="Batch and interactive jobs, or all alike, with --lublin-feitelson.",
)
@click.option(
    "-o", "--output", type=OUT, required=True, metavar="OUT.swf", help="The trace to be written."
)
def generate_command(
    model_file: Path | None,
    published: bool,
    like_eurora: bool,
    jobs: int | None,
    days: int | None,
    seed: int,
    procs: int,
    types: str,
    output: Path,
) -> None:
    """Write a trace drawn from a model.

    That is MODEL, the one of Lublin and Feitelson, or one like Eurora's. The same seed gives the
    same trace. It is written as it is drawn, whatever its length, and compressed if its name ends
    in `.gz`.
    """
    if [published, like_eurora, model_file is not None].count(True) != 1:
        raise click.UsageError("give one of MODEL, --lublin-feitelson and --eurora")
    if jobs is None and days is None:
        raise click.UsageError("say how much: --jobs or --days")
    if published:
        drawn: Iterator[Job] = lublin_feitelson(procs, seed, TYPES[types])
        header, source = Header(max_procs=procs), "Lublin and Feitelson 2003"
    else:
        model = eurora() if model_file is None else read_model(model_file)
        drawn = generate(model, seed)
        source = model.source
        header = Header(
            max_procs=model.procs,
            unix_start_time=model.begins_at,
            time_zone_s=model.time_zone_s,
        )
    remarks = {"Computer": "none, a generated workload", "Note": f"{source}; seed {seed}"}
    written = write_trace(output, some(drawn, jobs, days), header, remarks)
    click.echo(counted(written, "job"))


@workload.command()
@click.argument("real", type=TRACE)
@click.argument("generated", type=TRACE)
@click.option("--html", "html_file", type=OUT, metavar="FILE", help="Plots, as one page.")
@click.option("--json", "as_json", is_flag=True, help="Distances as a JSON object.")
def compare(real: Path, generated: Path, html_file: Path | None, as_json: bool) -> None:
    """Tell how far the trace GENERATED lies from REAL, look by look.

    0: the same, 1: nothing in common, by Kolmogorov and Smirnov.
    """
    both = read_workload(real), read_workload(generated)
    compared = comparing.compare(*both)
    if html_file is not None:
        replace_file(html_file, render_page(*both, compared).encode(errors="replace"))
    if as_json:
        distances = {name: round(one.distance, 6) for name, one in compared.items()}
        click.echo(json.dumps({"schema": "queuecast.workload-compare/1", "distance": distances}))
        return
    for line in render_lines(*both, compared):
        click.echo(plain(line))
