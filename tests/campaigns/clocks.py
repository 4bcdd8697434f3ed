"""Clocks that are set: ours, the batch system's or both, by a second to ten years, and back.

    python tests/campaigns/clocks.py [--cases 1000] [--seed 1]

A daemon lives through clock steps, restarts and retention; when the clocks are right again, so must
be answers, recording, learning, scoring and the ledger of the past. Besides: in 20 zones what is
told around each change to and from summer time, and around a leap second, is an instant again.
"""

import argparse
import shutil
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from math import inf
from zoneinfo import ZoneInfo

from campaigns.promises import Broken
from campaigns.seeds import finish
from campaigns.whole_system import World, quiet_site

from predictor.cli.timeformat import time_format
from predictor.cli.timesyntax import deadline
from predictor.clock import AHEAD_S
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.domain.instants import instant_of, rfc3339
from predictor.service import ledger
from predictor.site import Site

YEAR_S = 365 * DAY_S
STEPS_S = (1, 30, 60, 600, HOUR_S, 2 * HOUR_S, DAY_S, 30 * DAY_S, YEAR_S, 10 * YEAR_S)
ZONES = (
    *("Europe/Berlin", "Europe/London", "Europe/Lisbon", "Europe/Dublin", "Europe/Chisinau"),
    *("America/New_York", "America/Los_Angeles", "America/St_Johns", "America/Havana"),
    *("America/Santiago", "America/Asuncion", "Africa/Cairo", "Africa/Casablanca"),
    *("Asia/Jerusalem", "Asia/Beirut", "Australia/Sydney", "Australia/Lord_Howe"),
    *("Pacific/Auckland", "Pacific/Chatham", "Antarctica/Troll"),
)
LEAP_SECOND = 1_483_228_800
"""After it: the day 2017-01-01 begins."""


class Clocks(World):
    """A course in which nothing goes wrong but clocks."""

    def _trouble(self) -> None:
        chance = self.chance
        if chance.random() < 0.6:
            by_s = chance.choice(STEPS_S) * chance.choice((-1, 1))
            whose = chance.choice(("ours", "theirs", "both"))
            if whose != "theirs":
                self._set_clock(by_s)
            if whose != "ours" and self.clock.true + self.source.ahead_s + by_s > 0:
                self.source.ahead_s += by_s
                self.figures["steps of theirs"] += 1
                self.say(f"their clock is set by {by_s} s")
        if chance.random() < 0.15:
            self._killed()
            self.clock.sleep(1)
            self._begin()
        if chance.random() < 0.3:  # they are right again
            self.clock.set_by = self.source.ahead_s = 0

    def _heal(self) -> None:
        super()._heal()
        self.source.ahead_s = 0
        self.clock.sleep(AHEAD_S)

    def _check_healthy(self) -> None:
        super()._check_healthy()
        assert self.life is not None
        now, rounds = self.clock.true, self.life.rounds
        metrics = rounds.metrics.registry
        learned_at = metrics.get_sample_value("queuecast_experience_timestamp_seconds")
        if learned_at is None or not now - 900 < learned_at <= now + DAY_S:
            raise Broken(9, f"learned until {(learned_at or 0) - now:+.0f} s from now")
        if not now - 900 < rounds._scoring._seen_at <= now + AHEAD_S:
            raise Broken(9, f"scored until {rounds._scoring._seen_at - now:+.0f} s from now")
        past = ledger.load(ledger.file_of(self.site.recording.path), "elm", self.disk)
        late = {kind: one for kind, one in past.open.items() if one.due_at > now + DAY_S}
        if late:
            raise Broken(9, f"of the past is asked only in the future: {late}")


def lives(site: Site, cases: int, seed: int, until: float = inf) -> tuple[Counter[str], list[str]]:
    """Live so many courses; return figures and findings."""
    figures: Counter[str] = Counter()
    found = []
    for number in range(seed, seed + cases):
        if time.monotonic() > until:
            break
        _fresh(site)
        world = Clocks(number, site)
        try:
            world.run()
        except Exception as error:
            found.append(f"--seed {number}: {type(error).__name__}: {error}")
        figures += Counter({"lives": 1}) + world.figures
    figures["steps"] = figures["clock steps"] + figures["steps of theirs"]
    return figures, found


def _fresh(site: Site) -> None:
    shutil.rmtree(site.recording.path, ignore_errors=True)


def changes(zone: ZoneInfo, year: int) -> list[int]:
    """Return when the offset from UTC changes in a year."""
    day = datetime(year, 1, 1, tzinfo=UTC)
    hours = [int((day + timedelta(hours=hour)).timestamp()) for hour in range(366 * 24)]
    offsets = [datetime.fromtimestamp(at, zone).utcoffset() for at in hours]
    return [at for at, a, b in zip(hours[1:], offsets, offsets[1:], strict=False) if a != b]


def folds(years: range = range(2022, 2026)) -> tuple[Counter[str], list[str]]:
    """Tell instants around each change, in each zone, and read them again."""
    figures: Counter[str] = Counter()
    found = []
    for name in ZONES:
        zone = ZoneInfo(name)
        for change in (at for year in years for at in changes(zone, year)):
            figures["changes"] += 1
            for at in range(change - 7_200, change + 7_201, 300):
                figures["instants"] += 1
                found += [f"{name}: {at}: {what}" for what in _told_wrongly(at, zone)]
    for at in range(LEAP_SECOND - 3, LEAP_SECOND + 3):
        found += [f"leap second: {at}: {what}" for what in _told_wrongly(at, ZoneInfo("UTC"))]
    return figures, found


def _told_wrongly(at: int, zone: ZoneInfo) -> list[str]:
    wrong = []
    if instant_of(rfc3339(at)) != at:
        wrong.append(f"{rfc3339(at)} is read as another instant")
    local = time_format("", at, zone)(at)
    offsets = datetime.fromtimestamp(at, zone).utcoffset()
    with_offset = f"{local}{_offset(offsets)}"
    if deadline(with_offset, at, zone) != at:
        wrong.append(f"{with_offset} is read as another instant")
    again = deadline(local, at, zone)
    if abs(again - at) > 2 * HOUR_S or time_format("", at, zone)(again) != local:
        wrong.append(f"{local} is read as {again}")
    later = deadline(datetime.fromtimestamp(at + 1_800, zone).strftime("%H:%M"), at, zone)
    if not at - 60 <= later <= at + 26 * HOUR_S:
        wrong.append(f"the next time of a clock is {later - at} s away")
    return wrong


def _offset(offset: timedelta | None) -> str:
    seconds = int((offset or timedelta()).total_seconds())
    minutes = abs(seconds) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=inf, help="it ends then")
    options = parser.parse_args()
    begun = time.monotonic()
    figures, found = folds()
    with quiet_site() as site:
        more, also = lives(site, options.cases, options.seed, begun + options.seconds)
    return finish("clocks", figures + more, found + also, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
