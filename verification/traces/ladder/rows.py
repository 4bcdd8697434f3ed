"""All forecasts of a trace, side by side: which truth is taken from each."""

from bisect import bisect_right
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
RUNNING: Final = "M, ends of those who run known"
WAITING: Final = "M, run times of waiting known"
COMERS: Final = "M, newcomers known"
RESTORED: Final = (RUNNING, WAITING, COMERS)
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

    def drawn_s(self, look: Look) -> Sequence[Sequence[int]]:
        """Return how long those who run and those who wait run from now on, in each draw."""
        return self._drawn.left_s(look)

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


def told(
    world: World, every_s: int, model: str, draws: int, *, restored: bool = False
) -> Iterator[Case]:
    """Yield what is said of each who waits at each look, and when he started.

    `restored`: also of those who draw, but know one of the truths.
    """
    forecasts = Forecasts(model, draws)
    for look in looks(world, every_s):
        forecasts.learn(look)
        if look.waiting:
            said = truths(world, look) | forecasts.say(look)
            if restored:
                said |= with_a_truth(world, look, forecasts.drawn_s(look))
            for place, job in enumerate(look.waiting):
                answers = {row: all_[place] for row, all_ in said.items()}
                yield _case(world, look, job, answers)


def truths(world: World, look: Look) -> dict[str, Sequence[Said]]:
    """Return what those would say who know what comes."""
    course, left_s = Course(look), _left_s(world, look)
    return {
        ALL: points(course.starts(left_s, _coming(world, look))),
        RUN_TIMES: points(course.starts(left_s)),
    }


def with_a_truth(
    world: World, look: Look, drawn: Sequence[Sequence[int]]
) -> dict[str, Sequence[Said]]:
    """Return what those would say who have drawn run times, but know one thing that comes."""
    course, true_s, number = Course(look), _left_s(world, look), len(look.running)
    comers = _coming(world, look)
    starts = {
        RUNNING: [course.starts([*true_s[:number], *left_s[number:]]) for left_s in drawn],
        WAITING: [course.starts([*left_s[:number], *true_s[number:]]) for left_s in drawn],
        COMERS: [course.starts(left_s, comers) for left_s in drawn],
    }
    return {row: as_drawn(list(zip(*one, strict=True)), look) for row, one in starts.items()}


def _left_s(world: World, look: Look) -> list[int]:
    """Return how long those who run and those who wait do run from then on."""
    running = [world.ends[job.number] - look.at for job in look.running]
    return running + [world.runs[job.number] for job in look.waiting]


def _coming(world: World, look: Look) -> list[Newcomer]:
    """Return who comes before the last of those who wait has started."""
    last = max(world.starts[job.number] for job in look.waiting)
    first = bisect_right(world.submits, look.at)
    return [
        Newcomer(
            submitted_at=world.submits[number],
            procs=world.specs[number].request.nodes,
            limit_s=world.limits[number],
            run_s=world.runs[number],
        )
        for number in range(first, bisect_right(world.submits, last))
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
