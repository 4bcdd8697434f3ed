"""PBS's JSON: what is wrong with it at times is mended, what is not whole is refused."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_pbs import HEAD, JOBS, NOW, printed

from collectors.pbs.answers import Attributes, given_at, read
from predictor.errors import SourceFormatError


def jobs_of(text):
    return read(text, "Jobs", "qstat").records


def with_line(line):
    """An answer with one job, one of whose attributes stands there as given."""
    text = printed("Jobs", {"1.pbs": {"before": "x", "HERE": 1, "after": "y"}})
    return text.replace('"HERE":1', line)


def test_an_answer_tells_when_and_by_whom_it_was_given():
    text = printed("Jobs", JOBS)
    answer = read(text, "Jobs", "qstat")
    assert (answer.version, answer.server) == ("23.06.06", "heron-pbs.site.org")
    assert given_at(text) == NOW
    assert given_at(text[20:]) is None
    assert list(answer.records) == list(JOBS)


def test_without_jobs_there_is_no_section_for_them():
    assert jobs_of(json.dumps(HEAD)) == {}


@pytest.mark.parametrize(
    ("line", "text"),
    [
        pytest.param('"name":"say \\"hi\\""', 'say "hi"', id="as it should be"),
        pytest.param('"name":"a "fast" one"', 'a "fast" one', id="bare double quotes"),
        pytest.param('"name":"it\\\'s"', "it's", id="an apostrophe with a backslash"),
        pytest.param('"name":"a\\,b"', "a,b", id="a comma with a backslash"),
        pytest.param('"name":"C:\\\\dir\\\\"', "C:\\dir\\", id="backslashes at the end"),
        pytest.param('"name":005', "005", id="zeros before a number"),
        pytest.param('"name":1_000', "1_000", id="a bare word"),
        pytest.param('"name":1e999', "1e999", id="a number beyond all bounds"),
        pytest.param('"name":NaN', "NaN", id="not a number"),
        pytest.param('"name":12', "12", id="a number where a text is meant"),
        pytest.param('"name":"tab\there"', "tab\there", id="a control character"),
        pytest.param('"name":"\\ud800x"', "?x", id="half a character"),
        pytest.param('"name":null', "", id="nothing"),
    ],
)
def test_values_are_texts_however_they_are_written(line, text):
    job = Attributes(jobs_of(with_line(line))["1.pbs"])
    assert (job.text("before"), job.text("name"), job.text("after")) == ("x", text, "y")


def test_limits_that_are_told_one_by_one_are_kept_together():
    line = '"max_run":"[u:a=1]",\n"max_run":"[o:PBS_ALL=2]",\n"res":{"a":"1"},\n"res":{"b":"2"}'
    told = Attributes(jobs_of(with_line(line))["1.pbs"])
    assert told.text("max_run") == "[u:a=1],[o:PBS_ALL=2]"
    assert told.part("res").texts() == {"a": "1", "b": "2"}


def test_a_comma_too_many_is_passed_over():
    text = printed("Jobs", {"1.pbs": {"a": "b"}}).replace('"b"\n', '"b",\n')
    assert list(jobs_of(text)) == ["1.pbs"]


def test_an_environment_with_shell_functions_in_it_is_left_out():
    variables = '"Variable_List":{\n    "BASH_FUNC_ml%%":"() {  eval "x"\n}",\n    "B":"c"\n},'
    text = with_line('"name":"n"').replace(
        '            "after"', f'            {variables}\n"after"'
    )
    text = text.replace('\n    "', '\n                "').replace(
        '\n},\n"after"', '\n            },\n"after"'
    )
    job = Attributes(jobs_of(text)["1.pbs"])
    assert job.texts() == {"before": "x", "name": "n", "after": "y"}


def test_what_is_private_is_not_even_read():
    assert all("secret" not in str(record) for record in jobs_of(printed("Jobs", JOBS)).values())


def test_what_a_sites_wrapper_prints_around_it_is_passed_over():
    text = f"*** maintenance on Friday ***\n{printed('Jobs', JOBS)}\n(from the cache)\n"
    assert len(jobs_of(text)) == len(JOBS)


@pytest.mark.parametrize("line", ['"name":"n"', '"name":"a "b" c"', '"name":007'])
def test_an_answer_that_is_cut_off_anywhere_is_refused(line):
    whole = with_line(line).rstrip()
    assert list(jobs_of(whole)) == ["1.pbs"]
    for end in range(len(whole)):
        with pytest.raises(SourceFormatError, match="qstat"):
            jobs_of(whole[:end])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "qstat: cannot connect to server heron (errno=15010)",
        "[]",
        "{" * 100_000,
        '{"a":' * 100_000,
        '{"Variable_List":{\n' * 1000,
    ],
)
def test_what_is_no_answer_is_refused(text):
    with pytest.raises(SourceFormatError, match="not an answer"):
        jobs_of(text)


@given(st.text(alphabet='{}":,\\\n []ntu1aé\x00', max_size=80))
def test_no_text_whatsoever_does_worse_than_be_refused(text):
    with suppress(SourceFormatError):
        jobs_of("{" + text)
