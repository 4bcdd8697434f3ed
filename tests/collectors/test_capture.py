import gzip
import io
import json
import shutil
import time

import pytest
import zstandard
from click.testing import CliRunner

from collectors.capture import Capture, from_settings
from predictor.cli.record import record
from predictor.domain import (
    Fact,
    FinishedJob,
    Hold,
    NodeFlag,
    Outcome,
    PendingJob,
    RunningJob,
    RunState,
)
from predictor.errors import SiteError, SourceError, SourceFormatError
from predictor.lml import write

FIRST = 1772542560
SECOND_QUEUE = (FIRST + 60, "squeue_json")
STATES = {"PENDING": PendingJob, "RUNNING": RunningJob, "COMPLETING": RunningJob}


@pytest.fixture
def minutes(recorded):
    return recorded / "slurm-22.05" / "minutes"


@pytest.fixture
def edited(minutes, tmp_path):
    """Return a copy of the capture whose recorded runs went through a function."""

    def edited(change):
        folder = tmp_path / "capture"
        shutil.copytree(minutes, folder)
        runs = [change(run) for run in runs_in(minutes)]
        text = "".join(json.dumps(run) + "\n" for run in runs if run is not None)
        (folder / "snapshots.jsonl.zst").write_bytes(zstandard.compress(text.encode()))
        return Capture(folder)

    return edited


def runs_in(folder):
    packed = (folder / "snapshots.jsonl.zst").open("rb")
    with packed, zstandard.ZstdDecompressor().stream_reader(packed) as stream:
        return [json.loads(line) for line in io.TextIOWrapper(stream)]


def test_every_minute_is_read_without_a_record_left_out(minutes):
    capture = Capture(minutes)
    seen = list(capture.observations())
    assert [one.snapshot.taken_at for one in seen] == [FIRST + 60 * n for n in range(4)]
    assert {one.snapshot.provenance.quarantined for one in seen} == {()}
    assert {one.snapshot.provenance.hidden for one in seen} == {()}
    assert {one.snapshot.cluster for one in seen} == {"alpha"}
    assert len({one.snapshot.fingerprint for one in seen}) == 1
    assert (capture.gaps.skipped, capture.gaps.cut_off) == ([], "")
    assert [call.name for call in seen[1].calls] == [
        "squeue_json",
        "sinfo_json",
        "reservations",
        "sprio",
        "sshare",
        "sdiag",
    ]


def test_jobs_are_what_squeue_printed_for_people_in_the_same_minute(minutes):
    """`%i|%F|%K|%u|%a|%P|%q|%j|%T|%r|%Q|%p|%V|%e|%S|%l|%M|%D|%C|%m|%h|%E|%y|%f|%v|%R`."""
    text = next(run["out"] for run in runs_in(minutes) if run["cmd"] == "squeue_text")
    snapshot = next(Capture(minutes).observations()).snapshot
    jobs = by_task((*snapshot.pending, *snapshot.running, *snapshot.finished))
    rows = [line.split("|") for line in text.splitlines()]
    compared = 0
    for row in rows:
        job = jobs.get(row[0])
        if not isinstance(job, STATES.get(row[8], FinishedJob)):
            continue  # it came, started or ended between the two commands
        spec = job.spec
        assert (spec.user, spec.account, spec.partitions) == (row[3], row[4], (row[5],))
        assert (spec.qos, spec.name.raw, spec.nice) == (row[6], row[7], int(row[22]))
        assert (spec.request.nodes, limit_of(spec)) == (int(row[17]), row[15])
        if isinstance(job, PendingJob):
            assert (spec.priority, spec.request.cpus) == (int(row[10]), int(row[18]))
            assert (job.hold is not Hold.NONE) == (row[10] == "0")
            assert [d.job_id for d in job.dependencies] == depends_on(row[21])
            assert (job.reason or "None") == row[9].replace("_", " ") or "Nodes_" in row[9]
        compared += 1
    assert compared >= len(rows) - 2 > 130


def by_task(jobs):
    """A waiting array counts once here and once per task there."""
    found = {}
    for job in jobs:
        array = job.spec.array
        for id_ in [f"{array.job_id}_{n}" for n in array.tasks] if array else [job.spec.id]:
            found[id_] = job
    return found


def limit_of(spec):
    hours, rest = divmod(spec.request.limit_s, 3600)
    clock = f"{rest // 60:02}:{rest % 60:02}"
    days, hours = divmod(hours, 24)
    if days:
        return f"{days}-{hours:02}:{clock}"
    return f"{hours}:{clock}" if hours else f"{rest // 60}:{rest % 60:02}"


def depends_on(text):
    return [] if text == "(null)" else [text.partition(":")[2].partition("(")[0]]


def test_running_jobs_fill_the_nodes_as_the_controller_counts(minutes):
    for one in Capture(minutes).observations():
        held = dict.fromkeys((node.name for node in one.snapshot.nodes), 0)
        for job in one.snapshot.running:
            for share in job.allocation:
                held[share.node] += share.cpus
        # A node may have been given away between the two commands.
        differ = [n.name for n in one.snapshot.nodes if held[n.name] != n.cpus_allocated]
        assert len(differ) <= 4


def test_what_the_minutes_hold(minutes):
    seen = [one.snapshot for one in Capture(minutes).observations()]
    pending = [job for snapshot in seen for job in snapshot.pending]
    assert any(job.spec.array and len(job.spec.array.tasks) > 1 for job in pending)
    assert any(job.begin_at for job in pending)
    assert any(job.dependencies for job in pending)
    assert any(job.priorities for job in pending)
    assert any(job.state is RunState.COMPLETING for s in seen for job in s.running)
    assert any(NodeFlag.PLANNED in node.flags for s in seen for node in s.nodes)
    assert all(snapshot.reservations for snapshot in seen)
    assert all(len(snapshot.associations) == 16 for snapshot in seen)
    assert seen[3].associations[0].usage == seen[0].associations[0].usage, "asked for less often"


def test_observe_goes_from_minute_to_minute_and_then_says_so(minutes):
    source = from_settings({"path": str(minutes)})
    taken = [source.observe().snapshot.taken_at for _ in range(4)]
    assert taken == [FIRST + 60 * n for n in range(4)]
    with pytest.raises(SourceError, match="the capture is over"):
        source.observe()


def test_bytes_that_were_no_text_spoil_only_themselves(edited):
    def spoil(run):
        return run | {"out": run["out"].replace('"name": "', '"name": "\udcff', 1)}

    assert all(write(one.snapshot) for one in edited(spoil).observations())


def test_a_capture_of_which_nothing_is_left_says_why(edited):
    capture = edited(lambda run: run | {"out": "{"} if run["cmd"] == "squeue_json" else run)
    with pytest.raises(SourceError, match=f"over; left out: {FIRST}: squeue --json: not an answer"):
        capture.observe()


@pytest.mark.parametrize("command", ["squeue_json", "sinfo_json"])
@pytest.mark.parametrize("how", ["missing", "failed", "garbled"])
def test_a_minute_without_jobs_or_nodes_is_skipped_and_named(edited, command, how):
    def spoil(run):
        if run["snap"] != FIRST + 60 or run["cmd"] != command:
            return run
        changes = {"failed": {"rc": 1, "out": ""}, "garbled": {"out": run["out"][:5000]}}
        return None if how == "missing" else run | changes[how]

    capture = edited(spoil)
    taken = [one.snapshot.taken_at for one in capture.observations()]
    assert taken == [FIRST, FIRST + 120, FIRST + 180]
    (skipped,) = capture.gaps.skipped
    assert skipped.startswith(str(FIRST + 60))


def test_an_import_names_what_it_skipped_and_where_the_capture_is_cut_off(edited, tmp_path):
    capture = edited(lambda run: None if (run["snap"], run["cmd"]) == SECOND_QUEUE else run)
    runs = capture.folder / "snapshots.jsonl.zst"
    runs.write_bytes(runs.read_bytes() + b"no more")
    said = CliRunner().invoke(record, ["import", str(capture.folder), str(tmp_path / "recording")])
    skipped, cut_off = said.stderr.splitlines()
    assert skipped.startswith(f"skipped: {FIRST + 60}: ")
    assert cut_off.startswith(f"cut off: {runs}: ")
    assert "snapshots  3, 3 of them new" in said.stdout


def test_an_optional_command_that_failed_is_named_in_that_minute(edited):
    capture = edited(lambda run: run | {"rc": 1} if run["cmd"] == "sprio" else run)
    for one in capture.observations():
        (hidden,) = one.snapshot.provenance.hidden
        assert (hidden.fact, "exit" in hidden.why) == (Fact.PRIORITIES, True)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.999])
def test_of_a_recording_cut_off_the_good_part_is_kept(minutes, tmp_path, share):
    shutil.copytree(minutes, tmp_path / "cut")
    runs = runs_in(minutes)
    # Packed in pieces as a recorder that flushes each run does, then cut.
    packer = zstandard.ZstdCompressor().compressobj()
    pieces = []
    for run in runs:
        pieces.append(packer.compress(json.dumps(run).encode() + b"\n"))
        pieces.append(packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
    packed = b"".join(pieces)
    (tmp_path / "cut" / "snapshots.jsonl.zst").write_bytes(packed[: int(len(packed) * share)])
    capture = Capture(tmp_path / "cut")
    taken = [one.snapshot.taken_at for one in capture.observations()]
    assert taken == [FIRST + 60 * n for n in range(len(taken))]
    assert taken or share < 0.5
    assert capture.gaps.cut_off


def test_outcomes_are_the_accountings(minutes):
    jobs = {job.spec.id: job for job in Capture(minutes).outcomes()}
    assert len(jobs) == 188
    assert {job.outcome for job in jobs.values()} == {
        Outcome.COMPLETED,
        Outcome.CANCELLED,
        Outcome.FAILED,
        Outcome.TIMEOUT,
    }
    tasks = [job for job in jobs.values() if job.spec.array]
    assert all(job.spec.id == f"{job.spec.array.job_id}_{job.spec.array.tasks[0]}" for job in tasks)
    never_started = [job for job in jobs.values() if job.started_at is None]
    assert all(job.outcome is Outcome.CANCELLED for job in never_started)


def test_outcomes_agree_with_what_was_seen(minutes):
    jobs = {job.spec.id: job for job in Capture(minutes).outcomes()}
    for one in Capture(minutes).observations():
        for running in one.snapshot.running:
            later = jobs[running.spec.id]
            assert later.started_at == running.started_at
            assert later.spec.submitted_at == running.spec.submitted_at
            assert set(later.node_names) >= {share.node for share in running.allocation}


def test_a_capture_without_accounting_has_no_outcomes(minutes, tmp_path):
    shutil.copytree(minutes, tmp_path / "bare")
    (tmp_path / "bare" / "sacct_jobs.psv.gz").unlink()
    assert list(Capture(tmp_path / "bare").outcomes()) == []


@pytest.mark.parametrize("content", [b"", b"no gzip", gzip.compress(b"x" * 1000)[:-30]])
def test_a_broken_accounting_table(minutes, tmp_path, content):
    shutil.copytree(minutes, tmp_path / "bad")
    (tmp_path / "bad" / "sacct_jobs.psv.gz").write_bytes(content)
    with pytest.raises(SourceFormatError, match="sacct_jobs"):
        list(Capture(tmp_path / "bad").outcomes())


def test_no_capture_there(tmp_path):
    with pytest.raises(SourceError, match="No such file"):
        from_settings({"path": str(tmp_path)}).observe()


@pytest.mark.parametrize("settings", [{}, {"path": 7}, {"path": "x", "speed": 2}])
def test_settings_it_does_not_know(settings):
    with pytest.raises(SiteError, match="expected path"):
        from_settings(settings)


def test_a_minute_is_read_in_well_under_a_second(minutes):
    begun = time.process_time()
    assert len(list(Capture(minutes).observations())) == 4
    assert time.process_time() - begun < 2
