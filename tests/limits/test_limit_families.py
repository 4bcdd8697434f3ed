"""Each kind of limit: up to where it lets a job start, and what it says then."""

import pytest
from limited import DAY, HOUR, NOW, job, site, used, verdict

from predictor.domain import UNLIMITED, QosFlag
from predictor.limits import Bound

BOB = job(user="bob")
EVE = job(user="eve", account="chem")


def normal(**limits):
    """Return a site whose QOS `normal` has these limits."""
    return site(qos={"normal": limits})


@pytest.mark.parametrize(
    ("limits", "running", "asking", "scope"),
    [
        ({"group_jobs": 2}, [job()], BOB, "QOS normal"),
        ({"max_jobs": 2}, [job(), BOB, BOB], job(), "user ana in QOS normal"),
        ({"max_jobs_per_account": 2}, [job(), EVE, EVE], BOB, "account optics in QOS normal"),
        ({"group_tres": (("cpu", 8),)}, [BOB], job(), "QOS normal"),
        ({"max_tres": (("cpu", 8),)}, [job(), BOB], job(), "user ana in QOS normal"),
        (
            {"max_tres_per_account": (("mem", 2000),)},
            [BOB, EVE],
            job(),
            "account optics in QOS normal",
        ),
        ({"group_tres_run_minutes": (("cpu", 480),)}, [BOB], job(), "QOS normal"),
        (
            {"max_tres_run_minutes": (("cpu", 480),)},
            [job(), BOB, BOB],
            job(),
            "user ana in QOS normal",
        ),
        (
            {"max_tres_run_minutes_per_account": (("cpu", 480),)},
            [BOB, EVE, EVE],
            job(),
            "account optics in QOS normal",
        ),
    ],
)
def test_a_group_may_have_so_much_at_a_time(limits, running, asking, scope):
    assert verdict(normal(**limits), asking, running) is None
    blocked = verdict(normal(**limits), asking, [*running, asking])
    assert blocked.scope.words == scope
    assert verdict(normal(**limits), asking) is None


@pytest.mark.parametrize(
    ("limits", "within", "beyond", "bound"),
    [
        ({"max_wall_per_job_s": HOUR}, {}, {"limit_s": HOUR + 1}, Bound.JOB_WALL),
        ({"max_tres_per_job": (("node", 2),)}, {"nodes": 2}, {"nodes": 3}, Bound.JOB_TRES),
        (
            {"max_tres_per_node": (("cpu", 4),)},
            {"nodes": 2, "cpus": 8},
            {"nodes": 2, "cpus": 10},
            Bound.NODE_TRES,
        ),
        (
            {"max_tres_minutes_per_job": (("cpu", 240),)},
            {},
            {"limit_s": HOUR + 60},
            Bound.JOB_MINUTES,
        ),
        ({"min_tres_per_job": (("cpu", 4),)}, {}, {"cpus": 3}, Bound.JOB_LEAST),
    ],
)
def test_a_job_beyond_its_own_bounds_never_starts(limits, within, beyond, bound):
    assert verdict(normal(**limits), job(**within)) is None
    blocked = verdict(normal(**limits), job(**beyond))
    assert blocked.bound is bound


@pytest.mark.parametrize("resource", ["gres/gpu", "gres/gpu:a100"])
def test_typed_resources_count_as_their_kind_too(resource):
    limits = {"group_tres": ((resource, 4),)}
    gpus = job(gres=(("gpu:a100", 2),))
    assert verdict(normal(**limits), gpus, [gpus]) is None
    assert verdict(normal(**limits), gpus, [gpus, gpus]).resource == resource
    assert verdict(normal(**limits), job(), [gpus, gpus]) is None


@pytest.mark.parametrize(
    ("resource", "amounts"),
    [
        ("license/matlab", {"licenses": (("matlab", 1),)}),
        pytest.param("billing", {"cpus": 1}, id="where nothing is weighed, CPUs are billed"),
    ],
)
def test_licenses_and_billing_units_are_counted(resource, amounts):
    one = job(**amounts)
    assert verdict(normal(group_tres=((resource, 2),)), one, [one]) is None
    assert verdict(normal(group_tres=((resource, 2),)), one, [one, one]).resource == resource


# node      0 1 2 3       a cap of three nodes
# running   a a           two jobs share node 0
#           b
@pytest.mark.parametrize(
    ("nodes", "starts"),
    [
        pytest.param(0b0011, True, id="on nodes of the group: free"),
        pytest.param(0b0110, True, id="one more node"),
        pytest.param(0b1100, False, id="two more nodes"),
        pytest.param(0, False, id="nodes not known: all are new"),
    ],
)
def test_a_node_counts_once_however_many_of_the_group_use_it(nodes, starts):
    running = [(job(nodes=2), 0b0011), (job(), 0b0001)]
    found = verdict(normal(group_tres=(("node", 3),)), job(nodes=2), running, nodes)
    assert (found is None) == starts


def test_other_groups_do_not_lend_their_nodes():
    running = [(job(qos="high"), 0b11)]
    limits = {"group_tres": (("node", 1),)}
    two = job(nodes=2)
    assert verdict(normal(**limits), two, running, 0b11).used == 0


def test_run_minutes_shrink_as_time_passes():
    limits = normal(group_tres_run_minutes=(("cpu", 360),))
    assert verdict(limits, job(), [job()]).bound is Bound.RUN_MINUTES
    assert verdict(limits, job(), [job()], at=NOW + HOUR // 2 - 60) is not None
    assert verdict(limits, job(), [job()], at=NOW + HOUR // 2) is None


@pytest.mark.parametrize(
    ("field", "starts"),
    [
        ("group_tres_run_minutes", True),
        ("max_tres_run_minutes_per_account", True),
        pytest.param("max_tres_run_minutes", False, id="of one user: nothing is forgiven"),
    ],
)
def test_whose_minutes_cost_nothing_starts_though_others_have_used_them_up(field, starts):
    dear = {field: (("cpu", 240),), "flags": {QosFlag.OVER_PARTITION}}
    both = site(qos={"lane": dear, "normal": {}, "free": {"usage_factor": 0.0}})
    paying = job(partition="fast")
    assert verdict(both, paying, [paying]) is not None
    free = job(partition="fast", qos="free")
    assert (verdict(both, free, [paying]) is None) == starts


def test_a_job_past_its_limit_has_no_run_minutes_left():
    limits = normal(group_tres_run_minutes=(("cpu", 240),))
    assert verdict(limits, job(), [job()], at=NOW + 2 * HOUR) is None


@pytest.mark.parametrize(
    ("limits", "bound"),
    [
        ({"group_tres_minutes": (("cpu", 600),)}, Bound.USED_MINUTES),
        ({"group_wall_s": 600 * 60}, Bound.USED_WALL),
    ],
)
class TestWhatIsUsedUp:
    """A group that has used 1200 minutes of 600: half of it is left after one half-life."""

    def snapshot(self, limits, minutes=1200, flags=frozenset(), **settings):
        usage = used(minutes, cpu=minutes)
        return site(qos={"normal": {"usage": usage, "flags": flags} | limits}, **settings)

    def test_decays(self, limits, bound):
        assert verdict(self.snapshot(limits), job()).bound is bound
        assert verdict(self.snapshot(limits), job(), at=NOW + DAY - 60) is not None
        assert verdict(self.snapshot(limits), job(), at=NOW + DAY + 60) is None

    def test_stays_where_nothing_decays(self, limits, bound):
        still = self.snapshot(limits, priority_half_life_s=0)
        assert verdict(still, job(), at=NOW + 9 * DAY).bound is bound
        flagged = self.snapshot(limits, flags={QosFlag.NO_DECAY})
        assert verdict(flagged, job(), at=NOW + 9 * DAY).bound is bound

    def test_grows_while_jobs_run(self, limits, bound):
        almost = self.snapshot(limits, minutes=599, priority_half_life_s=0)
        slow = job(cpus=1, limit_s=DAY)
        assert verdict(almost, job(), [slow]) is None
        assert verdict(almost, job(), [slow], at=NOW + 120).bound is bound

    def test_safe_limits_leave_room_for_the_whole_job(self, limits, bound):
        slow = job(cpus=1)
        for minutes, starts in ((540, True), (541, False)):
            told = self.snapshot(limits, minutes=minutes, limits_safe=True)
            assert (verdict(told, slow) is None) == starts
            assert verdict(self.snapshot(limits, minutes=minutes), slow) is None


@pytest.mark.parametrize("safe", [True, False])
def test_minutes_of_a_resource_without_a_name_are_not_those_of_the_wall(safe):
    nameless = {"group_tres_minutes": (("", 0),), "usage": used(1200)}
    assert verdict(site(qos={"normal": nameless}, limits_safe=safe), job(), [job()]) is None


def test_safe_limits_count_what_running_jobs_may_still_use():
    told = site(qos={"normal": {"group_tres_minutes": (("cpu", 240),)}}, limits_safe=True)
    assert verdict(told, job(), []) is None
    assert verdict(told, job(), [job(cpus=1)]).used == 60


def test_the_usage_factor_makes_minutes_dearer():
    limits = {"group_tres_run_minutes": (("cpu", 600),), "usage_factor": 2.0}
    assert verdict(normal(**limits), job(cpus=2), [job()]) is None  # 480 + 120, itself not doubled
    assert verdict(normal(**limits), job(cpus=3), [job()]) is not None
    asked_too = limits | {"flags": {QosFlag.FACTOR_ASKED}}
    assert verdict(normal(**asked_too), job(cpus=2), [job()]) is not None


def test_who_costs_nothing_is_not_kept_by_a_budget_that_others_used_up():
    account = {("optics", ""): {"group_tres_minutes": (("cpu", 10),), "usage": used(cpu=99)}}
    told = site(qos={"normal": {}, "free": {"usage_factor": 0.0}}, associations=account)
    assert verdict(told, job()) is not None
    assert verdict(told, job(qos="free")) is None


@pytest.mark.parametrize(
    ("cap", "starts"), [(None, True), (UNLIMITED, True), (-1, True), (0, False)]
)
@pytest.mark.parametrize("limit", ["group_jobs", "max_jobs", "group_wall_s", "max_wall_per_job_s"])
def test_not_set_unlimited_and_zero_are_three_things(limit, cap, starts):
    assert (verdict(normal(**{limit: cap}), job()) is None) == starts


def test_a_cap_of_zero_of_a_resource_keeps_out_only_those_who_want_it():
    no_gpus = normal(group_tres=(("gres/gpu", 0),))
    assert verdict(no_gpus, job()) is None
    assert verdict(no_gpus, job(gres=(("gpu", 1),))).cap == 0


def test_who_alone_takes_more_than_its_group_may_never_starts():
    assert verdict(normal(group_tres=(("cpu", 3),)), job()).asked == 4
    too_long = normal(group_tres_run_minutes=(("cpu", 200),))
    assert verdict(too_long, job()).asked == 240


def test_limits_that_are_not_enforced_bind_nobody():
    assert verdict(site(qos={"normal": {"group_jobs": 0}}, limits_enforced=False), job()) is None


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        ({"max_jobs": 1}, "user ana in QOS normal may run at most 1 job at a time; 1 run"),
        (
            {"group_tres": (("node", 1),)},
            "QOS normal may use at most 1 nodes at a time; 1 in use, 1 more needed",
        ),
        (
            {"max_tres_per_account": (("license/matlab", 0),)},
            "account optics in QOS normal may use at most 0 licenses of matlab at a time;"
            " 0 in use, 1 more needed",
        ),
        ({"max_wall_per_job_s": 600}, "a job of QOS normal may run for at most 10 minutes, not 60"),
    ],
)
def test_a_limit_is_told_in_words_with_names(limits, sentence):
    asking = job(licenses=(("matlab", 1),))
    assert verdict(normal(**limits), asking, [(job(), 0b1)], nodes=0b10).limit == sentence


@pytest.mark.parametrize(
    ("limits", "sentence"),
    [
        (
            {"max_jobs": 1},
            "user ana in QOS normal may run at most 1 job at a time;"
            " 2 run, let in by another limit",
        ),
        (
            {"group_tres": (("cpu", 7),)},
            "QOS normal may use at most 7 CPUs at a time;"
            " 8 in use, let in by another limit, 4 more needed",
        ),
        (
            {"group_tres_run_minutes": (("cpu", 300),)},
            "running jobs of QOS normal may have at most 300 minutes times CPUs before them;"
            " they have 480, let in by another limit, 240 more needed",
        ),
    ],
)
def test_a_limit_that_was_lowered_while_jobs_ran_does_not_refute_itself(limits, sentence):
    running = [(job(), 0b1), (job(), 0b10)]
    assert verdict(normal(**limits), job(), running, nodes=0b100).limit == sentence
