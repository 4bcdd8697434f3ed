"""Preemption as a site file has it, over what the batch system says."""

from dataclasses import replace

import pytest
from clusters import cluster, nodes, partition

from predictor.domain import Eviction, Preemption, Qos, SchedulerSettings
from predictor.site import Site, overlay

TOLD = Preemption(by_qos=True, eviction=Eviction.ENDED, exempt_s=60)


@pytest.mark.parametrize(
    ("table", "told", "expected"),
    [
        pytest.param({}, TOLD, TOLD, id="nothing said"),
        pytest.param({"by": "nobody"}, TOLD, None, id="switched off"),
        pytest.param({"youngest_first": True}, None, None, id="a detail switches nothing on"),
        pytest.param(
            {"by": "partition", "eviction": "sent_back"},
            None,
            Preemption(eviction=Eviction.SENT_BACK),
            id="where nothing is told",
        ),
        pytest.param(
            {"exempt_s": "5min", "reorders": 0},
            TOLD,
            replace(TOLD, exempt_s=300, reorders=0),
            id="some of it",
        ),
    ],
)
def test_over_what_is_told(table, told, expected):
    seen = cluster(1, settings=SchedulerSettings(preemption=told))
    assert overlay(Site.model_validate({"preemption": table}), seen).settings.preemption == expected


def test_how_long_who_was_sent_back_stays_away():
    site = Site.model_validate({"preemption": {"sent_back_s": 30}})
    assert overlay(site, cluster(1)).settings.sent_back_s == 30


def test_queues_and_qos_say_how_their_jobs_make_room():
    site = Site.model_validate(
        {
            "queues": [{"name": "low", "eviction": "ended", "grace_s": 90}],
            "qos": [{"name": "high", "preempts": ["low"], "eviction": "spared", "exempt_s": 5}],
        }
    )
    seen = overlay(site, cluster(1, partitions=(partition("low", nodes(1)),)))
    [low] = seen.partitions
    assert (low.eviction, low.grace_s) == (Eviction.ENDED, 90)
    expected = Qos(name="high", preempts=("low",), eviction=Eviction.SPARED, exempt_s=5)
    assert seen.qos == (expected,)
