"""A second opinion on trace replay: slow, obvious, and without any code of the package.

All that is known about the future is a list of reservations; whether a job fits somewhere is found
by counting the processors at each instant at which a reservation begins or ends.
"""

from dataclasses import dataclass
from itertools import count


@dataclass(kw_only=True)
class Job:
    submit: int
    run: int
    procs: int
    limit: int
    start: int = -1
    ended: bool = False
    ticket: int = -1

    @property
    def end(self) -> int:
        return self.start + self.run


class Machine:
    """Knows what is reserved: by jobs that run, as long as their limits say, and by plans."""

    def __init__(self, procs: int) -> None:
        self.procs = procs

    def free(self, at: int, reserved: list[Job]) -> int:
        taken = (job.procs for job in reserved if job.start <= at < job.start + job.limit)
        return self.procs - sum(taken)

    def fits(self, job: Job, at: int, reserved: list[Job]) -> bool:
        begins = (other.start for other in reserved if at < other.start < at + job.limit)
        return all(self.free(instant, reserved) >= job.procs for instant in {at, *begins})

    def earliest(self, job: Job, now: int, reserved: list[Job]) -> int:
        ends = (other.start + other.limit for other in reserved)
        places = sorted({now, *(end for end in ends if end > now)})
        return next(place for place in places if self.fits(job, place, reserved))


def slow_starts(rows: list[list[int]], procs: int, policy: str, semantics: str) -> list[int]:
    """Return when each job starts; a row is submit time, run time, processors, limit."""
    perfect = semantics == "perfect"
    jobs = [
        Job(submit=submit, run=run, procs=size, limit=run if perfect else limit)
        for submit, run, size, limit in rows
    ]
    machine = Machine(procs)
    if policy == "conservative":
        follow_plans(jobs, machine, per_event=semantics == "per-event")
    else:
        follow_queue(jobs, machine, policy, semantics)
    return [job.start for job in jobs]


def next_instant(jobs: list[Job], now: int) -> int | None:
    instants = [job.submit for job in jobs] + [job.end for job in jobs if job.start >= 0]
    instants += [job.start for job in jobs]
    return min((instant for instant in instants if instant > now), default=None)


def ending_at(jobs: list[Job], now: int) -> list[Job]:
    ending = [job for job in jobs if job.start >= 0 and job.end == now]
    return sorted(ending, key=lambda job: (job.start, job.ticket))


def follow_queue(jobs: list[Job], machine: Machine, policy: str, semantics: str) -> None:
    tickets = count()
    running: list[Job] = []
    queue: list[Job] = []

    def start(job: Job) -> None:
        job.start, job.ticket = now, next(tickets)
        queue.remove(job)
        running.append(job)

    def schedule() -> None:
        while queue and machine.fits(queue[0], now, running):
            start(queue[0])
        for job in queue[1:] if policy == "easy" else []:
            head = queue[0]
            shadow = machine.earliest(head, now, running)
            if semantics == "perfect":
                may_pass = machine.fits(job, now, running) and now + job.limit <= shadow
            else:
                promised = Job(submit=0, run=0, procs=head.procs, limit=head.limit, start=shadow)
                may_pass = machine.fits(job, now, [*running, promised])
            if may_pass:
                start(job)

    now: int | None = -1
    while (now := next_instant(jobs, now)) is not None:
        submitted = [job for job in jobs if job.submit == now]
        ending = ending_at(jobs, now)
        if semantics == "per-event":
            for job in submitted:
                queue.append(job)
                schedule()
            for job in ending:
                running.remove(job)
                schedule()
        else:
            for job in ending:
                running.remove(job)
            queue.extend(submitted)
            schedule()


def follow_plans(jobs: list[Job], machine: Machine, *, per_event: bool) -> None:
    tickets = count()
    planned: list[Job] = []

    def place(job: Job) -> None:
        others = [other for other in planned if other is not job]
        earliest = machine.earliest(job, now, others)
        if earliest != job.start:
            job.start, job.ticket = earliest, next(tickets)

    def submit() -> None:
        for job in jobs:
            if job.submit == now:
                place(job)
                planned.append(job)

    def move_up() -> None:
        for job in planned:
            if job.start > now:
                place(job)

    now: int | None = -1
    while (now := next_instant(jobs, now)) is not None:
        ending = ending_at(jobs, now)
        if per_event:
            submit()
            for job in ending:
                planned.remove(job)
                move_up()
        else:
            for job in ending:
                planned.remove(job)
            if ending:
                move_up()
            submit()
