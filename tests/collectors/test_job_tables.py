"""Jobs out of squeue's table and scontrol's details, whatever users write into theirs."""

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from job_tables import MARK, RUNNING, TOKEN, a_row, details_of, table

from collectors.slurm.surroundings import Surroundings
from collectors.slurm.text import jobtable
from collectors.slurm.text.jobdetails import parse_details
from collectors.slurm.text.jobs import parse_jobs
from collectors.slurm.text.jobsapart import unlisted, written
from collectors.slurm.text.jobtable import rows_of
from collectors.slurm.words.tasks import task_numbers
from collectors.untrusted import untrusted
from predictor.domain import UNLIMITED, Hold, Obstacle, Sharing
from predictor.errors import SourceFormatError

NOW = 1795294800
OLD, NEW = (24, 11, 5), (26, 5, 0)


def read(text, details="", version=OLD, threads=1):
    told, _ = parse_details(details)
    cores = {"n1": threads, "n2": threads}
    around = Surroundings(taken_at=NOW, widest=8, threads=threads, cpus_per_core=cores)
    return parse_jobs(text, around, told, version=version)


def jobs(rows, details="", version=OLD, threads=1):
    found, bad = read(table(rows), details, version, threads)
    assert not bad
    return found


def the_job(details="", version=OLD, **fields):
    found = jobs([a_row(7, **fields)], details, version)
    (job,) = (*found.pending, *found.running, *found.finished)
    return job


pieces = st.sampled_from(
    ["~", "\n", "|", "<", ">", "JOBID~", "JobId=2 ", "NAME", "(null)", "<0123456789abcdef>", "\0"]
)
hostile = st.lists(pieces | st.text(max_size=5), max_size=12).map("".join)


@given(st.lists(st.tuples(hostile, hostile), max_size=5))
def test_no_name_and_no_comment_can_forge_a_row_or_shift_another(written):
    assume(not any(TOKEN in text for pair in written for text in pair))
    rows = [a_row(n, Name=one, Comment=other) for n, (one, other) in enumerate(written, start=1)]
    found = jobs(rows)
    expected = [
        ("" if one == "(null)" else one, "" if other == "(null)" else other)
        for one, other in written
    ]
    assert [(job.spec.name, job.spec.comment) for job in found.pending] == [
        (untrusted(one), untrusted(other)) for one, other in expected
    ]
    assert [job.spec.id for job in found.pending] == [row["JobID"] for row in rows]


def test_each_look_asks_with_another_mark():
    (one, other) = (jobtable.command(token)[-1] for token in ("ab", "cd"))
    assert "Name:<ab>,Comment:<ab>" in one and "Name:<cd>,Comment:<cd>" in other


def test_a_row_with_a_bar_too_many_is_set_aside_alone():
    rows = [a_row(1), a_row(2, Feature="a~b"), a_row(3)]
    found, (bad,) = read(table(rows))
    assert [job.spec.id for job in found.pending] == ["1", "3"]
    assert (bad.count, "other fields than asked for" in bad.example) == (1, True)


def test_a_table_cut_off_anywhere_is_refused_or_ends_with_a_whole_row():
    text = table([a_row(1), a_row(2, Comment="a\nb")])
    whole = [at for at in range(len(text)) if text[:at].endswith(f"{MARK}\n")]
    for at in range(len(text)):
        if at in whole:
            continue
        with pytest.raises(SourceFormatError, match=r"cut off|no heading"):
            read(text[:at])


@pytest.mark.parametrize("text", ["", "\n", "no jobs", "JOBID~\n", "\0" * 100])
def test_what_is_no_table_is_refused(text):
    with pytest.raises(SourceFormatError, match="no heading"):
        read(text)


@pytest.mark.parametrize(
    ("shown", "array_id", "id_", "tasks"),
    [
        ("7", "7", "7", None),
        ("12_3", "12", "12_3", (3,)),
        ("12_[4-6%2]", "12", "12_[4-6%2]", (4, 5, 6)),
        ("12_[9]", "12", "12_[9]", (9,)),
        ("12+1", "13", "12+1", None),
    ],
)
def test_ids_as_squeue_writes_them(shown, array_id, id_, tasks):
    job = the_job(JobArrayID=shown, ArrayJobID=array_id)
    assert job.spec.id == id_
    assert (job.spec.array.tasks if job.spec.array else None) == tasks


def test_a_job_of_no_id_is_set_aside():
    _, (bad,) = read(table([a_row(1), a_row(2, JobArrayID="2_"), a_row(3)]))
    assert bad.example == "job 2: not a job's id: '2_'"


@pytest.mark.parametrize(
    ("fields", "of"),
    [
        ({"TimeLimit": "UNLIMITED"}, lambda request: request.limit_s is UNLIMITED),
        ({"TimeLimit": "NOT_SET"}, lambda request: request.limit_s is None),
        ({"TimeLimit": "2-01:00:00"}, lambda request: request.limit_s == 49 * 3600),
        ({"MinTime": "30:00"}, lambda request: request.limit_min_s == 1800),
        ({"ReqSwitch": "1", "Wait4Switch": "5:00"}, lambda r: r.switches_wait_s == 300),
        ({"OverSubscribe": "NO"}, lambda request: request.sharing is Sharing.EXCLUSIVE),
        ({"OverSubscribe": "USER"}, lambda request: request.sharing is Sharing.USER),
        ({"tres-per-node": "gres:gpu:a:2"}, lambda r: r.gres_per_node == (("gpu:a", 2),)),
        ({"NumTasks": "4294967294"}, lambda request: request.nodes_max is None),
        ({"MaxNodes": "3"}, lambda request: request.nodes_max == 3),
        ({"MinMemory": "0"}, lambda request: request.memory_per_node_mb == 0),
    ],
)
def test_what_was_asked_for(fields, of):
    assert of(the_job(**fields).spec.request)


def test_a_sentence_in_place_of_a_reason():
    sentence = "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority"
    assert the_job(Reason=sentence).reason == "Resources"
    assert the_job(Reason="ReqNodeNotAvail, UnavailableNodes:n1").reason == "ReqNodeNotAvail"
    assert the_job(Reason="No suitable topology unit found for segment").reason == "Resources"
    refused = "Job's QOS not permitted to use this partition (cloud allows rel,slow not fast)"
    assert the_job(Reason=refused, QOS="fast").obstacle is Obstacle.NEVER
    assert the_job(Reason=refused, QOS="fast,slow").obstacle is Obstacle.NONE
    for reason in ("JobHeldUser", "job requeued in held state"):
        held = the_job(Reason=reason, PriorityLong="0")
        assert (held.hold, held.obstacle) == (Hold.USER, Obstacle.NONE)


def test_newer_versions_tell_exclusive_use_apart():
    row = a_row(7, OverSubscribe="NO")
    asked = [
        jobs([row], details_of(row, nodes="1", Exclusive=word), NEW).pending[0].spec.request.sharing
        for word in ("NO", "NODE", "USER")
    ]
    assert asked == [Sharing.SHARED, Sharing.EXCLUSIVE, Sharing.USER]
    assert the_job(version=NEW, OverSubscribe="NO").spec.request.sharing is Sharing.SHARED


def test_details_complete_the_request():
    row = a_row(7, NumTasks="4", NumNodes="1", MaxNodes="1")
    (bounded,) = jobs([row], details_of(row, nodes="1-1", ExcNodeList="n[3-4]")).pending
    (free,) = jobs([row], details_of(row, nodes="1")).pending
    assert bounded.spec.request.excluded_nodes == ("n3", "n4")
    assert (bounded.spec.request.nodes_max, free.spec.request.nodes_max) == (None, 4)
    assert bounded.spec.request.memory_per_cpu_mb == 500


@pytest.mark.parametrize(
    ("word", "start_by"), [("N/A", None), ("2026-11-22T12:00:00", 1_795_347_000)]
)
def test_details_tell_the_deadline(word, start_by):
    row = a_row(7, TimeLimit="30:00", MinTime="NOT_SET")
    (job,) = jobs([row], details_of(row, nodes="1", Deadline=word)).pending
    assert job.start_by == start_by


ARRAY = a_row(12, JobArrayID="12_[3-9]")
HELD_TASK = a_row(34, JobArrayID="12_5", ArrayJobID="12", PriorityLong="0", Reason="JobHeldUser")


def test_what_only_the_details_tell_of_the_request():
    row = a_row(7, NumCPUs="3", **{"tres-per-job": "gres/gpu:2"})
    told = {"MinMemoryTRES": "1500M", "MemPerTres": "gres/gpu:1500", "CpusPerTres": "gres/gpu:3"}
    told |= {"ReqTRES": "cpu=3,mem=3000M,node=1,gres/gpu=2", "SpreadJob": "Yes"}
    (job,) = jobs([row], details_of(row, nodes="1", MinMemoryCPU="(null)", **told)).pending
    request = job.spec.request
    assert (request.cpus, request.memory_per_node_mb, request.scattered) == (6, 3000, True)


def test_the_details_tell_how_many_threads_and_tasks_a_core_or_socket_has():
    row = a_row(7, NumTasks="6", NumCPUs="6", **{"tres-alloc": "cpu=6,node=1"})
    keys = "ReqB:S:C:T", "NtasksPerN:B:S:C"

    def asked(*words):
        told = details_of(row, nodes="1", **dict(zip(keys, words, strict=True)))
        (job,) = jobs([row], told, NEW, threads=2).pending
        return job.spec.request

    free, one_thread = asked("0:0:*:*", "0:0:*:*"), asked("0:0:*:1", "0:0:*:*")
    one_task, one_of_socket = asked("0:0:*:*", "0:0:*:1"), asked("0:0:*:*", "0:0:1:*")
    assert (free.cpus, free.cpus_per_core) == (6, None)
    assert (one_thread.cpus, one_thread.cpus_per_core) == (6, 1)
    assert (one_task.cpus, one_task.cpus_per_node) == (12, 2)
    assert (free.nodes, one_of_socket.nodes) == (1, 6)


@pytest.mark.parametrize(("shown", "most"), [("2", None), ("2-6", 6), ("2,4,6", 6), ("1,3-5", 5)])
def test_the_most_of_the_numbers_of_nodes_that_would_do(shown, most):
    row = a_row(7, NumTasks="2", NumCPUs="2", **{"tres-alloc": "cpu=2,node=2"})
    (job,) = jobs([row], details_of(row, nodes=shown)).pending
    assert job.spec.request.nodes_max == most


def test_who_holds_licenses_tells_which_of_the_alternatives():
    row = a_row(7, **RUNNING | {"Licenses": "matlab:9|fluent:4"})
    (job,) = jobs([row], details_of(row, nodes="2", LicensesAlloc="fluent:4"), NEW).running
    assert dict(job.spec.request.licenses) == {"fluent": 4}
    (silent,) = jobs([row], details_of(row, nodes="2", LicensesAlloc="(null)"), NEW).running
    assert dict(silent.spec.request.licenses) == {"matlab": 9}


OF_ARRAY = details_of(
    ARRAY, nodes="1", array="ArrayJobId=12 ArrayTaskId=3-4,6-9%2 ArrayTaskThrottle=2"
) + details_of(HELD_TASK, nodes="1", array="ArrayJobId=12 ArrayTaskId=5 ArrayTaskThrottle=2")


def test_tasks_that_wait_apart_are_asked_for_alone():
    assert unlisted(table([ARRAY]), OF_ARRAY) == (34,)
    assert unlisted(table([ARRAY, HELD_TASK]), OF_ARRAY) == ()
    assert unlisted("no table", OF_ARRAY) == ()
    assert jobtable.command("ab", only=(34, 35))[4:7] == ("-r", "-j", "34,34,35,35")


def test_tasks_that_wait_apart_leave_the_row_of_their_array():
    told, _ = parse_details(OF_ARRAY)
    apart = rows_of(table([HELD_TASK]))
    found, bad = parse_jobs(
        table([ARRAY]), Surroundings(taken_at=NOW), told, apart=apart, version=NEW
    )
    assert not bad
    assert [(job.spec.id, job.hold) for job in found.pending] == [
        ("12_[3-4,6-9%2]", Hold.NONE),
        ("12_5", Hold.USER),
    ]


@given(st.sets(st.integers(0, 60)))
def test_task_numbers_are_written_as_they_are_read(tasks):
    assert task_numbers(written(sorted(tasks))) == tuple(sorted(tasks))


UNEVEN = "  Nodes=n1 CPU_IDs=0,3 Mem=1000 GRES=gpu:a:1(IDX:0)   Nodes=n2 CPU_IDs=1 Mem=500 GRES="


def shares(rows, details):
    found = jobs(rows, details)
    return [tuple((s.node, s.cpus, s.memory_mb) for s in job.allocation) for job in found.running]


def test_what_a_job_holds_of_each_node():
    row = a_row(7, **RUNNING)
    told = details_of(row, nodes="2", held=UNEVEN)
    assert shares([row], told) == [(("n1", 2, 1000), ("n2", 1, 500))]
    (job,) = jobs([row], told).running
    assert [share.gres for share in job.allocation] == [(("gpu:a", 1),), ()]
    # told of once more in the very same words, it is still one record
    assert shares([row], told * 2) == [(("n1", 2, 1000), ("n2", 1, 500))]


def test_a_job_that_completes_has_given_back_some_nodes():
    row = a_row(7, **RUNNING | {"State": "COMPLETING", "NodeList": "n2"})
    assert shares([row], details_of(row, nodes="2", held=UNEVEN)) == [(("n2", 1, 500),)]


@pytest.mark.parametrize(
    "held",
    [
        "",
        UNEVEN.replace("n2", "n3"),
        UNEVEN.replace("0,3", "0-3"),
        UNEVEN.replace("CPU_IDs=0,3", "CPU_IDs=0").replace("CPU_IDs=1", "CPU_IDs="),
        UNEVEN.replace("1000", "4000"),
        UNEVEN + UNEVEN,
        UNEVEN.replace("n2", "n[2"),
        UNEVEN.replace("1000", "9" * 5000),
    ],
    ids=["untold", "elsewhere", "more", "less", "other memory", "twice", "no list", "no number"],
)
def test_shares_that_disagree_with_the_table_are_spread_evenly(held):
    row = a_row(7, **RUNNING)
    even = (("n1", 2, 750), ("n2", 2, 750))
    assert shares([row], details_of(row, nodes="2", held=held)) == [even]


def test_a_forged_record_takes_nothing_but_details_from_another_job():
    victim = a_row(7, **RUNNING)
    forged = UNEVEN.replace("0,3", "0").replace("CPU_IDs=1 ", "CPU_IDs=1-2 ")
    forgery = details_of(victim, nodes="2", held=forged, ExcNodeList="n[1-9]")
    forger = a_row(8, Comment=f"x\n{forgery}")
    told = details_of(victim, nodes="2", held=UNEVEN) + details_of(forger, nodes="1")
    (found,) = jobs([victim, forger], told).running
    assert found.spec.request.excluded_nodes == ()
    assert [share.cpus for share in found.allocation] == [2, 2]


def test_many_and_huge_forgeries_take_no_endless_time():
    victim = a_row(7, **RUNNING)
    huge = "  Nodes=n[1-100000] CPU_IDs=0 Mem=1 GRES=" * 50
    forged = [details_of(victim, nodes="2", held=huge, ExcNodeList=f"n{n}") for n in range(2000)]
    begun = time.process_time()
    assert shares([victim], "".join(forged)) == [(("n1", 2, 750), ("n2", 2, 750))]
    assert time.process_time() - begun < 5


@given(hostile)
def test_details_of_others_survive_any_name(name):
    victim, other = a_row(7, **RUNNING), a_row(8, Name=name, Comment=name)
    told = details_of(other, nodes="1") + details_of(victim, nodes="2", held=UNEVEN)
    assume(TOKEN not in name)
    assert shares([victim, other], told) == [(("n1", 2, 1000), ("n2", 1, 500))]


def test_how_long_a_job_stood_still():
    # it was stopped after a minute; its end has not been moved yet
    stopped = the_job(**RUNNING | {"State": "SUSPENDED", "NodeList": "n1"})
    assert stopped.suspended_s == NOW - stopped.started_at - 60
    assert stopped.stopped_since is None
    by_order = the_job(**RUNNING | {"State": "SUSPENDED", "NodeList": "n1", "PriorityLong": "0"})
    assert by_order.stopped_since == stopped.started_at + 60
    # it runs again, and its end lies 90 seconds later than its limit alone would have it
    resumed = the_job(**RUNNING | {"EndTime": "2026-11-21T21:11:30", "NodeList": "n1"})
    assert resumed.suspended_s == 90
    assert resumed.ends_by == resumed.started_at + 1200 + 90
    assert the_job(**RUNNING | {"NodeList": "n1"}).suspended_s == 0


@pytest.mark.parametrize(("shown", "code"), [("3:0", 3), ("768", 3), ("0:9", None), ("9", None)])
def test_exit_codes_of_older_and_newer_versions(shown, code):
    over = RUNNING | {"State": "FAILED", "exit_code": shown, "NodeList": "n1"}
    assert the_job(**over).exit_code == code
