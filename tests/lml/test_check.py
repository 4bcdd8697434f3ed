"""The checker, rule by rule: a sound document with one thing changed."""

import pytest

from predictor.lml import check, write
from predictor.lml.findings import MOST_PER_RULE


def rules(findings):
    return {finding.rule for finding in findings}


def test_a_sound_document_has_nothing_against_it(larch):
    report = check(larch)
    assert (report.errors, report.warnings) == ((), ())
    assert dict(report.counters) == {
        "objects.class": 1,
        "objects.job": 2,
        "objects.node": 2,
        "objects.reservation": 1,
        "objects.system": 1,
        "unknown.job.x_pred_blocked_by": 1,
    }


OBJECT = '<object id="c000001" name="standard" type="class"/>'
ROOT = 'version="1.1">'

ERRORS = {
    "a child in a namespace": ("<objects>", '<objects xmlns="urn:x">', "namespace"),
    "an id that begins with a digit": ('"c000001"', '"1c"', "object-id"),
    "an id twice": (OBJECT, OBJECT * 2, "repeated-object"),
    "info without object": (OBJECT, "", "no-object"),
    "a colour": ('color="#3A7"', 'color="red"', "colour"),
    "an attribute nobody knows": (OBJECT, OBJECT.replace("/>", ' size="3"/>'), "attribute"),
    "an attribute of data": ('key="ncores"', 'key="ncores" unit="1"', "attribute"),
    "a request that does not come first": ("</lml:lgui>", "<request/></lml:lgui>", "section-order"),
    "a section nobody knows": ("</lml:lgui>", "<weather/></lml:lgui>", "section"),
    "not well-formed": ('value="Resources"', 'value="R&D"', "not-well-formed"),
}
WARNINGS = {
    "an older namespace": ("http://eclipse.org/ptp/lml", "http://www.llview.de", "root"),
    "no version": (ROOT, ">", "version"),
    "a key twice": (
        '<data key="resid"',
        '<data key="resid" value="x"/><data key="resid"',
        "repeated-key",
    ),
    "two infos": ("</information>", '<info oid="c000001"/></information>', "repeated-info"),
    "a type outside the ten": ('type="class"', 'type="step"', "object-type"),
    "a job without owner": ('<data key="owner" value="u1002"/>', "", "mandatory"),
    "state against status": (
        'value="Running"/>\n<data key="queue',
        'value="Idle"/>\n<data key="queue',
        "contradiction",
    ),
    "running since never": ('<data key="dispatchdate"', '<data key="x_start"', "running"),
    "running nowhere": (
        'key="nodelist" value="(larch-n001,64)"',
        'key="nodelist" value="-"',
        "running",
    ),
    "waiting, yet started": (
        '<data key="x_pred_start"',
        '<data key="dispatchdate"',
        "waiting",
    ),
    "a node that is not there": ('value="(larch-n001,64)"', 'value="(moon,64)"', "unknown-node"),
    "what is no list of nodes": ('value="(larch-n001,64)"', 'value="larch-n["', "nodelist"),
    "no wall time": ('key="wall" value="14400"', 'key="wall" value="-1"', "wall"),
    "no date": ("2026-11-20 11:40:13", "yesterday", "date"),
    "no instant": ('key="system_time"', 'key="x_time"', "no-instant"),
}


def changed(document: bytes, old: str, new: str) -> bytes:
    assert old.encode() in document
    return document.replace(old.encode(), new.encode())


@pytest.mark.parametrize(
    ("old", "new", "rule"), [pytest.param(*entry, id=name) for name, entry in ERRORS.items()]
)
def test_errors(old, new, rule, larch):
    report = check(changed(larch, old, new))
    assert rules(report.errors) == {rule}
    assert all(finding.line for finding in report.errors)


@pytest.mark.parametrize(
    ("old", "new", "rule"), [pytest.param(*entry, id=name) for name, entry in WARNINGS.items()]
)
def test_warnings(old, new, rule, larch):
    report = check(changed(larch, old, new))
    assert report.errors == ()
    assert rules(report.warnings) == {rule}


def test_a_start_that_is_marked_as_predicted_may_stand_at_a_waiting_job(cluster, told):
    document = write(cluster, told, compat=True)
    assert "waiting" not in rules(check(document).warnings)
    assert "waiting" in rules(check(document.replace(b"x_pred_start", b"x_start")).warnings)


def test_only_ours_must_keep_to_the_ten_types(cluster):
    odd = write(cluster).replace(b'type="reservation"', b'type="step"')
    odd = odd.replace(b'name="n2" type="node"', b'name="n2" type="step"')
    assert rules(check(odd).errors) == {"object-type"}


def test_the_line_is_that_of_the_thing(larch):
    (finding,) = check(changed(larch, 'color="#3A7"', 'color="red"')).errors
    assert larch.decode().split("\n")[finding.line - 1].startswith('<object id="j000017"')


def test_what_cannot_be_parsed_is_one_error():
    (finding,) = check(b"<!DOCTYPE x>\n<x/>").errors
    assert (finding.rule, finding.line) == ("refused", 1)


def test_a_flood_of_one_fault_is_counted_and_not_told_singly(larch):
    flood = changed(larch, "</lml:lgui>", "<weather/>" * 5_000 + "</lml:lgui>")
    errors = check(flood).errors
    assert len(errors) == MOST_PER_RULE + 1
    assert sum(finding.count for finding in errors) == 5_000
    assert errors[-1].text == "4980 more like this"
