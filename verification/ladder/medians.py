"""How long jobs run, as simply as can be: the median of the same user's last jobs of its kind."""

from collections import defaultdict, deque
from collections.abc import Iterable
from statistics import median_low

from predictor.domain import JobSpec

REMEMBERED = 20
"""So many of the last jobs of a kind count."""
ENOUGH = 3
"""With fewer a less special kind is asked."""

Kind = tuple[object, ...]


class Medians:
    """The run times known so far, by kinds of jobs. A job is of several, the most special first."""

    def __init__(self) -> None:
        self._known: dict[Kind, deque[int]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def learn(self, kinds: Iterable[Kind], run_s: int) -> None:
        """Note how long a job of these kinds ran that has ended after all known before."""
        for kind in kinds:
            self._known[kind].append(run_s)

    def run_s(self, kinds: Iterable[Kind], limit_s: int, elapsed_s: int = 0) -> int:
        """Return how long a job is taken to run: more than it has, at most its limit.

        Only jobs that ran longer than it has tell something; the limit if too few did.
        """
        for kind in kinds:
            longer = [one for one in self._known.get(kind, ()) if one > elapsed_s]
            if len(longer) >= ENOUGH:
                return max(1, min(median_low(longer), limit_s))
        return max(1, limit_s)


def kinds_of(spec: JobSpec) -> tuple[Kind, ...]:
    """Return the kinds that a job is of, the most special first."""
    request = spec.request
    return (
        ("job", spec.user, spec.name.raw.rstrip("0123456789"), request.limit_s, request.nodes),
        ("limit", spec.user, request.limit_s),
        ("user", spec.user),
        ("partition", spec.partitions[:1], request.limit_s),
    )
