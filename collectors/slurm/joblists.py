"""The jobs of a look, in whichever way they were told, with what other answers tell of them."""

from collections.abc import Iterable, Mapping
from functools import partial

from collectors.slurm import questions
from collectors.slurm.library import jobs as library_jobs
from collectors.slurm.library import questions as library
from collectors.slurm.library.wishes import Wishes, parse_gres
from collectors.slurm.objects.jobs import JobList, parse_jobs
from collectors.slurm.reading import Reading
from collectors.slurm.rest import questions as rest
from collectors.slurm.surroundings import Priorities, Surroundings, Wish
from collectors.slurm.text import jobs as text_jobs
from collectors.slurm.text.config import Configuration
from collectors.slurm.text.jobdetails import AllDetails, parse_details
from collectors.slurm.text.jobtable import Row, rows_of
from collectors.slurm.text.planned import parse_planned
from collectors.slurm.text.sprio import parse_priorities
from collectors.slurm.text.topology import parse_wishes
from collectors.slurm.words.versions import release
from predictor.domain import Node


def jobs_told(
    reading: Reading, config: Configuration, nodes: Iterable[Node], taken_at: int, offset_s: int
) -> JobList:
    """Return the jobs. Raises SourceError if nothing tells of them.

    `offset_s` is how far the clock that wrote instants as text was ahead of UTC.
    """
    nodes = tuple(nodes)
    around = _surroundings(reading, config, nodes, taken_at)
    parse = partial(parse_jobs, around=around)
    parse_table = partial(
        text_jobs.parse_jobs,
        around=around,
        details=_details(reading),
        apart=_apart(reading),
        version=release(config.version),
        offset_s=offset_s,
    )
    wishes_of_gres = _gres_wishes(reading, nodes)
    parse_library = partial(library_jobs.parse_jobs, around=around, wishes=wishes_of_gres)
    return reading.needed(
        (questions.JOBS_TABLE, parse_table),
        (rest.JOBS, parse),
        (library.JOBS, parse_library),
        (questions.JOBS, parse),
    )


def _surroundings(
    reading: Reading, config: Configuration, nodes: Iterable[Node], taken_at: int
) -> Surroundings:
    priorities: Priorities = reading.optional({}, (questions.PRIORITIES, parse_priorities))
    planned: Mapping[int, str] = {}
    if reading.has(rest.PLANNED):
        planned = reading.optional(planned, (rest.PLANNED, parse_planned))
    return Surroundings(
        taken_at=taken_at,
        cpus_per_core={node.name: node.cpus_per_core for node in nodes},
        widest=max((node.cpus for node in nodes), default=0),
        threads=max((node.cpus_per_core for node in nodes), default=1),
        sockets=max((node.sockets for node in nodes), default=1),
        priorities=priorities,
        switches=_wishes(reading, config),
        planned=planned,
    )


def _wishes(reading: Reading, config: Configuration) -> Mapping[int, Wish]:
    """Return who wants few switches, where the jobs do not tell themselves."""
    nobody: Mapping[int, Wish] = {}
    tell = any(reading.has(question) for question in (questions.JOBS_TABLE, library.JOBS))
    unasked = config.groups_nodes and not reading.has(questions.SWITCHES)
    if tell or unasked or not config.has_tree:
        return nobody
    return reading.optional(nobody, (questions.SWITCHES, parse_wishes))


def _details(reading: Reading) -> AllDetails:
    nothing: AllDetails = {}
    if not reading.has(questions.JOBS_TABLE):
        return nothing
    return reading.optional(nothing, (questions.JOBS_DETAILS, parse_details))


def _apart(reading: Reading) -> tuple[str | Row, ...]:
    if not reading.asked(questions.JOBS_APART):
        return ()
    nobody: tuple[str | Row, ...] = ()
    return reading.optional(nobody, (questions.JOBS_APART, lambda text: (tuple(rows_of(text)), ())))


def _gres_wishes(reading: Reading, nodes: Iterable[Node]) -> Wishes:
    if not reading.has(library.JOBS) or not any(node.gres for node in nodes):
        return {}
    nothing: Wishes = {}
    return reading.optional(nothing, (library.GRES_WISHES, parse_gres))
