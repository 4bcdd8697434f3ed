"""Published results: their age, their rows, and picking from them."""

import json
from dataclasses import replace

import pytest
from clusters import NOW, cluster, waiting
from hypothesis import given
from hypothesis import strategies as st
from services import HOSTILE, TERMS, result, said, scene
from strategies import forecasts, snapshots

from predictor.domain import Forecast, PendingJob
from predictor.service.bodies import Job
from predictor.service.jobids import parse_job_ids
from predictor.service.published import Query, publication
from predictor.service.rows import rows


@pytest.mark.parametrize(
    ("snapshot_at", "observed_at", "age_s"),
    [
        pytest.param(NOW, NOW + 5, 100, id="counted from the snapshot"),
        pytest.param(NOW + 900, NOW + 5, 95, id="a cluster's fast clock makes nothing younger"),
        pytest.param(NOW + 900, NOW + 900, 0, id="never negative"),
    ],
)
def test_age(snapshot_at, observed_at, age_s):
    seen = replace(scene(), taken_at=snapshot_at)
    assert publication(seen, said(seen), TERMS, observed_at, NOW).age_s(NOW + 100) == age_s


def test_a_result_becomes_stale_at_the_sites_bound_and_not_before():
    published = result()
    assert not published.stale(NOW + TERMS.stale_after_s)
    assert published.stale(NOW + TERMS.stale_after_s + 1)


def picked(**wanted) -> list[str]:
    return [row.spec.id for _, row in result().select(Query(**wanted))]


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        pytest.param({}, ["11", "12_[0-5%2]", "13"], id="waiting ones in queue order"),
        pytest.param({"states": None}, ["11", "12_[0-5%2]", "13", "10"], id="all"),
        pytest.param({"states": frozenset({"running"})}, ["10"], id="running ones"),
        pytest.param({"users": frozenset({"bob"})}, ["13"], id="a user's"),
        pytest.param({"accounts": frozenset({"physics"})}, ["11"], id="an account's"),
        pytest.param({"partitions": frozenset({"gpu"})}, [], id="a partition's"),
        pytest.param({"jobs": parse_job_ids("12_2,13")}, ["12_[0-5%2]", "13"], id="by id"),
        pytest.param({"jobs": ()}, [], id="none asked for, none given"),
    ],
)
def test_picking(wanted, ids):
    assert picked(**wanted) == ids


@given(st.integers(0, 6))
def test_picking_goes_on_where_it_left_off(cut):
    everything = list(result().select(Query(states=None)))
    if cut < len(everything):
        place = everything[cut][0]
        assert list(result().select(Query(states=None), place)) == everything[cut + 1 :]


def test_unknown_ids_are_told_as_they_were_written():
    asked = parse_job_ids("12_3,12_9,99")
    assert result().unknown(asked) == ["12_9", "99"]


def test_jobs_are_counted_by_partition_and_abstentions_by_cause():
    published = result()
    assert published.counts[("batch", "pending")] == 3
    assert published.counts[("batch", "running")] == 1
    assert published.unpredicted == {"held": 1}


def test_no_two_results_have_the_same_name():
    assert result(at=NOW).tick != result(at=NOW + 1).tick


@given(st.data())
def test_every_job_of_any_cluster_has_one_row_that_keeps_to_the_schema(data):
    snapshot = data.draw(snapshots())
    forecast = data.draw(forecasts(snapshot))
    ids = {p.job_id for p in forecast.predictions} | {a.job_id for a in forecast.abstentions}
    told = [job for job in snapshot.pending if job.spec.id in ids]
    table = list(rows(snapshot, forecast))
    assert len(table) == len(told) + len(snapshot.running) + len(snapshot.finished)
    for row in table:
        assert row.encoded.isascii()
        Job.model_validate(json.loads(row.encoded), strict=True)


def test_what_users_write_is_only_ever_escaped_text():
    (row, *_) = result().rows
    assert b"\x1b" not in row.encoded
    assert json.loads(row.encoded)["name"] == HOSTILE


def test_node_names_that_are_no_hostnames_are_left_as_they_are():
    job = waiting("1")
    odd = ("n[", "n,1", "n[0-999999999]", "@all")
    seen = cluster(1, job)
    forecast = _with_nodes(said(seen), odd)
    assert next(rows(seen, forecast)).nodelist == ",".join(odd)


def test_an_instant_beyond_the_calendar_costs_one_field_only():
    seen = cluster(1, PendingJob(spec=replace(waiting("1").spec, submitted_at=10**15)))
    assert json.loads(next(rows(seen, said(seen))).encoded)["submitted_at"] is None


def _with_nodes(forecast: Forecast, names: tuple[str, ...]) -> Forecast:
    (prediction,) = forecast.predictions
    return replace(forecast, predictions=(replace(prediction, node_names=names),))
