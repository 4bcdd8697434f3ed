"""What the campaigns of this folder share: how they are started, and what they print."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles
from typing import Any

MOST_FINDINGS = 20


@dataclass(slots=True, kw_only=True)
class Findings:
    """What a campaign found, and what it counted."""

    figures: dict[str, Any] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def expect(self, holds: bool, finding: str) -> None:
        """Note a finding unless it holds."""
        if not holds:
            self.found.append(finding)

    def count(self, name: str, more: float = 1) -> None:
        """Count something up."""
        self.figures[name] = self.figures.get(name, 0) + more


Part = Callable[[argparse.Namespace, Findings], None]


def main(parts: Mapping[str, Part], arguments: Sequence[str] | None = None) -> int:
    """Run the part that is named, print its figures as one line of JSON; 1: it found something."""
    parser = argparse.ArgumentParser()
    parser.add_argument("part", choices=parts)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=720.0, help="it ends then at the latest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--seeded-fault", action="store_true", help="break what is tried: it must be found"
    )
    options = parser.parse_args(arguments)
    options.until = time.monotonic() + options.seconds
    findings, begun = Findings(), time.monotonic()
    parts[options.part](options, findings)
    took_s = round(time.monotonic() - begun, 1)
    told = {"part": options.part, "seed": options.seed, "seconds": took_s, **findings.figures}
    told |= {"findings": len(findings.found), "first": findings.found[:MOST_FINDINGS]}
    json.dump(told, sys.stdout)
    print()  # noqa: T201
    return 1 if findings.found else 0


def spread(durations: Iterable[float]) -> dict[str, float]:
    """Return median, 99th percentile and most of some durations, in seconds; {} of fewer than 2."""
    known = sorted(durations)
    if len(known) < 2:
        return {}
    cuts = quantiles(known, n=100, method="inclusive")
    return {"p50_s": round(cuts[49], 3), "p99_s": round(cuts[98], 3), "most_s": round(known[-1], 3)}
