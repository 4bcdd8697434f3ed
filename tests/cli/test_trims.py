"""What would help: which smaller requests are tried, and which are worth telling."""

from clusters import NOW

from predictor.cli.trims import sentences, sooner, trims
from predictor.domain.durations import HOUR_S as HOUR
from predictor.domain.instants import rfc3339


def waits(**more):
    told = {
        "job_id": "7",
        "state": "pending",
        "limit_s": 8 * HOUR,
        "nodes": 8,
        "likely_start_epoch": NOW + 10 * HOUR,
        "snapshot_at": rfc3339(NOW),
    }
    return told | more


def told(*leads, names="abcd"):
    starts = [None if lead is None else NOW + lead for lead in leads]
    pairs = zip(names, starts, strict=False)
    return {"shapes": [{"name": name, "likely_start_epoch": at} for name, at in pairs]}


def test_shorter_and_narrower_and_both():
    found = [(one["name"], one.get("nodes"), one.get("time_limit")) for one in trims(waits())]
    assert found == [
        ("-t 4:00:00", None, "14400s"),
        ("-t 2:00:00", None, "7200s"),
        ("-N 4", 4, None),
        ("-N 4 -t 4:00:00", 4, "14400s"),
    ]
    assert {one["instead_of"] for one in trims(waits())} == {"7"}


def test_where_there_is_no_less_nothing_is_tried():
    assert trims(waits(limit_s=600, nodes=1)) == []
    assert trims(waits(limit_s="UNLIMITED", nodes=1)) == []
    assert trims(waits(limit_s=None, nodes=1)) == []
    assert trims(waits(state="running")) == []
    assert trims(waits(likely_start_epoch=None)) == []


def test_only_what_is_notably_sooner_than_the_lesser_cut_is_told():
    found = sooner(waits(), told(8 * HOUR, 8 * HOUR, None, 3 * HOUR))
    assert found == [(NOW + 8 * HOUR, "a"), (NOW + 3 * HOUR, "d")]
    assert sooner(waits(), told(9.5 * HOUR)) == []
    assert sooner(waits(likely_start_epoch=NOW + 900), told(600)) == []


def test_in_words():
    (sentence,) = sentences(
        waits(), told(8 * HOUR, names=["-t 4:00:00"]), lambda at: f"@{at - NOW}"
    )
    assert sentence == "With -t 4:00:00 it would likely start @28800, 2 h sooner."
