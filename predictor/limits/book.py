"""The live counters of a cluster's limits: who may start, now that these jobs run."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from predictor.domain import Snapshot
from predictor.limits.binding import Binder, Binding, sort_of
from predictor.limits.blocked import Blocked, Scope
from predictor.limits.claims import Claim, bitmap, counted_jobs
from predictor.limits.families import Reach
from predictor.limits.rules import Rule
from predictor.limits.tally import Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    claim: Claim
    nodes: int
    started_at: int


class Book:
    """Which jobs run, and what they have taken of each limit.

    Nodes are bitmaps, numbered as the caller likes. Instants must not run backwards. Starting and
    ending cost as much as the job has limited groups, whatever the number of jobs.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        """Open the book on the snapshot's limits and used-up minutes, with no job running."""
        self._binder = Binder(snapshot)
        self._bindings: dict[tuple[str, str, str, str], Binding] = {}
        self._running: dict[str, _Entry] = {}

    @classmethod
    def of(cls, snapshot: Snapshot, number: Callable[[str], int | None]) -> "Book":
        """Return the book of the snapshot's running jobs, by their ids.

        `number` gives a node's bit, None for a node that counts for nobody.
        """
        book = cls(snapshot)
        for job, claim, counted_from in counted_jobs(snapshot):
            book.start(job.spec.id, claim, bitmap(job, number), counted_from)
        return book

    def __contains__(self, job_id: str) -> bool:
        return job_id in self._running

    @property
    def tallies(self) -> Mapping[tuple[Scope, Reach], Tally]:
        """The counters of the groups met so far: of all their jobs, of each user's, and so on."""
        return self._binder.tallies

    def start(self, job_id: str, claim: Claim, nodes: int, at: int) -> None:
        """Count a job that starts, whether or not a limit blocks it.

        Raises ValueError if it runs already.
        """
        if job_id in self._running:
            raise ValueError(f"job {job_id} cannot start twice")
        self._running[job_id] = _Entry(claim=claim, nodes=nodes, started_at=at)
        binding = self._binding(claim)
        for tally in binding.tallies:
            tally.add(claim, nodes, at, binding.weight)

    def end(self, job_id: str, at: int) -> None:
        """Count a running job no more. At the instant of its start, this undoes the start.

        Raises KeyError if it does not run.
        """
        entry = self._running.pop(job_id)
        binding = self._binding(entry.claim)
        for tally in binding.tallies:
            tally.remove(entry.claim, entry.nodes, entry.started_at, binding.weight, at)

    def before_placing(self, claim: Claim, at: int) -> Blocked | None:
        """Return the limit that keeps the job from starting `at` on whatever nodes.

        Only limits that need no look at nodes; None: none of these.
        """
        return _first(self._binding(claim).early, claim, 0, at)

    def after_placing(self, claim: Claim, nodes: int, at: int) -> Blocked | None:
        """Return the limit that keeps the job, with real amounts, from starting `at` on `nodes`.

        0 where no nodes were found: then all of them count as new to its groups. Asks only
        limits that `before_placing` does not. None: none of these.
        """
        return _first(self._binding(claim).late, claim, nodes, at)

    def _binding(self, claim: Claim) -> Binding:
        key = (claim.user, claim.account, claim.partition, claim.qos)
        found = self._bindings.get(key)
        if found is None:
            found = self._bindings[key] = self._binder.bind(sort_of(claim))
        return found


def _first(rules: Iterable[Rule], claim: Claim, nodes: int, at: int) -> Blocked | None:
    for rule in rules:
        blocked = rule.blocks(claim, nodes, at)
        if blocked is not None:
            return blocked
    return None
