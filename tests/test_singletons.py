"""A job that is to be the only one of its name waits for its namesakes."""

from dataclasses import replace

from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.domain import Cause, Dependency, DependencyKind, RunState, Untrusted
from predictor.forecast import forecast
from predictor.site import default

SITE = default()
ONLY = (Dependency(kind=DependencyKind.SINGLETON, job_id=""),)


def minutes(made):
    return {p.job_id: (p.start_at - NOW) / MINUTE for p in made.predictions}


def test_it_waits_for_its_earlier_namesakes():
    snapshot = cluster(3, running("1", "n1", 10), waiting("2", dependencies=ONLY))
    assert minutes(forecast(snapshot, SITE)) == {"2": 10}


def test_it_waits_for_later_namesakes_too_that_run():
    later = running("9", "n1", 10)
    snapshot = cluster(3, later, waiting("2", dependencies=ONLY))
    assert minutes(forecast(snapshot, SITE)) == {"2": 10}
    ending = replace(later, state=RunState.COMPLETING)
    snapshot = cluster(3, ending, waiting("2", dependencies=ONLY))
    assert minutes(forecast(snapshot, SITE)) == {"2": 0}


def test_it_waits_for_a_later_namesake_that_starts_while_it_waits():
    snapshot = cluster(
        3, running("1", "n1", 10), waiting("2", dependencies=ONLY), waiting("3", 1, 25)
    )
    made = forecast(snapshot, SITE)
    assert minutes(made) == {"2": 25, "3": 0}
    assert {p.job_id: p.cause for p in made.predictions}["2"] is Cause.DEPENDENCY


def test_whose_turn_has_come_does_not_mind_namesakes_any_more():
    # From the tenth minute on it only waits for n2; n3 is no use to it.
    only = waiting("2", 2, dependencies=ONLY)
    request = replace(only.spec.request, required_nodes=("n1", "n2"))
    made = forecast(
        cluster(
            3,
            running("1", "n1", 10),
            running("4", "n2", 20, name=Untrusted("other")),
            replace(only, spec=replace(only.spec, request=request)),
            waiting("3", 1, 25, begin_at=NOW + 12 * MINUTE),
        ),
        SITE,
    )
    assert minutes(made) == {"2": 20, "3": 12}
