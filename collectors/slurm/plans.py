"""What a look asks, in which order, for each way of asking."""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import replace

from collectors.slurm import questions
from collectors.slurm.questions import Question
from collectors.slurm.text import groups, jobtable
from collectors.slurm.text.config import Configuration, parse_config
from collectors.slurm.text.jobsapart import unlisted
from collectors.slurm.text.jobtable import Chance
from collectors.slurm.text.partitions import parse_partitions
from predictor.errors import SourceError


def by_json(known: Mapping[str, str]) -> Iterator[Question]:
    """Yield the questions to Slurm's commands where `--json` tells of jobs and nodes."""
    asked = _jobs(known.get(questions.CONFIG.name))
    yield asked
    yield questions.CONFIG
    # Who looks for the first time does not know the version before.
    if (complete := _jobs(known.get(questions.CONFIG.name))) != asked:
        yield complete
    grouped = groups_nodes(known.get(questions.CONFIG.name))
    if not grouped or questions.CONFIG.name not in known:
        yield questions.NODES
    yield replace(questions.NODES_TEXT, slow=not grouped)
    yield from _of_every_form(known)
    if has_tree(known.get(questions.CONFIG.name)) and not grouped:
        yield questions.SWITCHES


def _jobs(config: str | None) -> Question:
    """Return the question that tells all there is to know of jobs, as far as the version is."""
    told = _configuration(config)
    return questions.JOBS_BEFORE if told is not None and told.hides_sharing else questions.JOBS


def unforeseen() -> str:
    """Return a number in hexadecimal that nobody can foresee."""
    return secrets.token_hex(8)


def by_text(known: Mapping[str, str], chance: Chance = unforeseen) -> Iterator[Question]:
    """Yield the questions to Slurm's commands in their text forms, the lightest to answer.

    `chance` gives the token that keeps names and comments apart from the rest.
    """
    yield replace(questions.JOBS_TABLE, argv=jobtable.command(chance()))
    yield questions.JOBS_DETAILS
    table, details = (known.get(q.name) for q in (questions.JOBS_TABLE, questions.JOBS_DETAILS))
    if table and details and (apart := unlisted(table, details)):
        yield replace(questions.JOBS_APART, argv=jobtable.command(chance(), only=apart))
    yield questions.CONFIG
    yield replace(questions.NODES_TEXT, slow=False)
    yield from _of_every_form(known)


def _of_every_form(known: Mapping[str, str]) -> Iterator[Question]:
    """Yield what is asked alike however jobs and nodes are told."""
    yield questions.RESERVATIONS
    yield questions.PRIORITIES
    yield questions.SHARES
    yield questions.DIAGNOSIS
    yield questions.PARTITIONS
    yield from groups.asked_by(known, (questions.PARTITIONS, parse_partitions))
    yield from (questions.QOS, questions.ASSOCIATIONS)
    yield from (questions.USAGE, questions.LICENSES)
    if has_tree(known.get(questions.CONFIG.name)):
        yield questions.TOPOLOGY


def groups_nodes(config: str | None) -> bool:
    """Return whether `sinfo --json` is of no use; also where the configuration is not told."""
    told = _configuration(config)
    return told is None or told.groups_nodes


def has_tree(config: str | None) -> bool:
    """Return whether there may be a tree of switches; not where the configuration is not told."""
    told = _configuration(config)
    return told is not None and told.may_have_tree


def _configuration(config: str | None) -> Configuration | None:
    """Return what the answer tells; None if there is none, or it cannot be read."""
    try:
        return None if config is None else parse_config(config)[0]
    except SourceError:
        return None
