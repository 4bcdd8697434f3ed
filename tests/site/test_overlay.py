"""A site file laid over a snapshot: the file wins where it says something."""

import pytest
from hypothesis import given, settings
from strategies import snapshots

from predictor.domain import (
    UNLIMITED,
    Association,
    Dependency,
    DependencyKind,
    Fact,
    JobSpec,
    Limits,
    Node,
    NodeShare,
    NodeSharing,
    NodeState,
    Partition,
    PendingJob,
    Provenance,
    Qos,
    Request,
    RunningJob,
    Snapshot,
    Untrusted,
    Usage,
)
from predictor.site import default, overlay, without_private_texts


def bare(**parts):
    return Snapshot(cluster="c", taken_at=0, provenance=Provenance(source="test"), **parts)


def spec(id_="1", user="u", account="", partitions=(), **more):
    request = Request(nodes=1, cpus=1)
    return JobSpec(
        id=id_,
        user=user,
        account=account,
        partitions=partitions,
        request=request,
        submitted_at=0,
        **more,
    )


def node(name, **more):
    return Node(**{"name": name, "cpus": 4, "memory_mb": 8, "state": NodeState.MIXED} | more)


@settings(max_examples=20)
@given(snapshots())
def test_an_empty_file_changes_nothing(snapshot):
    assert overlay(default(), snapshot) == snapshot


def test_the_file_may_rename_the_cluster_and_the_kill_wait(site):
    laid = overlay(site("cluster = 'x'\n[forecast]\nkill_wait_s = 5"), bare())
    assert (laid.cluster, laid.settings.kill_wait_s) == ("x", 5)


GROUPS = """
    [[nodes]]
    name = "fat"
    hosts = "n[2-3]"
    cpus = 16
    gres = { "gpu:a100" = 4, "fpga" = 1 }
    features = ["big"]
    """


def test_nodes_are_described_anew_and_keep_their_state(site):
    told = (node("n1"), node("n3", weight=7, reason="ok", cpus_allocated=2), node("n2"))
    laid = overlay(site(GROUPS), bare(nodes=told))
    gres = (("fpga", 1), ("gpu:a100", 4))
    assert laid.nodes == (
        node("n1"),
        node("n3", cpus=16, gres=gres, features=("big",), weight=7, reason="ok", cpus_allocated=2),
        node("n2", cpus=16, gres=gres, features=("big",)),
    )


def test_nodes_hang_on_the_switches_that_the_file_tells(site):
    told = '[[nodes]]\nhosts = "n[1-2]"\ncpus = 1\nswitches = ["leaf1", "core"]'
    laid = overlay(site(told), bare(nodes=(node("n1"), node("n2"), node("n3", switches=("x",)))))
    assert [each.switches for each in laid.nodes] == [("leaf1", "core"), ("leaf1", "core"), ("x",)]


def test_a_node_that_only_the_file_knows_is_down(site):
    laid = overlay(site(GROUPS), bare(nodes=(node("n2"),)))
    assert [(each.name, each.usable) for each in laid.nodes] == [("n2", True), ("n3", False)]
    assert "not shown" in laid.nodes[1].reason


def test_nodes_of_a_batch_system_that_shows_none_are_as_busy_as_its_jobs(site):
    def running(id_, *shares):
        allocation = tuple(NodeShare(node=name, cpus=cpus) for name, cpus in shares)
        return RunningJob(spec=spec(id_), started_at=0, allocation=allocation)

    laid = overlay(
        site("[[nodes]]\nhosts = 'n[8-10]'\ncpus = 4\nmemory_mb = 9"),
        bare(running=(running("1", ("n8", 4), ("n9", 1)), running("2", ("n9", 1)))),
    )
    assert [(n.name, n.state, n.cpus_allocated, n.memory_mb) for n in laid.nodes] == [
        ("n8", NodeState.ALLOCATED, 4, 9),
        ("n9", NodeState.MIXED, 2, 9),
        ("n10", NodeState.IDLE, 0, 9),
    ]


def test_a_queue_changes_what_it_names_and_keeps_the_rest(site):
    told = Partition(name="batch", node_names=("n1",), tier=3, max_time_s=60, is_default=True)
    laid = overlay(
        site("[[queues]]\nname = 'batch'\nmax_time_s = 'UNLIMITED'\njob_factor = 9"),
        bare(partitions=(told,)),
    )
    assert laid.partitions == (
        Partition(
            name="batch",
            node_names=("n1",),
            tier=3,
            max_time_s=UNLIMITED,
            job_factor=9,
            is_default=True,
        ),
    )


def test_new_queues_have_the_nodes_of_their_groups_in_the_cluster_s_order(site):
    laid = overlay(
        site(
            GROUPS
            + """
    [[queues]]
    name = "mixed"
    nodes = ["fat", "n1"]
    sharing = "exclusive"
    [[queues]]
    name = "all"
    default = true
    sharing = "shared"
    jobs_per_cpu = 2
    """
        ),
        bare(
            nodes=(node("n3"), node("n1"), node("n2"), node("n0")),
            partitions=(Partition(name="old", node_names=("n0",), is_default=True),),
        ),
    )
    old, mixed, everything = laid.partitions
    assert not old.is_default
    assert mixed == Partition(
        name="mixed", node_names=("n3", "n1", "n2"), sharing=NodeSharing.EXCLUSIVE
    )
    assert everything == Partition(
        name="all",
        node_names=("n3", "n1", "n2", "n0"),
        is_default=True,
        sharing=NodeSharing.FORCE,
        jobs_per_cpu=2,
    )


def test_a_host_that_nobody_knows_is_named(site):
    laid = overlay(site("[[queues]]\nname = 'a'\nnodes = ['n[1-3]']"), bare(nodes=(node("n1"),)))
    assert laid.partitions[0].node_names == ("n1",)
    (found,) = laid.provenance.quarantined
    assert (found.fact, found.count) == (Fact.PARTITIONS, 2)
    assert "queue a" in found.example


def test_jobs_without_a_queue_wait_in_the_default_one(site):
    jobs = (PendingJob(spec=spec("1")), PendingJob(spec=spec("2", partitions=("b",))))
    laid = overlay(site("[[queues]]\nname = 'a'\ndefault = true"), bare(pending=jobs))
    assert [job.spec.partitions for job in laid.pending] == [("a",), ("b",)]


def test_a_qos_replaces_the_one_told_but_for_its_usage(site):
    usage = Usage(jobs=3)
    told = (Qos(name="short", priority=1, usage=usage), Qos(name="long"))
    laid = overlay(site("[[qos]]\nname = 'short'\nmax_jobs_per_user = 2"), bare(qos=told))
    assert laid.qos == (Qos(name="short", usage=usage, limits=Limits(max_jobs=2)), Qos(name="long"))
    assert laid.settings.limits_enforced


def test_limits_of_a_queue_become_its_qos(site):
    laid = overlay(
        site("""
            [[queues]]
            name = "a"
            [[limits]]
            queue = "a"
            max_jobs = 1
            max_nodes = 2
            max_cpus_per_user = 3
            max_time_per_job_s = "1h"
            """),
        bare(),
    )
    (partition,) = laid.partitions
    (qos,) = laid.qos
    assert partition.qos == qos.name
    assert qos.limits == Limits(
        group_jobs=1,
        group_tres=(("node", 2),),
        max_tres=(("cpu", 3),),
        max_wall_per_job_s=3600,
    )


@pytest.mark.parametrize(
    ("whom", "bound"),
    [
        ("account = 'a'", [("a", "")]),
        ("user = 'u'", [("a", "u"), ("b", "u")]),
        ("user = 'u'\naccount = 'b'", [("b", "u")]),
        ("user = 'nobody'", []),
    ],
)
def test_limits_of_accounts_and_users_become_associations(site, whom, bound):
    laid = overlay(
        site(f"[[limits]]\n{whom}\nmax_jobs = 4\npriority = 7"),
        bare(
            pending=(PendingJob(spec=spec("1", account="a")),),
            associations=(Association(account="b", user="u", shares=5),),
        ),
    )
    found = {(a.account, a.user): a for a in laid.associations if a.limits.group_jobs == 4}
    assert sorted(found) == bound
    assert all(association.priority == 7 for association in found.values())
    assert laid.associations[0].shares == 5


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("", ("name", "")),
        ("[privacy]\ncomments = 'keep'", ("name", "comment")),
        ("[privacy]\njob_names = 'drop'", ("", "")),
    ],
)
def test_texts_that_are_dropped(site, text, left):
    texts = {"name": Untrusted("name"), "comment": Untrusted("comment")}
    whole = bare(
        pending=(PendingJob(spec=spec("1", **texts)),),
        running=(RunningJob(spec=spec("2", **texts), started_at=0, allocation=()),),
    )
    kept = without_private_texts(whole, site(text).privacy)
    for job in (*kept.pending, *kept.running):
        assert (job.spec.name.raw, job.spec.comment.raw) == left


def test_without_names_nobody_knows_whom_a_singleton_waits_for(site):
    waits = (Dependency(kind=DependencyKind.SINGLETON), Dependency(kind=DependencyKind.AFTER))
    whole = bare(pending=(PendingJob(spec=spec(), dependencies=waits),))
    (job,) = without_private_texts(whole, site("[privacy]\njob_names = 'drop'").privacy).pending
    assert [each.kind for each in job.dependencies] == [DependencyKind.OTHER, DependencyKind.AFTER]
