"""What would become of a job that nobody has submitted, or of one that asked for less."""

from dataclasses import replace
from math import inf

import pytest
from clusters import HOUR, MINUTE, NOW, cluster, running, waiting
from services import StandingClock
from test_experience import learned, over

from predictor.domain import Dependency, DependencyKind, PassSettings, Request, SchedulerSettings
from predictor.domain import Unpredictable as Why
from predictor.outlooks import likely, with_outlooks
from predictor.site import Site, default
from predictor.supposing import suppose
from predictor.suppositions import MOST, Supposition

BY_LIMITS = {"run_times": "limit", "arrivals": False, "cancellations": False, "corrected": False}
SITE = Site.model_validate({"forecast": BY_LIMITS})
AS_SLURM = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=1))


NINE = (("matlab", 9),)


def supposed(scene, *suppositions, site=SITE, draws=2, **more):
    experience = learned(scene)
    made = likely(scene, site, experience)
    terms = {"clock": StandingClock(), "budget_s": inf, "draws": draws} | more
    return suppose(suppositions, made, scene, site, experience, **terms)


def lead(found):
    return found.outlook.likely_at - NOW


def job(id_, count=1, minutes=10, **more):
    return Supposition(job=waiting(id_, count, minutes, of_job={"submitted_at": NOW, **more}))


BUSY = cluster(
    4,
    running("r", "n1 n2 n3", 60),
    waiting("1", 4, 30),
    settings=AS_SLURM,
)


def test_a_small_job_slips_in_where_a_long_one_has_to_wait():
    found = supposed(BUSY, job("short", 1, 30), job("long", 1, 300), job("wide", 4, 30))
    assert lead(found["short"]) < 5 * MINUTE
    assert lead(found["long"]) > 30 * MINUTE
    assert lead(found["wide"]) >= lead(found["long"])


@pytest.mark.parametrize("draws", [None, 8])
@pytest.mark.parametrize("arrivals", [False, True])
def test_a_site_without_windows_answers_too(draws, arrivals):
    site = Site.model_validate({"forecast": BY_LIMITS | {"draws": 0, "arrivals": arrivals}})
    found = supposed(BUSY, job("short", 1, 30), site=site, draws=draws)
    assert lead(found["short"]) < 5 * MINUTE


def test_each_is_alone_with_those_who_wait():
    together = supposed(BUSY, *(job(f"s{n}", 1, 30) for n in range(8)))
    alone = supposed(BUSY, job("s3", 1, 30))
    assert together["s3"] == alone["s3"]
    assert len({lead(one) for one in together.values()}) == 1


def test_one_that_takes_the_place_of_its_like_starts_when_that_would():
    """The strongest check there is: the forecast and the supposition must say the same."""
    scene = replace(BUSY, pending=(*BUSY.pending, waiting("2", 2, 40), waiting("3", 2, 50)))
    few = Site.model_validate({"forecast": BY_LIMITS | {"draws": 5}})
    experience = learned(scene)
    made = likely(scene, few, experience)
    told = with_outlooks(made, scene, few, experience, clock=StandingClock(), budget_s=inf)
    starts = {p.job_id: p.outlook.quantiles for p in told.forecast.predictions}
    assert len(starts) == 3
    for one in scene.pending:
        same = replace(one, spec=replace(one.spec, id=f"{one.spec.id}?1"))
        found = supposed(scene, Supposition(job=same, instead_of=one.spec.id), site=few, draws=None)
        assert found[same.spec.id].outlook.quantiles == starts[one.spec.id]


def test_asking_for_less_helps():
    same = BUSY.pending[0]
    less = replace(same.spec.request, nodes=1, cpus=1)
    trimmed = replace(same, spec=replace(same.spec, id="1?1", request=less))
    found = supposed(BUSY, Supposition(job=trimmed, instead_of="1"))
    assert lead(found["1?1"]) < 5 * MINUTE


def test_who_is_replaced_is_gone_for_those_who_wait_for_its_end():
    after = Dependency(kind=DependencyKind.AFTER_ANY, job_id="1")
    scene = replace(BUSY, pending=(*BUSY.pending, waiting("9", dependencies=(after,))))
    other = replace(scene.pending[0], spec=replace(scene.pending[0].spec, id="1?1"))
    assert supposed(scene, Supposition(job=other, instead_of="1"))["1?1"].outlook


@pytest.mark.parametrize(
    ("supposition", "why"),
    [
        (job("a", 5), Why.NEVER_FITS),
        (job("a", request=Request(nodes=1, cpus=1, licenses=NINE)), Why.NEVER_FITS),
        (job("a", 1, 48 * 60), Why.LIMIT),
        (job("a", partitions=("none",)), Why.PARTITION_CLOSED),
    ],
)
def test_one_that_could_never_start_is_told_why(supposition, why):
    found = supposed(BUSY, supposition, job("b", 1, 30))
    assert found["a"].outlook is None
    assert found["a"].refusal.job_id == "a"
    assert found["a"].refusal.detail
    assert found["b"].outlook is not None


def test_without_time_nothing_is_said():
    found = supposed(BUSY, job("a"), budget_s=-1)
    assert found["a"].outlook is None
    assert found["a"].refusal is None


def test_an_id_that_is_taken_is_refused():
    for taken in ("1", "r"):
        with pytest.raises(ValueError, match="taken"):
            supposed(BUSY, job(taken))
    with pytest.raises(ValueError, match="taken"):
        supposed(BUSY, job("a"), job("a"))


def test_so_many_at_once_and_no_more():
    with pytest.raises(ValueError, match="at most"):
        supposed(BUSY, *(job(f"s{n}") for n in range(MOST + 1)))


def test_equal_questions_equal_answers():
    history = tuple(over(str(n), minutes=5 + n % 10, ago=n) for n in range(40))
    scene = replace(BUSY, finished=history, taken_at=NOW + HOUR)
    asked = (job("a", 1, 30), job("b", 2, 60))
    found = supposed(scene, *asked, site=default(), draws=5)
    assert found == supposed(scene, *asked, site=default(), draws=5)
    assert found["a"].outlook.low_at < found["b"].outlook.high_at
