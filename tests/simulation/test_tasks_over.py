"""Tasks of an array that are over, while their nodes are still being cleared."""

from dataclasses import replace

import pytest
from clusters import NOW, array, cluster, running

from predictor.domain import ArrayTasks, PassSettings, RunState, SchedulerSettings
from predictor.plan import plan
from predictor.site import default

SETTINGS = SchedulerSettings(multifactor=False, passes=PassSettings(interval_s=30, step_s=1))


@pytest.mark.parametrize(
    ("state", "starts"), [(RunState.RUNNING, []), (RunState.COMPLETING, ["7_[0-1%1]"])]
)
def test_they_count_for_no_limit_on_running_tasks(state, starts):
    of = ArrayTasks(job_id="7", tasks=(9,), max_running=1)
    task = replace(running("7_9", "n1", 50, array=of), state=state)
    seen = cluster(2, task, array("7", 2, at_once=1), settings=SETTINGS)
    found = plan(seen, default())
    assert [id_ for id_, one in found.items() if one.start_at == NOW] == starts
