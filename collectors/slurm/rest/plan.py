"""What a look by slurmrestd asks, and which commands complete it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from collectors.slurm import plans, questions
from collectors.slurm.objects.config import parse_config
from collectors.slurm.objects.partitions import parse_partitions
from collectors.slurm.questions import Question
from collectors.slurm.reading import Reading
from collectors.slurm.rest import questions as rest
from collectors.slurm.rest import routes
from collectors.slurm.text import groups
from collectors.slurm.text.partitions import parse_partitions as parse_partitions_text
from predictor.domain import Hidden
from predictor.errors import SourceError

INSTEAD = (
    (rest.CONFIG, questions.CONFIG),
    (rest.RESERVATIONS, questions.RESERVATIONS),
    (rest.SHARES, questions.SHARES),
    (rest.DIAGNOSIS, questions.DIAGNOSIS),
    (rest.PARTITIONS, questions.PARTITIONS),
    (rest.QOS, questions.QOS),
    (rest.ASSOCIATIONS, questions.ASSOCIATIONS),
    (rest.LICENSES, questions.LICENSES),
)
"""What is asked of slurmrestd where it serves that, and the command that takes its place."""
FIRST_WITH_WISHES = 42
"""From this version of the API on jobs tell on how few switches they want to run."""
ONLY_BY_COMMAND = (questions.PRIORITIES, questions.USAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lack:
    """What slurmrestd leaves out of an answer in some versions of the API."""

    told: Question
    versions: range
    """Their last numbers."""
    what: str
    command: Question | None = None
    """Tells the rest."""


LACKS = (
    Lack(
        told=rest.JOBS,
        versions=range(40),
        what="the nodes planned for waiting jobs",
        command=rest.PLANNED,
    ),
    Lack(
        told=rest.JOBS,
        versions=range(45, 46),
        what="which jobs share their nodes",
    ),
    Lack(
        told=rest.NODES,
        versions=range(40),
        what="the CPUs and memory of nodes that jobs cannot use",
        command=questions.NODES_TEXT,
    ),
    Lack(
        told=rest.QOS,
        versions=range(42),
        what="how many jobs of a QOS may be submitted together, and its TRES minutes",
        command=questions.QOS,
    ),
    Lack(
        told=rest.ASSOCIATIONS,
        versions=range(38),
        what="all limits of associations, nor the names of their QOS",
        command=questions.ASSOCIATIONS,
    ),
    Lack(
        told=rest.PARTITIONS,
        versions=range(45),
        what="which partition is the default, how its jobs share nodes, and preemption there",
        command=questions.PARTITIONS,
    ),
)


def alone(known: Mapping[str, str]) -> Iterator[Question]:
    """Yield the questions to slurmrestd; no others."""
    yield rest.ROUTES
    served = _served(known)
    yield from (rest.JOBS, rest.NODES)
    for question, _ in INSTEAD:
        if question.argv[1] in served:
            yield question


def with_commands(known: Mapping[str, str]) -> Iterator[Question]:
    """Yield the questions to slurmrestd, and commands for what it does not tell, or not in full."""
    yield rest.ROUTES
    served = _served(known)
    yield from (rest.JOBS, rest.NODES)
    completing = [lack.command for lack in LACKS if lack.command and _is_lacking(lack, served)]
    for told, command in INSTEAD:
        if told.argv[1] not in served:
            yield command
            continue
        first, second = (command, told) if command in completing else (told, command)
        yield first
        if first.name not in known:
            yield second
    instead = [command for _, command in INSTEAD]
    yield from (command for command in completing if command not in instead)
    yield from ONLY_BY_COMMAND
    yield from groups.asked_by(
        known,
        (questions.PARTITIONS, parse_partitions_text),
        (rest.PARTITIONS, parse_partitions),
    )
    if _has_tree(known):
        yield questions.TOPOLOGY
        if routes.version_of(served.get(rest.JOBS.argv[1], "")) < FIRST_WITH_WISHES:
            yield questions.SWITCHES


def hidden_in(reading: Reading) -> Iterator[Hidden]:
    """Yield a note for everything that slurmrestd left out and no command told."""
    served = _served(reading.told)
    for lack in LACKS:
        told = lack.command is not None and reading.has(lack.command)
        if _is_lacking(lack, served) and not told:
            path = served[lack.told.argv[1]]
            yield Hidden(fact=lack.told.fact, why=f"GET {path} does not tell {lack.what}")


def _served(known: Mapping[str, str]) -> routes.Routes:
    return routes.read(known.get(rest.ROUTES.name, ""))


def _is_lacking(lack: Lack, served: routes.Routes) -> bool:
    path = served.get(lack.told.argv[1])
    return path is not None and routes.version_of(path) in lack.versions


def _has_tree(known: Mapping[str, str]) -> bool:
    if rest.CONFIG.name not in known:
        return plans.has_tree(known.get(questions.CONFIG.name))
    try:
        return parse_config(known[rest.CONFIG.name])[0].may_have_tree
    except SourceError:
        return False
