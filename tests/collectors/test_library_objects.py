"""What pyslurm told of real controllers, through the real process that asks it.

22.5.3 of Slurm 22.05.8, 24.11.0 of 24.11.5, and 25.11.2 of 26.05.5.
"""

from dataclasses import replace
from functools import partial

import pytest

from collectors.slurm.library import jobs, nodes, settings, tables
from collectors.slurm.library.asking import Library
from collectors.slurm.surroundings import Surroundings
from collectors.slurm.text.config import parse_config
from collectors.slurm.text.limits import parse_associations
from collectors.slurm.text.partitions import parse_partitions
from predictor.domain import (
    Dependency,
    DependencyKind,
    FinishedJob,
    Hold,
    License,
    NodeFlag,
    NodeShare,
    NodeState,
    Outcome,
    PendingJob,
    ReservationFlag,
)

SERIES = ("22.05", "24.11", "26.05")
TAKEN_AT = 1795211900
AROUND = Surroundings(taken_at=TAKEN_AT, cpus_per_core={}, widest=4)


@pytest.fixture
def told(pyslurm):
    """Return what the process answers to a question."""
    library = Library()

    def told(series, question, **settings):
        pyslurm(series, **settings)
        library.close()
        printed = library.run(("pyslurm", question), 10)
        assert printed.exit_code == 0, printed.complaint
        return printed.output

    yield told
    library.close()


def only(parsed):
    """Return what was parsed, of which nothing was bad."""
    found, bad = parsed
    assert bad == ()
    return found


def jobs_of(text, **wishes):
    found = only(jobs.parse_jobs(text, AROUND, **wishes))
    return {job.spec.id: job for job in (*found.pending, *found.running, *found.finished)}


@pytest.mark.parametrize("series", SERIES)
def test_the_jobs_that_all_three_clusters_had(told, series):
    found = jobs_of(told(series, "Jobs.load"))
    ended = found["2"]
    assert isinstance(ended, FinishedJob)
    assert (ended.outcome, ended.exit_code) == (Outcome.TIMEOUT, None)
    assert ended.spec.request.memory_per_cpu_mb == 800
    wide = found["5"]
    assert (wide.spec.request.nodes, wide.spec.request.cpus, wide.spec.account) == (
        4,
        16,
        "physics",
    )
    assert wide.spec.request.limit_s == 2 * 3600
    assert found["6"].dependencies == (Dependency(kind=DependencyKind.AFTER_OK, job_id="5"),)
    assert found["11"].hold is Hold.USER
    assert found["14"].spec.partitions == ("debug", "batch")
    assert (found["9"].spec.request.features, found["9"].begin_at) == (
        "fast&b",
        found["9"].spec.eligible_at,
    )
    assert found["16"].spec.request.excluded_nodes == ("n01",)
    assert found["16"].spec.nice == 50
    array = found["7_[4-9%2]"]
    assert array.spec.array.tasks == (4, 5, 6, 7, 8, 9)
    assert array.spec.array.max_running == 2
    assert found["4"].spec.request.gres_per_node == (("gpu:tesla", 1),)


WORDS = {"", "BeginTime", "Dependency", "JobHeldUser", "PartitionTimeLimit", "Priority"}


@pytest.mark.parametrize("series", SERIES)
def test_a_sentence_is_told_as_the_word_for_it(told, series):
    found = jobs_of(told(series, "Jobs.load")).values()
    reasons = {job.reason for job in found if isinstance(job, PendingJob)}
    assert {"Resources"} <= reasons <= WORDS | {"Resources", "ReqNodeNotAvail"}


def test_what_a_running_job_holds_is_spread_evenly(told):
    wide = jobs_of(told("26.05", "Jobs.load"))["5"]
    names = ("n01", "n02", "n03", "n04")
    assert wide.allocation == tuple(NodeShare(node=n, cpus=4, memory_mb=2000) for n in names)


@pytest.mark.parametrize("series", SERIES)
def test_a_heterogeneous_job_and_its_parts(told, series):
    found = jobs_of(told(series, "Jobs.load"))
    assert {"12+0", "12+1"} <= found.keys() or series == "22.05"


@pytest.mark.parametrize("series", SERIES)
def test_nodes(told, series):
    found = {node.name: node for node in only(nodes.parse_nodes(told(series, "Nodes.load")))}
    assert list(found) == ["n01", "n02", "n03", "n04", "x001"]
    assert found["n04"].gres == (("gpu:tesla", 2),)
    assert (found["n01"].cpus, found["n01"].memory_mb, found["n01"].weight) == (4, 4000, 10)
    assert found["n01"].features == ("a", "fast")
    assert found["x001"].state is NodeState.DOWN
    assert found["x001"].flags == {NodeFlag.NOT_RESPONDING}
    assert found["x001"].reason == "virtual"


@pytest.mark.parametrize("series", ["22.05", "26.05"])
def test_partitions_are_those_that_scontrol_shows_less_their_billing_weights(told, answers, series):
    found = only(tables.parse_partitions(told(series, "Partitions.load")))
    shown = only(parse_partitions(answers(series).printed["partitions"]))
    assert found == tuple(replace(one, billing_weights=()) for one in shown)


@pytest.mark.parametrize("series", ["22.05", "26.05"])
def test_associations_are_those_that_sacctmgr_shows_less_their_default_qos(told, answers, series):
    text = told(series, "db.Associations.load")
    found = only(tables.parse_associations(text, "lab"))
    shown = only(parse_associations(answers(series).printed["assoc"], "lab"))
    assert set(found) == {replace(one, default_qos="") for one in shown}
    assert tables.parse_associations(text, "elsewhere") == ((), ())


def test_the_configuration_is_the_one_that_scontrol_shows(told, answers):
    found = only(settings.parse_config(told("26.05", "slurmctld.Config.load")))
    assert found == only(parse_config(answers("26.05").printed["config"]))


MAINTENANCE = {
    ReservationFlag.MAINTENANCE,
    ReservationFlag.IGNORE_JOBS,
    ReservationFlag.ALL_NODES,
}


def test_reservations_of_any_kind(told):
    parse = partial(tables.parse_reservations, cpus={"n01": 4, "n03": 4})
    found = {one.name: one for one in only(parse(told("24.11", "Reservations.load")))}
    assert found["maint"].flags == MAINTENANCE
    assert len(found["maint"].node_names) == 204
    assert found["course"].flags == {ReservationFlag.FLEX}
    assert found["course"].users == ("alice", "bob")
    assert (found["half"].cpus, found["half"].partition) == (2, "batch")
    assert found["half"].flags == {ReservationFlag.DAILY}
    assert found["half"].end_at - found["half"].start_at == 5400


@pytest.mark.parametrize("series", SERIES)
def test_licenses(told, series):
    found = only(tables.parse_licenses(told(series, "licenses.get")))
    assert set(found) == {License(name="matlab", total=10), License(name="fluent", total=4)}


@pytest.mark.parametrize(("series", "started"), [("24.11", (99, 48)), ("26.05", (20, 14))])
def test_how_the_scheduler_keeps_up(told, series, started):
    diagnosis = only(settings.parse_diagnosis(told(series, "slurmctld.diag")))
    health = diagnosis.health
    assert diagnosis.written_at == health.told_at
    assert (health.jobs_started, health.jobs_backfilled) == started
    assert health.backfill_cycle_last_us and health.backfill_queue_last
    assert health.backfill_cut_short == 0


def test_memory_per_gpu_is_none_per_node(told):
    whole_nodes = jobs_of(told("24.11", "Jobs.load"))["16"]
    assert whole_nodes.spec.request.memory_per_node_mb == 0
    per_gpu = jobs_of(told("24.11", "Jobs.load", does="memory per gpu"))["16"]
    assert per_gpu.spec.request.memory_per_node_mb is None


def test_a_job_with_a_part_that_pyslurm_stumbles_over_is_set_aside(told):
    text = told("26.05", "Jobs.load", does="stumble", job={})
    with pytest.raises(Exception, match="UnicodeDecode"):
        jobs.parse_jobs(text, AROUND)


def test_states_nobody_told_us_of_are_set_aside(told):
    text = told("26.05", "Jobs.load", job={"state": "MEDITATING"})
    with pytest.raises(Exception, match="unknown job state 'MEDITATING'"):
        jobs.parse_jobs(text, AROUND)
