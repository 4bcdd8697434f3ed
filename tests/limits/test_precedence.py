"""Which of several limits of one kind binds: partition QOS, job QOS, user, accounts above."""

import pytest
from limited import HOUR, job, site, verdict

from predictor.domain import UNLIMITED, QosFlag
from predictor.limits import Whose

FAST = job(partition="fast")


def cap_of(snapshot, asking=FAST):
    """Return how many jobs may run at most, asking after each start; and who is bound."""
    running = []
    while (blocked := verdict(snapshot, asking, running)) is None:
        running.append(asking)
        if len(running) > 9:
            return None
    return len(running), blocked.scope.whose, blocked.scope.name


@pytest.mark.parametrize(
    ("lane", "normal", "user", "expected"),
    [
        pytest.param(
            {"max_jobs": 4},
            {"max_jobs": 2},
            {"max_jobs": 1},
            (4, Whose.USER_OF_QOS, "lane"),
            id="the partition's QOS comes first",
        ),
        pytest.param(
            {"max_jobs": 4},
            {"max_jobs": 2, "flags": {QosFlag.OVER_PARTITION}},
            {"max_jobs": 1},
            (2, Whose.USER_OF_QOS, "normal"),
            id="unless the job's QOS goes over it",
        ),
        pytest.param(
            {},
            {"max_jobs": 2},
            {"max_jobs": 1},
            (2, Whose.USER_OF_QOS, "normal"),
            id="then the job's QOS",
        ),
        pytest.param(
            {},
            {},
            {"max_jobs": 1},
            (1, Whose.USER_OF_ACCOUNT, "optics"),
            id="then the user's association",
        ),
        pytest.param(
            {},
            {"max_jobs_per_account": 3},
            {"max_jobs": 1},
            (3, Whose.ACCOUNT_OF_QOS, "normal"),
            id="jobs per account hide jobs per user",
        ),
        pytest.param(
            {"max_jobs": UNLIMITED},
            {"max_jobs": 2},
            {"max_jobs": 1},
            None,
            id="unlimited on purpose hides too",
        ),
        pytest.param(
            {"max_jobs": 4},
            {"group_jobs": 2},
            {"max_jobs": 1},
            (2, Whose.QOS, "normal"),
            id="another kind is not hidden",
        ),
    ],
)
def test_the_first_value_set_is_used(lane, normal, user, expected):
    told = site(qos={"lane": lane, "normal": normal}, associations={("optics", "ana"): user})
    assert cap_of(told) == expected


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        pytest.param({"ana": 2, "optics": 5, "physics": 9}, (2, "optics"), id="the user's"),
        pytest.param({"ana": 5, "optics": 2, "physics": 9}, (2, "optics"), id="the account's"),
        pytest.param({"ana": 5, "optics": 9, "physics": 2}, (2, "physics"), id="that above"),
        pytest.param({"ana": UNLIMITED, "physics": 2}, (2, "physics"), id="unlimited hides none"),
    ],
)
def test_limits_of_groups_hold_at_every_level(limits, expected):
    told = site(
        associations={
            ("optics", "ana"): {"group_jobs": limits["ana"]},
            ("optics", ""): {"group_jobs": limits.get("optics")},
            ("physics", ""): {"group_jobs": limits["physics"]},
        }
    )
    most, _, name = cap_of(told)
    assert (most, name) == expected


def test_a_qos_hides_group_limits_of_all_associations():
    told = site(
        qos={"normal": {"group_jobs": 3}},
        associations={("optics", ""): {"group_jobs": 1}, ("physics", ""): {"group_jobs": 1}},
    )
    assert cap_of(told) == (3, Whose.QOS, "normal")


def test_resources_are_hidden_one_by_one():
    told = site(
        qos={
            "lane": {"group_tres": (("cpu", 100),)},
            "normal": {"group_tres": (("cpu", 4), ("mem", 1000))},
        }
    )
    assert verdict(told, FAST) is None
    blocked = verdict(told, FAST, [FAST])
    assert (blocked.resource, blocked.scope.name) == ("mem", "normal")


def test_what_is_no_group_limit_is_inherited_and_counted_by_user():
    told = site(associations={("physics", ""): {"max_jobs": 1}, ("optics", ""): {}})
    assert verdict(told, job(), [job(user="bob")]) is None
    assert verdict(told, job(), [job()]).limit.startswith("user ana of account optics")


def test_the_own_value_comes_before_the_inherited_one():
    told = site(
        associations={
            ("optics", "ana"): {"max_wall_per_job_s": 2 * HOUR},
            ("physics", ""): {"max_wall_per_job_s": HOUR // 2},
            ("optics", ""): {},
        }
    )
    assert verdict(told, job()) is None
    assert verdict(told, job(user="bob")) is not None


def test_jobs_of_accounts_below_count_above():
    told = site(associations={("optics", ""): {}, ("physics", ""): {"group_jobs": 1}})
    assert verdict(told, job(account="physics"), [job()]).scope.name == "physics"
    assert verdict(told, job(account="chem"), [job()]) is None


def test_a_partition_qos_counts_jobs_of_any_qos_and_its_own_elsewhere():
    told = site(qos={"lane": {"group_jobs": 1}, "normal": {}})
    assert verdict(told, FAST, [job(partition="batch")]) is None
    assert verdict(told, FAST, [job(partition="fast", qos="other")]) is not None
    assert verdict(told, FAST, [job(partition="batch", qos="lane")]) is not None


def test_a_qos_that_is_the_partitions_too_counts_a_job_once():
    told = site(qos={"lane": {"group_jobs": 2}})
    both = job(partition="fast", qos="lane")
    assert verdict(told, both, [both]) is None


@pytest.mark.parametrize(
    ("factor", "cap"),
    [(1.0, 4), (2.0, 8), (1.6, 6), (0.5, 2), (0.0, 4), (-1.0, 4), (float("inf"), 4), (1e300, 4)],
)
def test_a_qos_may_stretch_what_associations_allow(factor, cap):
    told = site(
        qos={"normal": {"limit_factor": factor, "max_tres": (("cpu", 100),)}},
        associations={
            ("optics", "ana"): {"max_tres_per_job": (("cpu", 4),)},
            ("optics", ""): {"group_tres": (("cpu", 4),)},
        },
    )
    assert verdict(told, job(cpus=cap)) is None
    assert verdict(told, job(cpus=cap + 1)).cap == cap


def test_the_first_qos_that_stretches_does_so_alone():
    told = site(
        qos={"lane": {"limit_factor": 2.0}, "normal": {"limit_factor": 3.0}},
        associations={("optics", "ana"): {"max_tres_per_job": (("cpu", 4),)}},
    )
    assert verdict(told, job(cpus=9, partition="fast")).cap == 8
    assert verdict(told, job(cpus=13)).cap == 12


def test_what_is_not_about_resources_in_use_is_not_stretched():
    told = site(
        qos={"normal": {"limit_factor": 9.0}},
        associations={("optics", "ana"): {"max_jobs": 1, "max_wall_per_job_s": HOUR}},
    )
    assert verdict(told, job(), [job()]) is not None
    assert verdict(told, job(limit_s=2 * HOUR)) is not None
