"""Job ids as people ask for them: `123`, `123_7`, `123_[1-9%4]`, `123+1`, and lists of those.

Tasks may be asked for as PBS writes them too: `123[7]`, `123[]`.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from predictor.domain import JobSpec

MOST_IDS = 1_000
MOST_STEPS = 2_000_000
"""So many tasks may be asked for by steps (`:2`) at once: each may have to be looked for."""
ONE_ID = re.compile(r"[^,\[]*(?:\[[^\]]*\]?[^,\[]*)*")
"""Matches anything, so that it takes no longer than the text is long."""
FORM = re.compile(
    r"(?P<base>[A-Za-z0-9][A-Za-z0-9.-]{0,63})"
    r"(?:_(?P<task>\d{1,9})|_?\[(?P<tasks>[\d,:-]{1,4000})(?:%\d{1,9})?\]|\[\]"
    r"|\+(?P<offset>\d{1,6}))?"
)
RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9})(?::([1-9]\d{0,8}))?)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedJob:
    """One id from a question."""

    text: str
    base: str
    """The id that all tasks or components share; the job's own otherwise."""
    tasks: tuple[range, ...] | None = None
    """The array tasks meant; None: all of them."""
    offset: int | None = None
    """The component of a heterogeneous job; None: all of them."""

    @property
    def bases(self) -> frozenset[str]:
        """The shared or own ids under which records meant by it can stand."""
        return frozenset({self.base, self.text})

    def means(self, spec: JobSpec) -> bool:
        """Whether the record `spec` stands for (some of) what was asked for."""
        if spec.id == self.text:
            return True
        if base_of(spec) != self.base:
            return False
        if self.tasks is not None:
            return spec.array is not None and _share_a_task(spec.array.tasks, self.tasks)
        if self.offset is not None:
            return spec.het is not None and spec.het.offset == self.offset
        return True


def base_of(spec: JobSpec) -> str:
    """Return the id that all tasks or components of the job share; its own for a plain job."""
    if spec.array is not None:
        return spec.array.job_id
    return spec.id if spec.het is None else spec.het.job_id


def parse_job_ids(text: str) -> tuple[AskedJob, ...]:
    """Read a comma-separated list of ids. Raises ValueError, quoting the one that is wrong."""
    parts = [part.strip() for part in _between_commas(text)]
    if len(parts) > MOST_IDS:
        raise ValueError(f"at most {MOST_IDS} job ids can be asked for at once, not {len(parts)}")
    asked = tuple(_parse_one(part) for part in parts if part)
    stepped = (len(tasks) for job in asked for tasks in job.tasks or () if tasks.step > 1)
    if sum(stepped) > MOST_STEPS:
        raise ValueError(f"at most {MOST_STEPS} tasks can be asked for by steps at once")
    return asked


def _between_commas(text: str) -> Iterator[str]:
    """Yield what stands between commas, but for those in brackets."""
    at = 0
    while at <= len(text) and (found := ONE_ID.match(text, at)):
        yield found[0]
        at = found.end() + 1


def _parse_one(text: str) -> AskedJob:
    match = FORM.fullmatch(text)
    if match is None:
        raise ValueError(f"not a job id: {text[:80]!r}; expected 123, 123_7, 123_[1-9] or 123+1")
    task, tasks, offset = match["task"], match["tasks"], match["offset"]
    ranges = tuple(_range(part, text) for part in (task or tasks or "").split(",") if part)
    return AskedJob(
        text=text,
        base=match["base"],
        tasks=ranges or None,
        offset=None if offset is None else int(offset),
    )


def _range(part: str, whole: str) -> range:
    match = RANGE.fullmatch(part)
    if match is None:
        raise ValueError(f"not a range of tasks: {part[:40]!r} in {whole[:80]!r}")
    first = int(match[1])
    return range(first, int(match[2] or first) + 1, int(match[3] or 1))


def _share_a_task(held: tuple[int, ...], asked: tuple[range, ...]) -> bool:
    return any(_has_one_of(held, wanted) for wanted in asked)


def _has_one_of(held: tuple[int, ...], wanted: range) -> bool:
    start, stop = bisect_left(held, wanted.start), bisect_left(held, wanted.stop)
    if wanted.step == 1:
        return start < stop
    if len(wanted) < stop - start:
        places = ((task, bisect_left(held, task, start, stop)) for task in wanted)
        return any(at < stop and held[at] == task for task, at in places)
    return any(task in wanted for task in held[start:stop])
