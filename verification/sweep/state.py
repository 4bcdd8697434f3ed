"""How far a sweep is, from its folder alone: from another process, and after its end."""

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from predictor.domain.durations import HOUR_S
from verification.sweep.folder import Seen

SILENT_S = 30
"""A sweep that runs tells of itself every few seconds; after so many it does not run."""


class Phase(StrEnum):
    """What a sweep is doing."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    """It said so: by Ctrl-C, by a full disk, ..."""
    GONE = "gone"
    """It said nothing: it was killed, or its machine is away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """How far a sweep is. Instants are UTC epoch seconds."""

    phase: Phase
    cause: str
    """Why it stopped; empty if there is nothing to say."""
    done: int
    """Runs that came out fine."""
    failed: int
    """Runs that did not."""
    total: int
    """Of the runs that are decided upon; a search may want more later."""
    under_way: tuple[tuple[str, float], ...]
    """Each with how many seconds it has been, or was when the sweep ended."""
    per_hour: float | None
    """Runs that ended in an hour, of late. None: not known yet."""
    left_s: float | None
    """None: not known, or nothing goes on."""
    told_s: float | None
    """How long ago the sweep last told of itself; None: never."""
    crew: str
    """Who makes the runs."""


def state_of(seen: Seen, now: float, host: str = socket.gethostname()) -> State:
    """Return how far the sweep is, seen from `host` at `now`."""
    alive = seen.alive or {}
    done = sum(one.fine for one in seen.results.values())
    failed = len(seen.results) - done
    total = max(int(alive.get("total") or seen.manifest["runs"]), done + failed)
    phase, cause = _phase(seen, now, host)
    told_at = float(alive["at"]) if "at" in alive else None
    going_s = told_at - float(alive["since"]) if told_at is not None else 0.0
    per_s = int(alive.get("made", 0)) / going_s if going_s > 0 else 0.0
    goes_on = phase is Phase.RUNNING
    return State(
        phase=phase,
        cause=cause,
        done=done,
        failed=failed,
        total=total,
        under_way=tuple(
            (str(one["name"]), max(0.0, (now if goes_on else told_at or now) - float(one["since"])))
            for one in alive.get("under_way", ())
            if phase is not Phase.FINISHED
        ),
        per_hour=HOUR_S * per_s if per_s else None,
        left_s=(total - done - failed) / per_s if per_s and goes_on else None,
        told_s=None if told_at is None else max(0.0, now - told_at),
        crew=str(alive.get("crew", "")),
    )


def _phase(seen: Seen, now: float, host: str) -> tuple[Phase, str]:
    alive = seen.alive
    if alive is None:
        return Phase.GONE, "it was begun, and never told of itself"
    said = Phase(alive["phase"])
    if said is not Phase.RUNNING:
        return said, str(alive.get("cause", ""))
    if alive["host"] == host and not _exists(int(alive["pid"])):
        return Phase.GONE, f"process {alive['pid']} is gone"
    if now - float(alive["at"]) > SILENT_S:
        return Phase.GONE, f"no word from process {alive['pid']} on {alive['host']}"
    return Phase.RUNNING, ""


def _exists(pid: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True
