"""Documents that we did not write: what is read from them, and what is said about the rest."""

import re

import pytest
from llview_documents import JOB, SYSTEM, TWO_PM, raw

from predictor.domain import (
    UNLIMITED,
    ArrayTasks,
    Dependency,
    DependencyKind,
    Fact,
    Hold,
    NodeFlag,
    NodeShare,
    NodeState,
    Outcome,
    QosFlag,
    ReservationFlag,
    RunState,
    Untrusted,
)
from predictor.errors import DocumentError
from predictor.lml import read, write


def only_job(**data):
    """The one job of a document, waiting unless told otherwise."""
    given = {"step": "1", "status": "SUBMITTED", "state": "Idle"} | JOB | data
    snapshot = read(raw(SYSTEM, ("job", "1", given))).snapshot
    (job,) = (*snapshot.pending, *snapshot.running, *snapshot.finished)
    return job


class TestTheStandardsWords:
    def test_the_instant_and_the_cluster(self, larch):
        snapshot = read(larch).snapshot
        assert (snapshot.cluster, snapshot.taken_at) == ("larch-login", TWO_PM)

    def test_the_partition_comes_from_the_nodes_classes_and_its_limit_from_the_class(self, larch):
        (partition,) = read(larch).snapshot.partitions
        assert (partition.name, partition.max_time_s) == ("standard", 86_400)
        assert partition.node_names == ("larch-n001", "larch-n002")

    def test_a_running_job(self, larch):
        (job,) = read(larch).snapshot.running
        assert (job.spec.id, job.ends_by) == ("90211", TWO_PM - 6_980 + 14_400)
        assert job.allocation == (NodeShare(node="larch-n001", cpus=64),)

    def test_a_waiting_job_takes_as_many_nodes_as_its_cores_need(self, larch):
        (job,) = read(larch).snapshot.pending
        assert (job.spec.request.nodes, job.spec.request.cpus) == (2, 128)

    def test_nothing_had_to_be_tolerated(self, larch):
        assert read(larch).notes == ()


class TestLLviewsRawFile:
    def test_local_dates_and_the_collectors_own_clock_give_the_offset(self, llview):
        snapshot = read(llview).snapshot
        assert (snapshot.taken_at, snapshot.utc_offset_s) == (TWO_PM, 3600)

    def test_what_it_calls_a_waiting_jobs_start_is_only_an_estimate(self, llview):
        job = next(job for job in read(llview).snapshot.pending if job.spec.id == "502")
        assert job.estimate.start_at == TWO_PM + 82_680
        assert job.estimate.node_names == ("birch01", "birch02")
        assert job.spec.request.limit_s is UNLIMITED
        assert job.dependencies == (
            Dependency(kind=DependencyKind.AFTER_OK, job_id="501"),
            Dependency(kind=DependencyKind.SINGLETON),
        )

    def test_a_running_jobs_start_is_its_start(self, llview):
        (job,) = read(llview).snapshot.running
        assert job.started_at == TWO_PM - 3_720

    def test_a_comment_that_breaks_the_xml_is_mended_and_noted(self, llview):
        document = read(llview)
        job = next(job for job in document.snapshot.pending if job.spec.id == "502")
        assert job.spec.comment == Untrusted("R&D <fast> & 'cheap'")
        note = next(note for note in document.notes if note.rule == "not-well-formed")
        assert (note.count, note.line) == (1, 94)

    def test_a_held_array(self, llview):
        job = next(job for job in read(llview).snapshot.pending if job.spec.id == "503_7")
        assert job.hold is Hold.USER
        assert job.spec.array == ArrayTasks(job_id="503", tasks=(7, 8, 9), max_running=2)
        assert job.spec.request.limit_s == 93_600

    def test_a_cancelled_job(self, llview):
        (job,) = read(llview).snapshot.finished
        assert (job.outcome, job.ended_at) == (Outcome.CANCELLED, TWO_PM - 420)

    def test_nodes(self, llview):
        full, drained, odd = read(llview).snapshot.nodes
        assert (full.state, full.cpus_allocated) == (NodeState.ALLOCATED, 48)
        assert drained.flags == {NodeFlag.DRAIN}
        assert (odd.state, odd.flags) == (NodeState.IDLE, {NodeFlag.PLANNED})
        assert odd.gres == (("gpu", 4),)

    def test_partitions_of_classes_and_one_that_only_a_job_names(self, llview):
        partitions = {p.name: p.node_names for p in read(llview).snapshot.partitions}
        everywhere = ("birch01", "birch02", "birch03")
        assert partitions == {"batch": everywhere, "devel": ("birch01",), "night": everywhere}

    def test_a_reservation_with_dates_in_both_forms(self, llview):
        (reservation,) = read(llview).snapshot.reservations
        assert reservation.end_at - reservation.start_at == 36_000
        assert reservation.flags == {ReservationFlag.MAINTENANCE, ReservationFlag.IGNORE_JOBS}
        assert reservation.users == ("root", "ops")

    def test_a_class_is_a_quality_of_service(self, llview):
        (qos,) = read(llview).snapshot.qos
        assert (qos.name, qos.priority, qos.limits.max_jobs) == ("normal", 10, 8)
        assert qos.flags == {QosFlag.NO_DECAY, QosFlag.OVER_PARTITION}

    def test_a_job_that_lacks_its_start_is_quarantined(self, llview):
        (bad,) = read(llview).snapshot.provenance.quarantined
        assert (bad.fact, bad.count) == (Fact.JOBS, 1)
        assert "'505'" in bad.example

    def test_what_it_never_tells_is_said_to_be_hidden(self, llview):
        hidden = {entry.fact for entry in read(llview).snapshot.provenance.hidden}
        assert {Fact.FAIRSHARE, Fact.SETTINGS, Fact.LICENSES} <= hidden
        assert Fact.JOBS not in hidden

    def test_its_other_objects_are_counted(self, llview):
        texts = [note.text for note in read(llview).notes if note.rule == "other-type"]
        assert texts == ["objects of type 'pstat'", "objects of type 'step'"]


class TestAFileOfOneSection:
    def test_jobs_alone_take_their_instant_from_the_collector_and_the_zone_from_a_running_job(self):
        running = JOB | {
            "state": "Running",
            "status": "RUNNING",
            "starttime": "2026-11-20 15:00:00",
            "runtime": "120",
            "nodelist": "(n1,4)",
        }
        timing = ("pstat", "getjobinfo", {"startts": f"{TWO_PM + 3.5}"})
        snapshot = read(raw(("job", "1", running), timing)).snapshot
        assert (snapshot.taken_at, snapshot.utc_offset_s) == (TWO_PM + 3, 3600)
        assert snapshot.running[0].started_at == TWO_PM - 120
        assert snapshot.partitions[0].node_names == ()

    def test_without_any_clock_the_latest_submission_is_the_instant_and_it_is_noted(self):
        document = read(raw(("job", "1", JOB | {"state": "Idle"})))
        assert document.snapshot.taken_at == TWO_PM - 3_720
        assert {note.rule for note in document.notes} >= {"no-instant", "no-zone"}

    def test_nothing_that_tells_an_instant_is_an_error(self):
        with pytest.raises(DocumentError, match="no system_time"):
            read(raw(("class", "normal", {"name": "normal"})))


@pytest.mark.parametrize("namespace", ["http://www.llview.de", "org.eclipse.ptp.lml"])
def test_older_namespaces_are_read(larch, namespace):
    old = larch.replace(b"http://eclipse.org/ptp/lml", namespace.encode())
    assert read(old) == read(larch)


def test_a_document_in_latin_1_is_read():
    data = raw(SYSTEM, ("job", "1", JOB | {"state": "Idle", "name": "Größe"})).decode()
    latin = ('<?xml version="1.0" encoding="ISO-8859-1"?>\n' + data).encode("latin-1")
    assert read(latin).snapshot.pending[0].spec.name == Untrusted("Größe")


def test_bytes_of_another_encoding_are_replaced_and_noted():
    data = raw(SYSTEM, ("job", "1", JOB | {"state": "Idle", "name": "Größe"}))
    broken = data.decode().encode("latin-1")
    document = read(broken)
    assert document.snapshot.pending[0].spec.name == Untrusted("Gr\ufffd\ufffde")
    assert [note.rule for note in document.notes] == ["not-well-formed"]


def test_the_second_of_two_equal_keys_and_of_two_infos_is_dropped_and_noted():
    data = raw(SYSTEM, ("job", "1", JOB | {"state": "Idle"})).replace(
        b'<data key="owner" value="ana"/>',
        b'<data key="owner" value="ana"/><data key="owner" value="ben"/>',
    )
    data = data.replace(b"</information>", b'<info oid="o1"/><info oid="gone"/></information>')
    document = read(data)
    assert document.snapshot.pending[0].spec.user == "ana"
    rules = [note.rule for note in document.notes]
    assert rules == ["repeated-key", "repeated-info", "no-object"]


@pytest.mark.parametrize(
    ("data", "hold"),
    [
        pytest.param({}, Hold.NONE, id="idle"),
        pytest.param({"state": "User Hold"}, Hold.USER, id="by its state"),
        pytest.param({"detailedstatus": "SYSTEM_ON_HOLD"}, Hold.ADMIN, id="by its status"),
        pytest.param({"state": "Pending", "status": "?"}, Hold.NONE, id="llview's word"),
    ],
)
def test_who_holds_a_waiting_job(data, hold):
    assert only_job(**data).hold is hold


@pytest.mark.parametrize(
    ("data", "state"),
    [
        pytest.param({"state": "Running"}, RunState.RUNNING, id="running"),
        pytest.param(
            {"state": "Suspended", "status": "SUBMITTED"},
            RunState.SUSPENDED,
            id="llview calls a suspended job submitted",
        ),
        pytest.param(
            {"state": "Pending", "status": "UNDETERMINED"},
            RunState.CONFIGURING,
            id="llview cannot tell what it does, but it has nodes",
        ),
    ],
)
def test_what_a_job_with_nodes_does(data, state):
    job = only_job(starttime="2026-11-20 13:30:00", nodelist="(n1,2)(n2,2)", **data)
    assert job.state is state


@pytest.mark.parametrize(
    ("nodelist", "shares"),
    [
        pytest.param("(a,4)(b,8)", {"a": 4, "b": 8}, id="cores"),
        pytest.param("(a,0)(a,1)(b,0)", {"a": 2, "b": 1}, id="indices of cores"),
        pytest.param("-", {}, id="nowhere"),
    ],
)
def test_both_meanings_of_a_node_list(nodelist, shares):
    job = only_job(state="Running", dispatchdate="2026-11-20 13:30:00", nodelist=nodelist)
    assert {share.node: share.cpus for share in job.allocation} == shares


@pytest.mark.parametrize(
    ("word", "state", "flags", "usable"),
    [
        ("Running", NodeState.MIXED, set(), True),
        ("Drained", NodeState.IDLE, {NodeFlag.DRAIN}, False),
        ("Maint", NodeState.IDLE, {NodeFlag.MAINTENANCE}, True),
        ("mixed", NodeState.MIXED, set(), True),
        ("IDLE+PLANNED", NodeState.IDLE, {NodeFlag.PLANNED}, True),
        ("mixed-", NodeState.MIXED, {NodeFlag.PLANNED}, True),
        ("IDLE+CLOUD+POWERED_DOWN", NodeState.IDLE, {NodeFlag.POWERED_DOWN}, True),
        ("idle~", NodeState.IDLE, {NodeFlag.POWERED_DOWN}, True),
        ("reserved$", NodeState.IDLE, {NodeFlag.RESERVED, NodeFlag.MAINTENANCE}, True),
        ("completing", NodeState.MIXED, {NodeFlag.COMPLETING}, True),
        ("idle+drain", NodeState.IDLE, {NodeFlag.DRAIN}, False),
        ("draining", NodeState.MIXED, {NodeFlag.DRAIN}, False),
        ("ALLOCATED*", NodeState.ALLOCATED, {NodeFlag.NOT_RESPONDING}, False),
        ("DOWN*+DRAIN", NodeState.DOWN, {NodeFlag.NOT_RESPONDING, NodeFlag.DRAIN}, False),
        ("idle+invalid_reg", NodeState.IDLE, {NodeFlag.INVALID}, False),
        ("Unknown", NodeState.UNKNOWN, set(), False),
        ("FUTURE+DRAIN", NodeState.UNKNOWN, {NodeFlag.DRAIN}, False),
        ("*", NodeState.UNKNOWN, {NodeFlag.NOT_RESPONDING}, False),
        ("", NodeState.UNKNOWN, set(), False),
    ],
)
def test_what_a_node_does_in_the_standards_words_and_in_slurms(word, state, flags, usable):
    (node,) = read(raw(SYSTEM, ("node", "n1", {"ncores": "4", "state": word}))).snapshot.nodes
    assert (node.state, node.flags, node.usable) == (state, flags, usable)


@pytest.mark.parametrize(
    ("wall", "limit_s"),
    [
        ("60", 60),
        ("UNLIMITED", UNLIMITED),
        ("1:30", 90),
        ("2:00:00", 7_200),
        ("1-00", 86_400),
        ("1-02:30", 95_400),
        ("-", None),
    ],
)
def test_wall_limits(wall, limit_s):
    assert only_job(wall=wall).spec.request.limit_s == limit_s


def test_ours_without_our_mark_is_read_like_anybodys(cluster):
    unmarked = re.sub(rb'<data key="x_format"[^\n]*\n', b"", write(cluster))
    snapshot = read(unmarked).snapshot
    assert [job.spec for job in snapshot.pending] == [job.spec for job in cluster.pending]
    assert snapshot.running[0].allocation == cluster.running[0].allocation
    assert snapshot.taken_at == cluster.taken_at
