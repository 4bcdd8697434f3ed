"""The page for everybody: numbers of many jobs, and never of a few."""

import re
from dataclasses import replace

from clusters import HOUR, MINUTE, NOW, cluster, waiting
from services import StandingClock, board, client, result, scene

from predictor.domain import Provenance, Reservation, ReservationFlag, Untrusted
from predictor.service.asking.viewers import ANONYMOUS
from predictor.service.hours import BOUNDS_S, Hour
from predictor.service.probes import Probe
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


def test_what_a_new_job_would_wait_stands_there_once_it_is_known():
    on = board(many(1))
    assert "If you submitted now" not in on_page(on)
    on.probes = {
        ("batch", "small"): Probe(at=NOW - 600, half_s=0, most_s=40 * MINUTE),
        ("gone", "small"): Probe(at=NOW, half_s=60, most_s=60),
    }
    text = on_page(on)
    assert 'title="worked out 10 min before">at once <span class="on">40 min</span>' in text
    assert "gone" not in text


def on_page(on):
    return client(on, StandingClock(), viewer=ANONYMOUS, open_=False).get("/weather").text


def hours(*told):
    """Some hours, each so many before now, with so many waits of ten minutes."""
    ten_minutes = tuple(int(bound == 900) for bound in (*BOUNDS_S, None))
    return {
        NOW // HOUR - before: {
            "batch": Hour(
                backlog_node_s=HOUR * (before + 1),
                waits={"small": tuple(jobs * one for one in ten_minutes)} if jobs else {},
            )
        }
        for before, jobs in told
    }


def test_the_week_tells_waits_by_day_of_enough_jobs():
    on = board(many(1))
    on.week = hours((0, LEAST_JOBS), (30, LEAST_JOBS - 1), (60, 2), (61, 3))
    text = on_page(on).partition("The week")[2]
    cells = re.findall(r'<td class="number cell shade-(\w+)" title="([^"]*)">([^<]+)<', text)
    told = [(jobs, wait) for _, jobs, wait in cells]
    # Sunday's are of two hours, five together; of Monday's four nothing is told.
    five, dash = ("5 jobs", "10 min"), ("", "\u2013")
    assert told == [dash, dash, dash, dash, five, dash, five]
    assert '<th scope="col" class="number">today</th>' in text


def test_the_backlog_of_the_week_is_a_line_and_words():
    on = board(many(1))
    on.week = hours((0, 0), (84, 0), (168, 0))
    text = on_page(on).partition("The week")[2]
    assert '<polyline points="0.00,0.00 50.00,9.94 100.00,19.88">' in text
    assert "1 node-hours at last; 169 at most" in text


def test_without_anything_known_there_is_no_week():
    assert "The week" not in on_page(board(many(1)))


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
