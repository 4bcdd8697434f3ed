"""A recording for others: nobody in it can be told, and nothing else has changed."""

import dataclasses
import re
import typing
from pathlib import Path

import pytest
from click.testing import CliRunner
from clusters import NOW, cluster, running, spec, waiting
from hypothesis import given, settings
from strategies import snapshots

from collectors.capture import Capture
from predictor import lml
from predictor.cli.record import record
from predictor.domain import FinishedJob, Outcome, Reservation, Snapshot, Untrusted
from predictor.errors import StorageError
from predictor.forecast import forecast
from predictor.site import default
from predictor.site.pseudonyms import Pseudonyms
from predictor.storage import open_for_reading, open_for_writing

KEY = b"sixteen bytes and more"
RECORDED = Path(__file__).parents[1] / "recorded" / "slurm-22.05" / "minutes"
SOMEBODY = re.compile(rb"labu\d+|blast|ada|physics|secret")
REPLACED = {
    *("JobSpec.user", "JobSpec.account", "JobSpec.group", "JobSpec.name", "JobSpec.comment"),
    *("JobSpec.reservation", "Association.account", "Association.user", "Association.parent"),
    *("Reservation.name", "Reservation.users", "Reservation.groups", "Reservation.accounts"),
    *("Partition.allow_accounts", "Partition.deny_accounts", "Partition.allow_groups"),
    "Partition.group_members",
    *("Node.owner", "Node.reason", "Provenance.account", "Hidden.why", "Quarantined.example"),
}

KEPT = {
    "ArrayTasks": "job_id",
    "Association": "default_qos partition qos",
    "BatchEstimate": "node_names",
    "Dependency": "job_id",
    "FinishedJob": "node_names",
    "HetComponent": "job_id",
    "JobSpec": "id partitions qos",
    "License": "name",
    "Limits": (
        "group_tres group_tres_minutes group_tres_run_minutes max_tres "
        "max_tres_run_minutes max_tres_run_minutes_per_account "
        "max_tres_minutes_per_job max_tres_per_account max_tres_per_job max_tres_per_node "
        "min_tres_per_job"
    ),
    "Node": "features gres name switches",
    "NodeShare": "gres node",
    "Partition": "allow_qos billing_weights deny_qos name node_names qos",
    "PendingJob": "reason",
    "PriorityFactors": "partition tres",
    "PriorityWeights": "tres",
    "Provenance": "private source version",
    "Qos": "name preempts",
    "Request": (
        "excluded_nodes features gres_per_node gres_total licenses other_licenses required_nodes "
        "uncounted"
    ),
    "Reservation": "allowed_partitions licenses node_names partition qos",
    "SchedulerSettings": (
        "drawn_by parameters priority_usage_reset sleepless_nodes "
        "sleepless_partitions sleepless_some"
    ),
    "Snapshot": "cluster",
    "Untrusted": "raw",
    "Usage": "tres tres_minutes tres_run_minutes",
}
"""Names of things, and words of the batch system; by class. A new field stands here or above."""


def texts(kind, seen):
    """Yield the fields of a class, and of those in it, that hold texts."""
    if not dataclasses.is_dataclass(kind) or kind in seen:
        return
    seen.add(kind)
    for name, hint in typing.get_type_hints(kind).items():
        inner = [hint, *parts(hint)]
        if str in inner or Untrusted in inner:
            yield f"{kind.__name__}.{name}"
        for each in inner:
            yield from texts(each, seen)


def parts(hint):
    for each in typing.get_args(hint):
        yield each
        yield from parts(each)


def test_every_text_of_a_snapshot_is_replaced_or_names_nobody():
    kept = {f"{kind}.{name}" for kind, names in KEPT.items() for name in names.split()}
    assert set(texts(Snapshot, set())) == REPLACED | kept


def crowded():
    """A cluster in which the same people stand in many places."""
    mine = {"user": "ada", "account": "physics", "name": Untrusted("secret 1")}
    return cluster(
        2,
        waiting("1", of_job=mine),
        waiting("2", of_job=mine | {"comment": Untrusted("by ada")}),
        running("3", "n1", 30, **mine, reservation="ada's"),
        reservations=(Reservation(name="ada's", start_at=NOW, end_at=NOW + 9, users=("-ada",)),),
    )


def test_nobody_is_told_and_equal_names_stay_equal():
    seen = crowded()
    other = Pseudonyms(KEY).snapshot(seen)
    assert not SOMEBODY.search(lml.write(other))
    (user,) = {job.spec.user for job in (*other.pending, *other.running)}
    (reservation,) = other.reservations
    assert reservation.users == (f"-{user}",)
    assert reservation.name == other.running[0].spec.reservation
    assert Pseudonyms(KEY).snapshot(seen) == other != Pseudonyms(KEY[::-1]).snapshot(seen)


def test_a_recorded_cluster_is_forecast_the_same():
    seen = next(iter(Capture(RECORDED).observations())).snapshot
    other = Pseudonyms(KEY).snapshot(seen)
    assert not re.search(rb"labu\d+", lml.write(other))
    starts = [
        {one.job_id: one.start_at for one in forecast(each, default()).predictions}
        for each in (seen, other)
    ]
    assert starts[0] == starts[1] != {}


@settings(max_examples=25)
@given(snapshots())
def test_any_snapshot_can_be_renamed_and_kept(seen):
    other = Pseudonyms(KEY).snapshot(seen)
    assert lml.read(lml.write(other)).snapshot == other
    assert [job.spec.id for job in other.pending] == [job.spec.id for job in seen.pending]


@pytest.mark.parametrize("key", [b"", b"short", b"x" * 65])
def test_a_key_that_can_be_guessed_is_refused(key):
    with pytest.raises(StorageError, match="expected 16 to 64 bytes"):
        Pseudonyms(key)


def test_a_recording_is_exported_under_other_names(tmp_path):
    key = tmp_path / "key"
    key.write_bytes(KEY + b"\n")
    gone = spec("9", account="physics")
    with open_for_writing(tmp_path / "own") as writer:
        writer.append(crowded())
        ended = FinishedJob(spec=gone, ended_at=NOW + 9, outcome=Outcome.COMPLETED)
        writer.add_outcomes([ended], learned_at=NOW + 9)
    command = ["export", str(tmp_path / "own"), "-o", str(tmp_path / "for others")]
    assert CliRunner().invoke(record, [*command, "--pseudonyms", str(key)]).exit_code == 2
    done = CliRunner().invoke(record, [*command, "--recording", "--pseudonyms", str(key)])
    assert done.exit_code == 0, done.output
    reader = open_for_reading(tmp_path / "for others")
    assert list(reader.snapshots()) == [Pseudonyms(KEY).snapshot(crowded())]
    (job,) = reader.outcomes()
    assert job == Pseudonyms(KEY).job(ended)
    for file in (tmp_path / "for others").iterdir():
        assert not SOMEBODY.search(file.read_bytes()), file.name
