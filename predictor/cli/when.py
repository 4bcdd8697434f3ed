"""`queuecast when`: when jobs start, asked of the daemon, with the flags and columns of squeue."""

import json
import os
import pwd
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from predictor.cli.client import Client
from predictor.cli.columns import columns, comma_separated, layout, lines, ordered, parsable
from predictor.cli.exits import DONE, FAILED, NO_FORECAST, STALE
from predictor.cli.lately import Judged, lately, together
from predictor.cli.meeting import usual_url
from predictor.cli.params import DEADLINE
from predictor.cli.terminal import plain
from predictor.cli.timeformat import short_time, time_format
from predictor.errors import ServiceError

FORMAT = "%.18i %.9P %.8j %.8u %.2t %.5D %.10l %.19S %.21W %.15A %R"
FORMAT_BY = "%.18i %.9P %.8j %.8u %.2t %.5D %.10l %.19S %.21W %.{width}B %.15A %R"
PAGE = "5000"
STATES = {"PD": "pending", "PENDING": "pending", "R": "running", "RUNNING": "running", "ALL": "all"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """How answers are written."""

    form: str | None
    """None: the usual columns."""
    sort: str
    heading: bool
    as_json: bool
    as_parsable: bool
    as_csv: bool
    by: int | None
    """The deadline by which chances are told; None: none is."""

    @property
    def for_programs(self) -> bool:
        """Whether programs read it."""
        return self.as_json or self.as_parsable or self.as_csv


@click.command(context_settings={"help_option_names": ["--help"]})
@click.option("-j", "--jobs", multiple=True, help="Job ids: 123, 123_7, 123_[1-9], 123+1.")
@click.option("-u", "--user", "users", multiple=True, help="Users.")
@click.option("--me", is_flag=True, help="My jobs.")
@click.option("-p", "--partition", "partitions", multiple=True, help="Partitions.")
@click.option("-A", "--account", "accounts", multiple=True, help="Accounts.")
@click.option("-q", "--qos", multiple=True, help="QOS.")
@click.option("-t", "--states", multiple=True, help="PD (default, but for -j), R, or all.")
@click.option("-M", "--cluster", help="The cluster, where several are served.")
@click.option("-o", "--format", "form", envvar="QUEUECAST_FORMAT", help="Columns.")
@click.option("-S", "--sort", default="", help="Sort by columns, e.g. S,-D; else queue order.")
@click.option(
    "--by",
    type=DEADLINE,
    metavar="TIME",
    help="Also the chance to start by then: 18:00, now+2hours, 2026-11-21T18:00.",
)
@click.option("-h", "--noheader", is_flag=True, help="No headings.")
@click.option("-i", "--iterate", type=click.IntRange(1), help="Repeat every so many seconds.")
@click.option("--json", "as_json", is_flag=True, help="The daemon's answer as JSON.")
@click.option("-P", "--parsable", "as_parsable", is_flag=True, help="Fields separated by |, uncut.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values, uncut.")
@click.option("--url", envvar="QUEUECAST_URL", default=usual_url, help="The daemon's address.")
def when(
    url: str,
    cluster: str | None,
    iterate: int | None,
    form: str | None,
    sort: str,
    by: int | None,
    noheader: bool,
    as_json: bool,
    as_parsable: bool,
    as_csv: bool,
    **chosen: Any,
) -> None:
    """Tell when waiting jobs will start, where, or why not sooner.

    \b
    Lists are separated by commas; options may be repeated. Columns are those of squeue: %i id,
    %P partition, %j name, %u user, %a account, %q qos, %t %T state, %D nodes, %l limit,
    %S likely start, %W window in which it starts with 80 %, %B chance to start by --by, %N nodes,
    %r cause, %R both, %K place in the queue, %A who is ahead: jobs before it that start before it
    on nodes it could use, and their node-hours (nh); %.18i: 18 wide, to the right.
    SLURM_TIME_FORMAT steers times; QUEUECAST_URL names the daemon, http://… or unix:/path.

    \b
    Exit codes: 0 answered; 1 a job or partition is unknown, or the daemon cannot be reached;
    2 wrong usage; 3 answered, but from old data; 4 nothing can be said about any of the jobs.
    """  # noqa: D301 - click keeps paragraphs that begin with a backspace as they are
    if as_json + as_parsable + as_csv > 1:
        raise click.UsageError("--json, --parsable and --csv exclude each other")
    style = Style(
        form=form,
        sort=sort,
        heading=not noheader,
        as_json=as_json,
        as_parsable=as_parsable,
        as_csv=as_csv,
        by=by,
    )
    question = _question(**chosen) | ({} if by is None else {"by": str(by)})

    def ask() -> int:
        with Client(url) as client:
            name = client.cluster(cluster)
            answer = client.jobs(name, question)
            partitions = question.get("partition", "").split(",")
            unknown = client.unknown_partitions(name, partitions)
        for line in _written(answer, style, time.time()):
            click.echo(line)
        if style.heading and not as_json and (told := lately(together(_qualities(answer["jobs"])))):
            click.echo(told, err=True)
        return _verdict(answer, unknown)

    if iterate is None:
        sys.exit(ask())
    _repeat(ask, iterate)


def _question(
    jobs: Sequence[str],
    users: Sequence[str],
    me: bool,
    partitions: Sequence[str],
    accounts: Sequence[str],
    qos: Sequence[str],
    states: Sequence[str],
) -> dict[str, str]:
    """Return the parameters of the question, those given."""
    mine = [_own_name()] if me else []
    given = {
        "job": jobs,
        "user": [*users, *mine],
        "partition": partitions,
        "account": accounts,
        "qos": qos,
        "state": _states(states) or (["all"] if jobs else ["pending"]),
    }
    return {key: ",".join(values) for key, values in given.items() if values} | {"limit": PAGE}


def _own_name() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        raise click.UsageError(f"--me: user id {os.getuid()} has no name here") from None


def _states(given: Iterable[str]) -> list[str]:
    words = [word.strip() for words in given for word in words.split(",") if word.strip()]
    return [STATES.get(word.upper(), word.lower()) for word in words]


def _written(answer: Mapping[str, Any], style: Style, now: float) -> Iterable[str]:
    """Return the lines of the answer. Raises a usage error for a wrong format or sort key."""
    if style.as_json:
        # ASCII, so that nothing in a name reaches the terminal as a control character.
        return [json.dumps(answer, indent=2)]
    wish, short = os.environ.get("SLURM_TIME_FORMAT", ""), short_time(now)
    by = "" if style.by is None else short(style.by)
    # Whoever chose a format, or reads by program, gets whole instants in windows too.
    ends = None if wish or style.for_programs else short
    known = columns(time_format(wish, now), ends, by, exact=style.for_programs)
    usual = FORMAT_BY.format(width=len(f"BY {by}")) if by else FORMAT
    try:
        wanted = layout(style.form or usual, known)
        jobs = ordered(answer["jobs"], style.sort, known)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    write = comma_separated if style.as_csv else parsable if style.as_parsable else lines
    return write(jobs, wanted, heading=style.heading)


def _qualities(jobs: Iterable[Mapping[str, Any]]) -> dict[str, Judged]:
    known = [job["quality"] for job in jobs if job["quality"] is not None]
    return {one["like"]: (one["jobs"], one["typical_error_s"], one["coverage80"]) for one in known}


def _verdict(answer: Mapping[str, Any], unknown_partitions: Sequence[str]) -> int:
    """Say on standard error what the table cannot, and return the exit code."""
    age = f"the snapshot is {answer['age_seconds']} s old"
    if answer["stale"]:
        click.echo(f"queuecast: stale: {age}", err=True)
    elif sys.stdout.isatty():
        click.echo(age[0].upper() + age[1:] + ".", err=True)
    for job_id in answer["unknown_jobs"]:
        click.echo(f"queuecast: unknown job: {plain(job_id)}", err=True)
    for name in unknown_partitions:
        click.echo(f"queuecast: unknown partition: {plain(name)}", err=True)
    if answer["unknown_jobs"] or unknown_partitions:
        return FAILED
    jobs = answer["jobs"]
    if jobs and all(job["not_predicted_reason"] for job in jobs):
        return NO_FORECAST
    return STALE if answer["stale"] else DONE


def _repeat(ask: Callable[[], int], every_s: int) -> None:
    """Ask again and again until Ctrl-C; a daemon that is away may come back."""
    try:
        while True:
            click.echo(time.strftime("%a %b %d %H:%M:%S %Y"))
            try:
                ask()
            except ServiceError as error:
                click.echo(f"queuecast: {plain(str(error))}", err=True)
            time.sleep(every_s)
    except KeyboardInterrupt:
        click.echo()
