"""Jobs that ended before we looked, or while we did not: by the accounting database."""

from collections.abc import Callable
from functools import partial

from collectors import commands
from collectors.commands import Stream
from collectors.slurm.questions import Question
from collectors.slurm.text.accounting import ended_job
from collectors.slurm.text.marked import MarkedRows, new_mark
from collectors.slurm.text.records import Record
from collectors.slurm.words import units
from predictor.clock import Clock
from predictor.domain import Call, Fact, FinishedJob, Quarantined
from predictor.domain.source import TakeEnded, Told
from predictor.errors import SourceError, SourceFormatError

NAME = "sacct"
COLUMNS = (
    "JobID",
    "User",
    "Account",
    "Partition",
    "QOS",
    "State",
    "Submit",
    "Eligible",
    "Start",
    "End",
    "Timelimit",
    "NNodes",
    "NCPUS",
    "ReqTRES",
    "NodeList",
    "Priority",
    "Reservation",
    "JobName",
    "ExitCode",
)
"""Texts of users stand in the middle, where they cannot be taken for the end of a row."""
OVER = "CD,CA,F,TO,NF,PR,BF,DL,OOM,RQ"
"""The states of those that are over, also for the time being.

Asked by states, accounting tells who ended in a time. Asked by the time alone, it leaves out who
was given up before it could have started.
"""
MOST_BYTES = 16 * 2**20
"""In one answer; that is about 50,000 jobs."""
BOUNDED: Stream = partial(commands.stream, most_bytes=MOST_BYTES)
"""Runs sacct."""
AT_ONCE = 1_000
"""So many jobs are handed on together."""
LONGEST_EXAMPLE = 200


def ended_between(since: int, until: int, mark: str) -> Question:
    """Return the question for those that ended at `since` or later, and before `until`."""
    wanted = ("-S", units.written(since), "-E", units.written(until - 1), "-s", OVER)
    form = ("-n", "-P", f"--delimiter={mark}", "-o", ",".join(COLUMNS))
    # All runs of a job (-D), and of no run its steps (-X).
    return Question(name=NAME, argv=("sacct", "-a", "-X", "-D", *wanted, *form), fact=Fact.JOBS)


def ask_accounting(
    stream: Stream,
    clock: Clock,
    *,
    since: int,
    until: int,
    take: TakeEnded,
    timeout_s: float,
    mark: Callable[[], str] = new_mark,
) -> Told:
    """Ask who ended at `since` or later and before `until`; `take` gets them as they come.

    Memory does not grow with the answer. Of one that fails halfway, `take` has had the beginning.
    Raises what `take` raises.
    """
    begun, chosen = clock.monotonic(), mark()
    question = ended_between(since, until, chosen)
    reading = _Reading(MarkedRows(COLUMNS, chosen), take)
    try:
        printed = stream(question.argv, timeout_s, reading.feed)
        question.refuse(printed)
        reading.end()
    except SourceError as error:
        spent_s = clock.monotonic() - begun
        failed = Call(
            name=NAME,
            duration_s=spent_s,
            size_bytes=reading.size_bytes,
            ok=False,
            kind=error.kind,
        )
        return Told(calls=(failed,), error=_named(error, question))
    call = Call(name=NAME, duration_s=printed.duration_s, size_bytes=printed.size_bytes)
    return Told(calls=(call,), quarantined=reading.quarantined)


class _Reading:
    """Makes jobs of what sacct prints, and hands them on."""

    def __init__(self, rows: MarkedRows, take: TakeEnded) -> None:
        self._rows = rows
        self._take = take
        self._ready: list[FinishedJob] = []
        self._good = self._bad = 0
        self._example = ""
        self.size_bytes = 0

    def feed(self, piece: bytes) -> None:
        """Take what was printed. Raises SourceFormatError."""
        self.size_bytes += len(piece)
        for row in self._rows.feed(piece):
            self._note(row)
            if len(self._ready) >= AT_ONCE:
                self._hand_on()

    def end(self) -> None:
        """Hand on the rest. Raises SourceFormatError if most of it makes no sense."""
        self._rows.end()
        self._hand_on()
        if self._bad > self._good:
            raise SourceFormatError(
                f"{self._bad} of {self._bad + self._good} jobs of accounting make no sense, the "
                f"first: {self._example}"
            )

    @property
    def quarantined(self) -> tuple[Quarantined, ...]:
        """What could not be understood."""
        bad = Quarantined(fact=Fact.JOBS, count=self._bad, example=self._example)
        return (bad,) if self._bad else ()

    def _note(self, row: Record) -> None:
        try:
            self._ready.append(ended_job(0, row))
            self._good += 1
        except (ValueError, OverflowError) as error:
            self._bad += 1
            self._example = self._example or str(error)[:LONGEST_EXAMPLE]

    def _hand_on(self) -> None:
        ready, self._ready = tuple(self._ready), []
        if ready:
            self._take(ready)


def _named(error: SourceError, question: Question) -> SourceError:
    """Return the same error with the command's name in place of all its arguments."""
    said = str(error)
    for whole in (question.command, " ".join(question.argv)):
        said = said.removeprefix(f"{whole}: ")
    return type(error)(said if said.startswith(NAME) else f"{NAME}: {said}")
