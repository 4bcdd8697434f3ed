"""What else PBS tells: hosts, queues, limits, reservations, server and scheduler."""

import pytest
from small_pbs import NODES, NOW, QUEUES, SERVER, queue, vnode

from predictor.domain import (
    Fact,
    License,
    NodeFlag,
    NodeSharing,
    NodeState,
    PartitionState,
    ReservationFlag,
)
from predictor.errors import SourceError
from predictor.lml import read, write


def test_the_whole_of_it_can_be_written_and_read(snapshot):
    seen = snapshot()
    assert read(write(seen)).snapshot == seen
    assert (seen.cluster, seen.taken_at) == ("heron-pbs", NOW)
    assert seen.provenance.version == "23.06.06"


class TestHosts:
    def node(self, snapshot, record, name="h9"):
        return next(n for n in snapshot(nodes=NODES | {name: record}).nodes if n.name == "h9")

    def test_vnodes_of_a_host_are_one_node(self, snapshot):
        h3 = next(node for node in snapshot().nodes if node.name == "h3")
        assert (h3.cpus, h3.memory_mb, h3.cpus_allocated) == (32, 131_072, 4)
        assert h3.state is NodeState.MIXED

    def test_of_a_host_with_a_broken_vnode_the_rest_can_be_used(self, snapshot):
        broken = NODES["h3[1]"] | {"state": "down"}
        h3 = next(n for n in snapshot(nodes=NODES | {"h3[1]": broken}).nodes if n.name == "h3")
        assert (h3.cpus, h3.usable) == (16, True)

    @pytest.mark.parametrize(
        ("word", "state", "usable"),
        [
            ("free", NodeState.IDLE, True),
            ("busy", NodeState.IDLE, True),
            ("job-busy", NodeState.MIXED, True),
            ("job-exclusive", NodeState.ALLOCATED, True),
            ("resv-exclusive", NodeState.IDLE, True),
            ("offline", NodeState.IDLE, False),
            ("offline,job-busy", NodeState.MIXED, False),
            ("maintenance", NodeState.IDLE, False),
            ("down", NodeState.DOWN, False),
            ("state-unknown,down", NodeState.DOWN, False),
            ("sleep", NodeState.IDLE, True),
            ("something-new", NodeState.UNKNOWN, False),
            ("", NodeState.UNKNOWN, False),
        ],
    )
    def test_states(self, snapshot, word, state, usable):
        node = self.node(snapshot, vnode("h9", 8, state=word))
        assert (node.state, node.usable) == (state, usable)

    def test_a_host_that_sleeps_has_to_be_woken(self, snapshot):
        node = self.node(snapshot, vnode("h9", 8, state="sleep"))
        assert node.flags == {NodeFlag.POWERED_DOWN}

    def test_a_truth_value_that_is_not_set_is_false(self, snapshot):
        assert "fast=False" in self.node(snapshot, vnode("h9", 8)).features

    def test_what_is_assigned_somewhere_is_used_up(self, snapshot):
        record = vnode(
            "h9", 8, has={"scratch": "2097152kb", "speed": 3}, assigned={"scratch": "0b"}
        )
        assert self.node(snapshot, record).gres == (("scratch", 2048),)

    def test_a_node_that_makes_no_sense_is_left_out(self, snapshot):
        seen = snapshot(nodes=NODES | {"h9": {"Error": "Unknown node "}})
        assert [b.example for b in seen.provenance.quarantined] == ["node 'h9': Unknown node "]

    def test_without_any_there_is_no_snapshot(self, snapshot):
        with pytest.raises(SourceError, match="no nodes"):
            snapshot(nodes={})


class TestQueues:
    def partition(self, snapshot, name="work", **more):
        queues = QUEUES | {name: queue(**more)} if more else QUEUES
        return next(p for p in snapshot(queues=queues).partitions if p.name == name)

    def test_those_that_run_jobs_are_partitions(self, snapshot):
        assert [p.name for p in snapshot().partitions] == ["work", "gpus", "R42"]

    def test_bounds_and_rank(self, snapshot):
        work = self.partition(snapshot)
        assert (work.max_time_s, work.default_time_s, work.tier, work.job_factor) == (
            86_400,
            3600,
            100,
            100,
        )

    def test_hosts_are_those_that_its_chunks_ask_for(self, snapshot):
        assert self.partition(snapshot, "gpus").node_names == ("h1",)
        assert self.partition(snapshot).node_names == ("h1", "h2", "h3", "h4")

    def test_hosts_that_are_bound_to_a_queue_are_its_alone(self, snapshot):
        nodes = NODES | {"h9": vnode("h9", 8, queue="gpus")}
        found = {p.name: p.node_names for p in snapshot(nodes=nodes).partitions}
        assert "h9" not in found["work"]
        assert found["R42"] == ("h1", "h2", "h3", "h4")

    def test_a_queue_of_another_scheduler_has_its_part_of_the_cluster(self, snapshot):
        nodes = {name: {**node, "partition": "p1"} for name, node in NODES.items() if name == "h2"}
        queues = QUEUES | {"new": queue(partition="p1")}
        found = {
            p.name: p.node_names for p in snapshot(nodes=NODES | nodes, queues=queues).partitions
        }
        assert found["new"] == ("h2",)

    @pytest.mark.parametrize(
        ("enabled", "started", "state"),
        [
            ("True", "True", PartitionState.UP),
            ("True", "False", PartitionState.DOWN),
            ("False", "True", PartitionState.DRAIN),
            ("False", "False", PartitionState.INACTIVE),
        ],
    )
    def test_states(self, snapshot, enabled, started, state):
        assert self.partition(snapshot, "x", enabled=enabled, started=started).state is state

    def test_whole_hosts_where_all_are_so(self, snapshot):
        nodes = {name: {**node, "sharing": "force_exclhost"} for name, node in NODES.items()}
        assert snapshot(nodes=nodes).partitions[0].sharing is NodeSharing.EXCLUSIVE

    def test_jobs_take_whole_hosts_where_that_is_the_default(self, snapshot):
        nodes = {name: {**node, "sharing": "default_excl"} for name, node in NODES.items()}
        jobs = {job.spec.id: job for job in snapshot(nodes=nodes).pending}
        assert jobs["103"].spec.request.sharing.value == "exclusive"

    def test_queues_that_route_in_circles_lead_nowhere(self, snapshot):
        circle = queue(queue_type="Route", route_destinations="route")
        jobs = {j.spec.id: j for j in snapshot(queues=QUEUES | {"route": circle}).pending}
        assert jobs["109"].spec.partitions == ("route",)


class TestLimits:
    def test_those_of_a_queue_bind_all_its_jobs(self, snapshot):
        seen = snapshot()
        (qos,) = seen.qos
        assert (qos.name, seen.partitions[0].qos) == ("work", "work")
        assert (qos.limits.max_jobs, qos.limits.group_jobs) == (20, 100)
        assert qos.limits.max_tres_per_account == (("cpu", 64),)
        assert seen.settings.limits_enforced

    def test_those_of_the_server_bind_all_jobs(self, snapshot):
        server = {"s": SERVER["heron-pbs.site.org"] | {"max_run": "[o:PBS_ALL=50]"}}
        seen = snapshot(server=server)
        assert [qos.name for qos in seen.qos] == ["server", "work"]
        assert {job.spec.qos for job in (*seen.pending, *seen.running)} == {"server"}

    def test_those_we_have_no_word_for_are_counted(self, snapshot):
        why = next(h.why for h in snapshot().provenance.hidden if h.fact is Fact.QOS)
        assert why.startswith("1 limits of single users")

    def test_the_old_words(self, snapshot):
        seen = snapshot(queues={"work": queue(max_running=7, max_user_run=2)})
        assert (seen.qos[0].limits.group_jobs, seen.qos[0].limits.max_jobs) == (7, 2)


class TestReservations:
    def test_one_that_is_confirmed(self, snapshot):
        (found,) = snapshot().reservations
        assert (found.name, found.start_at, found.end_at) == ("R42", NOW + 10_800, NOW + 14_400)
        assert (found.node_names, found.cpus, found.users) == (("h3",), 8, ("ana", "ben"))

    def test_jobs_of_its_queue_are_its_jobs(self, snapshot):
        jobs = {job.spec.id: job.spec for job in snapshot().pending}
        assert (jobs["111"].reservation, jobs["111"].partitions) == ("R42", ("R42",))

    def test_its_queue_is_made_up_where_it_is_not_listed(self, snapshot):
        queues = {name: told for name, told in QUEUES.items() if name != "R42"}
        found = next(p for p in snapshot(queues=queues).partitions if p.name == "R42")
        assert found.node_names == ("h3",)

    def told(self, snapshot, name="S7", **more):
        lines = {
            "reserve_state": "RESV_CONFIRMED",
            "reserve_start": "Fri Nov 20 18:00:00 2026",
            "reserve_end": "Fri Nov 20 20:00:00 2026",
            "resv_nodes": "(h1:ncpus=32)",
            **more,
        }
        text = "".join(f"{key} = {value}\n" for key, value in lines.items())
        return snapshot(pbs_rstat=f"Resv ID: {name}.pbs\n{text}\n").reservations

    def test_one_that_takes_whole_hosts(self, snapshot):
        (found,) = self.told(snapshot)
        assert found.cpus is None

    @pytest.mark.parametrize(
        ("rule", "flags"),
        [
            ("FREQ=WEEKLY;COUNT=3", {ReservationFlag.WEEKLY}),
            ("FREQ=DAILY;UNTIL=20270101", {ReservationFlag.DAILY}),
            ("FREQ=WEEKLY;BYDAY=MO,WE;COUNT=9", set()),
            ("FREQ=WEEKLY;INTERVAL=2;COUNT=9", set()),
        ],
    )
    def test_standing_ones(self, snapshot, rule, flags):
        (found,) = self.told(snapshot, reserve_rrule=rule, reserve_count=3, reserve_index=1)
        assert found.flags == flags

    def test_the_last_of_a_standing_one_comes_once(self, snapshot):
        rule = {"reserve_rrule": "FREQ=DAILY;COUNT=3", "reserve_count": 3, "reserve_index": 3}
        (found,) = self.told(snapshot, **rule)
        assert found.flags == set()

    def test_maintenance(self, snapshot):
        (found,) = self.told(snapshot, "M8")
        assert ReservationFlag.MAINTENANCE in found.flags

    def test_none_at_all(self, snapshot):
        assert snapshot(pbs_rstat="").reservations == ()

    def test_no_list_of_them_is_hidden(self, snapshot):
        hidden = snapshot(pbs_rstat="pbs_rstat: no").provenance.hidden
        assert any(h.fact is Fact.RESERVATIONS and "pbs_rstat" in h.why for h in hidden)


class TestServerAndScheduler:
    def test_pools_of_the_server_are_licenses(self, snapshot):
        assert snapshot().licenses == (License(name="matlab", total=10, used=4),)

    def test_settings_are_kept(self, snapshot):
        told = dict(snapshot().settings.parameters)
        assert told["job_sort_formula"] == "queue_priority + eligible_time / 3600 * 10"
        assert (told["backfill_depth"], told["opt_backfill_fuzzy"]) == ("2", "off")

    def test_the_schedulers_own_file(self, snapshot):
        lines = (
            "# by_queue",
            "by_queue: False	prime",
            "by_queue: True non_prime",
            "strict_ordering: true ALL",
            'resources: "ncpus, mem"',
        )
        seen = snapshot(sched_config="\n".join(lines))
        told = dict(seen.settings.parameters)
        assert (told["by_queue"], told["strict_ordering"]) == ("False", "true")
        assert told["resources"] == "ncpus, mem"
        assert {p.tier for p in seen.partitions} == {1}
        assert not any(h.fact is Fact.SETTINGS for h in seen.provenance.hidden)

    def test_a_server_that_hides_others_jobs_is_told_of(self, snapshot):
        told = {k: v for k, v in SERVER["heron-pbs.site.org"].items() if k != "query_other_jobs"}
        seen = snapshot(server={"s": told})
        assert seen.provenance.private == ("jobs",)
        assert any(h.fact is Fact.JOBS for h in seen.provenance.hidden)

    @pytest.mark.parametrize("lost", ["pbs_rstat", "qstat_queues", "qstat_server", "qmgr"])
    def test_what_could_not_be_asked_is_told_of(self, snapshot, lost):
        seen = snapshot(failed={lost: "no answer"}, **{lost: None})
        assert any("no answer" in hidden.why for hidden in seen.provenance.hidden)
        assert len(seen.running) == 2
