"""Whatever the bytes, reading ends soon, with a document or with place, line and cause."""

import time
import tracemalloc
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from predictor.errors import DocumentError
from predictor.lml import check, read, write

ROOT = b'<lml:lgui xmlns:lml="http://eclipse.org/ptp/lml" version="1.1">'
END = b"</lml:lgui>"
INFO = ROOT + b'<objects><object id="j1" type="job"/></objects><information><info oid="j1">'
INFO_END = b"</info></information>" + END
LAUGHS = b"".join(b'<!ENTITY l%d "%s">' % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10))

HOSTILE = {
    "attribute of 4 MB": (INFO + b'<data key="k" value="' + b"x" * 4_000_000 + b'"/>', "65536"),
    "a million levels": (ROOT + b"<a>" * 10**6, "depth"),
    "65 levels": (ROOT + b"<a>" * 64 + b"</a>" * 64 + END, "nested more than 64"),
    "65 levels in info": (INFO + b"<a>" * 62 + b"</a>" * 62 + INFO_END, "nested more than 64"),
    "billion laughs": (b"<!DOCTYPE l [" + LAUGHS + b"]>" + ROOT + b"&l9;" + END, "definition"),
    "outside entity": (
        b'<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + ROOT + b"&x;" + END,
        "definition",
    ),
    "small letters": (b"<!doctype html><html/>", "definition"),
    "entity alone": (ROOT + b"<!ENTITY a 'b'>" + END, "definition"),
    "six million elements": (ROOT + b"<a/>" * 6_000_000 + END, "5000000 elements"),
    "NUL": (ROOT + b"\n\n\0" + END, "NUL"),
    "UTF-16": ((ROOT + END).decode().encode("utf-16"), "UTF-16"),
    "UTF-16 without mark": ((ROOT + END).decode().encode("utf-16-le"), "NUL"),
    "UTF-7": (b'<?xml version="1.0" encoding="UTF-7"?>' + ROOT + END, "encoding"),
    "other root": (b"<html/>", "root is 'html'"),
    "root of another namespace": (b'<lgui xmlns="urn:x"/>', "root is"),
    "nothing": (b"", "begin with '<'"),
    "no XML": (b"JobId=1 JobName=x", "begin with '<'"),
    "endless name": (b"<" + b"x" * 10**7, "Name too long"),
    "only brackets": (b"<" * 10**6, "invalid element name"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_bytes_are_refused_soon_in_little_memory_with_place_and_cause(name):
    data, cause = HOSTILE[name]
    tracemalloc.start()
    began = time.process_time()
    with pytest.raises(DocumentError, match=cause) as refused:
        read(data, place="evil.lml")
    took_s = time.process_time() - began
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert took_s < 2
    assert peak < 4 * len(data) + 2**24
    assert str(refused.value).startswith("evil.lml:")
    assert check(data).errors


def test_the_line_of_a_fault_is_told():
    with pytest.raises(DocumentError) as refused:
        read(ROOT + b"\n\n<objects>\n</information>" + END, place="x.lml")
    assert refused.value.line == 4


def test_more_than_256_mib_are_refused_unread():
    with pytest.raises(DocumentError, match="more than the"):
        read(b" " * (256 * 2**20 + 1))


def test_a_document_cut_anywhere_is_refused(cluster, told):
    document = write(cluster, told)
    for cut in range(0, len(document) - 1 - len(b"\n"), 7):
        with pytest.raises(DocumentError):
            read(document[:cut])


@settings(
    max_examples=300,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data(), ours=st.booleans())
def test_changed_bytes_never_do_anything_else(data, ours, cluster, told, llview):
    original = write(cluster, told) if ours else llview
    at = data.draw(st.integers(0, len(original)))
    cut = data.draw(st.integers(0, 30))
    pieces = st.sampled_from([b"", b'"', b"<", b"&", b">", b"None", b"-", b"9" * 30, b"(", b"@"])
    new = data.draw(pieces | st.binary(max_size=6))
    changed = original[:at] + new + original[at + cut :]
    with suppress(DocumentError):
        read(changed)
    check(changed)


def test_a_record_that_makes_no_sense_is_left_out_and_noted(cluster):
    document = write(cluster).replace(b'key="numnodes" value="2"', b'key="numnodes" value="-2"', 1)
    result = read(document)
    assert result.snapshot.running == ()
    assert len(result.snapshot.pending) == 2
    (note,) = result.notes
    assert (note.rule, note.line is not None) == ("unreadable", True)
    assert "at least one node" in note.text


@pytest.mark.parametrize(
    ("told", "instead"),
    [
        ("numnodes", b"9" * 400),
        ("ncores", b"9" * 400),
        ("ncores", b"-5"),
        ("ncores", b"2147483648"),
        ("wall", b"9" * 400),
        ("queuedate", b"@" + b"9" * 400),
    ],
)
def test_so_are_numbers_that_no_batch_system_tells(cluster, told, instead):
    key = b'key="%s" value="' % told.encode()
    before, _, behind = write(cluster).partition(key)
    assert behind
    result = read(before + key + instead + behind[behind.index(b'"') :])
    assert [note.rule for note in result.notes] == ["unreadable"]


def test_they_leave_the_rest_of_other_programs_documents_too(llview):
    assert llview.count(b'"48"') > 1
    result = read(llview.replace(b'"48"', b'"%s"' % (b"9" * 5000), 1))
    assert "unreadable" in {note.rule for note in result.notes}
    assert result.snapshot.nodes


def test_another_format_of_ours_is_refused(cluster):
    with pytest.raises(DocumentError, match="x_format is '99'"):
        read(write(cluster).replace(b'key="x_format" value="1"', b'key="x_format" value="99"'))


def test_sixty_four_levels_are_not_too_many(cluster):
    deep = b"<text>" * 63 + b"</text>" * 63
    assert read(write(cluster).replace(END, deep + END)).snapshot == cluster


def test_keys_of_a_later_version_are_counted_and_passed_over(cluster):
    new = b'<data key="x_from_tomorrow" value="1"/>\n</info>'
    result = read(write(cluster).replace(b"</info>", new))
    assert result.snapshot == cluster
    assert {note.rule for note in result.notes} == {"unknown-key"}
