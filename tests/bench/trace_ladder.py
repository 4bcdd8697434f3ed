"""How far off starts are said on a public trace, with one truth less in each row.

    python tests/bench/trace_ladder.py KTH-SP2-1996-2.1-cln.swf.gz
    python tests/bench/trace_ladder.py CEA-Curie-2011-2.1-cln.swf.gz --jobs 30000 --every-h 1

The trace is replayed under EASY: that replay is the truth, so the policy is known exactly. From a
look every so many hours each waiting job's start is said again, by the same EASY:

    A  run times and arrivals as they were           (must be off by nothing)
    B  run times as they were, nobody arrives
    L  everybody runs into the limit, nobody arrives (what a batch system announces)
    H  everybody runs as jobs like it did before, nobody arrives
    R  the same by the predictor's own run-time model
    M  the median of many courses, run times drawn from that model
    E  newcomers drawn too
    W  the same, corrected by how earlier answers came out
    C  no simulation: as long as its class waited in the middle, with the bounds of QBETS

`closed` is how much of the gap between L and B a row closes. Forecasts know what a look shows and
what happened before. `--part 2/2` scores looks in the second half of the time only; `--restored`
adds what M would be worth if it knew one of the truths.
"""

import argparse
import time
from fractions import Fraction
from pathlib import Path

from predictor.domain.durations import HOUR_S as HOUR
from predictor.runtimes.models import DEFAULT, MODELS
from verification.traces.ladder.rows import RESTORED, ROWS, told
from verification.traces.ladder.table import figures, lines
from verification.traces.ladder.world import world_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trace", type=Path)
    parser.add_argument("--skip", type=int, default=0, help="so many jobs, those submitted first")
    parser.add_argument("--jobs", type=int, help="only so many of the others")
    parser.add_argument("--every-h", type=float, default=12.0, help="hours between two looks")
    parser.add_argument("--squeeze", type=float, default=1.0, help="submit times by this factor")
    parser.add_argument("--model", choices=sorted(MODELS), default=DEFAULT, help="of run times")
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--part", default="1/1", help="score only this part of the looks")
    parser.add_argument("--restored", action="store_true", help="tell what one truth is worth")
    args = parser.parse_args()
    began = time.process_time()
    world = world_of(args.trace, skip=args.skip, first=args.jobs, squeeze=args.squeeze)
    number, parts = map(int, args.part.split("/"))
    length_s = world.submits[-1] - world.submits[0]
    low, high = (world.submits[0] + length_s * Fraction(one, parts) for one in (number - 1, number))
    cases = [
        case
        for case in told(
            world, round(args.every_h * HOUR), args.model, args.draws, restored=args.restored
        )
        if low <= case.seen_at <= high
    ]
    print(
        f"{world.name}: {len(world.specs)} jobs, {world.machine} processors, load "
        f"{world.load:.2f}, {len(cases)} starts said, {time.process_time() - began:.0f} s CPU"
    )
    rows = (*ROWS, *RESTORED) if args.restored else ROWS
    print("\n".join(lines(figures(cases, rows))))


if __name__ == "__main__":
    main()
