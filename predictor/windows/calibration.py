"""Starts as drawn, corrected by how earlier answers came out: windows that hold as often as said.

Online split conformal prediction with delayed outcomes. What is drawn gives the centre; outcomes
of late, those still open included, give the scatter about it.
"""

from collections import deque
from collections.abc import Sequence, Set
from typing import Self

from predictor.domain.outlook import Lately
from predictor.windows.answers import Answer, Followed, Waiting, named
from predictor.windows.drift import Drift, Figure
from predictor.windows.guesses import Blend
from predictor.windows.instant import Instant
from predictor.windows.kept import Kept, read, written
from predictor.windows.lately import EVERYBODY, CameOut, Record
from predictor.windows.levels import sides
from predictor.windows.outcomes import MOST, Classes, Firsts, Outcome, off
from predictor.windows.raw import (
    BY,
    HIGH,
    LEVELS,
    LOW,
    MIDDLE,
    Corrected,
    Marks,
    Raw,
    bins_beside,
    lead_bin,
    ratio,
    shifted,
)
from predictor.windows.steady import as_told, drawn_at, steadied

NOBODY = ""
ENDS = ("high", "by")
"""What is missed by waiting on, in time."""


class Calibration:
    """Corrects what is drawn, and learns from outcomes. Knows no jobs but by opaque ids.

    Outcomes count from the next `passed` on: between two of these it answers alike.
    """

    def __init__(self, kept: Kept | None = None) -> None:
        kept = kept or Kept()
        self._waiting = Waiting(kept.jobs)
        self._outcomes = [deque(one, maxlen=MOST) for one in kept.outcomes]
        self._firsts = Firsts(kept.firsts)
        self._blend = Blend(kept.waits, kept.merits)
        self._levels = [sides(one) for one in kept.levels]
        self._record = Record(kept.record)
        self.drift = Drift(kept.watches, kept.alarms)
        """What is watched; others may have more watched."""
        self._instant = self._known_at(kept.now)

    @classmethod
    def restored(cls, state: object) -> Self:
        """Return what `state` once returned. Raises StorageError if it never returns such."""
        return cls(read(state))

    def state(self) -> object:
        """Return all that is known, of lists, texts and finite numbers only."""
        return written(
            Kept(
                now=self._now,
                jobs=self._waiting.jobs,
                outcomes=[list(one) for one in self._outcomes],
                firsts=[list(one) for one in self._firsts.known],
                waits=self._blend.waits.known.items(),
                merits=[(one.judged, one.off_s) for one in self._blend.merits],
                levels=[{name: one.at for name, one in own.items()} for own in self._levels],
                record=self._record.strata.items(),
                watches=list(self.drift.watches.items()),
                alarms=self.drift.raised,
            )
        )

    @property
    def followed(self) -> Set[str]:
        """Those of whom something was said that is still to be judged."""
        return self._waiting.jobs.keys()

    # -- answering -----------------------------------------------------------------------

    def corrected(self, raw: Raw, classes: Sequence[str], *, job_id: str = NOBODY) -> Corrected:
        """Return what may be told, at the instant of the last `passed`, of a job. Changes nothing.

        `classes` are what jobs like it are called, from special to general, as in `jobs of batch`:
        at most 6 count, and 100 letters of each. By `job_id` a likely start is told as before
        while it hardly moves, and a first promise is made with more care than later ones.
        """
        raw = self._steadied(raw, job_id)
        marks = self._blend.marks(raw, self._blend.guesses(raw, named(classes)))
        number, share = bins_beside(marks.middle_s)
        below = self._read(number, named(classes), job_id)
        above = self._read(number + 1, named(classes), job_id)
        leads_s = [
            round(shifted(mark_s, one + share * (other - one)))
            for mark_s, one, other in zip(_nearest(marks), below, above, strict=True)
        ]
        job = self._waiting.jobs.get(job_id)
        if job is not None:
            leads_s[MIDDLE] = as_told(leads_s[MIDDLE], job.told_at - self._now)
        return Corrected(quantiles_s=_ascending(leads_s))

    def _steadied(self, raw: Raw, job_id: str) -> Raw:
        """Return what is drawn of a job now, together with what was before."""
        job = self._waiting.jobs.get(job_id)
        return raw if job is None else steadied(raw, self._now, job.drawn_at, job.last_said_at)

    def _read(self, number: int, classes: Classes, job_id: str) -> list[float]:
        """Return by how much each level is off its mark, by one bin."""
        shape, own = self._instant.shape(number, classes), self._levels[number]
        low = 1 - own["low"].read
        found = [
            *(shape.low.at(level) for level in (low / 2, low, LEVELS[LOW + 1])),
            shape.middle,
            *(
                shape.high.at(level)
                for level in (LEVELS[HIGH - 1], own["high"].read, own["by"].read)
            ),
        ]
        job = self._waiting.jobs.get(job_id)
        if job is None or job.first.seen_at >= self._now:
            found[BY] = self._instant.first_curve(number).at(own["first_by"].read)
        return found

    def lately(self, corrected: Corrected, classes: Sequence[str]) -> Lately | None:
        """Return how good answers like that were of late; None: nothing is known of them yet."""
        return self._instant.lately(lead_bin(corrected.lead_s), named(classes))

    # -- learning ------------------------------------------------------------------------

    def said(
        self, job_id: str, seen_at: int, raw: Raw, classes: Sequence[str], corrected: Corrected
    ) -> None:
        """Note what was told of a waiting job, to be judged later."""
        raw = self._steadied(raw, job_id)
        guesses = self._blend.guesses(raw, named(classes))
        marks = self._blend.marks(raw, guesses)
        answer = Answer(
            seen_at=seen_at,
            bin=lead_bin(marks.middle_s),
            guesses_s=guesses,
            marks=marks,
            classes=named(classes),
            told_s=corrected.quantiles_s,
        )
        self._waiting.said(job_id, answer, seen_at - raw.waited_s, drawn_at(raw, seen_at))

    def started(self, job_id: str, started_at: int) -> None:
        """Learn that a job has started."""
        job = self._waiting.gone(job_id)
        if job is None:
            return
        for share, answer in job.shares():
            self._outcomes[answer.bin].append(
                Outcome(off(answer, started_at), share, answer.classes)
            )
            self._judge(answer, started_at, share)
            self._blend.heard(answer.guesses_s, started_at - answer.seen_at, share)
        self._blend.waits.add(job.first.classes, max(0, started_at - job.since_at))
        self._firsts.add(job.first, started_at)
        if job.first.passed < 2:
            missed = job.first.passed_at(started_at) == 2
            self._levels[job.first.bin]["first_by"].heard(missed=missed)

    def left(self, job_id: str) -> None:
        """Learn that a job left the queue without a start: nothing is known of it."""
        self._waiting.gone(job_id)

    def passed(self, now: int) -> None:
        """Learn that it is `now`: whose window has passed has missed it. Once for each look."""
        self._instant = self._known_at(max(self._now, now))
        self._waiting.forget(self._now)
        for job in self._waiting.jobs.values():
            self._pass(job)

    @property
    def _now(self) -> int:
        return self._instant.at

    def _known_at(self, now: int) -> Instant:
        """Return what is known from now on, once all that has passed is noted."""
        return Instant(now, self._waiting, self._outcomes, self._firsts, self._record)

    def _pass(self, job: Followed) -> None:
        """Take in which ends have passed while a job waits on."""
        for share, answer in list(job.shares()):
            passed = answer.passed_at(self._now)
            own = self._levels[answer.bin]
            for name in ENDS[answer.passed : passed]:
                own[name].heard(missed=True, weight=share)
            if passed > answer.passed == 0:
                self._came_out(answer, self._now)
            if passed > answer.passed:
                sample = job.samples[answer.bin]
                job.samples[answer.bin] = sample._replace(answer=answer._replace(passed=passed))
        passed = job.first.passed_at(self._now)
        if passed > job.first.passed:
            if passed == 2:
                self._levels[job.first.bin]["first_by"].heard(missed=True)
            job.first = job.first._replace(passed=passed)

    def _judge(self, answer: Answer, started_at: int, weight: float) -> None:
        """Learn whether an answer held, as far as that was not known yet."""
        own = self._levels[answer.bin]
        low_at = answer.seen_at + answer.told_s[LOW]
        own["low"].heard(missed=started_at < low_at, weight=weight)
        passed = answer.passed_at(started_at)
        for number, name in enumerate(ENDS):
            if number >= answer.passed:
                own[name].heard(missed=number < passed, weight=weight)
        if not answer.passed:
            self._came_out(answer, started_at)
        lean = ratio(started_at - answer.seen_at, answer.told_s[MIDDLE])
        for whom in (*answer.classes, EVERYBODY):
            self.drift.heard(Figure.LEAN, whom, self._now, lean)
            self.drift.heard(Figure.OFF, whom, self._now, abs(lean))

    def _came_out(self, answer: Answer, at: int) -> None:
        """Note what became of an answer whose job starts at an instant, or later."""
        lead_s, told_s = at - answer.seen_at, answer.told_s
        held = told_s[LOW] <= lead_s <= told_s[HIGH]
        came_out = CameOut(
            known_at=at, seen_at=answer.seen_at, off_s=abs(lead_s - told_s[MIDDLE]), held=held
        )
        self._record.add(answer.classes, lead_bin(told_s[MIDDLE]), came_out)
        for whom in (*answer.classes, EVERYBODY):
            self.drift.heard(Figure.HELD, whom, self._now, held)


def _ascending(leads_s: Sequence[int]) -> tuple[int, ...]:
    """Return the leads, those below the middle at most as long, those above at least."""
    found = list(leads_s)
    for place in range(MIDDLE - 1, -1, -1):
        found[place] = min(found[place], found[place + 1])
    for place in range(MIDDLE + 1, len(found)):
        found[place] = max(found[place], found[place - 1])
    return tuple(found)


def _nearest(marks: Marks) -> Sequence[float]:
    """Return the mark that each level is measured from."""
    return (*[marks.low_s] * MIDDLE, marks.middle_s, *[marks.high_s] * (len(LEVELS) - MIDDLE - 1))
