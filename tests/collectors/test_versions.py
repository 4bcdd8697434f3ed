"""What Slurm does otherwise from one version to the next."""

import pytest

from collectors.slurm.text.config import parse_config
from collectors.slurm.words.versions import enforced, release
from predictor.domain import Limits


@pytest.mark.parametrize(
    ("version", "rounds_up", "stretches"),
    [
        ("22.05.8", False, False),
        ("24.05.8", False, False),
        ("24.11.0", True, False),
        ("25.05.2", True, False),
        ("25.05.3", True, True),
        ("26.05.5", True, True),
        ("nobody knows", False, False),
    ],
)
def test_the_version_decides_how_the_passes_do(version, rounds_up, stretches):
    text = f"ClusterName = c\nSLURM_VERSION = {version}\n"
    passes = parse_config(text)[0].settings.passes
    assert (passes.rounds_up, passes.stretches) == (rounds_up, stretches)
    assert passes.owners_leave == rounds_up


@pytest.mark.parametrize(
    ("field", "without", "first"),
    [
        ("licenses_with_nodes", "22.05.11", "23.02.0"),
        ("licenses_seen", "22.05.11", "23.02.0"),
        ("licenses_seen", "25.05.0", "24.11.5"),
        ("tasks_bounded", "23.02.3", "23.02.4"),
        ("tasks_trim", "22.05.8", "23.02.5"),
        ("weighs_anew", "23.02.7", "23.11.0"),
        ("seeks_anew", "24.05.8", "24.11.0"),
        ("limits_placed", "24.11.3", "24.11.4"),
        ("own_ends", "25.05.0", "25.05.1"),
    ],
)
def test_the_version_decides_how_starts_are_sought(field, without, first):
    for version, told in ((without, False), (first, True)):
        text = f"ClusterName = c\nSLURM_VERSION = {version}\n"
        assert getattr(parse_config(text)[0].settings.passes, field) is told


@pytest.mark.parametrize(
    ("version", "plugin", "told"),
    [
        ("25.11.7", "cons_tres", False),
        ("26.05.0", "cons_tres", True),
        pytest.param("26.05.0", "linear", False, id="not where nodes are handed out whole"),
    ],
)
def test_from_26_05_on_one_node_is_the_first_that_will_do(version, plugin, told):
    text = f"ClusterName = c\nSLURM_VERSION = {version}\nSelectType = select/{plugin}\n"
    assert parse_config(text)[0].settings.single_nodes_first is told


@pytest.mark.parametrize(("version", "told"), [("24.11.3", False), ("24.11.4", True)])
def test_from_24_11_4_on_the_weakest_nodes_are_left_out_one_by_one(version, told):
    text = f"ClusterName = c\nSLURM_VERSION = {version}\nSelectType = select/cons_tres\n"
    assert parse_config(text)[0].settings.weakest_singly is told


@pytest.mark.parametrize(
    ("field", "before", "first"),
    [
        ("tree_counts_cpus", "22.05.11", "23.02.0"),
        ("tree_counts_down", "24.05.2", "24.05.3"),
    ],
)
def test_the_version_decides_what_switches_count(field, before, first):
    for version, plugin, told in (
        (before, "cons_tres", False),
        (first, "cons_tres", True),
        (first, "linear", False),
    ):
        text = f"ClusterName = c\nSLURM_VERSION = {version}\nSelectType = select/{plugin}\n"
        assert getattr(parse_config(text)[0].settings, field) is told


@pytest.mark.parametrize(
    ("version", "whole"), [("22.05.8", False), ("24.05.4", False), ("24.05.5", True)]
)
def test_the_version_decides_whether_whole_tasks_count(version, whole):
    text = f"ClusterName = c\nSLURM_VERSION = {version}\n"
    assert parse_config(text)[0].settings.passes.whole_tasks is whole


@pytest.mark.parametrize("field", ["seeks_anew", "own_ends", "weighs_anew", "licenses_seen"])
def test_what_only_one_plugin_for_selecting_nodes_does_says_nothing_of_the_other(field):
    told = {}
    for plugin in ("cons_tres", "linear"):
        text = f"ClusterName = c\nSLURM_VERSION = 24.11.5\nSelectType = select/{plugin}\n"
        told[plugin] = parse_config(text)[0].settings.passes
    assert getattr(told["cons_tres"], field) is (field != "own_ends")
    assert not getattr(told["linear"], field)
    assert told["linear"].overlaps_first and told["cons_tres"].overlaps_first


@pytest.mark.parametrize(
    ("plugin", "by_weight"), [("linear", False), ("cons_tres", True), ("cons_res", True)]
)
def test_where_nodes_are_handed_out_whole_plans_know_no_weights(plugin, by_weight):
    text = f"ClusterName = c\nSLURM_VERSION = 22.05.8\nSelectType = select/{plugin}\n"
    assert parse_config(text)[0].settings.plans_by_weight is by_weight


@pytest.mark.parametrize(
    ("version", "numbers"),
    [
        ("24.11.0-0rc1", (24, 11, 0)),
        ("23.11", (23, 11, 0)),
        ("9.1.2", (9, 1, 2)),
        ("", (0, 0, 0)),
        ("slurm", (0, 0, 0)),
    ],
)
def test_versions_are_numbers(version, numbers):
    assert release(version) == numbers


@pytest.mark.parametrize(
    ("version", "binds"),
    [("22.05.8", False), ("23.11.10", False), ("24.05.0", True), ("26.05.5", True), ("", True)],
)
def test_minutes_of_one_user_are_bounded_from_24_05_on(version, binds):
    told = Limits(
        max_tres=(("cpu", 8),),
        max_tres_run_minutes=(("cpu", 600),),
        max_tres_run_minutes_per_account=(("cpu", 900),),
    )
    bare = Limits(max_tres=(("cpu", 8),))
    assert enforced(told, version) == (told if binds else bare)


@pytest.mark.parametrize(("version", "below"), [("22.05.8", False), ("23.02.0", True), ("", True)])
def test_partitions_admit_accounts_below_those_they_name_from_23_02_on(version, below):
    text = f"ClusterName = c\nSLURM_VERSION = {version}\n"
    assert parse_config(text)[0].settings.admits_below is below
