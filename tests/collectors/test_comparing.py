"""The comparison that says whether two ways of looking see the same."""

from dataclasses import replace
from pathlib import Path

import pytest
from compared import MISSING, ORDER, Permit, differences, lines
from permitted import rows

from predictor.domain import UNLIMITED


@pytest.fixture
def seen(snapshot):
    return snapshot("22.05")


def with_first(seen, kind, **changed):
    first, *others = getattr(seen, kind)
    return replace(seen, **{kind: (replace(first, **changed), *others)})


def test_equal_snapshots_do_not_differ(seen, snapshot):
    assert lines(seen, snapshot("22.05")) == []


def test_jobs_may_stand_in_any_order_and_nodes_may_not(seen):
    turned = replace(seen, pending=seen.pending[::-1], nodes=seen.nodes[::-1])
    (found,) = differences(seen, turned)
    assert (found.kind, found.field) == ("nodes", ORDER)


def test_a_record_of_one_side_only_is_missing(seen):
    fewer = replace(seen, pending=seen.pending[1:])
    (found,) = differences(seen, fewer)
    assert (found.kind, found.field, found.count) == ("pending", MISSING, 1)
    assert (found.examples[0].left, found.examples[0].right) == (True, False)


def test_a_field_is_named_by_its_whole_path_and_counted(seen):
    def unlimited(job):
        spec = job.spec
        return replace(job, spec=replace(spec, request=replace(spec.request, limit_s=UNLIMITED)))

    (found,) = differences(seen, replace(seen, pending=tuple(map(unlimited, seen.pending))))
    assert (found.kind, found.field) == ("pending", "spec.request.limit_s")
    assert found.count == len(seen.pending)
    assert "UNLIMITED" in found.line


def test_values_of_the_whole_snapshot_are_compared_too(seen):
    other = replace(seen, utc_offset_s=7, settings=replace(seen.settings, kill_wait_s=7))
    found = {(each.kind, each.field) for each in differences(seen, other)}
    assert found == {("utc_offset_s", ""), ("settings", "kill_wait_s")}


def test_what_is_permitted_is_not_told(seen):
    other = with_first(seen, "nodes", weight=7, reason="broken")
    permits = [Permit(kind="nodes", field="reason", why="told in other words")]
    assert [(each.kind, each.field) for each in differences(seen, other, permits)] == [
        ("nodes", "weight")
    ]


def test_a_field_permits_all_below_it(seen):
    other = replace(seen, settings=replace(seen.settings, kill_wait_s=7, boot_s=9))
    assert lines(seen, other, [Permit(kind="settings", field="", why="not told")]) == []


@pytest.mark.parametrize(("apart", "told"), [(1, 0), (-1, 0), (2, 1)])
def test_numbers_may_be_close(seen, apart, told):
    other = replace(seen, taken_at=seen.taken_at + apart)
    permits = [Permit(kind="taken_at", field="", why="one after the other", within=1)]
    assert len(lines(seen, other, permits)) == told


def test_the_documentation_lists_what_may_differ_and_nothing_else():
    """To renew the table: `python tests/permitted.py`."""
    readme = (Path(__file__).parents[2] / "config" / "README.md").read_text()
    table = readme.partition("### Ways of looking compared")[2].partition("\n##")[0]
    told = [line for line in table.splitlines() if line.startswith("| ")]
    assert told[1:] == rows()
