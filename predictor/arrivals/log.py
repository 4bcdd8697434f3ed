"""The submissions that are remembered, and when all of them were seen."""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Self

from predictor.arrivals.packing import entries_of, packed, unpacked
from predictor.arrivals.submission import MOST_TASKS, Submission
from predictor.domain import PendingJob
from predictor.errors import StorageError

MOST = 20_000
"""So many submissions are remembered; the oldest are forgotten first."""
MOST_OF_A_USER = MOST // 5
"""So many of one user: who sends many odd jobs forgets his own, not those of others."""
SLACK = MOST // 50
"""Only so many more than that are reason enough to look through all of them."""
LONGEST = 4096
"""So many characters may describe a submission; a longer one is not remembered."""
MOST_SPANS = 500

_AT = attrgetter("at")
Span = tuple[int, int]
"""From one instant on, up to and without another."""
Row = tuple[str, int, int, int, int, int | None]
"""A submission in a state: key, instant, number of the kind, tasks, `begins_s`, `released_s`."""
Kinds = tuple[PendingJob, ...]


class Log:
    """Submissions by instant, and the spans in which none was missed."""

    def __init__(self) -> None:
        self._rows: list[Submission] = []
        self._kinds: dict[PendingJob, PendingJob] = {}
        self._users: Counter[str] = Counter()
        self.spans: list[Span] = []
        """Ascending; they do not touch."""

    @property
    def until(self) -> int:
        """The instant until which anything is known; -1: nothing is."""
        return self.spans[-1][1] if self.spans else -1

    def cover(self, since: int, until: int) -> None:
        """Take down that all submissions of a span are known, which may begin only later."""
        if self.spans and self.spans[-1][1] >= since:
            since = self.spans.pop()[0]
        self.spans = [*self.spans[-MOST_SPANS + 1 :], (since, until)]

    def covers(self, since: int, until: int) -> bool:
        """Return whether all submissions between two instants are known."""
        return any(first <= since and until <= last for first, last in reversed(self.spans))

    def between(self, since: int, until: int) -> Sequence[Submission]:
        """Return the submissions from one instant on, up to and without another."""
        first = bisect_left(self._rows, since, key=_AT)
        return self._rows[first : bisect_left(self._rows, until, key=_AT)]

    def find(self, at: int, key: str) -> Submission | None:
        """Return what was submitted at that instant under that key; None: it is not remembered."""
        place = bisect_left(self._rows, (at, key), key=_place)
        found = self._rows[place] if place < len(self._rows) else None
        return found if found is not None and _place(found) == (at, key) else None

    def add(self, new: Iterable[Submission]) -> None:
        """Remember more, and forget what is too much then."""
        for one in new:
            if len(str(packed(one))) <= LONGEST:
                kind = self._kinds.setdefault(one.kind, one.kind)
                insort(self._rows, replace(one, kind=kind), key=_place)
                self._users[kind.spec.user] += 1
        if len(self._rows) > MOST + SLACK or max(self._users.values(), default=0) > (
            MOST_OF_A_USER + SLACK
        ):
            self._forget()

    def change(self, old: Submission, new: Submission) -> None:
        """Put another in the place of one that is remembered, of the same instant and key."""
        self._rows[bisect_left(self._rows, _place(old), key=_place)] = new

    def forget_after(self, instant: int) -> None:
        """Forget what came later."""
        self._remember(self._rows[: bisect_left(self._rows, instant, key=_AT)])
        self.spans = [(first, min(last, instant)) for first, last in self.spans if first < instant]

    def _forget(self) -> None:
        surplus = self._users.copy()
        surplus.subtract(dict.fromkeys(surplus, MOST_OF_A_USER))
        kept = []
        for one in self._rows:
            if surplus[one.kind.spec.user] <= 0:
                kept.append(one)
            surplus[one.kind.spec.user] -= 1
        if len(kept) > MOST:
            known_from = kept[-MOST].at + 1
            self.spans = [
                (max(first, known_from), last) for first, last in self.spans if last > known_from
            ]
        self._remember(kept[-MOST:])

    def _remember(self, rows: list[Submission]) -> None:
        self._rows = rows
        self._kinds = {one.kind: one.kind for one in rows}
        self._users = Counter(one.kind.spec.user for one in rows)

    def state(self) -> Any:
        """Return what JSON can hold of it: kinds, and submissions that say which one they are."""
        kinds = {id(row.kind): row.kind for row in self._rows}
        numbers = {id_: number for number, id_ in enumerate(kinds)}
        return {
            "spans": packed(tuple(self.spans)),
            "kinds": packed(tuple(kinds.values())),
            "rows": [
                [row.key, row.at, numbers[id(row.kind)], row.tasks, row.begins_s, row.released_s]
                for row in self._rows
            ],
        }

    @classmethod
    def restored(cls, state: object) -> Self:
        """Return the log that told this state. Raises StorageError."""
        told = entries_of(state, ("spans", "kinds", "rows"), "submissions")
        spans, kinds, rows = map(unpacked, (tuple[Span, ...], Kinds, tuple[Row, ...]), told)
        found = cls()
        found.spans = list(spans)
        found._remember(sorted((_row(row, kinds) for row in rows), key=_place))
        return found


def _row(row: Row, kinds: Kinds) -> Submission:
    key, at, number, tasks, begins_s, released_s = row
    if not 0 <= number < len(kinds):
        raise StorageError(f"submissions: there is no kind {number}")
    return Submission(
        key=key,
        at=at,
        kind=kinds[number],
        tasks=min(tasks, MOST_TASKS),
        begins_s=begins_s,
        released_s=released_s,
    )


def _place(submission: Submission) -> tuple[int, str]:
    return submission.at, submission.key
