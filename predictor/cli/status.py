"""`queuecast status`: how the service is: how old its data are, how good its answers were."""

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from predictor.cli.client import Client
from predictor.cli.exits import DONE, STALE
from predictor.cli.lately import lately
from predictor.cli.meeting import usual_url
from predictor.cli.terminal import plain
from predictor.domain.durations import duration

OFTEN_BEHIND_S = 600
"""Less is asked for within minutes, and no news."""


@click.command()
@click.option("-M", "--cluster", help="The cluster, where several are served.")
@click.option("--json", "as_json", is_flag=True, help="The daemon's answer as JSON.")
@click.option("--url", envvar="QUEUECAST_URL", default=usual_url, help="The daemon's address.")
def status(cluster: str | None, as_json: bool, url: str) -> None:
    """Tell how old the answers are, and how good they were of late.

    It also tells since when that is other than it was.

    \b
    Exit codes: 0 answered; 1 the daemon cannot be reached; 2 wrong usage; 3 its data are old.
    """  # noqa: D301 - click keeps paragraphs that begin with a backspace as they are
    with Client(url) as client:
        name = client.cluster(cluster)
        told = next(each for each in client.clusters() if each["cluster"] == name)
    if as_json:
        # ASCII, so that nothing in a name reaches the terminal as a control character.
        click.echo(json.dumps(told, indent=2))
    else:
        for line in lines(told):
            click.echo(plain(line))
    sys.exit(STALE if told["stale"] else DONE)


def lines(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the daemon tells of a cluster, a sentence or two a line."""
    waiting, running = (
        sum(one[state] for one in told["partitions"]) for state in ("pending", "running")
    )
    age = duration(told["age_seconds"])
    old = " That is too old." if told["stale"] else ""
    yield f"{told['cluster']}: {waiting} records wait, {running} run. Seen {age} ago.{old}"
    unpredicted = ", ".join(f"{cause} {n}" for cause, n in sorted(told["unpredicted"].items()))
    if unpredicted:
        yield f"Of no start can be told: {unpredicted}."
    quality = told["quality"]
    if quality is None:
        yield "How good its answers are is not known yet."
    else:
        yield lately((quality["jobs"], quality["typical_error_s"], quality["coverage80"]))
    if told["trouble"] is not None:
        yield told["trouble"]["sentence"]
    yield from (alarm["sentence"] for alarm in told["alarms"])
    yield from _past(told["accounting"])
    yield from (f"Not seen: {part}." for part in told["hidden"])


def _past(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is to be said of jobs that ended unseen; nothing where all is well."""
    if told["error"]:
        yield f"Accounting does not answer: {told['error']}."
    if told["behind_s"] >= OFTEN_BEHIND_S:
        yield f"Accounting is still to be asked about {duration(told['behind_s'])}."
    if told["missing"] or told["repaired"] or told["unrepaired"]:
        yield (
            f"Jobs that ended unseen: of {told['repaired']} accounting told later, "
            f"{told['missing']} are missing, {told['unrepaired']} were given up."
        )
