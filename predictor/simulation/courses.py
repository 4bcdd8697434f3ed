"""One of the courses that things may take: how long jobs run, and who gives up waiting."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from predictor.engine.tables import Fates
from predictor.simulation.bounds import bounded_at
from predictor.simulation.cast import FAR, LONGEST_S, Role
from predictor.simulation.occupied import Running


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What one draw says of a snapshot's future, by single id. Instants are UTC epoch seconds.

    Single ids are those of `predictor.simulation.dependencies.single_ids`; others are ignored. Of
    whom nothing is said, that one runs into the limit, and waits on. Numbers that cannot be are
    taken for the nearest that can: nobody runs for less than a second, and whoever is said to have
    ended ends a second after the snapshot; but who is only being completed then ends at once.
    """

    run_s: Mapping[str, int] = field(default_factory=dict)
    """How long those run that have not started at the snapshot, newcomers included."""
    ends_at: Mapping[str, int] = field(default_factory=dict)
    """When those end that run at the snapshot."""
    leaves_at: Mapping[str, int] = field(default_factory=dict)
    """Who leaves the queue without a start, and when."""
    boots_s: int | None = None
    """How long nodes take to boot that sleep to save power, but no longer than they may."""
    scenario: int = 0
    """Which of several sets of newcomers comes, from 0."""

    def leaves(self, role: Role, now: int) -> int:
        """Return when the role leaves the queue, at once where it does not come; -1: never."""
        if role.comes_in is not None and self.scenario not in role.comes_in:
            return now
        told = self.leaves_at.get(role.entrant.id)
        if told is None:
            return role.leaves_at
        at = max(now, min(told, FAR))
        return at if role.leaves_at < 0 else min(at, role.leaves_at)


def fates(course: Course, roles: Sequence[Role], running: Sequence[Running], now: int) -> Fates:
    """Return the course as the engine wants it, of everybody in the order given."""
    return Fates(
        run_s=[_run_s(course.run_s.get(role.entrant.id)) for role in roles],
        leaves_at=[course.leaves(role, now) for role in roles],
        ends_at=[*(bounded_at(_ends_at(one, course, now)) for one in running), FAR],
        boots_s=-1 if course.boots_s is None else max(0, min(course.boots_s, LONGEST_S)),
    )


def in_course(running: Sequence[Running], course: Course, now: int) -> tuple[Running, ...]:
    """Return those who run as they end in the course, what they hold being free from then on."""
    ended = []
    for job in running:
        end_at = _ends_at(job, course, now)
        held = tuple(replace(holding, end_at=end_at) for holding in job.held)
        ended.append(replace(job, end_at=end_at, held=held))
    return tuple(ended)


def _run_s(told: int | None) -> int:
    return -1 if told is None else max(1, min(told, LONGEST_S))


def _ends_at(job: Running, course: Course, now: int) -> int:
    told = course.ends_at.get(job.id)
    if told is None or job.end_at <= now:
        return job.end_at
    return max(now + 1, min(told, FAR))
