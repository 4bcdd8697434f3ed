"""Scenarios drawn by lot, and what a controller logs of its passes."""

import re
from dataclasses import replace
from datetime import datetime

import pytest
from clusters import NOW, cluster, running, waiting
from live.scenarios.catalogue import SCENARIOS, named
from live.scenarios.passes import Found, Pass, read

from predictor.domain import BatchEstimate, PriorityFactors

PARTITIONS = re.compile(r"-p (\S+)")


def test_a_number_names_one_scenario():
    assert named("lot-17") == named("lot-17")
    assert named("lot-17") != named("lot-18")
    assert named("golden-1-whole-node-plan") is SCENARIOS["golden-1-whole-node-plan"]


@pytest.mark.parametrize("name", ["lot", "lot-", "lot-x", "lot-1x", "lots-1", "nobody"])
def test_others_name_none(name):
    assert named(name) is None


@pytest.mark.parametrize("number", range(40))
def test_jobs_ask_for_partitions_and_qos_that_there_are(number):
    scenario = named(f"lot-{number}")
    assert scenario is not None
    there = {line.split()[0] for line in scenario.layout.partitions}
    asked = {name for job in scenario.jobs for name in PARTITIONS.search(job.options)[1].split(",")}
    assert asked
    assert asked <= there
    qos = {word for job in scenario.jobs for word in job.options.split() if "--qos" in word}
    assert qos <= {"--qos=normal", "--qos=wide", "--qos=few"}
    assert {"add qos wide", "add qos few"} <= set(scenario.accounting)


LOG = """\
[2026-11-27T20:00:01.000] _slurm_rpc_submit_batch_job: JobId=1 InitPrio=1 usec=3
[2026-11-27T20:00:04.250] sched/backfill: _attempt_backfill: beginning
[2026-11-27T20:00:04.250] sched/backfill: _attempt_backfill: BACKFILL: test for JobId=1 Prio=8 \
Partition=p0 Reservation=NONE
[2026-11-27T20:00:04.250] sched/backfill: _start_job: Started JobId=1 in p0 on n3
[2026-11-27T20:00:04.250] sched/backfill: _dump_job_sched: JobId=2 to start at 90, end at 150 on \
nodes n[1-2] in partition p0
[2026-11-27T20:00:04.251] sched/backfill: _dump_job_sched: JobId=7_* to start at 95, end at 155 on \
nodes n3 in partition p0
[2026-11-27T20:00:04.251] sched/backfill: _dump_job_sched: JobId=2 to start at 80, end at 140 on \
nodes n[3-4] in partition p1
not a line of a log
[2026-11-27T20:00:04.500] _slurm_rpc_submit_batch_job: JobId=8 InitPrio=1 usec=3
[2026-11-27T20:00:04.600] sched/backfill: _dump_job_sched: JobId=3 to start at 97, end at 157 on \
nodes n4 in partition p0
[2026-11-27T20:00:05.000] {event}
[2026-11-27T20:00:05.100] sched/backfill: _dump_job_sched: JobId=4 to start at 70, end at 157 on \
nodes n4 in partition p0
"""


@pytest.mark.parametrize(
    "event",
    [
        "_job_complete: JobId=1 done",
        "Time limit exhausted for JobId=1",
        "cleanup_completing: JobId=1 completion process took 71 seconds",
    ],
)
def test_of_a_pass_the_earliest_start_of_each_job_counts_until_something_happens(tmp_path, event):
    log = tmp_path / "slurmctld.log"
    log.write_text(LOG.format(event=event))
    (found,), happened = read(log)
    begun = datetime(2026, 11, 27, 20, 0, 4).timestamp()
    assert found.at == begun + 0.25
    assert found.found == {
        "1": Found(start_at=int(begun), nodes=frozenset({"n3"})),
        "2": Found(start_at=80, nodes=frozenset({"n3", "n4"})),
        "7": Found(start_at=95, nodes=frozenset({"n3"})),
        "3": Found(start_at=97, nodes=frozenset({"n4"})),
    }
    assert found.priority == {"1": 8}
    assert [at - begun for at in happened] == [-3, 0.25, 0.5, 1]


@pytest.mark.parametrize(
    ("shown", "logged", "began_s", "evaluated_s", "is_told"),
    [
        pytest.param(7, 7, -600, -30, True, id="of one moment"),
        pytest.param(9, 7, -600, -30, False, id="priorities counted anew while it was taken"),
        pytest.param(7, 9, -600, -30, False, id="counted anew before"),
        pytest.param(7, 7, 1, -30, False, id="somebody had been started"),
        pytest.param(7, 7, -600, 2, False, id="or looked at"),
    ],
)
def test_a_pass_is_compared_with_a_snapshot_of_one_moment(
    shown, logged, began_s, evaluated_s, is_told
):
    factors = PriorityFactors(partition="batch", priority=shown)
    estimate = BatchEstimate(evaluated_at=NOW + evaluated_s)
    waits = waiting("2", of_job={"priority": 7}, priorities=(factors,), estimate=estimate)
    runs = replace(running("1", "n1", 10), started_at=NOW + began_s)
    found = {"2": Found(start_at=NOW + 5, nodes=frozenset({"n1"}))}
    snapshot = cluster(4, waits, runs)
    seen = Pass(at=NOW + 1.5, found=found, priority={"2": logged})
    assert seen.is_told_by(snapshot) is is_told
    assert not replace(seen, found={**found, "3": found["2"]}).is_told_by(snapshot)


def test_starts_a_second_apart_are_the_same():
    one = Found(start_at=100, nodes=frozenset({"n1"}))
    assert not one.differs(Found(start_at=101, nodes=one.nodes))
    assert one.differs(Found(start_at=102, nodes=one.nodes))
    assert one.differs(Found(start_at=100, nodes=frozenset({"n2"})))
    assert one.differs(None)


@pytest.mark.parametrize("number", range(40))
def test_who_asks_for_more_asks_for_what_there_is_all_the_same(number):
    scenario = named(f"broad-{number}")
    assert scenario is not None
    assert scenario == named(f"broad-{number}")
    there = {line.split()[0] for line in scenario.layout.partitions}
    names = [job.name for job in scenario.jobs]
    assert len(set(names)) == len(names)
    for place, job in enumerate(scenario.jobs):
        assert set(PARTITIONS.search(job.options)[1].split(",")) <= there
        assert set(re.findall(r"\{(\w+)\}", job.options)) <= set(names[:place])
    assert {name for deed in scenario.deeds for name in re.findall(r"\{(\w+)\}", deed.command)} <= {
        *names
    }
