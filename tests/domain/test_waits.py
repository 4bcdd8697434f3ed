"""Since when a job waits only for its turn."""

import pytest
from clusters import waiting

from predictor.domain import JobSpec


@pytest.mark.parametrize(("eligible_at", "since"), [(None, 100), (100, 100), (250, 250)])
def test_it_waits_for_its_turn_once_it_may_be_considered(eligible_at, since):
    request = waiting("1", 1, 30).spec.request
    spec = JobSpec(
        id="1",
        user="ada",
        request=request,
        partitions=("batch",),
        submitted_at=100,
        eligible_at=eligible_at,
    )
    assert spec.waits_since == since
