"""Forecast every snapshot of a recording: how many answers, which abstentions, how long it takes.

    python tests/bench/predict_recording.py RECORDING [--policy easy] [--every 10]

Processor time, one core. Answers are not judged here.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

from predictor.forecast import forecast
from predictor.site import Site
from predictor.storage import open_for_reading


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("recording", type=Path)
    parser.add_argument(
        "--policy", help="instead of the one the recording's batch system calls for"
    )
    parser.add_argument("--every", type=int, default=1, help="take each n-th snapshot")
    options = parser.parse_args()
    site = Site.model_validate({"policy": {"name": options.policy}} if options.policy else {})
    seconds: list[float] = []
    answers: Counter[str] = Counter()
    for number, snapshot in enumerate(open_for_reading(options.recording).snapshots()):
        if number % options.every:
            continue
        begun = time.process_time()
        made = forecast(snapshot, site)
        seconds.append(time.process_time() - begun)
        answers["waiting"] += len(snapshot.pending)
        answers["predicted"] += len(made.predictions)
        answers[f"policy: {made.policy}"] += 1
        answers.update(f"abstained: {one.cause.value}" for one in made.abstentions)
    seconds.sort()
    report = {
        "recording": options.recording.name,
        "snapshots": len(seconds),
        "answers": dict(answers),
        "seconds_median": round(seconds[len(seconds) // 2], 4),
        "seconds_p95": round(seconds[int(len(seconds) * 0.95)], 4),
        "seconds_max": round(seconds[-1], 4),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
