"""When which nodes and licenses are set apart: advance reservations, recurring ones spelled out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from predictor.domain import JobSpec, Reservation, ReservationFlag, Tres, choices
from predictor.domain.durations import DAY_S, HOUR_S, MINUTE_S, WEEK_S
from predictor.domain.instants import is_weekend
from predictor.scheduling.machine import Machine

STEPS_S = {
    ReservationFlag.HOURLY: HOUR_S,
    ReservationFlag.DAILY: DAY_S,
    ReservationFlag.WEEKDAY: DAY_S,
    ReservationFlag.WEEKEND: DAY_S,
    ReservationFlag.WEEKLY: WEEK_S,
}


REBOOT = "\0reboot"
"""In the place of a reservation's name, which never is this."""
REBOOT_S = 60
"""So long a reboot may take where nobody tells. Source: Slurm, `ResumeTimeout`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closure:
    """Nodes and licenses set apart by a reservation during [start_at, end_at)."""

    reservation: str
    start_at: int
    end_at: int
    nodes: int
    """A bitmap."""
    overlaps: bool
    """Its own jobs may use its nodes although other reservations hold them too."""
    flexible: bool
    """Its own jobs may run elsewhere and at other times as well."""
    anywhere: bool = False
    """Its own jobs may run elsewhere, too, while it holds."""
    licenses: Tres = ()
    passed_over: bool = False
    """Who would run into it in a partition of which it takes all nodes stops nobody behind it."""

    def own(self, everything: int) -> int:
        """Return the nodes that its own jobs may use while it holds."""
        return everything if self.anywhere or self.flexible else self.nodes


def closures(
    reservations: Iterable[Reservation],
    machine: Machine,
    now: int,
    horizon_s: int,
    utc_offset_s: int,
) -> tuple[Closure, ...]:
    """Return all closures that end after `now` and begin within the horizon.

    A reservation of part of its nodes' CPUs closes the nodes altogether; one that moves along with
    the clock closes none at any time.
    """
    return tuple(
        _closure(reservation, machine, start)
        for reservation in reservations
        if ReservationFlag.TIME_FLOAT not in reservation.flags
        for start in occurrences(reservation, now, horizon_s, utc_offset_s)
    )


def floating(
    reservations: Iterable[Reservation], machine: Machine, now: int
) -> tuple[tuple[int, int], ...]:
    """Return how long jobs may be beside reservations that move along, and on which nodes.

    Such a one begins so many minutes from now whenever that is, and who would run into it waits as
    long as it is there. Source: Slurm 22.05, `TIME_FLOAT`, as measured on a real one.
    """
    return tuple(
        (round((one.start_at - now) / MINUTE_S) * MINUTE_S, machine.bitmap(one.node_names))
        for one in reservations
        if ReservationFlag.TIME_FLOAT in one.flags
    )


def reboots(machine: Machine, now: int) -> tuple[Closure, ...]:
    """Return what keeps nodes closed that are rebooted or blocked, until they are surely back."""
    ends: dict[int, list[str]] = {}
    for node in machine.nodes:
        if node.returning:
            back_by = now + REBOOT_S if node.back_by is None else node.back_by
            ends.setdefault(max(back_by, now + 1), []).append(node.name)
    return tuple(
        Closure(
            reservation=REBOOT,
            start_at=now,
            end_at=end_at,
            nodes=machine.bitmap(names),
            overlaps=False,
            flexible=False,
        )
        for end_at, names in ends.items()
    )


def opening(reservation: Reservation) -> int:
    """Return from when on jobs that ask for the reservation are looked at.

    Source: Slurm 22.05, job_test_resv_now.
    """
    return 0 if ReservationFlag.FLEX in reservation.flags else reservation.start_at


def draws(reservation: Reservation, at: int) -> bool:
    """Return whether it draws in jobs then, or will, that do not ask for it."""
    return ReservationFlag.MAGNETIC in reservation.flags and at < reservation.end_at


def admits(reservation: Reservation, spec: JobSpec, accounts: Sequence[str]) -> bool:
    """Return whether the job may use it, which is charged to the first account below the others.

    All that it names decides: users, accounts, QOS and partitions. Source: scontrol(1).
    """
    asked = (
        (reservation.users, (spec.user,)),
        (reservation.accounts, accounts),
        (reservation.qos, choices(spec.qos)),
        (reservation.allowed_partitions, spec.partitions),
    )
    named = any(listed for listed, _ in asked)
    return named and all(_names(listed, names) for listed, names in asked)


def _names(listed: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether any of the names is listed, or none is left out by a minus before it."""
    left_out = {one[1:] for one in listed if one.startswith("-")}
    if left_out or not listed:
        return left_out.isdisjoint(names)
    return any(name in listed for name in names)


def occurrences(
    reservation: Reservation, now: int, horizon_s: int, utc_offset_s: int
) -> tuple[int, ...]:
    """Return the starts of a reservation's occurrences that matter from `now` to the horizon."""
    step_s = min((STEPS_S[flag] for flag in reservation.flags if flag in STEPS_S), default=None)
    if step_s is None:
        return (reservation.start_at,) if reservation.end_at > now else ()
    length_s = reservation.end_at - reservation.start_at
    passed = max(0, (now - reservation.end_at) // step_s + 1)
    first = reservation.start_at + passed * step_s
    last = max(now + horizon_s, first + 1)
    starts = range(first, last, step_s)
    if length_s >= WEEK_S:
        # One follows another without a gap, whatever its days: the fewest that close all the time.
        starts = range(_first_of_its_days(reservation, first, step_s, utc_offset_s), last, WEEK_S)
        starts = starts[:: length_s // WEEK_S]
    return tuple(
        start
        for start in starts
        if start + length_s > now and _on_its_days(reservation, start + utc_offset_s)
    )


def _first_of_its_days(reservation: Reservation, first: int, step_s: int, utc_offset_s: int) -> int:
    week = range(first, first + WEEK_S, step_s)
    return next(start for start in week if _on_its_days(reservation, start + utc_offset_s))


def _on_its_days(reservation: Reservation, local_start: int) -> bool:
    if ReservationFlag.WEEKDAY in reservation.flags:
        return not is_weekend(local_start)
    if ReservationFlag.WEEKEND in reservation.flags:
        return is_weekend(local_start)
    return True


def _closure(reservation: Reservation, machine: Machine, start_at: int) -> Closure:
    everything = ReservationFlag.ALL_NODES in reservation.flags and not reservation.node_names
    return Closure(
        reservation=reservation.name,
        start_at=start_at,
        end_at=start_at + reservation.end_at - reservation.start_at,
        nodes=machine.everything if everything else machine.bitmap(reservation.node_names),
        overlaps=bool(reservation.flags & {ReservationFlag.MAINTENANCE, ReservationFlag.OVERLAP}),
        flexible=ReservationFlag.FLEX in reservation.flags,
        anywhere=ReservationFlag.ANY_NODES in reservation.flags,
        licenses=reservation.licenses,
        passed_over=everything or ReservationFlag.MAINTENANCE in reservation.flags,
    )


def open_nodes(active: Iterable[Closure], everything: int, reservation: str, kept: int = 0) -> int:
    """Return the nodes that a job may use while the `active` closures hold.

    `reservation` is the one the job asked for; empty: none. `kept` are nodes that its jobs may have
    while it does not hold.
    """
    own = everything if not reservation else kept
    closed = 0
    overlaps = False
    for closure in active:
        if closure.reservation != reservation:
            closed |= closure.nodes
        else:
            own |= closure.own(everything)
            overlaps = closure.overlaps
    return own if overlaps else own & ~closed
