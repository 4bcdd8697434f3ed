"""Wrong decisions by what they come from."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import FinishedJob, Outcome, PassSettings, SchedulerHealth, SchedulerSettings
from predictor.simulation.story import Start
from predictor.site import default
from verification.fidelity.cases import AT_THE_END, FOLLOWS, UNDER_WAY, Moments, wrong
from verification.fidelity.history import history_of
from verification.fidelity.looks import HORIZON_S, look

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30))


def began(id_, name, second):
    return replace(running(id_, name, 50), started_at=NOW + second)


def causes(said, real, ended_s=50):
    """Return the causes by job, if starts were so said in seconds and so real, on a node each.

    A pass began after 100 s and took ten; a job that ran on n9 ended.
    """
    health = SchedulerHealth(
        backfill_last_at=NOW + 100, backfill_cycle_last_us=8_000_000, told_at=NOW + 200
    )
    ran = began("9", "n9", -60)
    before = [waiting(id_, reason="Priority") for id_ in {**said, **real}]
    after = [began(id_, f"n{int(id_)}", at) for id_, at in real.items()]
    still = [job for job in before if job.spec.id not in real]
    seen = [
        replace(cluster(9, *jobs, settings=SETTINGS), taken_at=NOW + minute * MINUTE, health=health)
        for minute, jobs in ((0, (*before, ran)), (20, (*after, *still)))
    ]
    over = FinishedJob(
        spec=ran.spec,
        started_at=ran.started_at,
        ended_at=NOW + ended_s,
        outcome=Outcome.COMPLETED,
        node_names=("n9",),
    )
    history = history_of(seen, [over])
    far = look(history, 0, 2 * HORIZON_S, default())
    starts = {id_: Start(at=NOW + at, node_names=(f"n{int(id_)}",)) for id_, at in said.items()}
    found = wrong(history, Moments.of(history), replace(far, said=starts), default())
    return {case.job_id: (case.cause, case.missed) for case in found}


def test_who_starts_in_both_or_in_neither_is_no_case():
    assert causes({"1": 10, "2": 700}, {"1": 590, "2": 1100}) == {}


@pytest.mark.parametrize(("real", "missed"), [(599, True), (620, False)])
def test_close_starts_on_either_side_of_the_end(real, missed):
    said = 620 if missed else 599
    assert causes({"1": said}, {"1": real}) == {"1": (AT_THE_END, missed)}


def test_the_first_to_part_has_a_cause_and_whoever_follows_does_not():
    found = causes({"1": 10, "2": 400}, {})
    assert found == {
        "1": ("early: room and no limit, yet Priority", False),
        "2": (FOLLOWS, False),
    }


@pytest.mark.parametrize(
    ("said_s", "ended_s", "under_way"),
    [
        pytest.param(100, 105, True, id="while it was under way"),
        pytest.param(100, 115, False, id="after it"),
        pytest.param(100, 95, False, id="before it"),
        pytest.param(120, 105, False, id="who parts later is not of that pass"),
    ],
)
def test_a_run_that_ends_while_a_pass_looks_ahead(said_s, ended_s, under_way):
    found = causes({"1": said_s}, {}, ended_s=ended_s)
    assert (found["1"][0] == UNDER_WAY) == under_way
