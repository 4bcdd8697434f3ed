"""Who plays in a simulation: waiting and running jobs as the engine numbers them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from predictor.domain import JobSpec
from predictor.engine import codes
from predictor.engine.tables import After as Condition
from predictor.engine.tables import Holding as Held
from predictor.engine.tables import QueueTables, Record, Runner, Waiting, Way
from predictor.limits.tables import Sort
from predictor.priority.order import id_key
from predictor.scheduling.placing import Need, Part
from predictor.simulation.bounds import MOST_AMOUNT, bounded, bounded_at
from predictor.simulation.dependencies import After
from predictor.simulation.entrants import Entrant
from predictor.simulation.occupied import Running
from predictor.simulation.protection import Guard
from predictor.simulation.scene import Scene

FAR = 1 << 60
"""An instant that never comes."""
LONGEST_S = 1 << 40
"""Longer limits and delays are cut off here."""
NOBODY = ""
"""Who never ends goes by no id."""


class Place(NamedTuple):
    """What decides about the place in the queue of one of a job's partitions."""

    order: int
    """Where it stands at the beginning."""
    band: int
    """Who is in a lower band comes first, whatever the priorities."""
    slot: int
    """Its number in the ranking; -1: it stays where it is."""
    band_drawn: int = 0
    """The band in which it is as well for a reservation that draws it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """An entrant, and what the world does to it. Instants are UTC epoch seconds."""

    entrant: Entrant
    spec: JobSpec
    """That of the first of its records."""
    places: Mapping[str, Place]
    """By partition."""
    component_places: Sequence[Mapping[str, Place]] = ()
    """By part, the same, where each has a place of its own; empty: none has."""
    run_s: int = -1
    """How long it really runs; -1: as long as it is planned."""
    enters_at: int = 0
    leaves_at: int = -1
    held: tuple[tuple[int, int], ...] = ()
    original: int = -1
    """The number of the role of which this is another form; -1: of none."""
    replaced: bool = False
    """Whether it leaves only to give way to another form."""
    asleep: bool = False
    """Whether it is only as what a running job of its id waits once it is sent back."""
    awaited: bool = True
    """Whether anybody asks when it starts."""
    barred: bool = False
    """Whether it is in the queue, but can never start."""
    comes_in: frozenset[int] | None = None
    """The scenarios in which it comes; None: in all."""
    later_runs: tuple[tuple[int, int], ...] = ()
    """Of one that is sent back from outside: when it is ready again, how long it then runs."""


class Option(NamedTuple):
    """A way to place a part, for the engine and for us."""

    way: Way
    part: Part
    need: Need


Describe = Callable[[Part, Need], tuple[int, tuple[float, ...]]]
"""Returns the number of the claim, and the rates it is charged, by node class."""
Protect = Callable[[Sort], Guard]
"""Returns how jobs of a sort are protected."""


class Row(NamedTuple):
    """Where a role stands in the queue of a partition, with all it has or with one component."""

    place: Place
    age: tuple[object, ...]
    job: int
    partition: str
    choice: int
    """The number of the partition and the QOS among those that the role names."""
    component: int
    """Its number; -1: with all it has."""
    qos: str | None = None
    """The QOS by which it is there; None: any of its own."""
    drawn_by: str = ""
    """The reservation that draws it in there; empty: none does."""

    @property
    def band(self) -> int:
        """Return in which band it stands."""
        return self.place.band_drawn if self.drawn_by else self.place.band

    @property
    def tie(self) -> tuple[object, ...]:
        """Return by what it comes before its equals: all tasks of an array partition by partition.

        A job's partitions come as it names them, in each the QOS of highest priority first.
        Source: Slurm 22.05, build_job_queue, as read.
        """
        return self.age, self.choice, self.job, self.component, self.drawn_by


class Cast:
    """Roles and running jobs, numbered in the order in which they are given."""

    def __init__(
        self,
        roles: Sequence[Role],
        running: Sequence[Running],
        runs: Mapping[str, int],
        scene: Scene,
        describe: Describe,
        protect: Protect,
        ordinals: Sequence[int],
        *,
        apart: bool,
    ) -> None:
        """`ordinals`: by role, and then by who runs. `apart`: components have own places."""
        self.roles = roles
        self.running = running
        self.options: list[Option] = []
        """By number of the way."""
        self._scene = scene
        self._runs = runs
        self._describe = describe
        self._protect = protect
        self.ordinals = ordinals
        self._apart = apart
        self._shared: dict[
            tuple[int, str, int, str | None, str], tuple[tuple[Option, ...], ...]
        ] = {}
        self._numbered: dict[tuple[str, str | None, str], int] = {}
        """Partitions with the QOS and the reservations by which somebody is there."""
        self._people = _people(roles, running)
        self.places: list[tuple[int, str]] = []
        """By number of the record: the role's number, and the partition."""
        self.sleepers = {r.entrant.id: number for number, r in enumerate(roles) if r.asleep}
        """By id of the running job: the role in which it waits once it is sent back."""
        self._runners = {one.id: place for place, one in enumerate(running, start=len(roles))}
        self._lanes: dict[str, int] = {}
        self._widths: list[int] = []
        self._partitions: dict[str, int] = {}
        self._users: dict[str, int] = {}
        self._associations: dict[str, int] = {}
        self._arrays: dict[str, int] = {}

    def tables(self) -> QueueTables:
        """Return everything as the engine wants it."""
        waiting = [self._waiting(number, role) for number, role in enumerate(self.roles)]
        return QueueTables(
            records=self._records(),
            waiting=waiting,
            running=list(self._those_who_run()),
            holdings=list(self._holdings()),
            lane_width=self._widths,
            partitions=max(1, len(self._partitions)),
            users=max(1, len(self._users)),
            arrays=max(1, len(self._arrays)),
            associations=max(1, len(self._associations)),
        )

    def _waiting(self, number: int, role: Role) -> Waiting:
        entrant = role.entrant
        return Waiting(
            user=_number(self._users, entrant.user),
            array=_number(self._arrays, entrant.array or entrant.id),
            apart=role.spec.array is not None and len(role.spec.array.tasks) == 1,
            association=_number(self._associations, f"{entrant.user} {role.spec.account}"),
            run_s=role.run_s,
            enters_at=role.enters_at,
            kept_back=entrant.kept_back and role.enters_at == 0,
            leaves_at=role.leaves_at,
            over_by=-1 if entrant.over_by is None else bounded_at(entrant.over_by),
            not_before=bounded_at(max(entrant.not_before, entrant.opens_at)),
            after=tuple(map(self._condition, entrant.after)),
            any_of=entrant.any_of,
            lane=self._lane(entrant.lane, entrant.lane_width),
            held=role.held,
            original=self._runners[entrant.id] if role.asleep else role.original,
            replaced=role.replaced,
            eligible_since=bounded_at(role.spec.eligible_at or 0),
            insists_s=_insists_s(role.spec),
            asleep=role.asleep,
            later_runs=role.later_runs,
            awaited=role.awaited,
            ordinal=self.ordinals[number],
        )

    def _condition(self, after: After) -> Condition:
        # Who is not there neither starts nor ends; the one who stands for it runs.
        known = all(id_ in self._people for id_ in after.job_ids)
        return Condition(
            people=tuple(self._meant(after.job_ids)),
            started=after.started and known,
            delay_s=_bounded_s(after.delay_s),
            rivals=tuple(one for id_ in after.rivals for one in self._people.get(id_, ())),
        )

    def _meant(self, ids: Iterable[str]) -> Iterable[int]:
        """Yield the people of these ids; for who is not there, somebody who never ends."""
        nobody = len(self.roles) + len(self.running)
        for id_ in ids:
            yield from self._people.get(id_, [nobody])

    def _lane(self, name: str, width: int) -> int:
        if not name:
            return -1
        number = _number(self._lanes, name)
        if number == len(self._widths):
            self._widths += bounded([width])
        return number

    def _those_who_run(self) -> Iterable[Runner]:
        """Yield who runs. The components of one job count as one for its user."""
        counted: set[str] = set()
        for person, job in enumerate(self.running, start=len(self.roles)):
            yield Runner(
                ends_at=bounded_at(job.end_at),
                lane=self._lanes.get(job.lane, -1),
                run=self._runs.get(job.id, -1),
                user=-1 if job.id in counted else self.user(job.user),
                ordinal=self.ordinals[person],
                due_at=bounded_at(job.due.at),
                grace_s=_bounded_s(job.due.grace_s),
                ahead_s=_bounded_s(job.due.ahead_s),
                amended=[(bounded_at(at), bounded_at(end_at)) for at, end_at in job.amended],
                sent_back=job.sent_back,
            )
            counted.add(job.id)
        yield Runner(ends_at=FAR)

    def user(self, name: str) -> int:
        """Return the number of a user; -1: nobody of that name waits."""
        return self._users.get(name, -1)

    def _holdings(self) -> Iterable[Held]:
        for place, job in enumerate(self.running):
            for holding in job.held:
                yield Held(
                    person=len(self.roles) + place,
                    nodes=holding.nodes,
                    kind=self._scene.holder(holding),
                    shape=self._scene.shape(holding),
                    planned_end_at=bounded_at(holding.end_at),
                    whole=self._scene.is_whole(holding),
                )

    def _records(self) -> list[Record]:
        """Return a record for each partition of each role, in queue order.

        Those by which jobs start whose components have places of their own are the last.
        """
        rows = [row for job in range(len(self.roles)) for row in self._rows(job)]
        ties = {row.tie: tie for tie, row in enumerate(sorted(rows, key=lambda row: row.tie))}
        rows.sort(key=lambda row: (row.band, row.place.order, row.tie))
        apart = dict.fromkeys(row.job for row in rows if row.component >= 0)
        wholes = [row for job in apart for row in self._whole(job)]
        self.places = [(row.job, row.partition) for row in (*rows, *wholes)]
        return [
            *(self._record(row, ties[row.tie]) for row in rows),
            *(replace(self._record(row, -1), queued=False) for row in wholes),
        ]

    def _rows(self, job: int) -> Iterable[Row]:
        role = self.roles[job]
        if not self._apart or not role.component_places:
            yield from self._whole(job)
            return
        for number, part in enumerate(role.entrant.ask.parts):
            names = dict.fromkeys(need.partition for need in part.ways)
            for choice, name in enumerate(names):
                place = role.component_places[number][name]
                yield Row(place, _age(role), job, name, choice, number)

    def _whole(self, job: int) -> Iterable[Row]:
        role = self.roles[job]
        for choice, (name, qos) in enumerate(self._chances(role)):
            row = Row(role.places[name], _age(role), job, name, choice, -1, qos)
            yield row
            for drawn_by in self._drawn_by(role, name):
                yield row._replace(drawn_by=drawn_by)

    def _chances(self, role: Role) -> Iterable[tuple[str, str | None]]:
        """Return the partitions, each with every QOS by which the role has a place of its own."""
        if not self._apart or len(role.entrant.ask.parts) > 1:
            return [(name, None) for name in _partitions(role.entrant)]
        return dict.fromkeys((need.partition, need.qos) for need in role.entrant.ask.parts[0].ways)

    def _drawn_by(self, role: Role, partition: str) -> Iterable[str]:
        """Return the reservations that draw the role in there and give it places of their own."""
        if not self._apart or len(role.entrant.ask.parts) > 1:
            return ()
        needs = (need for need in role.entrant.ask.parts[0].ways if need.partition == partition)
        return dict.fromkeys(need.drawn_by for need in needs if need.drawn_by)

    def _record(self, row: Row, tie: int) -> Record:
        parts = self._parts(self.roles[row.job].entrant, row)
        self.options += [option for part in parts for option in part]
        guard = self._protect(Sort.of(self.roles[row.job].spec, row.partition, row.qos))
        return Record(
            job=row.job,
            partition=_number(self._partitions, row.partition),
            parts=tuple(tuple(option.way for option in part) for part in parts),
            slot=row.place.slot,
            band=row.band,
            tie=tie,
            protected_from=guard.priority,
            reserves=guard.reserves and not row.drawn_by,
            drawn=bool(row.drawn_by),
            fleeting=guard.fleeting,
            component=row.component,
            chance=self._chance(row),
            sought=_sought(parts),
        )

    def _chance(self, row: Row) -> int:
        key = row.partition, row.qos, row.drawn_by
        return self._numbered.setdefault(key, len(self._numbered))

    def _parts(self, entrant: Entrant, row: Row) -> tuple[tuple[Option, ...], ...]:
        """Return the options of each part in a row's partition, or of one component alone.

        The tasks of an array share them.
        """
        parts = entrant.ask.parts
        key = id(parts), row.partition, row.component, row.qos, row.drawn_by
        if key not in self._shared:
            together = len(parts) > 1 and row.component < 0
            self._shared[key] = tuple(
                tuple(
                    self._option(part, need)
                    for need in part.ways
                    if together or self._is_for(need, row)
                )
                for number, part in enumerate(parts)
                if row.component in (-1, number)
            )
        return self._shared[key]

    def _is_for(self, need: Need, row: Row) -> bool:
        """Return whether it may start so by that row."""
        drawn = not self._apart or need.drawn_by == row.drawn_by
        by_qos = row.qos is None or need.qos == row.qos
        return need.partition == row.partition and drawn and by_qos

    def _option(self, part: Part, need: Need) -> Option:
        claim, rates = self._describe(part, need)
        way = Way(
            kind=self._scene.kind(need),
            nodes=need.nodes,
            length_s=min(need.duration_s, LONGEST_S),
            least_s=max(0, min(need.least_s, LONGEST_S)),
            claim=claim,
            rates=rates,
            cpus=0 if need.spread is None else min(need.spread.cpus, MOST_AMOUNT),
        )
        return Option(way, part, need)


def removal(entrant: Entrant, now: int) -> int:
    """Return when the batch system removes it if it waits until then, as seen now; -1: never.

    Source: Slurm 22.05.8, who cannot be over by the deadline is removed once looked at.
    """
    return -1 if entrant.start_by is None else max(now, min(entrant.start_by + 1, FAR))


def holders(roles: Sequence[Role], running: Sequence[Running]) -> Mapping[str, int]:
    """Return by which number the engine counts whoever runs, by single id.

    Whoever waits is counted by its own number, whatever its form; `NOBODY` has the last number.
    """
    found: dict[str, int] = {}
    for person, job in enumerate(running, start=len(roles)):
        found.setdefault(job.id, person)
    return found | {NOBODY: len(roles) + len(running)}


def _people(roles: Sequence[Role], running: Sequence[Running]) -> dict[str, list[int]]:
    """Return the people that go by each id; other forms of a job are known by the first."""
    found: dict[str, list[int]] = {}
    for job, role in enumerate(roles):
        if role.original < 0 and not role.asleep:
            found.setdefault(role.entrant.id, []).append(job)
    for place, job_ in enumerate(running, start=len(roles)):
        found.setdefault(job_.id, []).append(place)
    return found


def _partitions(entrant: Entrant) -> Sequence[str]:
    """Return the partitions in whose queues it stands; with several parts, only one."""
    if len(entrant.ask.parts) > 1:
        return [entrant.ask.partition]
    return list(dict.fromkeys(need.partition for need in entrant.ask.parts[0].ways))


def _sought(parts: Iterable[Sequence[Option]]) -> int:
    """Return which passes seek nodes for these options of each part."""
    found = codes.SOUGHT
    for part in parts:
        if all(one.need.out_of_order for one in part):
            return codes.SOUGHT_NEVER
        if any(one.need.overlong for one in part):
            found = codes.SOUGHT_AHEAD
    return found


def _insists_s(spec: JobSpec) -> int:
    """Return how long it insists on few switches; -1: for ever, or not at all."""
    wait_s = spec.request.switches_wait_s
    return -1 if spec.request.switches is None or wait_s is None else _bounded_s(wait_s)


def _bounded_s(span: int) -> int:
    return max(-LONGEST_S, min(span, LONGEST_S))


def _age(role: Role) -> tuple[object, ...]:
    return role.spec.submitted_at, id_key(role.spec)


def _number(numbers: dict[str, int], name: str) -> int:
    return numbers.setdefault(name, len(numbers))
