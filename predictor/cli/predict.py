"""`queuecast predict`: an LML document in, the same with predictions out."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

import click

from predictor.cli.terminal import plain
from predictor.clock import SystemClock
from predictor.domain import Forecast, Snapshot
from predictor.domain.instants import LAST_INSTANT, rfc3339
from predictor.errors import DocumentError
from predictor.experience import Experience
from predictor.forecast import forecast
from predictor.lml import Finding, annotate, read
from predictor.lml.guard import MOST_BYTES
from predictor.outfile import replace_file
from predictor.outlooks import likely, with_outlooks
from predictor.scheduling.policy import POLICIES
from predictor.service import memory
from predictor.service.answering import one_job
from predictor.service.asking.viewers import EVERYTHING
from predictor.service.bodies import SCHEMA
from predictor.service.explained import explanation_body
from predictor.service.problems import Refused
from predictor.service.published import Terms, publication
from predictor.service.rows import Row, rows
from predictor.site import Site, default, load, overlay


@click.command()
@click.argument("file", type=click.File("rb"))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Replace FILE with it; else stdout.",
    metavar="FILE",
)
@click.option(
    "--site",
    "site_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The site file: what the document does not say.",
)
@click.option("--policy", type=click.Choice(sorted(POLICIES)), help="Instead of the site's.")
@click.option(
    "--learned",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What a service learned, RECORDING.experience: likely run times, and windows.",
)
@click.option("--json", "as_json", is_flag=True, help="Answers as JSON instead of LML.")
@click.option("--compat", is_flag=True, help="Also fill dispatchdate and enddate, as in 2012.")
def predict(
    file: BinaryIO,
    output: Path | None,
    site_file: Path | None,
    policy: str | None,
    learned: Path | None,
    as_json: bool,
    compat: bool,
) -> None:
    """Predict the start of every waiting job in an LML document.

    FILE is the document, `-` standard input. It comes out again with everything that stood in it,
    and with the predictions as keys `x_pred_...` of the waiting jobs and a chart of the plan. Jobs
    are taken to run into their limits, unless it is known what a service learned of them. Standard
    error tells how much of FILE had to be tolerated.
    """
    data = file.read(MOST_BYTES + 1)
    place = getattr(file, "name", "standard input")
    document = read(data, place=place)
    _tell_tolerated(document.notes, place)
    snapshot = document.snapshot
    site = _with_policy(load(site_file) if site_file else default(), policy)
    made = _made(snapshot, site, learned)
    if as_json:
        if not 0 <= snapshot.taken_at <= LAST_INSTANT:
            raise DocumentError("its date is none that JSON could tell", place=place)
        text = _json(snapshot, made).encode()
    else:
        text = annotate(data, snapshot, made, compat=compat, place=place)
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
    else:
        replace_file(output, text)


def _made(snapshot: Snapshot, site: Site, learned: Path | None) -> Forecast:
    if learned is None:
        return forecast(snapshot, site, explained=True)
    kept = memory.load(learned, snapshot.cluster)
    experience = Experience.of(site) if kept is None else Experience.restored(site, kept.state)
    experience.learn(overlay(site, snapshot))
    made = likely(snapshot, site, experience, explained=True)
    clock, budget_s = SystemClock(), site.drawing_s
    told = with_outlooks(made, snapshot, site, experience, clock=clock, budget_s=budget_s)
    return told.forecast


def _tell_tolerated(notes: Iterable[Finding], place: str) -> None:
    if times := sum(note.count for note in notes):
        rules = ", ".join(dict.fromkeys(note.rule for note in notes))
        told = f"{place}: tolerated {times} times: {rules}; see queuecast lml check"
        click.echo(plain(told), err=True)


def explained_job(file: Path, site_file: Path | None, job_id: str) -> dict[str, Any]:
    """Return what the API would say of the job, had it seen the document just now.

    Raises DocumentError, also if there is no such job, and SiteError.
    """
    place = str(file)
    snapshot = read(file.read_bytes()[: MOST_BYTES + 1], place=place).snapshot
    site = load(site_file) if site_file else default()
    made = forecast(snapshot, site, explained=True)
    now = snapshot.taken_at
    terms = Terms(interval_s=1, stale_after_s=1)
    try:
        result = publication(overlay(site, snapshot), made, terms, now, now)
        told = one_job(result, job_id, EVERYTHING, now)
    except Refused as refused:
        raise DocumentError(refused.detail, place=place) from refused
    return dict(json.loads(told))


def _with_policy(site: Site, name: str | None) -> Site:
    if name is None:
        return site
    kept = site.policy_table.model_dump(include={"scope", "allocation", "seed"})
    table = site.policy_table.model_validate({"name": name, **kept})
    return site.model_copy(update={"policy_table": table})


def _json(snapshot: Snapshot, made: Forecast) -> str:
    """Return the answers in the form of the API's: one object per waiting job."""
    jobs = [_with_explanation(row, snapshot) for row in rows(snapshot, made) if row.waits]
    body = {
        "schema": SCHEMA,
        "cluster": snapshot.cluster,
        "snapshot_at": rfc3339(snapshot.taken_at),
        "policy": made.policy,
        "fingerprint": made.fingerprint,
        "jobs": jobs,
    }
    return json.dumps(body, indent=2) + "\n"


def _with_explanation(row: Row, snapshot: Snapshot) -> dict[str, object]:
    told = explanation_body(row, snapshot.taken_at, snapshot.utc_offset_s)
    return {**json.loads(row.encoded), "explanation": told}
