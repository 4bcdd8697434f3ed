"""What Slurm says of preemption, in its own words and in ours."""

import pytest

from collectors.slurm.text.preemption import eviction, preemption, sent_back_s
from predictor.domain import Eviction, Preemption


@pytest.mark.parametrize(
    ("word", "does"),
    [
        ("REQUEUE", Eviction.SENT_BACK),
        ("cancel", Eviction.ENDED),
        ("GANG,SUSPEND", Eviction.SUSPENDED),
        ("REQUEUE,WITHIN", Eviction.SENT_BACK),
        ("OFF", Eviction.SPARED),
        ("cluster", None),
        ("GANG", None),
        ("", None),
    ],
)
def test_modes(word, does):
    assert eviction(word) is does


BY_QOS = {"PreemptType": "preempt/qos", "PreemptMode": "CANCEL"}


@pytest.mark.parametrize(
    ("keys", "parameters", "expected"),
    [
        pytest.param({}, {}, None, id="nothing said"),
        pytest.param({"PreemptType": "(null)"}, {}, None, id="not set"),
        pytest.param({"PreemptType": "preempt/none", "PreemptMode": "OFF"}, {}, None, id="none"),
        pytest.param(
            {"PreemptType": "preempt/partition_prio", "PreemptMode": "OFF"},
            {},
            Preemption(),
            id="each partition says how",
        ),
        pytest.param(
            BY_QOS | {"PreemptExemptTime": "00:05:00"},
            {"preempt_youngest_first": "", "preempt_reorder_count": "3"},
            Preemption(
                by_qos=True,
                eviction=Eviction.ENDED,
                exempt_s=300,
                youngest_first=True,
                reorders=3,
            ),
            id="22.05: beside the scheduler's parameters",
        ),
        pytest.param(
            BY_QOS | {"PreemptParameters": "min_exempt_priority=4000000000,strict_order"},
            {},
            Preemption(
                by_qos=True,
                eviction=Eviction.ENDED,
                spared_from=4_000_000_000,
                keeps_order=True,
            ),
            id="a priority from which on nobody leaves",
        ),
        pytest.param(
            BY_QOS | {"PreemptMode": "within,requeue"},
            {},
            Preemption(by_qos=True, eviction=Eviction.SENT_BACK, within=True),
            id="also within a QOS",
        ),
        pytest.param(
            BY_QOS | {"PreemptMode": "CANCEL,PRIORITY"},
            {},
            Preemption(by_qos=True, eviction=Eviction.ENDED, by_priority=True),
            id="25.05: by priority",
        ),
        pytest.param(
            BY_QOS | {"PreemptParameters": "strict_order,reorder_count=0"},
            {},
            Preemption(by_qos=True, eviction=Eviction.ENDED, keeps_order=True, reorders=0),
            id="23.02: parameters of its own",
        ),
        pytest.param(
            BY_QOS,
            {"preempt_reorder_count": "9" * 40},
            Preemption(by_qos=True, eviction=Eviction.ENDED),
            id="an absurd number",
        ),
    ],
)
def test_settings(keys, parameters, expected):
    assert preemption(keys, parameters) == expected


@pytest.mark.parametrize(
    ("keys", "parameters", "seconds"),
    [
        ({}, {}, 121),
        ({"AuthInfo": "(null)"}, {}, 121),
        ({"AuthInfo": "socket=/run/munge,cred_expire=20"}, {}, 21),
        ({"AuthInfo": "cred_expire=20"}, {"requeue_delay": "5"}, 6),
    ],
)
def test_how_long_who_is_sent_back_stays_away(keys, parameters, seconds):
    assert sent_back_s(keys, parameters) == seconds
