"""Of some groups only so many waiting jobs grow old: the others' age does not count meanwhile."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, array, cluster, running, waiting

from predictor.domain import (
    UNLIMITED,
    Association,
    Limits,
    PassSettings,
    PriorityFactors,
    PriorityWeights,
    Qos,
    SchedulerSettings,
)
from predictor.forecast import forecast
from predictor.site import default

SETTINGS = SchedulerSettings(
    passes=PassSettings(interval_s=30, step_s=1),
    weights=PriorityWeights(age=1_000),
    priority_max_age_s=10_000,
    priority_period_s=300,
    limits_enforced=True,
)


def queued(id_, user, *, since=None, site=0, account="a", **more):
    """A job for the one node: a point of age per 10 s, and those of the site."""
    age = 0 if since is None else (NOW - since) // 10
    shown = PriorityFactors(partition="batch", priority=max(1, age + site), age=age, site=site)
    of_job = {"user": user, "account": account, "qos": "q", "accrues_age_since": since}
    of_job |= {"eligible_at": NOW - 2_000, "submitted_at": NOW - 2_000} | more
    return waiting(id_, 1, 10, of_job=of_job, priorities=(shown,))


# minute  0           60    70    80
# n1      [ r         ]              "old" grows old, so it is first; "next" of the same user is
#                                    five points ahead of "other", which grows old
OLD = queued("1", "ada", since=NOW - 1_000)
NEXT = queued("2", "ada", site=15)
OTHER = queued("3", "ben", since=NOW - 100)


def order(*jobs, qos=None, associations=(), **settings):
    """The ids in the order in which they start."""
    tables = tuple(Qos(name=name, limits=Limits(**told)) for name, told in (qos or {}).items())
    snapshot = cluster(
        1,
        running("r", "n1", 60),
        *jobs,
        qos=tables,
        associations=associations,
        settings=replace(SETTINGS, **settings),
    )
    made = forecast(snapshot, default())
    starts = {p.job_id: (p.start_at - NOW) // MINUTE for p in made.predictions}
    assert sorted(starts.values()) == [60 + 10 * n for n in range(len(jobs))]
    return sorted(starts, key=starts.__getitem__)


GROWS, STAYS = ["1", "2", "3"], ["1", "3", "2"]


@pytest.mark.parametrize(
    ("limits", "found"),
    [
        pytest.param({}, GROWS, id="no limit"),
        pytest.param({"max_accruing": 1}, STAYS, id="one of each user"),
        pytest.param({"max_accruing": 2}, GROWS, id="two of each user"),
        pytest.param({"max_accruing_per_account": 2}, STAYS, id="two of the account"),
        pytest.param({"max_accruing_per_account": 3}, GROWS, id="three of the account"),
        pytest.param({"group_accruing": 2}, STAYS, id="two of all"),
        pytest.param({"group_accruing": 3}, GROWS, id="three of all"),
        pytest.param({"group_accruing": 3, "max_accruing": 1}, STAYS, id="the lowest binds"),
        pytest.param({"group_accruing": 3, "max_accruing": 4}, GROWS, id="only the lowest does"),
        pytest.param({"max_accruing": 0}, STAYS, id="nobody any more"),
        pytest.param({"max_accruing": UNLIMITED}, GROWS, id="unlimited"),
        pytest.param({"max_accruing": -3}, GROWS, id="a negative one is none"),
        pytest.param({"max_accruing": 2**80}, GROWS, id="an absurd one"),
    ],
)
def test_limits_of_a_qos(limits, found):
    assert order(OLD, NEXT, OTHER, qos={"q": limits}) == found


def tree(**limits):
    """Associations of ada and ben in `a`, below the root; limits by name."""
    told = {name: Limits(**bounds) for name, bounds in limits.items()}
    none = Limits()
    return (
        Association(account="root", limits=told.get("root", none)),
        Association(account="a", parent="root", limits=told.get("a", none)),
        Association(account="a", user="ada", parent="a", limits=told.get("ada", none)),
        Association(account="a", user="ben", parent="a", limits=told.get("ben", none)),
    )


@pytest.mark.parametrize(
    ("limits", "qos", "found"),
    [
        pytest.param({"ada": {"max_accruing": 1}}, {}, STAYS, id="her own"),
        pytest.param({"ben": {"max_accruing": 1}}, {}, GROWS, id="his does not bind her"),
        pytest.param({"a": {"group_accruing": 2}}, {}, STAYS, id="that of the account"),
        pytest.param({"a": {"max_accruing": 1}}, {}, GROWS, id="an account's is not looked at"),
        pytest.param({"root": {"group_accruing": 2}}, {}, STAYS, id="that of the root"),
        pytest.param(
            {"ada": {"max_accruing": 5}, "root": {"group_accruing": 2}},
            {},
            GROWS,
            id="the first upwards binds alone",
        ),
        pytest.param({"ada": {"max_accruing": 1}}, {"max_accruing": 2}, GROWS, id="a QOS hides it"),
    ],
)
def test_limits_of_associations(limits, qos, found):
    assert order(OLD, NEXT, OTHER, qos={"q": qos}, associations=tree(**limits)) == found


@pytest.mark.parametrize("settings", [{"limits_enforced": False}, {"ages_from_submission": True}])
def test_limits_that_are_not_in_force(settings):
    new, other = queued("2", "ada", site=15, submitted_at=NOW), OTHER
    other = replace(OTHER, spec=replace(OTHER.spec, submitted_at=NOW - 100))
    assert order(OLD, new, other, qos={"q": {"max_accruing": 1}}, **settings) == GROWS


def test_who_starts_makes_room():
    # When "old" has started, "next" begins to grow old; so the one who comes last is behind it.
    late = queued("4", "eve", site=1, eligible_at=NOW + 75 * MINUTE, since=None)
    late = replace(late, begin_at=NOW + 62 * MINUTE)
    found = order(OLD, NEXT, OTHER, qos={"q": {"max_accruing": 1}})
    assert found == STAYS
    assert order(OLD, replace(NEXT), OTHER, late, qos={"q": {"max_accruing": 1}})[-1] == "4"


def test_tasks_of_an_array_are_admitted_as_one():
    tasks = array("7", 3)
    spec = replace(tasks.spec, user="ada", account="a", qos="q", eligible_at=NOW - 2_000)
    shown = PriorityFactors(partition="batch", priority=15, age=0, site=15)
    many = replace(tasks, spec=spec, priorities=(shown,))
    snapshot = cluster(
        1,
        running("r", "n1", 60),
        many,
        OTHER,
        qos=(Qos(name="q", limits=Limits(max_accruing=0)),),
        settings=SETTINGS,
    )
    made = forecast(snapshot, default())
    starts = {p.job_id: p.start_at for p in made.predictions}
    assert starts["3"] == min(starts.values())
