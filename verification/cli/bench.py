"""`queuecast bench`: how fast it is, on work that anybody can generate again."""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path

import click

from predictor.cli.exits import GATE
from predictor.clock import SystemClock
from predictor.scheduling.policy import POLICIES, TWO_PASS
from predictor.site.model import MOST_DRAWS
from verification.bench import forward as forward_work
from verification.bench import plan as plan_work
from verification.bench.generated import Generated, generate
from verification.bench.growth import growth as measure_growth
from verification.bench.measure import HEADING, Figures, Work, measure, report, row
from verification.bench.swf import measure_replay, outcome
from verification.bench.tick import measure_tick
from verification.traces.replay import Policy, Semantics

TASKS = {"plan": plan_work.prepare, "forward": forward_work.prepare}
"""What is done with a generated cluster."""
SHA256 = re.compile(r"[0-9a-fA-F]{64}")

Command = Callable[..., None]


class Digest(click.ParamType[str]):
    """A SHA-256 in hexadecimal digits, in lower case."""

    name = "hash"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Return the digits; fails as click does."""
        if not SHA256.fullmatch(str(value)):
            self.fail(f"expected 64 hexadecimal digits, got {value!r}")
        return str(value).lower()


def sized(command: Command) -> Command:
    """Add the options that say what is generated."""
    for option in (
        click.option(
            "--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the cluster."
        ),
        click.option(
            "--nodes",
            type=click.IntRange(1, 1_000_000),
            default=1000,
            show_default=True,
            help="Nodes of the cluster.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1, 10_000_000),
            default=1000,
            show_default=True,
            help="Jobs that wait there.",
        ),
    ):
        command = option(command)
    return command


def measured(command: Command) -> Command:
    """Add the options that say how often it is run, and in which form that is told."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Figures as a JSON object."),
        click.option(
            "--repeat",
            type=click.IntRange(1),
            default=3,
            show_default=True,
            help="The best of so many runs counts.",
        ),
    ):
        command = option(command)
    return command


asserted = click.option(
    "--assert-hash",
    type=Digest(),
    metavar="HEX",
    help=f"Exit with {GATE} if the result's hash is another.",
)


@click.group()
def bench() -> None:
    """Measure how fast queuecast is.

    Figures are seconds of user CPU time on one core. Clusters are generated: the same number of
    jobs and nodes and the same seed stand for the same cluster everywhere, and its result has the
    same hash.
    """


@bench.command()
@sized
@measured
@asserted
def plan(
    jobs: int, nodes: int, seed: int, repeat: int, as_json: bool, assert_hash: str | None
) -> None:
    """Plan all jobs at once, so that none delays an earlier one. This is conservative."""
    figures = _generated("plan", seed, repeat, jobs, nodes)
    _tell(figures, as_json, assert_hash, policy="conservative", seed=seed)


@bench.command()
@click.option(
    "--policy",
    type=click.Choice(list(POLICIES)),
    default=TWO_PASS.name,
    show_default=True,
    help="Whose passes are made.",
)
@sized
@measured
@asserted
def forward(
    policy: str,
    jobs: int,
    nodes: int,
    seed: int,
    repeat: int,
    as_json: bool,
    assert_hash: str | None,
) -> None:
    """Simulate until all jobs have started, by two passes or a policy."""
    prepare = partial(forward_work.prepare, generate(jobs, nodes, seed), POLICIES[policy])
    figures = measure("forward", prepare, jobs, nodes, repeat)
    _tell(figures, as_json, assert_hash, policy=policy, seed=seed)


@bench.command()
@click.argument("task", type=click.Choice(sorted(TASKS)))
@sized
@measured
def growth(task: str, jobs: int, nodes: int, seed: int, repeat: int, as_json: bool) -> None:
    """Measure TASK at three sizes, and tell how its time grows. The first size is the given one."""
    grown = measure_growth(partial(_generated, task, seed, repeat), jobs, nodes)
    if as_json:
        click.echo(json.dumps({"schema": "queuecast.growth/1", **asdict(grown)}, indent=2))
        return
    click.echo("\n".join([HEADING, *map(row, grown.rows)]))
    click.echo(f"time grows as jobs^{grown.jobs_exponent:.2f}, nodes^{grown.nodes_exponent:.2f}")


@bench.command()
@click.option(
    "--draws",
    type=click.IntRange(0, MOST_DRAWS),
    default=MOST_DRAWS,
    show_default=True,
    help="No more than so many.",
)
@click.option(
    "--budget",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    help="The time for draws, in seconds.",
)
@sized
@click.option("--json", "as_json", is_flag=True, help="Figures as a JSON object.")
def tick(draws: int, budget: float, jobs: int, nodes: int, seed: int, as_json: bool) -> None:
    """Make a tick: likely starts, then windows while there is time.

    Times are those on the clock. Memory includes what generating the cluster took.
    """
    figures = asdict(measure_tick(jobs, nodes, seed, SystemClock(), draws, budget))
    if as_json:
        found = {"schema": "queuecast.tick/1", "version": version("queuecast"), "seed": seed}
        click.echo(json.dumps(found | figures, indent=2))
        return
    for name, figure in figures.items():
        click.echo(f"{name:12} {figure}")


@bench.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--policy",
    type=click.Choice([policy.value for policy in Policy]),
    default=Policy.EASY.value,
    show_default=True,
    help="Who may pass whom.",
)
@click.option(
    "--semantics",
    type=click.Choice([semantics.value for semantics in Semantics]),
    default=Semantics.PER_INSTANT.value,
    show_default=True,
    help="When the scheduler runs, and what it knows.",
)
@click.option("--procs", type=click.IntRange(1), help="Instead of the header's MaxProcs.")
@measured
@asserted
def swf(
    file: Path,
    policy: str,
    semantics: str,
    procs: int | None,
    repeat: int,
    as_json: bool,
    assert_hash: str | None,
) -> None:
    """Read the trace FILE and replay it.

    It is of the Standard Workload Format, also compressed by gzip.

    \b
    per-instant  the scheduler runs once for all that happens in a second
    per-event    it runs after each single event, submissions before ends, as PYSS does
    perfect      it runs once a second, knows run times, and EASY passes more strictly
    """  # noqa: D301 - click wants the control character itself, to keep the lines as they are
    made = measure_replay(file, Policy(policy), Semantics(semantics), procs, repeat)
    run = {"trace": file.name, "policy": policy, "semantics": semantics}
    _tell(made.figures, as_json, assert_hash, **run, **outcome(made.replay))


def _generated(task: str, seed: int, repeat: int, jobs: int, nodes: int) -> Figures:
    prepare: Callable[[Generated], Work] = TASKS[task]
    return measure(task, partial(prepare, generate(jobs, nodes, seed)), jobs, nodes, repeat)


def _tell(figures: Figures, as_json: bool, assert_hash: str | None, **run: object) -> None:
    """Print the figures; exits with GATE if the hash is not the expected one."""
    click.echo(json.dumps(report(figures, **run), indent=2) if as_json else HEADING)
    if not as_json:
        click.echo(row(figures))
    if assert_hash not in (None, figures.hash):
        click.echo(f"queuecast: the hash is {figures.hash}, not {assert_hash}", err=True)
        sys.exit(GATE)
