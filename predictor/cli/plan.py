"""`queuecast plan`: who holds which nodes from when to when, asked of the daemon."""

import json
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import click

from predictor.cli import gantt
from predictor.cli.client import Client
from predictor.cli.exits import DONE, FAILED, STALE
from predictor.cli.meeting import usual_url
from predictor.cli.params import DEADLINE
from predictor.cli.terminal import plain
from predictor.cli.timeformat import short_time


@click.command(context_settings={"help_option_names": ["--help"]})
@click.option("-p", "--partition", help="A partition; else all.")
@click.option("-w", "--nodes", "--nodelist", metavar="HOSTLIST", help="Nodes: n[001-016],x1.")
@click.option("--from", "since", type=DEADLINE, metavar="TIME", help="What ends later.")
@click.option("--to", "until", type=DEADLINE, metavar="TIME", help="What starts earlier.")
@click.option("-M", "--cluster", help="The cluster, where several are served.")
@click.option("--json", "as_json", is_flag=True, help="The daemon's answer as JSON.")
@click.option("--lml", "as_lml", is_flag=True, help="The whole snapshot as LML; for operators.")
@click.option("--url", envvar="QUEUECAST_URL", default=usual_url, help="The daemon's address.")
def plan(
    partition: str | None,
    nodes: str | None,
    since: int | None,
    until: int | None,
    cluster: str | None,
    as_json: bool,
    as_lml: bool,
    url: str,
) -> None:
    """Tell who holds which nodes from when to when.

    That is what runs, and what is foreseen. A line for each job, with a bar as wide as the terminal
    leaves: = runs, until its limit at the latest; - will run; # and + the same for own jobs; x a
    reservation; > goes on. Who may not be named is -. TIME is a time of day, 18:00, or an instant,
    2026-11-21T18:00.

    \b
    Exit codes: 0 answered; 1 refused, the partition is unknown, or the daemon cannot be reached;
    2 wrong usage; 3 answered, but from old data.
    """  # noqa: D301 - click keeps paragraphs that begin with a backspace as they are
    if as_lml and (as_json or any(one is not None for one in (partition, nodes, since, until))):
        raise click.UsageError("--lml is the whole snapshot: it goes with --cluster only")
    if since is not None and until is not None and until <= since:
        raise click.UsageError("--to must come after --from")
    given = {"partition": partition, "nodes": nodes, "from": since, "to": until}
    question = {key: str(value) for key, value in given.items() if value is not None}
    with Client(url) as client:
        name = client.cluster(cluster)
        if as_lml:
            click.echo(_harmless(client.snapshot(name)), nl=False)
            return
        answer = client.plan(name, question)
        unknown = client.unknown_partitions(name, [partition or ""])
    if as_json:
        # ASCII, so that nothing in a name reaches the terminal as a control character.
        click.echo(json.dumps(answer, indent=2))
    else:
        _draw(answer, since, until)
    sys.exit(_verdict(answer, unknown))


def _draw(answer: Mapping[str, Any], since: int | None, until: int | None) -> None:
    width = shutil.get_terminal_size().columns
    for line in gantt.lines(answer, width, short_time(time.time()), since, until):
        click.echo(line)
    if sys.stdout.isatty():
        click.echo(gantt.LEGEND, err=True)


def _harmless(document: str) -> str:
    """Return the same document without a character that a terminal could obey."""
    return document.encode("ascii", "xmlcharrefreplace").decode().replace("\x7f", "&#127;")


def _verdict(answer: Mapping[str, Any], unknown: Sequence[str]) -> int:
    """Say on standard error what the table cannot, and return the exit code."""
    if answer["more"]:
        click.echo(f"queuecast: only the first {len(answer['bars'])} are told", err=True)
    if answer["stale"]:
        click.echo(f"queuecast: stale: the snapshot is {answer['age_seconds']} s old", err=True)
    for name in unknown:
        click.echo(f"queuecast: unknown partition: {plain(name)}", err=True)
    if unknown:
        return FAILED
    return STALE if answer["stale"] else DONE
