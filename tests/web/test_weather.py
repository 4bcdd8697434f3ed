"""The page for everybody: numbers of many jobs, and never of a few."""

from dataclasses import replace

from clusters import HOUR, MINUTE, NOW, cluster, waiting
from services import StandingClock, board, client, result, scene

from predictor.domain import Provenance, Reservation, ReservationFlag, Untrusted
from predictor.service.asking.viewers import ANONYMOUS
from predictor.web.weather import LEAST_JOBS, median_waits

MAINTENANCE = Reservation(
    name="<b>secret",
    start_at=NOW + 10 * HOUR,
    end_at=NOW + 12 * HOUR,
    node_names=("n1", "n2"),
    flags=frozenset({ReservationFlag.MAINTENANCE}),
)


def page(published, **more):
    on = board(published)
    return client(on, StandingClock(), viewer=ANONYMOUS, open_=False, **more).get("/weather").text


def many(count, **of_job):
    return result(cluster(4, *(waiting(str(n), 1, of_job=of_job) for n in range(count))))


def test_a_wait_is_told_of_enough_jobs_only():
    assert median_waits(many(LEAST_JOBS - 1)) == {}
    # An hour apart, the first in an hour: half of five start within three hours.
    assert median_waits(many(LEAST_JOBS)) == {("batch", "small"): 3 * HOUR}
    assert "3 h</td>" in page(many(LEAST_JOBS))


def test_counts_and_backlog_stand_there_for_everybody():
    text = page(many(6))
    assert 'data-is="waiting">6</td><td class="number" data-is="running">0</td>' in text
    assert "1 node-hours" in text  # six times ten minutes


def test_whose_jobs_they_are_changes_nothing():
    shown = page(many(6))
    assert shown == page(many(6, user="eve", name=Untrusted("secret"), account="mars"))
    assert "ada" not in shown


def test_the_next_maintenance_is_told_without_its_name():
    text = page(result(replace(scene(), reservations=(MAINTENANCE,))))
    assert "tomorrow 08:13" in text
    assert "2 of 4 nodes" in text
    assert "secret" not in text


def test_maintenance_under_way_is_now():
    begun = replace(MAINTENANCE, start_at=NOW - 5 * MINUTE)
    assert ">now</time>" in page(result(replace(scene(), reservations=(begun,))))


def test_private_reservations_stay_private():
    hidden = Provenance(source="scene", private=("reservations",))
    text = page(result(replace(scene(), reservations=(MAINTENANCE,), provenance=hidden)))
    assert "not shown" in text
    assert "08:13" not in text
