"""`queuecast watch`: be told when a job starts soon, slipped, or started."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from predictor.cli.client import Client
from predictor.cli.meeting import usual_url
from predictor.cli.terminal import plain

KINDS = ("soon", "slipped", "started")
MOST_MINUTES = 7 * 24 * 60


@click.command(context_settings={"help_option_names": ["--help"]})
@click.argument("job_id", metavar="[JOBID]", required=False)
@click.option("--me", is_flag=True, help="All of your jobs, those to come included.")
@click.option(
    "--soon",
    "soon_minutes",
    type=click.IntRange(1, MOST_MINUTES),
    default=30,
    show_default=True,
    help="So many minutes before its likely start a job starts soon.",
)
@click.option(
    "--on", "kinds", type=click.Choice(KINDS), multiple=True, help="Only these; may be repeated."
)
@click.option("--mail", is_flag=True, help="By mail (the default).")
@click.option("--webhook", metavar="NAME", help="To a webhook that the site names; --list tells.")
@click.option("--list", "listing", is_flag=True, help="List your watches.")
@click.option("--delete", "unwanted", metavar="ID", help="Forget one of them.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
@click.option("--url", envvar="QUEUECAST_URL", default=usual_url, help="The daemon's address.")
def watch(
    job_id: str | None,
    me: bool,
    soon_minutes: int,
    kinds: tuple[str, ...],
    mail: bool,
    webhook: str | None,
    listing: bool,
    unwanted: str | None,
    as_json: bool,
    url: str,
) -> None:
    """Be told when a job starts soon, slipped, or started.

    That is the job JOBID, or any of yours. A start has slipped that moved by more than half an hour
    and a quarter of the time that is left until then. The watch of a job ends when it has started.

    \b
    Exit codes: 0 done; 1 refused, or the daemon cannot be reached; 2 wrong usage.
    """  # noqa: D301 - click keeps paragraphs that begin with a backspace as they are
    if [job_id is not None, me, listing, unwanted is not None].count(True) != 1:
        raise click.UsageError("give one of JOBID, --me, --list and --delete ID")
    if mail and webhook is not None:
        raise click.UsageError("--mail and --webhook exclude each other")
    with Client(url) as client:
        if listing:
            answer = client.watches()
        elif unwanted is not None:
            answer = client.unwatch(unwanted)
        else:
            wish = {"job": job_id, "soon_minutes": soon_minutes, "webhook": webhook}
            answer = client.watch({**wish, "kinds": kinds or KINDS})
    if as_json:
        # ASCII, so that nothing in a name reaches the terminal as a control character.
        click.echo(json.dumps(answer, indent=2))
        return
    for line in _list(answer) if listing else [_done(answer, forgotten=unwanted is not None)]:
        click.echo(plain(line))


def _done(answer: Mapping[str, Any], *, forgotten: bool) -> str:
    if forgotten:
        return f"You are told no more {_wish(answer)}."
    return f"You are told {_wish(answer)}. To end that: queuecast watch --delete {answer['id']}"


def _list(answer: Mapping[str, Any]) -> Iterator[str]:
    for one in answer["watches"]:
        yield f"{one['id']}  {_wish(one)}"
    if not answer["watches"]:
        yield "You have no watches."
    places = [f"webhook {name}" for name in answer["webhooks"]]
    if answer["mail"] is not None:
        places.insert(0, f"mail to {answer['mail']}")
    yield f"Notices can go to: {', '.join(places) or 'nowhere here'}."


def _wish(one: Mapping[str, Any]) -> str:
    """Return what a watch tells, as a clause."""
    news = {"soon": f"starts soon ({one['soon_minutes']} min)"}
    what = " or ".join(news.get(kind, str(kind)) for kind in one["kinds"])
    whose = "any of your jobs" if one["job"] is None else f"job {one['job']}"
    where = "by mail" if one["webhook"] is None else f"to webhook {one['webhook']}"
    return f"when {whose} {what}, {where}"
