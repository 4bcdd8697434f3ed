"""What of Slurm's configuration alters which nodes a job gets."""

import pytest

from collectors.slurm.text.config import parse_config

PLAIN = "ClusterName = c\n"


def configuration(line):
    return parse_config(f"{PLAIN}{line}\n")[0]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("SchedulerParameters = bf_interval=30,pack_serial_at_end", "single_cpus_last"),
        ("SelectTypeParameters = CR_CORE_MEMORY,CR_PACK_NODES", "packs_tasks"),
        ("TopologyParam = TopoOptional", "tree_on_demand"),
    ],
)
def test_settings_of_the_scheduler(line, field):
    assert getattr(configuration(line).settings, field)
    assert not getattr(configuration("").settings, field)


def test_only_one_plugin_draws_jobs_to_where_most_gpus_are():
    assert configuration("SelectType = select/cons_tres").settings.drawn_by == "gpu"
    assert not configuration("SelectType = select/cons_res").settings.drawn_by


def test_least_loaded_nodes_for_all_partitions(snapshot, answers):
    told = answers("22.05").printed["config"]
    everywhere = snapshot("22.05", config=told.replace("CR_CORE_MEMORY", "CR_CORE_MEMORY,CR_LLN"))
    assert all(partition.spread for partition in everywhere.partitions)
    assert not any(partition.spread for partition in snapshot("22.05").partitions)


@pytest.mark.parametrize(
    ("plugin", "tree"), [("topology/tree", True), ("topology/none", False), ("(null)", False)]
)
def test_a_tree_of_switches(plugin, tree):
    assert configuration(f"TopologyPlugin = {plugin}").has_tree is tree


@pytest.mark.parametrize(
    ("version", "plugin", "tree"),
    [
        pytest.param("24.11.5", "topology/flat", False, id="none before there was topology.yaml"),
        pytest.param("26.05.5", "topology/flat", True, id="topology.yaml may say so"),
        pytest.param("26.05.5", "topology/block", False, id="not behind another plugin"),
    ],
)
def test_a_tree_may_stand_in_a_file_that_the_settings_do_not_tell_of(version, plugin, tree):
    told = configuration(f"TopologyPlugin = {plugin}\nSLURM_VERSION = {version}")
    assert told.may_have_tree is tree
    assert not told.has_tree
