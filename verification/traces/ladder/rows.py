"""All forecasts of a trace, side by side: which truth is taken from each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from predictor.runtimes.models import MODELS
from verification.judging.case import Case, Job, Said
from verification.traces.ladder.beliefs import Beliefs
from verification.traces.ladder.courses import Course, Newcomer
from verification.traces.ladder.drawn import Corrected, Drawn, as_drawn
from verification.traces.ladder.looks import Look, Waiter, looks
from verification.traces.ladder.simple import CLASS, HISTORY, LIMITS, History, Waited, points
from verification.traces.ladder.world import World

ALL: Final = "A actual run times, arrivals"
RUN_TIMES: Final = "B minus arrivals"
MEDIANS: Final = "R run-time model's medians"
DRAWN: Final = "M drawn run times"
JOINED: Final = "E drawn arrivals too"
CORRECTED: Final = "W corrected by outcomes"
ROWS: Final = (ALL, RUN_TIMES, LIMITS, HISTORY, MEDIANS, DRAWN, JOINED, CORRECTED, CLASS)


class Forecasts:
    """All who know at a look no more than it tells, and what they have learned."""

    def __init__(self, model: str, draws: int) -> None:
        self._beliefs = Beliefs(MODELS[model]())
        self._drawn = Drawn(self._beliefs, draws)
        self._corrected = Corrected()
        self._history = History()
        self._waited = Waited()

    def learn(self, look: Look) -> None:
        """Take in what happened since the look before."""
        for one in (self._beliefs, self._corrected, self._history, self._waited):
            one.learn(look)

    def say(self, look: Look) -> dict[str, Sequence[Said]]:
        """Return the answers to those who wait, by row. There must be such."""
        course = Course(look)
        alone, joined = self._drawn.starts(look, course)
        return {
            **self._history.say(look, course),
            MEDIANS: points(course.starts(self._beliefs.medians_s(look))),
            DRAWN: as_drawn(alone, look),
            JOINED: as_drawn(joined, look),
            CORRECTED: self._corrected.say(joined, look),
            **self._waited.say(look),
        }


def told(world: World, every_s: int, model: str, draws: int) -> Iterator[Case]:
    """Yield what is said of each who waits at each look, and when he started."""
    forecasts = Forecasts(model, draws)
    for look in looks(world, every_s):
        forecasts.learn(look)
        if look.waiting:
            said = truths(world, look) | forecasts.say(look)
            for place, job in enumerate(look.waiting):
                answers = {row: all_[place] for row, all_ in said.items()}
                yield _case(world, look, job, answers)


def truths(world: World, look: Look) -> dict[str, Sequence[Said]]:
    """Return what those would say who know what comes."""
    course = Course(look)
    left = [world.ends[job.number] - look.at for job in look.running]
    left += [world.runs[job.number] for job in look.waiting]
    last = max(world.starts[job.number] for job in look.waiting)
    return {
        ALL: points(course.starts(left, _coming(world, look.at, last))),
        RUN_TIMES: points(course.starts(left)),
    }


def _coming(world: World, after: int, until: int) -> list[Newcomer]:
    return [
        Newcomer(
            submitted_at=at,
            procs=world.specs[number].request.nodes,
            limit_s=world.limits[number],
            run_s=world.runs[number],
        )
        for number, at in enumerate(world.submits)
        if after < at <= until
    ]


def _case(world: World, look: Look, job: Waiter, said: Mapping[str, Said]) -> Case:
    spec = job.spec
    return Case(
        job=Job(
            id=spec.id,
            user=spec.user,
            account=spec.account,
            partition=spec.partitions[0],
            qos="",
            nodes=spec.request.nodes,
            limit_s=job.limit_s,
            of_array=False,
        ),
        seen_at=look.at,
        submitted_at=spec.submitted_at,
        cause="resources",
        leads=True,
        started_at=world.starts[job.number],
        removed_at=None,
        known_until=world.starts[job.number],
        recording=world.name,
        said=said,
    )
