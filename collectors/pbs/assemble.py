"""From the commands' answers to a snapshot. A pure function."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from collectors.pbs import questions
from collectors.pbs.hosts import Hosts, parse_hosts
from collectors.pbs.jobs import parse_jobs
from collectors.pbs.queues import Queue, hosts_of, parse_queues, partitions_of
from collectors.pbs.requests import Surroundings
from collectors.pbs.reservations import parse_reservations
from collectors.pbs.server import (
    Server,
    licenses_of,
    parse_list_sched,
    parse_sched_config,
    parse_server,
)
from collectors.pbs.words import short, truth
from collectors.slurm.questions import Answers
from collectors.slurm.reading import Reading
from predictor.domain import (
    Fact,
    Hidden,
    Partition,
    Provenance,
    Qos,
    Reservation,
    SchedulerSettings,
    Snapshot,
)
from predictor.errors import SourceError

RECENT_S = 300
"""So long a task that is over is shown, of an array that is not."""
SERVERS_QOS = "server"
"""The QOS of all jobs where the server as a whole has limits."""
_NEVER_TOLD = (
    Hidden(fact=Fact.PRIORITIES, why="PBS shows no ranks; a site file can give its formula"),
    Hidden(fact=Fact.FAIRSHARE, why="only pbsfs tells, and only to administrators"),
    Hidden(fact=Fact.ASSOCIATIONS, why="PBS has none"),
    Hidden(fact=Fact.USAGE, why="PBS does not tell it apart from its jobs"),
    Hidden(fact=Fact.HEALTH, why="PBS's scheduler tells no statistics"),
    Hidden(fact=Fact.TOPOLOGY, why="placement sets are not read"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a look showed, and what is needed to go on from there."""

    snapshot: Snapshot
    ids: frozenset[str]
    """Who waits or runs, as the server writes it."""
    around: Surroundings


def assemble(
    answers: Answers, *, taken_at: int, source: str, account: str = "", utc_offset_s: int = 0
) -> Snapshot:
    """Return the snapshot that the answers make. Raises SourceError without jobs or nodes."""
    return seen(
        answers, taken_at=taken_at, source=source, account=account, utc_offset_s=utc_offset_s
    ).snapshot


def seen(answers: Answers, *, taken_at: int, source: str, account: str, utc_offset_s: int) -> Seen:
    """Return what the answers show. Raises SourceError without jobs or nodes."""
    reading = Reading(answers)
    hosts = reading.needed((questions.NODES, parse_hosts))
    if not hosts.nodes:
        raise SourceError("the server shows no nodes at all")
    server = reading.optional(Server(), (questions.SERVER, parse_server))
    queues = reading.several((questions.QUEUES, parse_queues))
    scheduler = _scheduler(reading, server)
    reservations = _reservations(reading, hosts)
    around = surroundings(taken_at, hosts, server, queues, reservations)
    jobs = reading.needed((questions.JOBS, partial(parse_jobs, around=around)))
    by_queue = truth(scheduler.get("by_queue", "True")) is not False
    partitions = partitions_of(queues, hosts, server.default_queue, server.defaults, by_queue)
    limited = server.bounds.limits is not None or any(q.bounds.limits for q in queues)
    snapshot = Snapshot(
        cluster=server.name or short(jobs.server) or "unknown",
        taken_at=taken_at,
        provenance=Provenance(
            source=source,
            account=account,
            version=jobs.version or server.version,
            private=() if server.shows_others else ("jobs",),
            hidden=(*reading.hidden, *_hidden(server, queues, scheduler)),
            quarantined=tuple(reading.quarantined),
        ),
        nodes=hosts.nodes,
        partitions=(*partitions, *_of_reservations(reservations, partitions)),
        pending=jobs.pending,
        running=jobs.running,
        finished=tuple(job for job in jobs.finished if job.ended_at > taken_at - RECENT_S),
        qos=tuple(_qos(server, queues)),
        reservations=reservations,
        licenses=licenses_of(server, hosts),
        settings=SchedulerSettings(
            multifactor=False,
            limits_enforced=limited,
            # Who asks for no memory is given none apart. Nothing said would mean all of a node's.
            default_memory_per_node_mb=1,
            parameters=tuple(sorted(scheduler.items())),
        ),
        utc_offset_s=utc_offset_s,
    )
    if questions.GONE in answers.printed:
        snapshot = with_gone(snapshot, answers.printed[questions.GONE], around)
    return Seen(snapshot=snapshot, ids=jobs.ids, around=around)


def with_gone(snapshot: Snapshot, printed: str, around: Surroundings) -> Snapshot:
    """Return the snapshot with those of an answer that are over. Raises SourceError."""
    jobs, bad = parse_jobs(printed, around)
    shown = {job.spec.id for job in snapshot.finished}
    new = tuple(job for job in jobs.finished if job.spec.id not in shown)
    told = snapshot.provenance
    return replace(
        snapshot,
        finished=(*snapshot.finished, *new),
        provenance=replace(told, quarantined=(*told.quarantined, *bad)),
    )


def surroundings(
    taken_at: int,
    hosts: Hosts,
    server: Server,
    queues: Iterable[Queue],
    reservations: Iterable[Reservation],
) -> Surroundings:
    """Return what must be known to read jobs."""
    by_name = {queue.name: queue for queue in queues}
    places = {queue.name: hosts_of(queue, hosts) for queue in by_name.values()}
    return Surroundings(
        taken_at=taken_at,
        hosts=hosts,
        queues=by_name,
        default_chunk=server.default_chunk,
        alone=frozenset(n for n, names in places.items() if names and hosts.alone >= set(names)),
        pools=frozenset(server.pools) - hosts.counted,
        reservations=frozenset(reservation.name for reservation in reservations),
        qos=SERVERS_QOS if server.bounds.limits is not None else "",
    )


def _scheduler(reading: Reading, server: Server) -> dict[str, str]:
    """Return how the scheduler is set up, as far as anything tells."""
    nothing: dict[str, str] = {}
    file = questions.sched_config(questions.SCHED_CONFIG)
    of_file = reading.optional(nothing, (file, parse_sched_config)) if reading.asked(file) else {}
    listed = reading.optional(nothing, (questions.SCHEDULER, parse_list_sched))
    return {**server.settings, **listed, **of_file}


def _reservations(reading: Reading, hosts: Hosts) -> tuple[Reservation, ...]:
    cpus = {node.name: node.cpus for node in hosts.nodes}
    parse = partial(parse_reservations, host_of=hosts.host_of, cpus=cpus)
    return reading.several((questions.RESERVATIONS, parse))


def _of_reservations(
    reservations: Iterable[Reservation], known: Iterable[Partition]
) -> Iterator[Partition]:
    """Yield the queues of reservations that the server does not list among its own."""
    names = {partition.name for partition in known}
    for one in reservations:
        if one.name not in names:
            yield Partition(name=one.name, node_names=one.node_names)


def _qos(server: Server, queues: Iterable[Queue]) -> Iterator[Qos]:
    if server.bounds.limits is not None:
        yield Qos(name=SERVERS_QOS, limits=server.bounds.limits)
    for queue in queues:
        if queue.bounds.limits is not None and not queue.destinations:
            yield Qos(name=queue.name, limits=queue.bounds.limits)


def _hidden(server: Server, queues: Iterable[Queue], scheduler: dict[str, str]) -> Iterator[Hidden]:
    if not server.shows_others:
        yield Hidden(fact=Fact.JOBS, why="query_other_jobs is not set: shows only one's own jobs")
    untold = server.bounds.untold + sum(queue.bounds.untold for queue in queues)
    if untold:
        why = f"{untold} limits of single users or projects, of groups, or soft ones are not read"
        yield Hidden(fact=Fact.QOS, why=why)
    if "strict_ordering" not in scheduler:
        why = "the scheduler's own file is not told (sched_config): by_queue is taken to be true"
        yield Hidden(fact=Fact.SETTINGS, why=why)
    yield from _NEVER_TOLD
