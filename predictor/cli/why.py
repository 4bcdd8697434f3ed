"""`queuecast why`: why a job starts no earlier, asked of the daemon or worked out from a file."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from predictor.cli.client import Client
from predictor.cli.columns import instant
from predictor.cli.exits import DONE, NO_FORECAST, STALE
from predictor.cli.meeting import usual_url
from predictor.cli.terminal import plain
from predictor.cli.timeformat import short_time, time_format, time_limit
from predictor.cli.trims import sentences, trims
from predictor.domain.counts import counted
from predictor.domain.durations import duration
from predictor.domain.instants import instant_of

MOST_TOLD = 4
"""So many earlier answers are shown."""
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(context_settings={"help_option_names": ["--help"]})
@click.argument("job_id", metavar="JOBID")
@click.option("-M", "--cluster", help="The cluster, where several are served.")
@click.option("--lml", type=FILE, help="Predict this LML document instead of asking the daemon.")
@click.option("--site", type=FILE, help="With --lml: the site file.")
@click.option("--full", is_flag=True, help="Also what would help: a shorter limit, fewer nodes.")
@click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
@click.option("--url", envvar="QUEUECAST_URL", default=usual_url, help="The daemon's address.")
def why(
    job_id: str,
    cluster: str | None,
    lml: Path | None,
    site: Path | None,
    full: bool,
    as_json: bool,
    url: str,
) -> None:
    """Tell why a job starts no earlier.

    It is told who must end, who is ahead, and what else is in the way. JOBID is an id as the batch
    system writes it, e.g. 123, 123_7 or 123+1; of an array, its next task is meant.
    SLURM_TIME_FORMAT steers the time of the start; QUEUECAST_URL names the daemon, http://… or
    unix:/path.

    \b
    Exit codes: 0 answered; 1 the job is unknown, or the daemon cannot be reached; 2 wrong usage;
    3 answered, but from old data; 4 nothing can be said about the job.
    """  # noqa: D301 - click keeps paragraphs that begin with a backspace as they are
    if site is not None and lml is None:
        raise click.UsageError("--site goes with --lml; the daemon has a site file of its own")
    if full and lml is not None:
        raise click.UsageError("--full asks the daemon; it does not go with --lml")
    answer = _from_daemon(url, cluster, job_id) if lml is None else _from_file(lml, site, job_id)
    helping = _helping(url, cluster, answer) if full else None
    if as_json:
        told = answer if helping is None else {**answer, "what_if": helping["shapes"]}
        # ASCII, so that nothing in a name reaches the terminal as a control character.
        click.echo(json.dumps(told, indent=2))
    else:
        for line in (*_lines(answer), *_history(answer), *_help(answer, helping)):
            click.echo(plain(line))
    if answer["stale"]:
        age = f"the snapshot is {answer['age_seconds']} s old"
        click.echo(f"queuecast: stale: {age}", err=True)
    if answer["not_predicted_reason"]:
        sys.exit(NO_FORECAST)
    sys.exit(STALE if answer["stale"] else DONE)


def _from_daemon(url: str, cluster: str | None, job_id: str) -> dict[str, Any]:
    with Client(url) as client:
        return client.job(client.cluster(cluster), job_id)


def _helping(url: str, cluster: str | None, answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return what would become of the job if it asked for less; None if there is no less."""
    shapes = trims(answer)
    if not shapes:
        return None
    with Client(url, patience_s=60) as client:
        return client.what_if(client.cluster(cluster), {"shapes": shapes})


def _history(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the job was told before, if that was something else."""
    told = answer["history"][-MOST_TOLD - 1 : -1]
    if told:
        when = short_time(time.time())
        pairs = ((instant_of(one["at"]), instant_of(one["likely_start"])) for one in told)
        spoken = ", ".join(f"at {when(at)}: {when(start)}" for at, start in pairs)
        yield f"- It was told before, {spoken}."
        if moved := answer["history"][-1]["moved_by"]:
            yield f"- What moved it last: {moved}."


def _help(answer: Mapping[str, Any], helping: Mapping[str, Any] | None) -> Iterator[str]:
    if helping is not None:
        when = time_format(os.environ.get("SLURM_TIME_FORMAT", ""), time.time())
        told = [f"- {sentence}" for sentence in sentences(answer, helping, when)]
        yield from told or ["- Asking for less time or fewer nodes would hardly help."]


def _from_file(lml: Path, site: Path | None, job_id: str) -> dict[str, Any]:
    # Much to load, and whoever asks the daemon must not wait for it.
    from predictor.cli.predict import explained_job

    return explained_job(lml, site, job_id)


def _lines(answer: Mapping[str, Any]) -> Iterator[str]:
    nodes = counted(answer["nodes"], "node")
    limit = answer["limit_s"]
    length = f", limit {time_limit(limit) if isinstance(limit, int) else limit}" if limit else ""
    yield f"Job {answer['job_id']} of {answer['user']} in {answer['partition']}: {nodes}{length}."
    if answer["state"] != "pending":
        yield f"It does not wait: {answer['state']}."
    elif answer["not_predicted_reason"]:
        yield f"No start can be told: {answer['detail']}."
    else:
        when = time_format(os.environ.get("SLURM_TIME_FORMAT", ""), time.time())
        yield f"Likely start: {when(answer['likely_start_epoch'])} on {answer['nodelist']}."
        yield from _sure(answer, when)
        yield from (f"- {sentence}" for sentence in _sentences(answer))


def _sure(answer: Mapping[str, Any], when: Callable[[int], str]) -> Iterator[str]:
    """Yield how sure the start is, what is believed of the run time, and how good that was."""
    low, high, by = (instant(answer[key]) for key in ("p10", "p90", "by95"))
    if low is not None and high is not None and by is not None:
        yield f"With 80% between {when(low)} and {when(high)}; with 95% by {when(by)}."
    if answer["basis"]:
        yield f"It is believed to run {answer['basis']}."
    if told := answer["quality"]:
        error, held = duration(told["typical_error_s"]), f"{told['coverage80']:.0%}"
        yield (
            f"Of late, {told['like']}: typical error {error}; 80% windows held {held}"
            f" (of {told['jobs']:,})."
        )


def _sentences(answer: Mapping[str, Any]) -> list[str]:
    told = answer["explanation"]
    return [] if told is None else [str(sentence) for sentence in told["sentences"]]
