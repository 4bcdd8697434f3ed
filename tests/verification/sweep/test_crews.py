"""Who makes runs: what becomes of a run whose worker dies."""

import os
import signal
import time
from pathlib import Path

import pytest

from predictor.clock import SystemClock
from verification.sweep.crews import Lost, local_crew
from verification.sweep.driving import Seam, drive
from verification.sweep.results import result_of
from verification.sweep.runs import Input, Run

INPUT = Input(name="none", path=Path("none"), sha256="")


def runs(*does):
    return [
        Run(number=n, point=n, input=INPUT, seed=1, settings={"do": do})
        for n, do in enumerate(does, start=1)
    ]


def work(run):
    match run.settings["do"]:
        case "exit":
            os._exit(3)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "forever":
            time.sleep(600)
    return result_of(run, figures={"n": run.number}, sha256="x", took_s=0.0, ended_at=0)


def ended(crew, count):
    found = []
    while len(found) < count:
        found += crew.ended(5)
    return {run.number: result for run, result in found}


def test_a_dead_worker_harms_no_other_run():
    with local_crew(work, 4) as crew:
        for run in runs("", "kill", "exit", ""):
            crew.begin(run)
        found = ended(crew, 4)
    assert found[2] == Lost(cause="its process was killed by SIGKILL")
    assert found[3] == Lost(cause="its process ended by itself with 3")
    assert found[1].figures == {"n": 1} and found[4].figures == {"n": 4}


def test_in_the_end_nobody_is_left():
    with local_crew(work, 2) as crew:
        for run in runs("forever", "forever"):
            crew.begin(run)
        pids = [process.pid for _, process in crew._under_way.values()]
        assert crew.ended(0) == []
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("width", [1, 3])
def test_what_was_lost_is_tried_once_more_then_it_has_failed(width):
    kept, warned, most = [], [], []
    with local_crew(work, width) as crew:
        results = drive(
            runs("", "kill", "", "exit"),
            Seam(
                crew=crew,
                clock=SystemClock(),
                ahead=lambda run: None,
                keep=kept.append,
                beat=lambda under_way: most.append(len(under_way)),
                warn=warned.append,
                stop=str,
            ),
        )
    assert max(most) == width
    assert kept == results
    by_run = {one.run: one for one in results}
    assert {run: (one.fine, one.attempt) for run, one in by_run.items()} == {
        1: (True, 1),
        2: (False, 2),
        3: (True, 1),
        4: (False, 2),
    }
    assert by_run[2].failed == "its process was killed by SIGKILL, twice"
    assert "run 2 (point 2, none, seed 1): its process was killed by SIGKILL; it is tried" in str(
        warned
    )
