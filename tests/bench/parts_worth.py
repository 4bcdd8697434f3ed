"""What each part of a forecast is worth: the online scores of a recording with one part less.

    python tests/bench/parts_worth.py RECORDING [--every 20] [--draws 16] [--only full limits ...]

Every row is a run of its own through the recording: all that is learned, said and judged in it
rests on that row's parts alone.
"""

import argparse
import time
from pathlib import Path

from predictor.clock import SystemClock
from predictor.site import Site
from verification.online.batch import Announced
from verification.online.ours import Ours
from verification.online.replay import replayed
from verification.parallel import Processes
from verification.recorded import read_recording
from verification.scoring.score import score

ROWS: dict[str, dict[str, object]] = {
    "full": {},
    "no newcomers": {"arrivals": False},
    "no cancellations": {"cancellations": False},
    "uncorrected": {"corrected": False},
    "rules": {"run_times": "rules"},
    "last-two": {"run_times": "last-two"},
    "limits": {"run_times": "limit"},
}
COLUMNS = (
    "answered",
    "mae_s",
    "median_abs_s",
    "p90_abs_s",
    "bias_s",
    "coverage80",
    "width80_median_s",
    "winkler80_s",
    "broken95",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("recording", type=Path)
    parser.add_argument("--every", type=int, default=20, help="ask at each n-th snapshot only")
    parser.add_argument("--draws", type=int, default=16)
    parser.add_argument("--only", nargs="*", choices=ROWS, default=list(ROWS))
    args = parser.parse_args()
    ask = [Announced()]
    read = read_recording(args.recording, Processes(2), lambda *_: None, ask=ask, every=args.every)
    print(f"{'':<18}" + "".join(f"{name:>18}" for name in COLUMNS) + f"{'s CPU':>8}")
    for row in args.only:
        began = time.process_time()
        site = Site.model_validate({"forecast": {"draws": args.draws} | ROWS[row]})
        cases = list(replayed(read, [Ours(site, SystemClock())]))
        told = score(cases, seed=1, baselines=()).as_json()
        print(f"{row:<18}" + "".join(map(_cell, (told[name] for name in COLUMNS))), end="")
        print(f"{time.process_time() - began:>8.0f}", flush=True)


def _cell(value: float | None) -> str:
    if value is None:
        return f"{'-':>18}"
    return f"{value:>18.3f}" if abs(value) < 2 else f"{value:>18.0f}"


if __name__ == "__main__":
    main()
