"""One instant of real Slurms of three versions, told as text and as JSON: the same snapshot."""

import json

import pytest
import zstandard
from compared import differences, lines
from permitted import permitted
from recorded_forms import OF_JSON, OF_REST, VERSIONS, read

from collectors.capture import RUNS, Capture
from predictor.domain import Sharing

DOUBTFUL = {
    ("running", "spec.request.memory_per_cpu_mb"),
    ("running", "spec.request.memory_per_node_mb"),
    ("pending", "spec.request.memory_per_cpu_mb"),
    ("pending", "spec.request.memory_per_node_mb"),
}
"""What is guessed of a job whose details somebody has forged, or broken by his own name."""


@pytest.fixture(params=VERSIONS)
def version(request):
    return request.param


@pytest.fixture
def instant(version):
    return read(version)


def known_as(snapshot, name):
    jobs = (*snapshot.pending, *snapshot.running, *snapshot.finished)
    return next(job.spec.id for job in jobs if job.spec.name.raw.startswith(name))


def test_both_forms_make_the_same_snapshot(instant, version):
    text, as_json = instant.snapshot("text"), instant.snapshot("json")
    found = differences(text, as_json, permitted("text", f"json {version}"))
    victims = {known_as(text, name) for name in ("plain", "evil")}
    told_otherwise = {example.record for one in found for example in one.examples}
    assert {(one.kind, one.field) for one in found} <= DOUBTFUL
    assert told_otherwise <= victims


def test_without_permission_they_differ_as_listed(instant, version):
    told = lines(instant.snapshot("text"), instant.snapshot("json"))
    assert len(told) > len(lines(instant.snapshot("text"), instant.snapshot("text")))


def test_nothing_is_left_out(instant):
    provenance = instant.snapshot("text").provenance
    assert provenance.quarantined == ()
    # there is no accounting database behind these
    assert {hidden.fact.value for hidden in provenance.hidden} <= {"qos", "associations"}


def test_what_only_text_tells(instant):
    jobs = {job.spec.name.raw: job for job in instant.snapshot("text").pending}
    assert jobs["features"].spec.request.sharing is Sharing.EXCLUSIVE
    assert jobs["switches"].spec.request.switches == 1
    assert jobs["endless"].spec.request.limit_s.name == "UNLIMITED"


def test_forged_details_are_not_used(instant):
    snapshot = instant.snapshot("text")
    plain = next(job for job in snapshot.running if job.spec.name.raw == "plain")
    assert plain.spec.request.excluded_nodes == ()
    assert [(share.node, share.cpus) for share in plain.allocation] == [("n1", 1), ("n2", 1)]


def test_a_capture_may_be_of_text(instant, tmp_path):
    lines = (
        json.dumps({"snap": instant.taken_at, "cmd": name, "rc": 0, "ms": 1, "out": out})
        for name, out in instant.printed.items()
        if name not in OF_JSON | OF_REST
    )
    packed = zstandard.ZstdCompressor().compress("\n".join(lines).encode())
    (tmp_path / RUNS).write_bytes(packed)
    seen = Capture(tmp_path).observe().snapshot
    assert seen.pending == instant.snapshot("text").pending
    assert seen.running == instant.snapshot("text").running
