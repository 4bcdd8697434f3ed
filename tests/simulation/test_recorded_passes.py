"""Plans beside passes that real controllers of other versions logged, job by job."""

import json
from pathlib import Path

import pytest
from live.scenarios.passes import Found, planned

from collectors.capture import Capture
from collectors.slurm.words.hostlists import expanded

RECORDED = Path(__file__).parents[1] / "recorded"


@pytest.mark.parametrize(
    "name",
    [
        "slurm-24.11/passes",
        pytest.param("slurm-24.11/licensed", id="GPUs, licenses, and nodes with owners"),
        "slurm-26.05/passes",
    ],
)
def test_plans_are_what_the_controller_planned(name):
    folder = RECORDED / name
    snapshots = [observation.snapshot for observation in Capture(folder).observations()]
    passes = json.loads((folder / "passes.json").read_text())
    assert len(snapshots) == len(passes) > 0
    for snapshot, logged in zip(snapshots, passes, strict=True):
        ours = planned(snapshot, int(logged["at"]))
        theirs = {
            job: Found(start_at=start_at, nodes=frozenset(expanded(nodes)))
            for job, (start_at, nodes) in logged["found"].items()
        }
        assert {job for job, found in theirs.items() if found.differs(ours.get(job))} == set()
        assert len(theirs) > 20
