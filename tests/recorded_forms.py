"""The same instant of one Slurm told in several forms: what was recorded, and how to record it."""

import gzip
import json
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from collectors.commands import Run
from collectors.slurm import plans, questions
from collectors.slurm.assemble import assemble
from collectors.slurm.questions import Answers, Question
from collectors.slurm.rest import questions as rest
from collectors.slurm.rest.client import METHOD
from collectors.slurm.rest.plan import alone
from predictor.domain import Snapshot
from predictor.errors import SourceError

RECORDED = Path(__file__).parent / "recorded"
VERSIONS = ("22.05", "24.11", "26.05")
ZOO = "forms"
"""Where the instant of the zoo of jobs lies."""
BLOCKS = "blocks"
"""Where that of rare requests under blocks does."""
OF_JSON = frozenset({questions.JOBS.name, questions.NODES.name, questions.SWITCHES.name})
OF_TEXT = frozenset(
    {questions.JOBS_TABLE.name, questions.JOBS_DETAILS.name, questions.JOBS_APART.name}
)
OF_REST = frozenset(
    question.name
    for question in vars(rest).values()
    if isinstance(question, Question) and question.argv[0] == METHOD
)
WITHOUT: Mapping[str, frozenset[str]] = {"text": OF_JSON | OF_REST, "json": OF_TEXT | OF_REST}
"""By the form, the answers of others; `rest` has nothing but its own."""
TIMEOUT_S = 20
MOST_TRIES = 20
BETWEEN_S = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant:
    """What a Slurm printed at one instant, in both forms."""

    taken_at: int
    printed: Mapping[str, str]
    """By the name of the question."""

    def snapshot(self, form: str) -> Snapshot:
        """Return the snapshot that the answers of one form make."""
        others = WITHOUT.get(form, self.printed.keys() - OF_REST)
        told = {name: text for name, text in self.printed.items() if name not in others}
        answers = Answers(printed=told)
        return assemble(answers, taken_at=self.taken_at, source=form, account="root")


def taken(run: Run, rest_run: Run | None = None) -> Instant:
    """Ask a Slurm everything in all forms while nothing happens. Raises TimeoutError.

    `rest_run` asks its slurmrestd, if it has one. That nothing happened is seen by its telling the
    same of jobs in JSON before and after.
    """
    for _ in range(MOST_TRIES):
        before, at = _jobs(run), time.time()
        printed: dict[str, str] = {}
        for plan in (plans.by_text, plans.by_json):
            ask(plan(printed), run, printed)
        if rest_run is not None:
            ask(alone(printed), rest_run, printed)
        if _jobs(run) == before:
            return Instant(taken_at=round(at), printed=printed)
        time.sleep(BETWEEN_S)
    raise TimeoutError("the jobs never kept still")


def ask(questions_: Iterable[Question], run: Run, printed: dict[str, str]) -> None:
    """Ask the questions one after the other and note what is answered."""
    for question in questions_:
        with suppress(SourceError):
            answer = run(question.argv, TIMEOUT_S)
            question.refuse(answer)
            printed[question.name] = answer.output


def _jobs(run: Run) -> object:
    return json.loads(run(questions.JOBS.argv, TIMEOUT_S).output)["jobs"]


def read(version: str, what: str = ZOO) -> Instant:
    """Return a recorded instant."""
    folder = RECORDED / f"slurm-{version}" / what
    printed = {path.stem: path.read_text() for path in sorted(folder.glob("*.txt"))}
    for path in sorted(folder.glob("*.json.gz")):
        printed[path.name.removesuffix(".json.gz")] = gzip.decompress(path.read_bytes()).decode()
    return Instant(taken_at=int(printed.pop("taken_at")), printed=printed)


def write(instant: Instant, version: str, replaced: Mapping[str, str], what: str = ZOO) -> None:
    """Keep an instant; `replaced` are words that must not be kept, and what stands for them."""
    folder = RECORDED / f"slurm-{version}" / what
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "taken_at.txt").write_text(f"{instant.taken_at}\n")
    for name, text in instant.printed.items():
        for word, other in replaced.items():
            text = text.replace(word, other)
        if text.startswith("{"):
            packed = json.dumps(json.loads(text), separators=(",", ":")).encode()
            (folder / f"{name}.json.gz").write_bytes(gzip.compress(packed, mtime=0))
        else:
            (folder / f"{name}.txt").write_text(text)
