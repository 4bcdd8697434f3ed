"""Predicted against real: what a change did to waits when the same days were played again.

    python tests/bench/change_for_real.py --new FILE --hours 18 --draws 20
        --base RECORDING=CAPTURE ... [--repeat CAPTURE ...] --changed CAPTURE ...

A CAPTURE is a folder of a lab that played one plan on a real Slurm: `meta.json` (when it began),
`actions.jsonl` (which job came of which line of `plan.jsonl`), `sacct_jobs.psv.gz` (the truth). A
RECORDING is what `queuecast record import CAPTURE` made of it; from each, the change in FILE is
predicted, once by every draw.

Jobs are the same where their plan says so. All waits are cut at the same instant after the begin:
who waits still counts as long as it has waited, on every side, so that a change is told too small
rather than with the wrong sign. Nobody waits before the time that its user asked to begin at. A
real change is significant where Student's t over the repeats says so with 95 % (`by repeats`), or,
since repeats are few, where it is beyond what luck does to the draws (`by luck`).
"""

import argparse
import csv
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import fmean, stdev

from verification.changes.change import Change
from verification.changes.proposal import Wishes, proposal
from verification.cli.progress import teller
from verification.diff.change_of import changed, student
from verification.measures import Ran, waited_s
from verification.parallel import Processes
from verification.recorded import read_recording
from verification.trials.trial import Recounted, recount, tried

LEVEL = 0.95
KINDS = ("qos", "partition")
HEADING = (
    "class",
    "jobs",
    "real before",
    "real after",
    "real change",
    "significant",
    "said before",
    "said change",
    "sign",
)

Course = tuple[int, Mapping[str, str]]
"""A wait until the cut, and the classes of the job."""
Courses = Mapping[str, Course]
"""By the plan's name of a job, with the task behind it."""


class Capture:
    """What really happened in one lab."""

    def __init__(self, folder: Path) -> None:
        self.begin = int(json.loads((folder / "meta.json").read_text())["start"])
        lines = (folder / "actions.jsonl").read_text().splitlines()
        actions = (json.loads(line) for line in lines)
        self._keys = {a["job"]: a["key"] for a in actions if a["op"] == "submit" and not a["rc"]}
        plan = map(json.loads, (folder / "plan.jsonl").read_text().splitlines())
        self._not_before = {a["key"]: self.begin + round(a["begin"]) for a in plan if "begin" in a}
        with gzip.open(folder / "sacct_jobs.psv.gz", "rt") as file:
            self._rows = list(csv.DictReader(file, delimiter="|"))

    def key(self, id_: str) -> str | None:
        """Return the plan's name of a job; None: the plan has it not."""
        base, _, task = id_.partition("_")
        return f"{self._keys[base]}_{task}" if base in self._keys else None

    def real(self, hours: float) -> Courses:
        """Return the waits of those who came, cut so many hours after the begin."""
        jobs = (self._ran(row) for row in self._rows if "[" not in row["JobID"])
        return self.cut(jobs, hours)

    def _ran(self, row: Mapping[str, str]) -> Ran:
        start, end = _instant(row["Start"]), _instant(row["End"])
        line = self._keys.get(row["JobID"].partition("_")[0], "")
        return Ran(
            id=row["JobID"],
            submit_at=max(_instant(row["Submit"]) or 0, self._not_before.get(line, 0)),
            start_at=start,
            left_at=end if start is None else None,
            classes={"qos": row["QOS"], "partition": row["Partition"]},
        )

    def cut(self, jobs: Iterable[Ran], hours: float) -> Courses:
        """Return the waits of those of the plan."""
        until = self.begin + round(3600 * hours)
        found = ((self.key(job.id), waited_s(job, until), job.classes) for job in jobs)
        return {key: (wait, kinds) for key, wait, kinds in found if key and wait is not None}


def _instant(word: str) -> int | None:
    if word in ("Unknown", "None", ""):
        return None
    return int(datetime.fromisoformat(word).replace(tzinfo=UTC).timestamp())


def _predicted(
    sources: Sequence[tuple[Recounted, Capture, Change, Change]],
    hours: float,
    task: tuple[int, int],
) -> tuple[Courses, Courses]:
    recorded, capture, base, new = sources[task[0]]
    one, other = (tried(recorded, change, task[1]).jobs for change in (base, new))
    return capture.cut(one, hours), capture.cut(other, hours)


def means(courses: Courses, common: frozenset[str], kinds: Courses) -> dict[str, float]:
    """Return the mean wait of each class, by the classes that the first capture tells."""
    by_class: dict[str, list[int]] = defaultdict(list)
    for key in common:
        wait = courses[key][0]
        by_class["all"].append(wait)
        for kind in KINDS:
            by_class[f"{kind} {kinds[key][1][kind]}"].append(wait)
    return {name: fmean(waits) for name, waits in by_class.items()}


def main(arguments: Sequence[str]) -> int:
    asked = _parser().parse_args(arguments)
    pool, tell = Processes(asked.jobs), teller(sys.stderr)
    pairs = [tuple(map(Path, word.split("="))) for word in asked.base]
    captures = [Capture(capture) for _, capture in pairs]
    sources = []
    for (path, _), capture in zip(pairs, captures, strict=True):
        recorded = recount(path.name, read_recording(path, pool, tell).history)
        made = proposal(Wishes(new=(asked.new,)), recorded.snapshot)
        sources.append((recorded, capture, made.base, made.new))
        print(f"{path.name}: {'; '.join(made.words)}")
    before = [one.real(asked.hours) for one in (*captures, *map(Capture, asked.repeat))]
    after = [Capture(path).real(asked.hours) for path in asked.changed]
    tasks = [(n, seed) for n in range(len(sources)) for seed in range(asked.draws)]
    told = list(pool.each(partial(_predicted, sources, asked.hours), tasks))
    both = [*before, *after, *(side for pair in told for side in pair)]
    common = frozenset.intersection(*(frozenset(one) for one in both))
    real = [[means(one, common, before[0]) for one in some] for some in (before, after)]
    said = [[means(pair[side], common, before[0]) for pair in told] for side in (0, 1)]
    count = {name: sum(_is_of(before[0][key], name) for key in common) for name in real[0][0]}
    _table(real, said, count)
    return 0


def _is_of(course: Course, name: str) -> bool:
    kind, _, of = name.partition(" ")
    return kind == "all" or course[1][kind] == of


def _table(
    real: Sequence[Sequence[Mapping[str, float]]],
    said: Sequence[Sequence[Mapping[str, float]]],
    count: Mapping[str, int],
) -> None:
    for row in (HEADING, ("---", *["---:"] * 4, "---", "---:", "---:", "---")):
        print(f"| {' | '.join(row)} |")
    right = wrong = 0
    for name in sorted(count, key=lambda name: (name != "all", name)):
        before, after = ([one[name] for one in some] for some in real)
        first, second = ([one[name] for one in some] for some in said)
        prediction = changed(first, second)
        assert prediction is not None
        change = fmean(after) - fmean(before)
        how = significance(before, after, prediction.noise)
        same = change * prediction.change > 0
        verdict = ("right" if same else "wrong") if how else ""
        right, wrong = right + (verdict == "right"), wrong + (verdict == "wrong")
        reach = 0.0 if prediction.high is None else prediction.high - prediction.change
        cells = (
            name,
            str(count[name]),
            " ".join(f"{one:.0f}" for one in before),
            " ".join(f"{one:.0f}" for one in after),
            f"{change:+.0f}",
            how,
            f"{prediction.base:.0f}",
            f"{prediction.change:+.0f} ± {reach:.0f}",
            verdict,
        )
        print(f"| {' | '.join(cells)} |")
    print(
        f"\nWaits in seconds; ±: 95 % of the predicted mean. Signs: {right} right, {wrong} wrong."
    )


def significance(before: Sequence[float], after: Sequence[float], luck: float | None) -> str:
    """Return by what a real change is significant; empty: it is not."""
    found = []
    change = abs(fmean(after) - fmean(before))
    spread = (1 / len(before) + 1 / len(after)) ** 0.5
    freedom = len(before) + len(after) - 2
    if freedom >= 2:
        squares = sum((len(some) - 1) * stdev(some) ** 2 for some in (before, after) if some[1:])
        if change > student(LEVEL, freedom) * (squares / freedom) ** 0.5 * spread:
            found.append("repeats")
    if luck is not None and change > student(LEVEL, 100) * luck * spread:
        found.append("luck")
    return "by " + " and ".join(found) if found else ""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--new", type=Path, required=True, help="what was changed, as a file")
    parser.add_argument("--base", nargs="+", required=True, metavar="RECORDING=CAPTURE")
    parser.add_argument("--repeat", nargs="*", type=Path, default=[], metavar="CAPTURE")
    parser.add_argument("--changed", nargs="+", type=Path, required=True, metavar="CAPTURE")
    parser.add_argument("--hours", type=float, default=18.0, help="where waits are cut")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
