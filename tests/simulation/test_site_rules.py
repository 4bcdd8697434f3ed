"""Rules of partitions and QOS that decide who may start where, scene by scene."""

from dataclasses import replace

import pytest
from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    UNLIMITED,
    Association,
    Limits,
    NodeShare,
    NodeSharing,
    PassSettings,
    Preemption,
    Qos,
    QosFlag,
    Request,
    SchedulerSettings,
    Sharing,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.site import default

PASSES = PassSettings(interval_s=30, step_s=1)
FIFO = SchedulerSettings(multifactor=False, passes=PASSES)


def answers(snapshot):
    """The minute in which each job starts, or why none is told."""
    made = forecast(snapshot, default())
    starts = {p.job_id: (p.start_at - NOW) / MINUTE for p in made.predictions}
    return starts | {a.job_id: a.cause for a in made.abstentions}


def asking(id_, partition="batch", minutes=10, *, qos="", account="", **request):
    wanted = Request(**({"nodes": 1, "cpus": 1, "limit_s": minutes * MINUTE} | request))
    of_job = {"partitions": (partition,), "request": wanted, "qos": qos, "account": account}
    return waiting(id_, of_job=of_job)


class TestCpusOfANodeForAPartition:
    """Two nodes of eight CPUs; jobs of `cpu` may have six of each, so that `gpu` has the rest."""

    def site(self, *jobs, **more):
        members = nodes(2, cpus=8)
        bounded = {"sharing": NodeSharing.NO, "max_cpus_per_node": 6} | more
        queues = (
            partition("cpu", members, **bounded),
            partition("gpu", members, sharing=NodeSharing.NO),
        )
        return cluster(2, *jobs, nodes=members, partitions=queues, settings=FIFO)

    def held(self, id_, name, cpus, minutes_left, partition):
        one = running(id_, name, minutes_left, partitions=(partition,))
        return replace(one, allocation=(NodeShare(node=name, cpus=cpus),))

    # n1 [ r: 4 CPUs of six ] 30
    # n2 [ s: 4 CPUs of six ] 20
    def test_its_jobs_wait_for_each_other_though_cpus_are_free(self):
        jobs = [self.held("r", "n1", 4, 30, "cpu"), self.held("s", "n2", 4, 20, "cpu")]
        four = {"cpus": 4, "memory_per_node_mb": 1}
        found = answers(self.site(*jobs, asking("1", "cpu", **four)))
        assert found == {"1": 20}
        assert answers(self.site(*jobs, asking("1", "gpu", **four))) == {"1": 0}
        assert answers(self.site(*jobs, asking("1", "cpu", cpus=2, memory_per_node_mb=1))) == {
            "1": 0
        }

    def test_jobs_of_other_partitions_do_not_count(self):
        jobs = [self.held("r", "n1", 2, 30, "gpu"), self.held("s", "n2", 2, 30, "gpu")]
        assert answers(self.site(*jobs, asking("1", "cpu", cpus=6, memory_per_node_mb=1))) == {
            "1": 0
        }

    # n2 [ r: 2 CPUs ] 30    Of six CPUs n2 has six as n1 has, of all it has fewer.
    @pytest.mark.parametrize(("queue", "node"), [("cpu", "n1"), ("gpu", "n2")])
    def test_nodes_are_compared_by_those_that_it_may_have(self, queue, node):
        busy = self.held("r", "n2", 2, 30, "gpu")
        scene = self.site(busy, asking("1", queue, memory_per_node_mb=1))
        (found,) = forecast(scene, default()).predictions
        assert found.node_names == (node,)

    def test_those_that_wait_count_once_they_run(self):
        jobs = [asking(id_, "cpu", cpus=4, memory_per_node_mb=1) for id_ in "123"]
        assert answers(self.site(*jobs)) == {"1": 0, "2": 0, "3": 10}

    def test_who_asks_for_more_of_a_node_never_starts(self):
        found = answers(self.site(asking("1", "cpu", cpus=7), asking("2", "gpu", cpus=7)))
        assert found == {"1": Unpredictable.NEVER_FITS, "2": 0}

    def test_who_wants_nodes_alone_would_have_more_of_them(self):
        found = answers(self.site(asking("1", "cpu", sharing=Sharing.EXCLUSIVE)))
        assert found == {"1": Unpredictable.NEVER_FITS}

    def test_a_user_alone_on_his_nodes_is_bound_all_the_same(self):
        jobs = [asking(id_, "cpu", cpus=4, memory_per_node_mb=1) for id_ in "123"]
        assert answers(self.site(*jobs, exclusive_user=True)) == {"1": 0, "2": 0, "3": 10}

    @pytest.mark.parametrize("bound", [UNLIMITED, None, 0, -1, 8, 2**70])
    def test_what_binds_nobody(self, bound):
        all_of_it = asking("1", "cpu", cpus=8)
        assert answers(self.site(all_of_it, max_cpus_per_node=bound)) == {"1": 0}


@pytest.mark.parametrize(
    ("flag", "bounds", "request_"),
    [
        (QosFlag.ABOVE_MAX_TIME, {"max_time_s": 5 * MINUTE}, {}),
        (QosFlag.ABOVE_MAX_TIME, {"max_time_s": 5 * MINUTE}, {"limit_s": UNLIMITED}),
        (QosFlag.ABOVE_MAX_NODES, {"max_nodes": 1}, {"nodes": 2, "cpus": 2}),
        (QosFlag.BELOW_MIN_NODES, {"min_nodes": 2}, {}),
        (QosFlag.BELOW_MIN_NODES, {"min_nodes": 2}, {"nodes_max": 3}),
        (QosFlag.BELOW_MIN_NODES, {"min_nodes": 2}, {"nodes": 2, "nodes_named": 1, "cpus": 2}),
    ],
)
def test_a_qos_may_free_its_jobs_from_a_bound_of_the_partition(flag, bounds, request_):
    bounded = (partition("batch", nodes(4), **bounds),)
    tables = (Qos(name="long", flags=frozenset({flag})), Qos(name="normal"))
    for name, told in (("long", 0), ("normal", Unpredictable.NEVER_FITS)):
        job = asking("1", qos=name, **request_)
        scene = cluster(4, job, partitions=bounded, qos=tables, settings=FIFO)
        assert answers(scene) == {"1": told}


@pytest.mark.parametrize(("least_min", "told"), [(4, 0), (5, 0), (6, Unpredictable.NEVER_FITS)])
def test_the_least_of_a_limit_is_what_a_partition_bounds(least_min, told):
    bounded = (partition("batch", nodes(4), max_time_s=5 * MINUTE),)
    job = asking("1", limit_s=10 * MINUTE, limit_min_s=least_min * MINUTE)
    assert answers(cluster(4, job, partitions=bounded, settings=FIFO)) == {"1": told}


class TestAccountsAtTheDoor:
    """`optics` belongs to `physics`, which belongs to the root."""

    def told(self, account, admits_below=True, **rules):
        above = {"optics": "physics", "physics": "root", "chem": "root", "root": ""}
        tree = tuple(Association(account=one, parent=up) for one, up in above.items())
        door = (partition("batch", nodes(4), **rules),)
        settings = replace(FIFO, admits_below=admits_below)
        job = asking("1", account=account)
        scene = cluster(4, job, partitions=door, associations=tree, settings=settings)
        return answers(scene)["1"]

    @pytest.mark.parametrize(
        ("account", "rules", "enters"),
        [
            ("optics", {"allow_accounts": ("physics",)}, True),
            ("physics", {"allow_accounts": ("optics",)}, False),
            ("chem", {"allow_accounts": ("physics",)}, False),
            ("optics", {"deny_accounts": ("physics",)}, False),
            ("chem", {"deny_accounts": ("physics",)}, True),
            ("elsewhere", {"allow_accounts": ("physics",)}, False),
            ("", {"allow_accounts": ("physics",)}, True),
        ],
    )
    def test_those_below_are_meant_too(self, account, rules, enters):
        assert self.told(account, **rules) == (0 if enters else Unpredictable.NEVER_FITS)

    def test_unless_the_batch_system_looks_at_names_only(self):
        by_name = {"allow_accounts": ("physics",), "admits_below": False}
        assert self.told("physics", **by_name) == 0
        assert self.told("optics", **by_name) is Unpredictable.NEVER_FITS

    def test_accounts_that_are_above_each_other_end(self):
        ring = tuple(Association(account=a, parent=b) for a, b in ("xy", "yx", "zz"))
        door = (partition("batch", nodes(4), allow_accounts=("physics",)),)
        for account in "xyz":
            job = asking("1", account=account)
            scene = cluster(4, job, partitions=door, associations=ring, settings=FIFO)
            assert answers(scene) == {"1": Unpredictable.NEVER_FITS}


class TestGroupsAtTheDoor:
    """A partition for the groups `physics` and `chem`; `ada` is in one of them besides her own."""

    @pytest.mark.parametrize(
        ("user", "group", "members", "enters"),
        [
            ("emmy", "physics", ("ada",), True),
            ("ada", "staff", ("ada",), True),
            ("emmy", "staff", ("ada",), False),
            ("emmy", "staff", (), False),
            ("emmy", "staff", None, True),
            ("emmy", "", ("ada",), True),
        ],
    )
    def test_users_of_other_groups_stay_outside(self, user, group, members, enters):
        told = {} if members is None else {"group_members": members, "groups_told": True}
        rules = {"allow_groups": ("physics", "chem"), **told}
        door = (partition("batch", nodes(4), **rules),)
        job = waiting("1", 1, 10, of_job={"user": user, "group": group})
        found = answers(cluster(4, job, partitions=door, settings=FIFO))["1"]
        assert found == (0 if enters else Unpredictable.NEVER_FITS)

    def test_they_start_in_another_partition(self):
        rules = {"allow_groups": ("physics",), "groups_told": True}
        doors = (partition("club", nodes(4), tier=9, **rules), partition("batch", nodes(4)))
        busy = running("9", "n1 n2 n3 n4", 5, partitions=("batch",))
        of_job = {"user": "emmy", "group": "staff", "partitions": ("club", "batch")}
        scene = cluster(
            4, busy, waiting("1", 1, 10, of_job=of_job), partitions=doors, settings=FIFO
        )
        assert answers(scene)["1"] == 5


class TestMemoryAtTheDoor:
    """A node of eight CPUs and 8000 MB."""

    def told(self, *jobs, **rules):
        members = nodes(1, cpus=8)
        door = (partition("batch", members, sharing=NodeSharing.NO, **rules),)
        return answers(cluster(1, *jobs, nodes=members, partitions=door, settings=FIFO))

    def test_who_asks_for_more_of_a_node_than_is_allowed_never_starts(self):
        most = {"max_memory_per_node_mb": 4000}
        assert self.told(asking("1", memory_per_node_mb=4000), **most) == {"1": 0}
        for asked in ({"memory_per_node_mb": 4001}, {"memory_per_cpu_mb": 2001, "cpus": 2}):
            assert self.told(asking("1", **asked), **most) == {"1": Unpredictable.NEVER_FITS}

    def test_only_what_a_job_names_counts_not_what_goes_with_its_cores(self):
        most = {"max_memory_per_node_mb": 4000}
        asked = {"memory_per_cpu_mb": 1000, "cpus": 8, "cpus_per_node": 2}
        assert self.told(asking("1", **asked, cpus_named=4), **most) == {"1": 0}
        assert self.told(asking("1", **asked), **most) == {"1": Unpredictable.NEVER_FITS}

    # A gigabyte goes with each CPU: who wants 3000 MB for one gets three of them.
    @pytest.mark.parametrize(
        "wish", [{"memory_per_cpu_mb": 3000, "cpus": 1}, {"memory_per_node_mb": 3000, "cpus": 1}]
    )
    def test_memory_beyond_that_of_its_cpus_takes_more_cpus(self, wish):
        wide = asking("2", cpus=6, memory_per_node_mb=1)
        assert self.told(asking("1", **wish), wide) == {"1": 0, "2": 0}
        assert self.told(asking("1", **wish), wide, max_memory_per_cpu_mb=1000) == {
            "1": 0,
            "2": 10,
        }

    @pytest.mark.parametrize("absurd", [0, -5])
    def test_a_bound_that_makes_no_sense_is_none(self, absurd):
        rules = {"max_memory_per_node_mb": absurd, "max_memory_per_cpu_mb": absurd}
        assert self.told(asking("1", memory_per_node_mb=8000), **rules) == {"1": 0}


class TestWhoIsProtected:
    """Three of four nodes are busy for half an hour; "wide" wants all four, "long" one."""

    def told(
        self, *, priority=100, passes=None, wide_qos="", enforced=True, preemption=None, **more
    ):
        settings = SchedulerSettings(
            passes=replace(PASSES, **(passes or {})),
            limits_enforced=enforced,
            multifactor=False,
        )
        account = {"account": "physics"}
        wide = waiting("wide", 4, 10, of_job={"priority": priority, "qos": wide_qos} | account)
        long = waiting("long", 1, 60, of_job={"priority": 1} | account)
        snapshot = cluster(4, running("r", "n1 n2 n3", 30), wide, long, settings=settings, **more)
        return answers(snapshot)

    def test_who_is_ahead_keeps_its_slot(self):
        assert self.told() == {"wide": 30, "long": 40}

    @pytest.mark.parametrize(("least", "protected"), [(100, True), (101, False), (2**70, False)])
    def test_unless_its_priority_is_too_low(self, least, protected):
        found = self.told(passes={"protected_priority": least})
        assert found["long"] == (40 if protected else 0)

    @pytest.mark.parametrize(
        ("tables", "enforced", "protected"),
        [
            pytest.param({"q": 101}, True, False, id="too low for its QOS"),
            pytest.param({"q": 50}, True, True, id="its QOS goes before the scheduler"),
            pytest.param({"part": 50, "q": 101}, True, True, id="the partition's goes before it"),
            pytest.param({"q": 0}, True, False, id="none is set: the scheduler's"),
            pytest.param({"q": 50}, False, False, id="limits are not enforced"),
        ],
    )
    def test_its_qos_may_say_how_high_it_must_be(self, tables, enforced, protected):
        qos = tuple(Qos(name=n, limits=Limits(min_priority=p or None)) for n, p in tables.items())
        door = (partition("batch", nodes(4), qos="part"),)
        low = {"protected_priority": 101}
        found = self.told(passes=low, wide_qos="q", enforced=enforced, qos=qos, partitions=door)
        assert found["long"] == (40 if protected else 0)

    def test_and_so_may_its_association(self):
        found = self.told(
            associations=(
                Association(account="physics", user="ada", limits=Limits(min_priority=101)),
            )
        )
        assert found["long"] == 0

    def test_a_qos_without_slots_is_in_nobodys_way(self):
        free = (Qos(name="free", flags=frozenset({QosFlag.UNRESERVED})),)
        assert self.told(wide_qos="free", qos=free)["long"] == 0

    def test_where_it_can_be_made_to_leave_it_fits_into_any_gap(self):
        # A minute is left before "wide"; "long" starts all the same, and stays for its hour.
        free = (Qos(name="free", flags=frozenset({QosFlag.UNRESERVED})),)
        settings = replace(FIFO, preemption=Preemption())
        wide = waiting("wide", 4, 10, of_job={"priority": 100})
        for qos, starts in (("free", {"long": 0, "wide": 60}), ("", {"wide": 30, "long": 40})):
            long = waiting("long", 1, 60, of_job={"priority": 1, "qos": qos})
            jobs = running("r", "n1 n2 n3", 30), wide, long
            assert answers(cluster(4, *jobs, settings=settings, qos=free)) == starts


def test_the_quick_pass_looks_at_one_job_more_than_it_is_told():
    # Two are looked at after the event; the third waits for the pass that looks at all.
    members = nodes(3)
    queues = tuple(partition(name, members[i : i + 1]) for i, name in enumerate("pqr"))
    jobs = [waiting(id_, of_job={"partitions": (id_,)}) for id_ in "pqr"]
    passes = replace(PASSES, main_depth=1, interval_s=3000)
    settings = replace(FIFO, passes=passes, backfill=False)
    snapshot = cluster(3, *jobs, nodes=members, partitions=queues, settings=settings)
    assert answers(snapshot) == {"p": 0, "q": 0, "r": 1}
