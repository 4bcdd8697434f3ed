"""The whole daemon killed at any instant, and two of them started on one recording."""

import argparse
import random
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from campaigns.findings import Findings, spread
from campaigns.served import Served

from predictor.cli.exits import IN_USE
from predictor.storage import open_for_reading

WHILE_STARTING = 0.25
"""The share of those that are killed at some instant of their first seconds."""
STARTING_S = 2.0
LONGEST_S = 2.0
"""Of a life, after the first answer."""
PATIENCE_S = 60
CLUSTERS = "/api/v1/clusters"
DEAD_BYTES = 20
"""The fault to be found: so many bytes of the newest segment are gone after a kill."""


class Ledger:
    """What daemons of one folder have published, and said to have kept."""

    def __init__(self) -> None:
        self.published: set[int] = set()
        self.first_after_s: list[float] = []

    @property
    def newest(self) -> int:
        """The newest snapshot that anybody was shown."""
        return max(self.published, default=0)


def daemon_kills(options: argparse.Namespace, findings: Findings) -> None:
    """Kill it again and again; whatever was shown must be there, and be shown again soon."""
    chance = random.Random(options.seed)  # noqa: S311
    ledger, kills = Ledger(), 0
    with tempfile.TemporaryDirectory() as scratch:
        daemon = Served(Path(scratch))
        while kills < options.cases and time.monotonic() < options.until:
            daemon.start()
            try:
                live(daemon, ledger, chance, findings)
            finally:
                daemon.kill()
            kills += 1
            if options.seeded_fault:
                cut_off(daemon.folder / "recording")
            check(daemon, ledger, findings)
        if kills:
            check_all(daemon, findings)
    findings.figures |= {"kills": kills, "answers_seen": len(ledger.published)}
    findings.figures |= {f"first_answer_{n}": s for n, s in spread(ledger.first_after_s).items()}
    findings.figures["lost"] = findings.figures.get("lost", 0)


def live(daemon: Served, ledger: Ledger, chance: random.Random, findings: Findings) -> None:
    """Watch a daemon until its time has come."""
    if chance.random() < WHILE_STARTING:
        time.sleep(chance.uniform(0, STARTING_S))
        return
    known = ledger.newest
    seen = first_answer(daemon)
    if seen is None:
        findings.expect(False, f"no answer within {PATIENCE_S} s: {daemon.log.read_text()[-300:]}")
        return
    if known:
        ledger.first_after_s.append(time.monotonic() - daemon.started_at)
        findings.expect(seen >= known, f"first answer of {seen}, though {known} was shown before")
    ledger.published.add(seen)
    dies_at = time.monotonic() + chance.uniform(0, LONGEST_S)
    while time.monotonic() < dies_at:
        seen = dated(daemon)
        findings.expect(seen is not None, "an answer without its instant")
        ledger.published |= {seen} - {None}
        time.sleep(0.05)


def first_answer(daemon: Served) -> int | None:
    """Return the instant of the snapshot that is told of first; None: none was."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and daemon.process.poll() is None:
        if (seen := dated(daemon)) is not None:
            return seen
        time.sleep(0.02)
    return None


def dated(daemon: Served) -> int | None:
    """Return of which instant an answer is that has an age, too."""
    body: Any = daemon.ask(CLUSTERS)
    if not body or not body["clusters"]:
        return None
    cluster = body["clusters"][0]
    if cluster["age_seconds"] is None:
        return None
    return int(datetime.fromisoformat(cluster["snapshot_at"]).timestamp())


def check(daemon: Served, ledger: Ledger, findings: Findings) -> None:
    """Compare what is recorded with what was shown."""
    if not ledger.published:
        return
    missing = ledger.published - set(open_for_reading(daemon.folder / "recording").instants)
    findings.expect(not missing, f"shown but lost: {sorted(missing)[:3]}")
    findings.count("lost", len(missing))
    ledger.published -= missing


def check_all(daemon: Served, findings: Findings) -> None:
    """Read everything: no damage, and all answers that the log says were kept."""
    reader = open_for_reading(daemon.folder / "recording")
    snapshots = sum(1 for _ in reader.snapshots())
    kept = {hash_ for _, hash_ in reader.answers()}
    said = {e["sha256"] for e in daemon.events() if e["event"] == "answers kept"}
    findings.expect(not reader.damage, f"damage: {reader.damage[:3]}")
    findings.expect(said <= kept, f"{len(said - kept)} answers that were said to be kept are lost")
    findings.count("lost", len(said - kept))
    findings.figures |= {"snapshots": snapshots, "answers_kept": len(said)}


def cut_off(folder: Path) -> None:
    """Take the end of the newest segment away, as a disk that promised too much would."""
    for newest in sorted(folder.glob("segment-*.qcr"))[-1:]:
        with newest.open("r+b") as segment:
            segment.truncate(max(0, newest.stat().st_size - DEAD_BYTES))


def daemon_pairs(options: argparse.Namespace, findings: Findings) -> None:
    """Start two daemons on one recording at once: one serves, the other one says why not."""
    chance = random.Random(options.seed)  # noqa: S311
    refused_s: list[float] = []
    findings.figures["pairs"] = 0
    while findings.figures["pairs"] < options.cases and time.monotonic() < options.until:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            # The same site file twice, or two that name the same recording.
            second = chance.choice(("s", "t"))
            pair = (Served(folder), Served(folder, socket_name=second))
            try:
                refused_s += raced(pair, chance, options.seeded_fault, findings)
            finally:
                for daemon in pair:
                    daemon.kill()
        findings.count("pairs")
    findings.figures |= {f"refused_{name}": s for name, s in spread(refused_s).items()}


def raced(
    pair: tuple[Served, Served], chance: random.Random, unlocked: bool, findings: Findings
) -> list[float]:
    """Return how long it took until one of them gave up, if one did with the code for that."""
    for daemon in pair:
        daemon.start()
        if unlocked:  # the fault to be found
            first_answer(daemon)
            (daemon.folder / "recording" / "lock").unlink()
        time.sleep(chance.choice((0, chance.uniform(0, 0.5))))
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and all(each.process.poll() is None for each in pair):
        time.sleep(0.01)
        if unlocked and all(dated(each) is not None for each in pair):
            break
    over = [each for each in pair if each.process.poll() is not None]
    codes = [each.process.returncode for each in over]
    findings.expect(codes == [IN_USE], f"pair {findings.figures['pairs']}: ended with {codes}")
    if codes != [IN_USE]:
        return []
    took_s = time.monotonic() - over[0].started_at
    (other,) = (each for each in pair if each is not over[0])
    findings.expect(first_answer(other) is not None, "the one that stayed does not answer")
    return [took_s]
