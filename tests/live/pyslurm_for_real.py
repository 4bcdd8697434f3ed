"""The real pyslurm, the real library, a real controller: the same snapshot as by the commands.

No run of all tests finds this file: `deploy/check_pyslurm` makes a place that has a pyslurm, and
runs it there.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from compared import Permit, differences
from live.cluster import Slurm, running, wait_until
from live.needs import needs
from live.zoo import EVIL_NAME, ZOO, fill
from permitted import permitted

from collectors.slurm.library.asking import Library
from collectors.slurm.library.source import KIND, from_settings
from collectors.slurm.source import from_settings as by_commands
from predictor.domain import Fact, Snapshot
from predictor.errors import SourceError
from predictor.lml import read

JOBS = ("pyslurm", "Jobs.load")
ALL_THERE_IS = {"unmatched": True, "past_s": 0}
TRIES = 5
"""So often a job may start between two looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zoo:
    """A Slurm with jobs of every kind, by name, and which kind of pyslurm asks it."""

    slurm: Slurm
    ids: dict[str, str]
    way: str


@pytest.fixture(scope="module")
def zoo() -> Iterator[Zoo]:
    """Whoever asks a Slurm meanwhile, asks this one."""
    needs("scancel")
    with running(ZOO) as slurm, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLURM_CONF", slurm.environment["SLURM_CONF"])
        ids = fill(slurm, partial(wait_until, seconds=30))
        yield Zoo(slurm=slurm, ids=ids, way=way())


def way() -> str:
    """Return which kind of pyslurm this is; it may be made for this Slurm or another."""
    refused = bool(Library().run(JOBS, 20).exit_code)
    version = json.loads(Library(unmatched=True).run(JOBS, 20).output)["pyslurm"]
    of_another = "unmatched pyslurm" if refused else "pyslurm"
    return of_another if version.startswith("25.11.") else "old pyslurm"


def assert_same(zoo: Zoo, look: Callable[[], Snapshot], *more: Permit) -> None:
    """Fail if such a look never tells what the commands tell, but for what may differ.

    Of two jobs the commands tell nonsense: their own names or others' comments spoil it.
    """
    spoilt = {zoo.ids["plain"], zoo.ids[EVIL_NAME]}
    permits = (*permitted("text", zoo.way), *more)
    commands = by_commands({"past_s": 0})
    before, found = commands.observe().snapshot, [["nothing was tried"]]
    for _ in range(TRIES):
        ours, after = look(), commands.observe().snapshot
        found = [
            [
                one.line
                for one in differences(text, ours, permits)
                if not {each.record for each in one.examples} <= spoilt
            ]
            for text in (before, after)
        ]
        if [] in found:
            return
        before = after
    assert min(found, key=len) == []


def test_a_look_through_pyslurm_is_the_look_by_commands(zoo):
    source = from_settings(ALL_THERE_IS)
    assert_same(zoo, lambda: source.observe().snapshot)
    seen = source.observe().snapshot
    assert seen.provenance.source == KIND
    assert seen.provenance.quarantined == ()
    assert {one.fact for one in seen.provenance.hidden} == {Fact.QOS, Fact.ASSOCIATIONS}
    assert len(seen.pending) > 20 and len(seen.running) > 5


def test_the_command_writes_the_same_document(zoo):
    command = [Path(sys.executable).with_name("queuecast"), "collect", "--source", KIND]

    def look() -> Snapshot:
        collected = [*command, "--set", "unmatched=true"]
        ran = subprocess.run(collected, capture_output=True, check=True, timeout=60)
        return read(ran.stdout).snapshot

    # The command takes long enough for other plans.
    assert_same(zoo, look, Permit(kind="pending", field="estimate", why="planned anew meanwhile"))


def test_without_the_commands_pyslurm_stands_in_for_some(zoo, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    seen = from_settings(ALL_THERE_IS).observe().snapshot
    hidden = {one.fact for one in seen.provenance.hidden}
    assert Fact.PRIORITIES in hidden
    if zoo.way != "old pyslurm":
        assert not hidden & {Fact.NODES, Fact.PARTITIONS, Fact.RESERVATIONS, Fact.SETTINGS}
        assert [one.name for one in seen.reservations] == ["maint"]
    assert [one.name for one in seen.partitions] == ["batch", "other", "whole"]


def test_a_controller_that_is_gone_or_silent_costs_an_error_and_no_more(zoo):
    source = from_settings(ALL_THERE_IS | {"timeout_s": 12})
    assert source.observe().snapshot.pending
    zoo.slurm.stop_controller()
    try:
        with pytest.raises(SourceError, match="Unable to contact slurm controller"):
            source.observe()
    finally:
        zoo.slurm.start_controller()
    impatient = from_settings(ALL_THERE_IS | {"timeout_s": 2})
    zoo.slurm.freeze_controller()
    try:
        with pytest.raises(SourceError, match="no answer within 2 s"):
            impatient.observe()
    finally:
        zoo.slurm.thaw_controller()
    wait_until(lambda: zoo.slurm.succeeds("scontrol", "ping"), "the controller")
    for each in (source, impatient):
        assert each.observe().snapshot.pending


def test_without_slurm_conf_its_process_ends_and_ours_does_not(zoo, monkeypatch):
    source = from_settings(ALL_THERE_IS | {"timeout_s": 2})
    monkeypatch.setenv("SLURM_CONF", "/nonexistent/slurm.conf")
    with pytest.raises(SourceError, match=r"^pyslurm Jobs\.load: "):
        source.observe()
