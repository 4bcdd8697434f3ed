"""What was learned of a cluster so far, and what was said of it that is still to be judged."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Self

from predictor.arrivals.arrivals import LAG_S, Arrivals
from predictor.arrivals.departures import Departures
from predictor.arrivals.submission import key_of
from predictor.domain import Fact, FinishedJob, Snapshot
from predictor.domain.instants import LAST_INSTANT
from predictor.errors import StorageError
from predictor.runtimes import models
from predictor.runtimes.booting import Boots
from predictor.runtimes.models import RunTimes
from predictor.runtimes.observing import Observing
from predictor.site import Site
from predictor.windows.calibration import Calibration
from predictor.windows.drift import Alarm, Figure
from predictor.windows.raw import Corrected, Raw

MOST_OF_A_USER = 200
"""So many waiting jobs of one user are judged at a time: one user's flood teaches little."""
AGREES_S = 300
"""Looks further apart are not compared start by start."""
ANY_CONFIGURATION = "the configuration"
"""Who an alarm is about where the batch system's configuration has no fingerprint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What was said of one waiting record."""

    key: str
    """That of the submission: an array's tasks share it."""
    user: str
    seen_at: int
    fingerprint: str
    """That of the configuration it was said under."""
    start_at: int
    """By the single course in the middle of what is believed."""
    raw: Raw
    classes: tuple[str, ...]
    corrected: Corrected


class Experience:
    """All that is learned online. Of snapshots in order, and of what was said of them.

    Its parts bound their own memory. Snapshots that hide jobs teach nothing.
    """

    def __init__(
        self,
        *,
        model: str,
        run_times: RunTimes,
        ended: Observing,
        arrivals: Arrivals,
        departures: Departures,
        boots: Boots,
        calibration: Calibration,
        seen_at: int,
    ) -> None:
        self._model = model
        self.run_times = run_times
        self.arrivals = arrivals
        self.departures = departures
        self.boots = boots
        self.calibration = calibration
        self._ended = ended
        self._seen_at = seen_at
        """When the last snapshot was taken; -1: none was."""
        self._ran: frozenset[str] = frozenset()
        """The records that it showed running or finished."""
        self._users: dict[str, str] = {}
        """Whose those are that are still to be judged, by key."""
        self._foretold: tuple[Saying, ...] = ()
        """What was said of it."""

    @classmethod
    def of(cls, site: Site) -> Self:
        """Return that of somebody who has seen nothing yet."""
        name = site.forecast.run_times
        return cls(
            model=name,
            run_times=models.MODELS[name](),
            ended=Observing(),
            arrivals=Arrivals(),
            departures=Departures(),
            boots=Boots(),
            calibration=Calibration(),
            seen_at=-1,
        )

    @classmethod
    def restored(cls, site: Site, state: object) -> Self:
        """Return what once gave this `state`. Raises StorageError if nothing ever does.

        Run times begin anew if the site has chosen another model since.
        """
        if not isinstance(state, Mapping) or not isinstance(state.get("seen_at"), int):
            raise StorageError("not the state of experience")
        name = site.forecast.run_times
        known = state.get("model") == name
        found = cls(
            model=name,
            run_times=(
                models.restored(name, state.get("run_times")) if known else models.MODELS[name]()
            ),
            ended=Observing.restored(state.get("ended")) if known else Observing(),
            arrivals=Arrivals.restored(state.get("arrivals")),
            departures=Departures.restored(state.get("departures")),
            boots=Boots.restored(state.get("boots")),
            calibration=Calibration.restored(state.get("calibration")),
            seen_at=state["seen_at"],
        )
        users = state.get("users")
        if not isinstance(users, Mapping):
            raise StorageError("not the state of experience: nobody knows whose jobs they are")
        found._users = {str(key): str(user) for key, user in users.items()}
        return found

    def state(self) -> Mapping[str, object]:
        """Return all of it as JSON can write it."""
        return {
            "model": self._model,
            "seen_at": self._seen_at,
            "run_times": self.run_times.state(),
            "ended": self._ended.state(),
            "arrivals": self.arrivals.state(),
            "departures": self.departures.state(),
            "boots": self.boots.state(),
            "calibration": self.calibration.state(),
            "users": dict(self._users),
        }

    @property
    def seen_at(self) -> int:
        """When the newest snapshot was taken that was learned from; -1: none was."""
        return self._seen_at

    def alarms(self) -> tuple[Alarm, ...]:
        """Return since when, and for whom, answers are other than they were."""
        return self.calibration.drift.alarms()

    def learn(self, snapshot: Snapshot) -> None:
        """Take in the next snapshot; one that is no newer than the last is left out.

        One that the site's words overlay, so that limits are those that count.
        """
        now = snapshot.taken_at
        hides = any(hidden.fact is Fact.JOBS for hidden in snapshot.provenance.hidden)
        if hides or not self._seen_at < now <= LAST_INSTANT:
            return
        self.run_times.learn(self._ended.new(snapshot))
        self.arrivals.learn(snapshot)
        self.departures.learn(snapshot)
        self.boots.learn(snapshot)
        self._judge(snapshot)
        self._seen_at = now

    def told(self, finished: Iterable[FinishedJob], snapshot: Snapshot) -> None:
        """Take in how jobs ended that no snapshot showed; this one tells of their partitions.

        Best in the order of their ends. Who is told of again is left out.
        """
        self.run_times.learn(self._ended.told(finished, snapshot.partitions))

    def heard(self, sayings: Iterable[Saying]) -> None:
        """Note what was said of the snapshot learned last, to be judged by those that follow."""
        self._foretold = tuple(sayings)
        for one in self._judged(self._foretold):
            self.calibration.said(one.key, one.seen_at, one.raw, one.classes, one.corrected)

    def _judged(self, sayings: Iterable[Saying]) -> Iterator[Saying]:
        """Yield those that count: of each user so many jobs, and these until they have started."""
        followed = self.calibration.followed
        self._users = {key: user for key, user in self._users.items() if key in followed}
        counts = Counter(self._users.values())
        for one in sayings:
            if one.key not in self._users:
                if counts[one.user] >= MOST_OF_A_USER:
                    continue
                counts[one.user] += 1
                self._users[one.key] = one.user
            yield one

    def _judge(self, snapshot: Snapshot) -> None:
        """Let it be known who started, and who is gone."""
        ran = dict(runs(snapshot))
        begun = {
            key: started_at
            for id_, (key, started_at) in ran.items()
            if id_ not in self._ran and started_at > self._seen_at - LAG_S
        }
        self._compare(begun, snapshot.taken_at)
        for key, started_at in begun.items():
            self.calibration.started(key, started_at)
        there = {key_of(job.spec) for job in snapshot.pending}
        for key in self.calibration.followed - there:
            self.calibration.left(key)
        self._ran = frozenset(ran)
        self.calibration.passed(snapshot.taken_at)

    def _compare(self, begun: Mapping[str, int], now: int) -> None:
        """Note on which starts since the last look the batch system and the single course agree.

        Looks further apart tell more of run times than of rules, and do not count.
        """
        said, self._foretold = self._foretold, ()
        if now - self._seen_at > AGREES_S:
            return
        for one in said:
            expected, real = one.start_at <= now, one.key in begun
            if expected or real:
                whom = one.fingerprint or ANY_CONFIGURATION
                self.calibration.drift.heard(Figure.AGREEMENT, whom, now, expected and real)


def runs(snapshot: Snapshot) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield by record who runs or ran, the submission's key, and since when."""
    for running in snapshot.running:
        yield running.spec.id, (key_of(running.spec), running.started_at)
    for over in snapshot.finished:
        if over.started_at is not None:
            yield over.spec.id, (key_of(over.spec), over.started_at)
