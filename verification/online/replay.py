"""A recording told again in order: who predicts knows at each instant what was received by then."""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from verification.judging.assembling import cases_of
from verification.judging.case import Case
from verification.online.predictor import Answers, Hearing, Predictor
from verification.recorded import Recorded


def replayed(recorded: Recorded, remembering: Sequence[Predictor]) -> Iterator[Case]:
    """Yield the cases of each snapshot that was asked about, in order.

    Those who need no past have answered already; `remembering` are fresh, and are told every
    snapshot in turn.
    """
    heard = deque(recorded.heard)
    for number, snapshot in enumerate(recorded.history.snapshots):
        while heard and heard[0].learned_at < snapshot.taken_at:
            ended = heard.popleft().jobs
            for one in remembering:
                if isinstance(one, Hearing):
                    one.told(ended)
        for one in remembering:
            one.learn(snapshot)
        if number in recorded.told:
            told: Mapping[str, Answers] = {
                **recorded.told[number],
                **{one.name: one.say(snapshot) for one in remembering},
            }
            yield from cases_of(recorded.history, number, told)
