"""Priorities that a real Slurm 22.05 showed, computed from what it told beside them.

Four consecutive minutes of a cluster with Fair Tree; a recomputation falls between two of them.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from collectors.capture import Capture
from predictor.engine.ranking import Ranking
from predictor.priority.multifactor import total
from predictor.priority.priorities import Priorities
from predictor.priority.summands import held
from predictor.simulation.ranking_lowering import lower_ranking

MINUTES = Path(__file__).parents[1] / "recorded" / "slurm-22.05" / "minutes"


@pytest.fixture(scope="module")
def minutes():
    return [one.snapshot for one in Capture(MINUTES).observations()]


def shown(snapshot):
    return {
        (job.spec.id, one.partition): one.priority
        for job in snapshot.pending
        if not held(job)
        for one in job.priorities
    }


def test_fairshare_factors_are_those_that_sshare_printed(minutes):
    for snapshot in minutes:
        factors = replace(Priorities.of(snapshot).shares, told={}).factors()
        told = {
            (one.account, one.user, ""): one.fairshare.factor
            for one in snapshot.associations
            if one.user
        }
        assert factors == pytest.approx(told, abs=1e-6)


def test_the_sums_are_those_that_sprio_printed(minutes):
    for snapshot in minutes:
        state, expected = Priorities.of(snapshot), shown(snapshot)
        fairshare = state.fairshare_points()
        found = {
            one.slot: total(
                state.rules.age_points(one.since, state.recomputed_at),
                fairshare[one.who],
                one.parts,
            )
            for one in state.summands
            if one.slot in expected
        }
        assert len(found) > 100
        assert all(abs(found[slot] - expected[slot]) <= 1 for slot in found)
        assert sum(found[slot] != expected[slot] for slot in found) <= 2


def test_the_next_recomputation_is_foretold_to_the_point(minutes):
    first, *later = minutes
    lowered = lower_ranking(first, (), until=later[-1].taken_at, most_begun=0)
    ranking = Ranking(lowered.tables)
    for slot in lowered.slots.values():
        ranking.tried(slot, 0)
    begun = {slot: ranking.value(number) for slot, number in lowered.slots.items()}
    for snapshot in later:
        while ranking.due_at() <= snapshot.taken_at:
            ranking.recompute(ranking.due_at())
        foretold = {slot: ranking.value(number) for slot, number in lowered.slots.items()}
        known = {slot: one for slot, one in shown(snapshot).items() if foretold.get(slot, 0) > 0}
        assert len(known) > 100
        assert known == {slot: foretold[slot] for slot in known}
        assert foretold != begun
