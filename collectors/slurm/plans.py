"""What a look asks, in which order, for each way of asking."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from collectors.slurm import questions
from collectors.slurm.questions import Question
from collectors.slurm.text.config import parse_config
from predictor.errors import SourceError


def by_json(known: Mapping[str, str]) -> Iterator[Question]:
    """Yield the questions to Slurm's commands where `--json` tells of jobs and nodes."""
    yield questions.JOBS
    yield questions.CONFIG
    grouped = groups_nodes(known.get(questions.CONFIG.name))
    if not grouped or questions.CONFIG.name not in known:
        yield questions.NODES
    yield questions.RESERVATIONS
    yield questions.PRIORITIES
    yield questions.SHARES
    yield questions.DIAGNOSIS
    yield replace(questions.NODES_TEXT, slow=not grouped)
    yield from (questions.PARTITIONS, questions.QOS, questions.ASSOCIATIONS)
    yield from (questions.USAGE, questions.LICENSES)
    if has_tree(known.get(questions.CONFIG.name)):
        yield questions.TOPOLOGY
        if not grouped:
            yield questions.SWITCHES


def groups_nodes(config: str | None) -> bool:
    """Return whether `sinfo --json` is of no use; also where the configuration is not told."""
    try:
        return config is None or parse_config(config)[0].groups_nodes
    except SourceError:
        return True


def has_tree(config: str | None) -> bool:
    """Return whether a tree of switches is configured; not where the configuration is not told."""
    try:
        return config is not None and parse_config(config)[0].has_tree
    except SourceError:
        return False
