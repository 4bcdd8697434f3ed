"""What a look asks where pyslurm is asked first."""

from collections.abc import Iterator, Mapping

from collectors.slurm import questions
from collectors.slurm.library import questions as library
from collectors.slurm.library.settings import parse_config
from collectors.slurm.library.tables import parse_partitions
from collectors.slurm.plans import has_tree
from collectors.slurm.questions import Question
from collectors.slurm.text import groups
from collectors.slurm.text.partitions import parse_partitions as parse_partitions_text
from predictor.errors import SourceError

TOLD_IN_PART = (
    (questions.RESERVATIONS, library.RESERVATIONS),
    (questions.PARTITIONS, library.PARTITIONS),
    (questions.ASSOCIATIONS, library.ASSOCIATIONS),
    (questions.LICENSES, library.LICENSES),
)
"""Of these pyslurm leaves something out: it stands in where there is no command."""
UNTOLD = (questions.PRIORITIES, questions.SHARES, questions.QOS, questions.USAGE)
"""Of these pyslurm tells nothing that can be used."""

_SOME_GRES = '"configured_gres":{"'


def by_pyslurm(known: Mapping[str, str]) -> Iterator[Question]:
    """Yield the questions to Slurm's library; its commands are asked what pyslurm cannot tell."""
    yield library.JOBS
    yield library.CONFIG
    if library.CONFIG.name not in known or questions.CONFIG.name in known:
        yield questions.CONFIG  # again and again once it was needed: its word comes first
    yield library.NODES
    if library.NODES.name not in known:
        yield questions.NODES_TEXT
    if _SOME_GRES in known.get(library.NODES.name, _SOME_GRES):
        yield library.GRES_WISHES
    yield library.DIAGNOSIS
    if library.DIAGNOSIS.name not in known:
        yield questions.DIAGNOSIS
    for question, instead in TOLD_IN_PART:
        yield question
        if question.name not in known:
            yield instead
    yield from UNTOLD
    yield from groups.asked_by(
        known,
        (questions.PARTITIONS, parse_partitions_text),
        (library.PARTITIONS, parse_partitions),
    )
    if _has_tree(known):
        yield questions.TOPOLOGY


def _has_tree(known: Mapping[str, str]) -> bool:
    if library.CONFIG.name not in known:
        return has_tree(known.get(questions.CONFIG.name))
    try:
        return parse_config(known[library.CONFIG.name])[0].may_have_tree
    except SourceError:
        return False
