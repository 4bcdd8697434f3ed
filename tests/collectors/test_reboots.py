"""Nodes that are rebooted: which of them are sure to come back, and until when."""

import json
import re

import pytest

from predictor.domain import NodeFlag

RESUME_TIMEOUT_S = 900


@pytest.mark.parametrize(
    ("state", "afterwards", "returns"),
    [
        pytest.param("DOWN+REBOOT_ISSUED", "RESUME", True, id="issued"),
        pytest.param("DOWN+DRAIN+REBOOT_ISSUED", "RESUME", True, id="as soon as possible, issued"),
        pytest.param("DOWN+DRAIN+REBOOT_ISSUED", "UNDRAIN", True, id="drained for it alone"),
        pytest.param("IDLE+DRAIN+REBOOT_REQUESTED", "RESUME", True, id="nobody is on it"),
        pytest.param("IDLE+COMPLETING+DRAIN+REBOOT_REQUESTED", "RESUME", False, id="being cleared"),
        pytest.param("DOWN+DRAIN+REBOOT_ISSUED", "DOWN", False, id="down afterwards"),
        pytest.param("DOWN+DRAIN+REBOOT_ISSUED", None, False, id="not told what afterwards"),
        pytest.param("DOWN+FAIL+REBOOT_ISSUED", "RESUME", False, id="it fails"),
        pytest.param("DOWN+DRAIN", "RESUME", False, id="no reboot"),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_who_reboots_to_go_on_is_back_once_it_has(
    answers, snapshot, form, state, afterwards, returns
):
    if form == "text":
        printed = answers("26.05").printed["nodes_text"]
        head, n01, rest = re.split(r"(?m)^(?=NodeName=)", printed, maxsplit=2)
        said = f" NextState={afterwards}" if afterwards else ""
        changed = re.sub(r"State=[A-Z+]+", f"State={state}{said}", n01)
        more = {"nodes_text": head + changed + rest}
    else:
        nodes = json.loads(answers("22.05").printed["sinfo_json"])
        base, *flags = state.lower().split("+")
        nodes["nodes"][0] |= {"state": base, "state_flags": [flag.upper() for flag in flags]}
        if afterwards:
            nodes["nodes"][0]["next_state_after_reboot_flags"] = [afterwards]
        more = {"sinfo_json": json.dumps(nodes)}
    version = "26.05" if form == "text" else "22.05"
    config = answers(version).printed["config"]
    config = re.sub(r"(ResumeTimeout +=) .*", rf"\1 {RESUME_TIMEOUT_S} sec", config)
    seen = snapshot(version, config=config, **more)
    node = next(one for one in seen.nodes if one.name == "n01")
    assert (node.returning, node.usable) == (returns, returns)
    assert (NodeFlag.REBOOT in node.flags) is ("REBOOT" in state)
    assert node.back_by == (seen.taken_at + RESUME_TIMEOUT_S if returns else None)
