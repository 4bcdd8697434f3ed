import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from clusters import NOW, cluster, running, spec, waiting

from predictor.cli.predict import predict
from predictor.domain import FinishedJob, Outcome
from predictor.domain.instants import rfc3339
from predictor.errors import DocumentError, SiteError, StorageError
from predictor.experience import Experience
from predictor.lml import read, write
from predictor.service.memory import Memory, save
from predictor.site import default, overlay

SCENE = cluster(2, running("r", "n1", 30), waiting("1", 2), waiting("2", 1, 60), waiting("3", 9))


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "raw.lml"
    path.write_bytes(write(SCENE))
    return path


def run(*arguments: object, **more: object):
    return CliRunner().invoke(predict, [str(a) for a in arguments], **more)  # type: ignore[arg-type]


def test_the_same_document_comes_out_with_predictions(document, tmp_path):
    out = tmp_path / "predicted.lml"
    assert run(document, "-o", out).exit_code == 0
    told = read(out.read_bytes())
    assert told.snapshot == SCENE
    assert [p.job_id for p in told.forecast.predictions] == ["1", "2"]
    assert [a.job_id for a in told.forecast.abstentions] == ["3"]
    assert [a.job_id for a in told.forecast.predictions[0].explanation.waits_for] == ["r"]


def test_without_a_name_it_goes_to_standard_output(document):
    result = run(document)
    assert read(result.stdout_bytes).forecast is not None
    assert result.stderr == ""
    assert run("-", input=document.read_bytes()).stdout_bytes == result.stdout_bytes


def test_answers_as_json(document):
    body = json.loads(run(document, "--json").stdout)
    assert body["snapshot_at"] == rfc3339(NOW)
    starts = {job["job_id"]: job["likely_start_epoch"] for job in body["jobs"]}
    assert starts == {"1": NOW + 1800, "2": NOW + 2400, "3": None}
    why = {job["job_id"]: job["explanation"] for job in body["jobs"]}
    assert "1 of its 2 nodes comes free when job r of ada ends" in why["1"]["sentences"][1]
    assert (why["2"]["ahead"], why["3"]) == ({"jobs": 1, "node_hours": 0.3}, None)


def test_what_had_to_be_tolerated_is_counted_on_standard_error(document):
    strange = document.read_bytes().replace(
        b'<data key="step"', b'<data key="x_moon" value="full"/><data key="step"'
    )
    document.write_bytes(strange)
    result = run(document, "--json")
    assert result.stderr == (
        f"{document}: tolerated 4 times: unknown-key; see queuecast lml check\n"
    )
    assert len(json.loads(result.stdout)["jobs"]) == 3


def test_the_policy_can_be_chosen(document):
    body = json.loads(run(document, "--json", "--policy", "list").stdout)
    assert body["policy"] == "list"
    assert {j["job_id"]: j["likely_start_epoch"] for j in body["jobs"]}["2"] == NOW


def test_a_chosen_policy_comes_without_the_numbers_of_the_site(document, tmp_path):
    site = tmp_path / "site.toml"
    site.write_text("[policy]\nallocation = 'first-fit'\nfilling = 'best'\neligible_per_user = 1")
    for chosen, policy in (((), "own"), (("--policy", "easy"), "easy")):
        body = json.loads(run(document, "--site", site, "--json", *chosen).stdout)
        assert body["policy"] == policy


def test_wrong_files_are_named(document, tmp_path):
    broken = tmp_path / "broken.lml"
    broken.write_bytes(write(SCENE)[:500])
    with pytest.raises(DocumentError, match=r"broken\.lml"):
        run(broken, catch_exceptions=False)
    site = tmp_path / "site.toml"
    site.write_text("[policy]\nnam = 'easy'\n")
    with pytest.raises(SiteError, match="name"):
        run(document, "--site", site, catch_exceptions=False)
    assert run(tmp_path / "missing.lml").exit_code == 2


def test_a_date_that_is_none_is_told(document, tmp_path):
    file = tmp_path / "undated.lml"
    file.write_bytes(write(replace(SCENE, taken_at=2**40)))
    assert b"date is none" in run(file, catch_exceptions=False).stdout_bytes
    with pytest.raises(DocumentError, match=r"undated\.lml"):
        run(file, "--json", catch_exceptions=False)


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    """What a service learned that saw nine jobs of ada's end after five minutes each."""
    file, site = tmp_path / "recording.experience", default()
    ended = tuple(
        FinishedJob(
            spec=spec(f"e{number}", minutes=40),
            started_at=NOW - 1200,
            ended_at=NOW - 900 + number,
            outcome=Outcome.COMPLETED,
        )
        for number in range(9)
    )
    experience = Experience.of(site)
    for minutes in (10, 5):
        seen = cluster(2, finished=ended, taken_at=NOW - 60 * minutes)
        experience.learn(overlay(site, seen))
    save(file, Memory(cluster="scene", until=NOW - 300, state=experience.state()))
    return file


def test_with_what_a_service_learned_there_are_windows(document, learned):
    told = read(run(document, "--learned", learned).stdout_bytes)
    assert told.notes == ()
    first = told.forecast.predictions[0]
    assert first.outlook.low_at <= first.outlook.likely_at <= first.outlook.high_at
    assert "of this user" in first.outlook.basis
    (job, *_) = json.loads(run(document, "--learned", learned, "--json").stdout)["jobs"]
    assert job["p10"] == rfc3339(first.outlook.low_at)
    assert job["basis"] == first.outlook.basis


def test_without_it_nothing_is_said_of_how_sure_a_start_is(document):
    assert read(run(document).stdout_bytes).forecast.predictions[0].outlook is None


def test_what_was_learned_of_another_cluster_is_refused(document, tmp_path):
    file = tmp_path / "other.experience"
    save(file, Memory(cluster="elm", until=1, state=None))
    error = run(document, "--learned", file).exception
    assert isinstance(error, StorageError)
    assert "of another cluster" in str(error)
