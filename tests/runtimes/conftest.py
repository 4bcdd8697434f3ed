"""Jobs that are over, for scenes about run times."""

import pytest
from clusters import HOUR, NOW, spec

from predictor.domain import Outcome
from predictor.runtimes.ended import Ended


@pytest.fixture
def over():
    """Make jobs of one kind that are over, one after the other, with these run times."""

    def make(*run_s, limit_s=HOUR, outcome=Outcome.COMPLETED, **of_job):
        return [
            Ended(
                spec=spec(str(n), minutes=limit_s // 60, **of_job),
                run_s=one,
                limit_s=limit_s,
                ended_at=NOW + n * 60,
                outcome=outcome,
            )
            for n, one in enumerate(run_s)
        ]

    return make
