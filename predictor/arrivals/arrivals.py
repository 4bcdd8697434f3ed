"""Who comes to the queue in the hours ahead: the submissions of like hours, once more."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Self

from predictor.arrivals.blocks import FEW, LENGTHS_S, Candidates, candidates, chosen
from predictor.arrivals.log import Log
from predictor.arrivals.newcomer import newcomer
from predictor.arrivals.packing import entries_of, unpacked
from predictor.arrivals.submission import (
    Record,
    Submission,
    is_tied,
    key_of,
    records_of,
    released_s,
    submission_of,
)
from predictor.domain import Fact, PendingJob, Snapshot
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.domain.instants import LAST_INSTANT

LAG_S = 120
"""So much later than its instant a snapshot's records may have been read."""
FIRST_LOOK_S = 2 * HOUR_S
"""So far back the first snapshot's jobs are taken for all that were submitted."""
FILLING_S = 1800
"""What comes so soon to a cluster that was empty at first sight is more than usually comes."""
GAP_S = HOUR_S
"""Between snapshots no further apart few submissions come and go unseen."""
MOST_KEPT = 20_000
"""So many newcomers are kept for the scenarios to share."""
LONGEST_S = 30 * DAY_S
"""So far ahead newcomers are drawn."""

Records = Mapping[str, Sequence[Record]]
"""All records of each submission by its key; the first tells most."""


class Arrivals:
    """Learns submissions from snapshots in order, and draws those to come.

    Memory is bounded by that of `Log`, the newcomers kept, and the jobs of the last snapshot.
    """

    def __init__(self) -> None:
        self._log = Log()
        self._recent: dict[str, int] = {}
        """When those were submitted, by key, who could be taken for new again."""
        self._tied: dict[str, int] = {}
        """The same of those who were seen last as held, or as waiting for others."""
        self._offset_s = 0
        self._options: dict[tuple[int, int], Candidates] = {}
        """Where blocks may come from, as found since the last snapshot."""
        self._pieces: dict[tuple[int, int, int], tuple[PendingJob, ...]] = {}
        """Who comes in pieces that were chosen since."""

    def learn(self, snapshot: Snapshot) -> None:
        """Take down who was submitted since the snapshot before.

        Snapshots in which jobs are hidden tell nothing, and make a gap. If the clock was put
        back, what is future now is forgotten. Linear in the jobs.
        """
        now = snapshot.taken_at
        hidden = any(hidden.fact is Fact.JOBS for hidden in snapshot.provenance.hidden)
        if hidden or not 0 <= now <= LAST_INSTANT or now == self._log.until:
            return
        if now < self._log.until:
            self._forget_after(now)
        self._options.clear()
        self._pieces.clear()
        self._offset_s = snapshot.utc_offset_s
        records = _by_key(snapshot)
        since, after = self._unseen(snapshot)
        new = list(self._new(records, snapshot, after))
        self._log.add(new)
        self._log.cover(since, now)
        self._follow(records, new)

    def draw(self, number: int, now: int, until: int) -> tuple[PendingJob, ...]:
        """Return who comes after `now` and not after `until` in the scenario of this number.

        In the order of `spec.submitted_at`. From one minute to the next, a scenario keeps what it
        has for later instants, as far as nothing new is learned. Ids begin with NUL, which those
        of real jobs do not; no priority is told. Linear in what comes.
        """
        longest_s = LENGTHS_S[0]
        until = min(until, now + LONGEST_S)
        begins = range(now // longest_s * longest_s, until + 1, longest_s)
        found = [
            job
            for begin_at in begins
            for job in self._block(number, begin_at, LENGTHS_S, now)
            if now < job.spec.submitted_at <= until
        ]
        return tuple(sorted(found, key=lambda job: job.spec.submitted_at))

    def state(self) -> Any:
        """Return what JSON can hold of all that was learned."""
        return {
            "log": self._log.state(),
            "recent": [list(item) for item in self._recent.items()],
            "tied": [list(item) for item in self._tied.items()],
            "offset_s": self._offset_s,
        }

    @classmethod
    def restored(cls, state: object) -> Self:
        """Return what had been learned when `state` was told. Raises StorageError."""
        keys = ("log", "recent", "tied", "offset_s")
        log, recent, tied, offset_s = entries_of(state, keys, "arrivals")
        found = cls()
        found._log = Log.restored(log)
        found._recent = dict(unpacked(tuple[tuple[str, int], ...], recent))
        found._tied = dict(unpacked(tuple[tuple[str, int], ...], tied))
        found._offset_s = unpacked(int, offset_s)
        return found

    # -- learning ------------------------------------------------------------------------

    def _forget_after(self, now: int) -> None:
        self._log.forget_after(now)
        self._recent = {key: at for key, at in self._recent.items() if at < now}
        self._tied = {key: at for key, at in self._tied.items() if at < now}

    def _unseen(self, snapshot: Snapshot) -> tuple[int, int]:
        """Return from when on all submissions are known now, and after which they are new."""
        now, before = snapshot.taken_at, self._log.until
        if before < 0:
            first = now - FIRST_LOOK_S
            return first if any(records_of(snapshot)) else now + FILLING_S, first
        if now - before <= GAP_S:
            return before, before - LAG_S
        # Of those who came and went since, only who ended a moment ago is still shown.
        shown_s = min(max(0, snapshot.settings.min_job_age_s), GAP_S)
        return now - shown_s, now - shown_s

    def _new(self, records: Records, snapshot: Snapshot, after: int) -> Iterator[Submission]:
        """Yield who was submitted since, and remember whom not to take for new again."""
        now, known = snapshot.taken_at, self._recent
        recent = {key: records[key][0].spec.submitted_at for key in records}
        self._recent = {k: at for k, at in {**known, **recent}.items() if abs(at - now) <= LAG_S}
        computed = _computed(snapshot)
        for key, found in records.items():
            spec = found[0].spec
            if after < spec.submitted_at <= now + LAG_S and key not in known:
                keep_points = (spec.account, spec.user) not in computed
                submission = submission_of(found, keep_points=keep_points)
                if submission is not None:
                    yield submission

    def _follow(self, records: Records, new: Sequence[Submission]) -> None:
        """Take down who is free by now; forget who is not there any more."""
        followed = self._tied | {one.key: one.at for one in new if one.released_s is None}
        self._tied = {}
        for key, at in followed.items():
            submission, found = self._log.find(at, key), records.get(key)
            if submission is None or found is None:
                continue
            if is_tied(found[0]):
                self._tied[key] = at
            else:
                free = replace(submission, released_s=released_s(found[0]))
                self._log.change(submission, free)

    # -- drawing -------------------------------------------------------------------------

    def _block(
        self, number: int, begin_at: int, lengths_s: Sequence[int], now: int
    ) -> Iterator[PendingJob]:
        """Yield who comes in a block after `now`: of one piece of the past, or of several short."""
        length_s, *shorter_s = lengths_s
        options = self._candidates(begin_at, length_s, now)
        if len(options) < FEW and shorter_s:
            for part_at in range(begin_at, begin_at + length_s, shorter_s[0]):
                yield from self._block(number, part_at, shorter_s, now)
        elif options:
            lag_s = chosen(options, f"{number}/{begin_at}")
            yield from self._again(begin_at, length_s, lag_s, now)

    def _candidates(self, begin_at: int, length_s: int, now: int) -> Candidates:
        if (begin_at, length_s) not in self._options:
            covers, until = self._log.covers, max(now, self._log.until)
            found = candidates(begin_at, length_s, covers, until, self._offset_s)
            self._options[begin_at, length_s] = found
        return self._options[begin_at, length_s]

    def _again(self, begin_at: int, length_s: int, lag_s: int, now: int) -> tuple[PendingJob, ...]:
        """Return those of a piece of the past once more: the same for all scenarios."""
        since = max(begin_at, now + 1)
        place = since, begin_at + length_s, lag_s
        if place not in self._pieces:
            rows = self._log.between(since - lag_s, begin_at + length_s - lag_s)
            company, mark = {row.key for row in rows}, f"\0{begin_at}."
            comers = (newcomer(row, lag_s, mark, company) for row in rows)
            piece = tuple(job for job in comers if job is not None)
            if sum(map(len, self._pieces.values())) + len(piece) > MOST_KEPT:
                self._pieces.clear()
            self._pieces[place] = piece
        return self._pieces[place]


def _by_key(snapshot: Snapshot) -> Records:
    found: dict[str, list[Record]] = defaultdict(list)
    for record in records_of(snapshot):
        found[key_of(record.spec)].append(record)
    return found


def _computed(snapshot: Snapshot) -> Set[tuple[str, str]]:
    """Return the accounts and users whose priorities can be computed: none if shares are hidden."""
    if any(one.fairshare is None for one in snapshot.associations):
        return frozenset()
    return {(one.account, one.user) for one in snapshot.associations}
