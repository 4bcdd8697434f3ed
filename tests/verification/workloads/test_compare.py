"""A real workload beside a generated one."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verification.workloads.compare import compare
from verification.workloads.distance import ks_of_parts, ks_of_values
from verification.workloads.page import render_lines, render_page
from verification.workloads.panels import ASPECTS

values = st.lists(st.integers(0, 20), min_size=1, max_size=60).map(sorted)


@given(values, values)
def test_the_distance_agrees_with_trying_every_value(one, other):
    def up_to(some, most):
        return sum(value <= most for value in some) / len(some)

    slow = max(abs(up_to(one, most) - up_to(other, most)) for most in (*one, *other))
    assert ks_of_values(one, other) == pytest.approx(slow)


def test_distance_of_parts():
    assert ks_of_parts([0.5, 0.5, 0.0], [0.0, 0.5, 0.5]) == 0.5


def test_a_trace_is_like_itself_in_every_look(real):
    compared = compare(real, real)
    assert set(compared) == set(ASPECTS)
    assert {one.distance for one in compared.values()} == {0}


def test_what_is_twice_as_long_lies_apart_where_it_should(real):
    longer = replace(real, jobs=[job._replace(run_s=2 * job.run_s) for job in real.jobs])
    apart = {name: one.distance for name, one in compare(real, longer).items() if one.distance}
    assert set(apart) == {"runs", "used", "areas"}
    assert apart["runs"] > 0.1


def test_months_that_only_one_could_see_say_nothing(workload):
    winter, spring = workload((0, 1), (86_400, 1)), workload((60 * 86_400, 1), (65 * 86_400, 1))
    assert compare(winter, spring)["months"].distance == 0


def test_what_a_trace_does_not_say_is_left_out(workload):
    compared = compare(workload((0, -1), (9, -1), limit_s=-1), workload((0, 1), (9, 2)))
    assert not {"limits", "used", "users", "again"} & set(compared)


def test_who_does_not_say_when_it_began_has_no_weekdays(real):
    undated = replace(real, begins_at=0)
    assert set(ASPECTS) - set(compare(undated, real)) == {"weekdays", "months"}


def test_one_job_each(workload):
    compared = compare(workload((0, 1)), workload((5, 1)))
    assert "gaps" not in compared
    assert "<polyline" in render_page(workload((0, 1)), workload((5, 1)), compared)


def test_the_page_needs_nothing_else_and_escapes_names(real):
    odd = replace(real, name="<script>alert(1)</script>.swf")
    page = render_page(odd, real, compare(odd, real))
    assert "<script" not in page
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert page.count("<svg") == len(ASPECTS)


def test_lines_name_both_and_each_look(real):
    lines = render_lines(real, real, compare(real, real))
    assert lines[0].startswith("Real: kth-sp2-first-300.swf, ")
    assert len(lines) == 2 + len(ASPECTS)
