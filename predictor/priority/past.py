"""The census as it was when a job was submitted, as far as the snapshot still shows."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import attrgetter

from predictor.domain import JobSpec, RunState, Snapshot
from predictor.priority.census import Census, tasks_of

NOT_TOLD = frozenset({"fairshare", "restarts", "tasks"})
"""Attributes whose earlier values no snapshot shows."""


@dataclass(frozen=True, slots=True)
class _Event:
    """By how much an owner's totals change at an instant."""

    at: int
    queued: int = 0
    running: int = 0
    cpus: int = 0


@dataclass(frozen=True, slots=True)
class _Totals:
    """An owner's totals from each of the instants on."""

    instants: tuple[int, ...]
    queued: tuple[int, ...]
    running: tuple[int, ...]
    cpus: tuple[int, ...]


class Past:
    """Tells the census at any earlier instant of the jobs that wait or run now.

    Who has ended or was cancelled since is not known any more, and so counts nowhere.
    """

    def __init__(self, snapshot: Snapshot, census: Census) -> None:
        self._census = census
        users: dict[str, list[_Event]] = {}
        accounts: dict[str, list[_Event]] = {}
        for spec, event in _events(snapshot):
            users.setdefault(spec.user, []).append(event)
            accounts.setdefault(spec.account, []).append(event)
        self._users = {name: _totals(events) for name, events in users.items()}
        self._accounts = {name: _totals(events) for name, events in accounts.items()}

    def when_submitted(self, spec: JobSpec) -> Census:
        """Return the census of that instant, with the totals of the job's user and account only.

        Its own waiting is counted. Logarithmic in the jobs of the two.
        """
        at = spec.submitted_at
        user, account = _at(self._users, spec.user, at), _at(self._accounts, spec.account, at)
        return replace(
            self._census,
            taken_at=at,
            user_queued=Counter({spec.user: user.queued}),
            user_running=Counter({spec.user: user.running}),
            user_cpus=Counter({spec.user: user.cpus}),
            account_queued=Counter({spec.account: account.queued}),
            account_running=Counter({spec.account: account.running}),
            account_cpus=Counter({spec.account: account.cpus}),
        )


def _events(snapshot: Snapshot) -> Iterable[tuple[JobSpec, _Event]]:
    for waiting in snapshot.pending:
        yield waiting.spec, _Event(waiting.spec.submitted_at, queued=tasks_of(waiting))
    for job in snapshot.running:
        if job.state is not RunState.COMPLETING:
            cpus = sum(share.cpus for share in job.allocation)
            yield job.spec, _Event(job.spec.submitted_at, queued=1)
            yield job.spec, _Event(job.started_at, queued=-1, running=1, cpus=cpus)


def _totals(events: Iterable[_Event]) -> _Totals:
    ordered = sorted(events, key=attrgetter("at"))
    return _Totals(
        tuple(event.at for event in ordered),
        tuple(accumulate(event.queued for event in ordered)),
        tuple(accumulate(event.running for event in ordered)),
        tuple(accumulate(event.cpus for event in ordered)),
    )


def _at(totals: Mapping[str, _Totals], name: str, at: int) -> _Event:
    found = totals[name]
    place = bisect_right(found.instants, at) - 1
    return _Event(at, found.queued[place], found.running[place], found.cpus[place])
