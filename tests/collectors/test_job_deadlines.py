"""Jobs that must be over by an instant."""

import pytest


@pytest.mark.parametrize(("deadline", "least_s"), [(0, 600), (1_700_000_000, None)])
def test_who_has_a_deadline_is_planned_for_all_its_time(a_job, deadline, least_s):
    request = a_job(time_limit=60, time_minimum=10, deadline=deadline).spec.request
    assert request.limit_min_s == least_s


@pytest.mark.parametrize(
    ("told", "before_s"),
    [
        ({"time_limit": 60}, 3600),
        ({"time_limit": 60, "time_minimum": 10}, 600),
        # As scontrol 22.05.8 shows who names no limit in a partition of four hours.
        ({"time_limit": 240, "time_minimum": 1}, 60),
        ({"time_limit": {"set": False, "infinite": True, "number": 0}}, 0),
        ({"time_limit": {"set": False, "infinite": False, "number": 0}}, 0),
    ],
)
def test_who_has_a_deadline_starts_in_time_for_it(a_job, told, before_s):
    assert a_job(**told, deadline=1_800_000_000).start_by == 1_800_000_000 - before_s
    assert a_job(**told, deadline=0).start_by is None
