"""What a written document looks like to programs that know no XML, and to those that do."""

import re
from dataclasses import replace

import pytest
import strategies as domain
from hypothesis import given, settings
from lxml import etree

from predictor.domain import Lately, Outlook, Prediction
from predictor.lml import check, write

OBJECT = re.compile(r'<object id="[A-Za-z_][\w.-]*"( name="[!-~]+")? type="[a-z]+"/>')
INFO = re.compile(r'<info oid="[A-Za-z_][\w.-]*" type="short">')
DATA = re.compile(r'<data key="[A-Za-z0-9_~]+" value="[^"<>\n]+"/>')
ALONE = {"<objects>", "</objects>", "<information>", "</information>", "</info>"}


def body(document: bytes) -> list[str]:
    """The lines from the objects on, without the last."""
    lines = document.decode().split("\n")
    return lines[lines.index("<objects>") : -2]


def values(document: bytes, oid: str) -> dict[str, str]:
    root = etree.fromstring(document)
    (info,) = root.iterfind(f"information/info[@oid='{oid}']")
    return {data.get("key"): data.get("value") for data in info}


@settings(max_examples=60, deadline=None)
@given(domain.snapshots())
def test_line_by_line_readers_find_one_element_per_line_without_raw_marks(snapshot):
    for line in body(write(snapshot)):
        assert line in ALONE or any(p.fullmatch(line) for p in (OBJECT, INFO, DATA)), line


@settings(max_examples=60, deadline=None)
@given(domain.snapshots())
def test_it_passes_our_own_checker(snapshot):
    assert check(write(snapshot)).errors == ()


@settings(max_examples=30, deadline=None)
@given(domain.snapshots())
def test_equal_values_give_equal_bytes(snapshot):
    assert write(snapshot) == write(replace(snapshot))


def test_a_job_that_ends_takes_only_its_own_lines_along(cluster):
    before = body(write(cluster))
    after = body(write(replace(cluster, running=())))
    gone = [line for line in before if line not in after]
    assert [line for line in after if line not in before] == []
    assert gone[0] == '<object id="j7" name="7" type="job"/>'


def test_ids_are_names_made_of_the_things_own_and_never_equal(cluster):
    twins = tuple(replace(node, name=name) for node, name in zip(cluster.nodes, "ä:b", strict=True))
    document = write(replace(cluster, nodes=twins)).decode()
    assert re.findall('object id="(nd-[^"]+)"', document) == ["nd-.", "nd-..2", "nd-b"]


def test_other_programs_find_the_standard_words(cluster):
    document = write(cluster)
    running, waiting, node = (values(document, oid) for oid in ("j7", "j8", "nd-n1"))
    assert (running["status"], running["state"]) == ("RUNNING", "Running")
    assert running["dispatchdate"] == "2026-11-20 15:00:00"
    assert running["enddate"] == "2026-11-20 16:00:00"
    assert running["nodelist"] == "(n1,4)(n3,4)"
    assert running["name"] == 'a <b> & "c"'
    assert (waiting["status"], waiting["state"]) == ("SUBMITTED", "Idle")
    assert (waiting["nodelist"], waiting["wall"]) == ("-", "3600")
    assert node["classes"] == "[batch:4]"


def test_predictions_stand_under_their_own_keys_and_never_as_actual_starts(cluster, told):
    waiting = values(write(cluster, told), "j8")
    assert waiting["x_pred_start"] == "2026-11-20 16:00:00"
    assert "dispatchdate" not in waiting


def test_how_sure_a_start_is_stands_beside_it(cluster, told):
    now = cluster.taken_at
    low_at, likely_at, high_at, by_at = now + 1800, now + 3600, now + 7200, now + 7260
    sure = Outlook(
        likely_at=likely_at,
        low_at=low_at,
        high_at=high_at,
        by_at=by_at,
        quantiles=((0.1, low_at), (0.5, likely_at), (0.9, high_at), (0.95, by_at)),
        basis="As the last 9 jobs like it, it is believed to run for 12 min.",
        lately=Lately(
            like="jobs of batch said to start in 1 to 4 h",
            jobs=340,
            since_at=now - 86_400,
            typical_error_s=1320,
            held80=0.82,
        ),
    )
    first = replace(told.predictions[0], outlook=sure)
    waiting = values(write(cluster, replace(told, predictions=(first,))), "j8")
    assert {key: text for key, text in waiting.items() if key.startswith("x_pred_start_")} == {
        "x_pred_start_p10": "2026-11-20 15:32:00",
        "x_pred_start_p50": "2026-11-20 16:02:00",
        "x_pred_start_p90": "2026-11-20 17:02:00",
        "x_pred_start_p95": "2026-11-20 17:03:00",
        "x_pred_start_levels": f"0.1@{low_at},0.5@{likely_at},0.9@{high_at},0.95@{by_at}",
    }
    assert waiting["x_pred_basis"] == sure.basis
    assert waiting["x_pred_lately_like"] == "jobs of batch said to start in 1 to 4 h"
    assert waiting["x_pred_lately_held80"] == "0.82"


def test_old_clients_get_predictions_as_dates_on_request(cluster, told):
    waiting = values(write(cluster, told, compat=True), "j8")
    assert waiting["dispatchdate"] == "2026-11-20 16:00:00"
    assert waiting["enddate"] == "2026-11-20 17:00:00"


def test_the_plan_is_a_chart_of_nodes_over_hours(cluster, told):
    # n3 |7777|        the running job holds n1 and n3, which do not touch: two rectangles
    # n2 |    |8888|
    # n1 |7777|8888|
    root = etree.fromstring(write(cluster, told))
    bars = [
        (r.get("oid"), *(float(r.get(side)) for side in "xywh"))
        for r in root.iterfind("chart/data/r")
    ]
    assert bars == [
        ("j7", 0, 1, 0.967, 1),
        ("j7", 0, 3, 0.967, 1),
        ("j8", 0.967, 2, 1, 2),
    ]


def test_a_forecast_for_somebody_else_is_refused(cluster, told):
    stranger = replace(told.predictions[0], job_id="700")
    assert isinstance(stranger, Prediction)
    with pytest.raises(ValueError, match=r"do not wait.*700"):
        write(cluster, replace(told, predictions=(stranger,)))


def test_a_value_too_long_for_readers_is_split_and_read_whole(cluster):
    names = tuple(f"node{number:06}" for number in range(20_000))
    partition = replace(cluster.partitions[0], node_names=names)
    document = write(replace(cluster, partitions=(partition,)))
    assert max(map(len, document.split(b"\n"))) < 64 * 1024
    assert check(document).errors == ()
