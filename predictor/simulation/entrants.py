"""Everyone who will enter the queue, and from when on; or why somebody never will."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from predictor.domain import Hold, Obstacle, PendingJob, Snapshot, Unpredictable
from predictor.scheduling.admission import all_ways, in_order, ways
from predictor.scheduling.placing import Ask, Need, Part
from predictor.scheduling.rules import Refusal, Rules
from predictor.simulation.dependencies import After, Relations, conditions

OBSTACLES = {
    Obstacle.LIMIT: Refusal(
        cause=Unpredictable.LIMIT,
        detail="a limit holds it back; when that ends is not modelled",
    ),
    Obstacle.OWN_LIMIT: Refusal(
        cause=Unpredictable.LIMIT, detail="it asks for more, or less, than one job may have"
    ),
    Obstacle.USAGE: Refusal(
        cause=Unpredictable.LIMIT,
        detail="the minutes of a limit are used up; how many of them is not told",
    ),
    Obstacle.SHARE: Refusal(
        cause=Unpredictable.LIMIT,
        detail="its share is used up; when enough of it decays is not modelled",
    ),
    Obstacle.ADMIN: Refusal(
        cause=Unpredictable.HELD, detail="it waits until its user or an administrator acts"
    ),
    Obstacle.NEVER: Refusal(
        cause=Unpredictable.NEVER_FITS, detail="the batch system says it cannot start as it stands"
    ),
    Obstacle.UNMET: Refusal(
        cause=Unpredictable.DEPENDENCY,
        detail="the batch system says that what it depends on can no longer come about",
    ),
}
TWICE = Refusal(
    cause=Unpredictable.UNSUPPORTED, detail="the batch system tells of it in two records"
)

Seek = Callable[[PendingJob, Sequence[str], Rules], tuple[Need, ...] | Refusal]
"""Returns the ways to place a job in these partitions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Queued:
    """A waiting job at its place in the queue, with its partitions in the order to be tried."""

    job: PendingJob
    partitions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """One thing to be started: a job, an array's task, or a heterogeneous job as a whole."""

    id: str
    ask: Ask
    rank: int
    """Its place in the queue; no two are equal."""
    user: str
    job_ids: tuple[str, ...]
    """The waiting records it stands for."""
    array: str = ""
    """The array of which it is a task; empty: of none."""
    not_before: int = 0
    start_by: int | None = None
    """The last instant at which it may start; afterwards it is removed. None: it waits on."""
    over_by: int | None = None
    """By when it is over wherever it starts: its limit is cut. None: it keeps its limit."""
    opens_at: int = 0
    """From when on its own reservation lets it be looked at."""
    after: tuple[After, ...] = ()
    any_of: bool = False
    """Whether one of `after` is enough."""
    lane: str = ""
    """The array whose number of running tasks is limited; empty: none."""
    lane_width: int = 0
    kept_back: bool = False
    """Whether the batch system has noted that a limit keeps it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """All entrants in queue order, and the waiting records that were refused, by id."""

    entrants: tuple[Entrant, ...]
    out_of_order: tuple[Entrant, ...]
    """Who is refused for nodes that are down or drained, but looked at: with places among them."""
    refusals: Mapping[str, Refusal]


def entry(
    queue: Sequence[Queued],
    snapshot: Snapshot,
    rules: Rules,
    array_tasks_max: int,
    simulated: frozenset[Obstacle],
    *,
    looks_at_all: bool = False,
    changing: Set[str] = frozenset(),
) -> Entry:
    """Return who enters the queue. Of each array at most `array_tasks_max` tasks do.

    Obstacles that are `simulated` keep nobody out. `looks_at_all`: the scheduler looks at those
    whose nodes are out of order, too. `changing` are the single ids of those who may come to wait
    for less than they do.
    """
    relations = Relations.of(snapshot, array_tasks_max, changing)
    entrants: dict[str, Entrant] = {}
    refusals: dict[str, Refusal] = {}
    seek = all_ways if looks_at_all else ways
    for group in _together(queue):
        template = _entrant(group, relations, rules, simulated, seek, len(entrants) + 1)
        if isinstance(template, Refusal):
            refusals |= {queued.job.spec.id: template for queued in group}
            continue
        new = {
            entrant.id: entrant
            for entrant in _tasks(group[0].job, template, relations)
            if entrant.id not in entrants
        }
        entrants |= new
        if not new:
            refusals |= {queued.job.spec.id: TWICE for queued in group}
    places = ranked(entrants.values())
    broken = {entrant.id: why for entrant in places if (why := _out_of_order(entrant.ask))}
    refusals |= {id_: broken[one.id] for one in places if one.id in broken for id_ in one.job_ids}
    return Entry(
        entrants=tuple(entrant for entrant in places if entrant.id not in broken),
        out_of_order=tuple(entrant for entrant in places if entrant.id in broken),
        refusals=refusals,
    )


def _out_of_order(ask: Ask) -> Refusal | None:
    """Return why a part of it cannot be placed as nodes are down or drained; None: all can."""
    found = (in_order(part.ways) for part in ask.parts if part.ways[0].out_of_order)
    return next((one for one in found if isinstance(one, Refusal)), None)


def ranked(entrants: Iterable[Entrant]) -> tuple[Entrant, ...]:
    """Return them with their places as ranks."""
    places = enumerate(entrants, start=1)
    return tuple(one if one.rank == rank else replace(one, rank=rank) for rank, one in places)


def with_component(old: Entrant, changed: Entrant) -> Entrant:
    """Return a job of several components with one of them changed."""
    new = {part.job_id: part for part in changed.ask.parts}
    parts = tuple(new.get(part.job_id, part) for part in old.ask.parts)
    return replace(changed, ask=replace(old.ask, parts=parts), job_ids=old.job_ids)


def _together(queue: Iterable[Queued]) -> Iterable[tuple[Queued, ...]]:
    """Return the queue with a heterogeneous job's components brought together at the first."""
    groups: dict[str, list[Queued]] = {}
    for queued in queue:
        het = queued.job.spec.het
        groups.setdefault(het.job_id if het else queued.job.spec.id, []).append(queued)
    return (tuple(group) for group in groups.values())


def _parts(
    group: tuple[Queued, ...], rules: Rules, simulated: frozenset[Obstacle], seek: Seek
) -> tuple[Part, ...] | Refusal:
    parts = []
    for queued in group:
        job = queued.job
        if job.hold is not Hold.NONE:
            who = "its user" if job.hold is Hold.USER else "an administrator"
            return Refusal(cause=Unpredictable.HELD, detail=f"held by {who}")
        if job.obstacle is not Obstacle.NONE and job.obstacle not in simulated:
            return _with_word(OBSTACLES[job.obstacle], job)
        found = seek(job, queued.partitions, rules)
        if isinstance(found, Refusal):
            return found
        parts.append(Part(job_id=job.spec.id, ways=found))
    return tuple(parts)


def _with_word(refusal: Refusal, job: PendingJob) -> Refusal:
    """Return the refusal with the batch system's own word for what cannot be mended, if it is one.

    Sentences may hold what users wrote, such as names of nodes or reservations.
    """
    word = job.reason
    lasts = job.obstacle in (Obstacle.NEVER, Obstacle.UNMET)
    told = lasts and word.isascii() and word.isalpha()
    return replace(refusal, detail=f"{refusal.detail} ({word})") if told else refusal


def _entrant(
    group: tuple[Queued, ...],
    relations: Relations,
    rules: Rules,
    simulated: frozenset[Obstacle],
    seek: Seek,
    rank: int,
) -> Entrant | Refusal:
    parts = _parts(group, rules, simulated, seek)
    if isinstance(parts, Refusal):
        return parts
    jobs = [queued.job for queued in group]
    after: list[After] = []
    for job in jobs:
        found = conditions(job, relations)
        if isinstance(found, Refusal):
            return found
        after += found
    het = jobs[0].spec.het
    id_ = het.job_id if het else jobs[0].spec.id
    return Entrant(
        id=id_,
        ask=Ask(id=id_, parts=parts),
        rank=rank,
        user=jobs[0].spec.user,
        job_ids=tuple(job.spec.id for job in jobs),
        not_before=max(job.begin_at or 0 for job in jobs),
        start_by=min((job.start_by for job in jobs if job.start_by is not None), default=None),
        over_by=min((job.over_by for job in jobs if job.over_by is not None), default=None),
        opens_at=max(rules.opens_at(job.spec) for job in jobs),
        after=tuple(after),
        any_of=any(d.any_of for job in jobs for d in job.dependencies),
        kept_back=jobs[0].obstacle is Obstacle.LIMIT,
    )


def _tasks(job: PendingJob, template: Entrant, relations: Relations) -> Iterable[Entrant]:
    """Return one entrant per waiting task of an array; the template itself for other jobs."""
    array = job.spec.array
    if array is None or not array.tasks:
        return (template,)
    return (
        replace(
            template,
            id=f"{array.job_id}_{task}",
            ask=replace(template.ask, id=f"{array.job_id}_{task}"),
            after=tuple(relations.for_task(after, task, job) for after in template.after),
            array=array.job_id,
            lane=array.job_id if array.max_running else "",
            lane_width=array.max_running or 0,
        )
        for task in array.tasks[: relations.tasks_max]
    )
