"""A job that is to be the only one of its name waits for its namesakes."""

from dataclasses import replace

from clusters import MINUTE, NOW, array, cluster, running, waiting

from predictor.domain import ArrayTasks, Cause, Dependency, DependencyKind, RunState, Untrusted
from predictor.forecast import forecast
from predictor.simulation.dependencies import Relations, conditions
from predictor.site import default

SITE = default()
ONLY = (Dependency(kind=DependencyKind.SINGLETON, job_id=""),)
SEVENTH = ArrayTasks(job_id="5", tasks=(7,))


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


def rivals(id_, snapshot, changing=frozenset()):
    job = next(job for job in snapshot.pending if job.spec.id == id_)
    (condition,) = conditions(job, Relations.of(snapshot, 9, changing))
    return set(condition.rivals)


def test_whoever_waits_for_it_as_well_is_no_rival():
    only = [waiting(str(n), dependencies=ONLY) for n in range(2, 50)]
    free, either = waiting("60"), waiting("70", dependencies=(replace(ONLY[0], any_of=True),))
    ending = replace(running("80", "n1", 10), state=RunState.COMPLETING)
    snapshot = cluster(3, ending, *only, free, either)
    assert rivals("2", snapshot) == {"60", "70", "80"}
    assert rivals("49", snapshot) == {"60", "70", "80"}


def test_unless_it_may_come_to_wait_for_less():
    snapshot = cluster(3, *(waiting(str(n), dependencies=ONLY) for n in range(2, 5)))
    assert rivals("2", snapshot, frozenset({"3"})) == {"3"}


def test_records_of_one_array_that_came_together_are_rivals():
    one, other = (replace(array("5", n), dependencies=ONLY) for n in (2, 1))
    other = replace(other, spec=replace(other.spec, id="5_7", array=SEVENTH))
    assert rivals("5_7", cluster(3, one, other)) == {"5_0", "5_1"}
