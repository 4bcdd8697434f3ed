"""Who may start by any of several QOS."""

from dataclasses import replace

import pytest
from clusters import cluster, nodes, partition, waiting

from predictor.domain import Qos, QosFlag, Unpredictable
from predictor.forecast import forecast
from predictor.site import default

SITE = default()


@pytest.mark.parametrize(
    ("allowed", "denied", "starts"),
    [
        pytest.param((), (), True, id="everybody is let in"),
        pytest.param(("slow",), (), True, id="one is let in"),
        pytest.param(("other",), (), False, id="only others are"),
        pytest.param((), ("fast",), True, id="one is kept out"),
        pytest.param((), ("fast", "slow"), False, id="both are"),
    ],
)
def test_it_is_kept_out_only_if_none_of_them_is_let_in(allowed, denied, starts):
    door = replace(partition("batch", nodes(1)), allow_qos=allowed, deny_qos=denied)
    job = waiting("1", of_job={"qos": "fast,slow"})
    made = forecast(cluster(1, job, partitions=(door,)), SITE)
    assert bool(made.predictions) is starts
    assert starts or made.abstentions[0].cause is Unpredictable.NEVER_FITS


@pytest.mark.parametrize(("qos", "starts"), [("fast,slow", True), ("fast", False)])
def test_it_may_do_what_any_of_them_allows(qos, starts):
    door = replace(partition("batch", nodes(2)), max_nodes=1)
    wide = Qos(name="slow", flags=frozenset({QosFlag.ABOVE_MAX_NODES}))
    job = waiting("1", 2, of_job={"qos": qos})
    known = (Qos(name="fast"), wide)
    made = forecast(cluster(2, job, partitions=(door,), qos=known), SITE)
    assert bool(made.predictions) is starts
