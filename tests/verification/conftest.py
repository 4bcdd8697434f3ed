"""Small recordings whose every fact is known."""

import pytest
from clusters import MINUTE, NOW, array, cluster, running, spec, waiting

from predictor.domain import BatchEstimate, FinishedJob, Outcome
from predictor.storage import open_for_writing

LENGTH = 40
"""Minutes."""


@pytest.fixture
def minutes():
    """Forty minutes of four nodes: `3` waits for `1` and `2`, `70` for `3`; `9` is cancelled."""
    return [_seen(minute) for minute in range(LENGTH)]


@pytest.fixture
def outcomes():
    """How the jobs of these minutes ended."""
    starts = {"3": 10, "70_0": 21, "70_1": 22, "70_2": 30}
    ends = [
        FinishedJob(
            spec=spec(id_),
            started_at=NOW + start * MINUTE,
            ended_at=NOW + (start + 8) * MINUTE,
            outcome=Outcome.COMPLETED,
        )
        for id_, start in starts.items()
    ]
    gone = FinishedJob(
        spec=spec("9"), ended_at=NOW + 15 * MINUTE, outcome=Outcome.CANCELLED, started_at=None
    )
    return [*ends, gone]


@pytest.fixture
def recorded(tmp_path):
    """Return the folder of a new recording of snapshots and outcomes."""

    def record(name, snapshots, ends=()):
        with open_for_writing(tmp_path / name) as writer:
            for snapshot in snapshots:
                writer.append(snapshot)
            writer.add_outcomes(ends)
        return tmp_path / name

    return record


@pytest.fixture
def recording(recorded, minutes, outcomes):
    """The forty minutes, recorded."""
    return recorded("forty", minutes, outcomes)


def _seen(minute):
    now = NOW + minute * MINUTE
    estimate = BatchEstimate(start_at=NOW + 12 * MINUTE)
    waits = [
        (waiting("3", 4, 10, estimate=estimate), 10),
        (array("70", 3), 21),
        (waiting("9", 4, 30), 15),
    ]
    first = [running("1", "n1 n2", 10), running("2", "n3 n4", 10)]
    shown = [job for job, until in waits if minute < until]
    return cluster(4, *shown, *(first if minute < 10 else []), taken_at=now)
