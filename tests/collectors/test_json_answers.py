import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collectors.slurm.objects.fields import Fields, decoded
from collectors.slurm.objects.jobs import parse_jobs
from collectors.slurm.surroundings import Surroundings
from predictor.domain import UNLIMITED
from predictor.errors import SourceError, SourceFormatError


@pytest.mark.parametrize(
    ("text", "why"),
    [
        pytest.param('{"jobs": [', "Expecting value", id="cut off"),
        pytest.param('{"a": %s}' % ("9" * 5000), "integer string conversion", id="5000 digits"),
        pytest.param("[" * 200_000, "recursion", id="nested"),
        pytest.param('{"a": 1, "a": 2}', "a key stands twice", id="repeated key"),
        pytest.param("[]", "expected an object", id="a list"),
        pytest.param("", "Expecting value", id="nothing"),
        pytest.param("slurm_load_jobs error", "Expecting value", id="a sentence"),
    ],
)
def test_what_is_not_strict_json_is_refused_as_a_whole(text, why):
    with pytest.raises(SourceFormatError, match=why):
        decoded(text, "squeue --json")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_what_is_no_number_spoils_only_the_record_that_is_read_there(word):
    fields = Fields(decoded(f'{{"a": {word}, "b": 1}}', "x"))
    assert fields.number("b") == 1
    for read in (fields.number, fields.count, fields.decimal, fields.instant):
        with pytest.raises(ValueError, match="a: expected"):
            read("a")


def test_half_a_character_spoils_only_itself():
    assert decoded(r'{"a": "x\ud800y", "b": "\ud83d\ude00"}', "x") == {
        "a": "x?y",
        "b": "\U0001f600",
    }


def test_whole_characters_outside_the_basic_plane_are_fine():
    assert decoded(r'{"a": "\ud83d\ude00"}', "x") == {"a": "\U0001f600"}


def test_an_empty_queue_of_a_dead_controller_is_an_error_not_an_empty_queue(recorded):
    # The command exits with 0.
    text = (recorded / "slurm-22.05" / "cluster" / "controller_down.json").read_text()
    assert json.loads(text)["jobs"] == []
    with pytest.raises(SourceError, match="Failed while looking for jobs"):
        parse_jobs(text, Surroundings(taken_at=0))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (7, 7),
        (7.0, 7),
        (None, None),
        (0xFFFF_FFFE, None),
        (0xFFFF_FFFF, UNLIMITED),
        ({"set": True, "infinite": False, "number": 7}, 7),
        ({"set": True, "infinite": False, "number": 0}, 0),
        ({"set": False, "infinite": False, "number": 0}, None),
        ({"set": False, "infinite": True, "number": 0}, UNLIMITED),
    ],
)
def test_numbers_of_old_and_new_versions(value, number):
    assert Fields({"n": value}).number("n") == number


@pytest.mark.parametrize("value", ["7", True, 1.5, [7], {"set": True, "number": "7"}, 10**400])
def test_what_is_no_number_is_named(value):
    with pytest.raises(ValueError, match="n: expected a whole number"):
        Fields({"n": value}).number("n")


def test_amounts_are_never_negative():
    with pytest.raises(ValueError, match="cpus: expected at least 0, got '-1'"):
        Fields({"cpus": -1}).count("cpus")


@pytest.mark.parametrize("value", ["ABC", ["ABC"]])
def test_one_word_or_a_list_of_words(value):
    assert Fields({"state": value}).words("state") == ("ABC",)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.data())
def test_a_job_record_gone_wrong_never_takes_the_others_along(data):
    jobs = [_job(number) for number in (1, 2, 3)]
    key = data.draw(st.sampled_from(sorted(jobs[1])))
    jobs[1][key] = data.draw(JSON)
    found, bad = parse_jobs(json.dumps({"jobs": jobs}), Surroundings(taken_at=10))
    ids = {job.spec.id for job in found.pending}
    assert {"1", "3"} <= ids or key == "job_id"
    assert len(found.pending) + len(found.running) + len(found.finished) + sum(
        note.count for note in bad
    ) == len(jobs)


def _job(number):
    return {
        "job_id": number,
        "job_state": "PENDING",
        "user_name": "alice",
        "submit_time": 5,
        "eligible_time": 5,
        "start_time": 0,
        "end_time": 0,
        "partition": "p",
        "cpus": 1,
        "node_count": 1,
        "max_nodes": 0,
        "tasks": 1,
        "tres_req_str": "cpu=1,node=1",
        "time_limit": 10,
        "array_job_id": 0,
        "array_task_id": None,
        "array_task_string": "",
        "het_job_id": 0,
        "dependency": "",
        "nodes": "",
        "job_resources": {},
        "exit_code": 0,
        "features": "",
        "shared": None,
        "priority": 1,
        "contiguous": False,
    }
