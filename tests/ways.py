"""The ways of looking at a batch system that must survive any answer, each with a recorded one.

A way is a source behind one `Run`, and what its questions are answered when all is well: short
recorded answers, for they are cut off at every byte. Whoever writes a source of this kind adds a
function here, and all of `collectors/test_faulty_answers.py` holds for it.
"""

import gzip
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import small_pbs
from recordings import HandClock

from collectors.commands import Printed, Run
from collectors.pbs import questions as pbs
from collectors.pbs.source import PbsSource
from collectors.slurm import plans, questions
from collectors.slurm.library import questions as library
from collectors.slurm.library.plan import by_pyslurm
from collectors.slurm.questions import Question
from collectors.slurm.rest import plan as rest_plan
from collectors.slurm.rest import questions as rest
from collectors.slurm.rest.routes import routes_among, written
from collectors.slurm.source import SlurmSource
from predictor.clock import Clock
from predictor.domain import Fact, Observation, Source
from predictor.errors import SourceError

RECORDED = Path(__file__).parent / "recorded"
NOW = 1795206017.0

Answer = Callable[[str], Printed | str]
"""What becomes of a good answer: another one, or an exception."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A way of looking."""

    name: str
    make: Callable[[Run, Clock], Source]
    questions: tuple[Question, ...]
    """What it asks when all is well."""
    printed: Mapping[str, str]
    """The good answers, by the questions' names."""
    needed: frozenset[str]
    """Without an answer to these there is no snapshot."""
    own: frozenset[str]
    """Questions that no way listed before asks: their answers are cut off at every byte."""
    untold: frozenset[Fact] = frozenset()
    """What it cannot tell even when all is well."""

    def look(
        self, changed: Mapping[str, Answer], unanswered: frozenset[str] = frozenset()
    ) -> Observation:
        """Look once, some questions being answered otherwise, some not at all.

        Raises SourceError, if the way is a good one.
        """
        return self.make(self.run(changed, unanswered), HandClock(NOW)).observe()

    def run(self, changed: Mapping[str, Answer], unanswered: frozenset[str] = frozenset()) -> Run:
        """Return what answers so."""
        names = {question.argv: question.name for question in self.questions}

        def run(argv: tuple[str, ...], _timeout_s: float) -> Printed:
            name = names.get(tuple(argv), "")
            if name not in self.printed or name in unanswered:
                raise SourceError(f"{' '.join(argv)}: not here")
            given = changed.get(name, str)(self.printed[name])
            return given if isinstance(given, Printed) else answered(given)

        return run


def answered(text: str) -> Printed:
    """Return a good answer of this text."""
    return Printed(output=text, duration_s=0.01, size_bytes=len(text))


def slurm_json() -> Way:
    """Slurm's commands, of which squeue and sinfo speak JSON."""
    folder = RECORDED / "slurm-22.05" / "cluster"
    files = {
        questions.RESERVATIONS: "reservations.txt",
        questions.PRIORITIES: "sprio.txt",
        questions.SHARES: "sshare.txt",
        questions.DIAGNOSIS: "sdiag.txt",
        questions.CONFIG: "config.txt",
        questions.NODES_TEXT: "nodes_text.txt",
        questions.PARTITIONS: "partitions.txt",
        questions.QOS: "qos.txt",
        questions.ASSOCIATIONS: "assoc.txt",
        questions.USAGE: "assoc_mgr.txt",
        questions.LICENSES: "licenses.txt",
        questions.TOPOLOGY: "topology.txt",
        questions.SWITCHES: "switches.txt",
    }
    printed = {question.name: (folder / file).read_text() for question, file in files.items()}
    printed[questions.JOBS.name] = fewer(folder / "squeue.json", "jobs", 1, 16)
    printed[questions.NODES.name] = fewer(folder / "sinfo.json", "nodes", 1)
    printed[questions.USAGE.name] = excerpt(printed[questions.USAGE.name])
    return Way(
        name="slurm-cli, json",
        make=lambda run, clock: SlurmSource(run, clock, account="root"),
        questions=questions.ALL,
        printed=printed,
        needed=frozenset({questions.JOBS.name, questions.NODES.name}),
        own=frozenset(printed),
    )


def slurm_text() -> Way:
    """Slurm's commands in their text forms; of jobs, the last few of a recorded zoo."""
    forms, old = RECORDED / "slurm-22.05" / "forms", slurm_json()
    table = (forms / "squeue_table.txt").read_text().splitlines(keepends=True)
    details = (forms / "jobs_details.txt").read_text().splitlines(keepends=True)
    own = {
        questions.JOBS_TABLE.name: "".join((table[0], table[1], *table[-2:])),
        questions.JOBS_DETAILS.name: "".join(details[1:3]),
    }
    not_asked = {questions.JOBS.name, questions.NODES.name, questions.SWITCHES.name}
    shared = {name: text for name, text in old.printed.items() if name not in not_asked}
    plan = partial(plans.by_text, chance=lambda: questions.ANY_MARK)
    return Way(
        name="slurm-cli, text",
        make=lambda run, clock: SlurmSource(run, clock, account="root", plan=plan),
        questions=questions.ALL,
        printed=shared | own,
        needed=frozenset({questions.JOBS_TABLE.name, questions.NODES_TEXT.name}),
        own=frozenset(own),
    )


def fewer(file: Path, key: str, first: int, *also: int) -> str:
    """Return a JSON answer with the first few of its records, and those of these job ids."""
    answer = json.loads(file.read_text())
    records = answer[key]
    kept = records[:first] + [each for each in records[first:] if each.get("job_id") in also]
    return json.dumps({"errors": answer["errors"], key: kept}, separators=(",", ":"))


def excerpt(text: str) -> str:
    """Return `scontrol show assoc_mgr` with its users, one association and one QOS."""
    parts = re.split(r"^(?=ClusterName=|QOS Records|QOS=)", text, flags=re.MULTILINE)
    one = {part.partition("=")[0]: part for part in reversed(parts)}
    return "".join(part for part in parts if part in one.values())


def slurm_pyslurm() -> Way:
    """Slurm's library through pyslurm, and the commands for what that does not tell."""
    recorded = json.loads((RECORDED / "slurm-26.05" / "pyslurm.json").read_text())
    folder = RECORDED / "slurm-26.05" / "cluster"
    files = {
        questions.RESERVATIONS: "reservations.txt",
        questions.PRIORITIES: "sprio.txt",
        questions.SHARES: "sshare.txt",
        questions.PARTITIONS: "partitions.txt",
        questions.QOS: "qos.txt",
        questions.ASSOCIATIONS: "assoc.txt",
        questions.USAGE: "assoc_mgr.txt",
        questions.LICENSES: "licenses.txt",
        questions.TOPOLOGY: "topology.txt",
    }
    told = {
        library.JOBS: [job for job in recorded["jobs"] if job["id"] in {5, 7, 6}],
        library.CONFIG: [recorded["config"]],
        library.NODES: recorded["nodes"][2:4],
        library.DIAGNOSIS: [recorded["diag"]],
    }
    printed = {question.name: (folder / file).read_text() for question, file in files.items()}
    own = {question.name: by_the_process(records) for question, records in told.items()}
    own[library.GRES_WISHES.name] = "7|gres/gpu:1|N/A|N/A|\n6|N/A||N/A|\n"
    return Way(
        name="slurm-pyslurm",
        make=lambda run, clock: SlurmSource(run, clock, account="root", plan=by_pyslurm),
        questions=(*questions.ALL, *told, library.GRES_WISHES),
        printed=printed | own,
        needed=frozenset({library.JOBS.name, library.NODES.name}),
        own=frozenset(own),
    )


def by_the_process(records: list[dict[str, object]]) -> str:
    """Return pyslurm's objects, less their bundles, as the process that reads them does."""
    bundles = {"requested_tres", "allocated_tres"}
    found = [{key: each[key] for key in each.keys() - bundles} for each in records]
    told = {"pyslurm": "25.11.2", "found": found}
    return json.dumps(told, separators=(",", ":"), sort_keys=True)


def pbs_cli() -> Way:
    """PBS's commands, telling of a small cluster of our own invention."""
    told = small_pbs.answers_of(
        jobs={id_: small_pbs.JOBS[f"{id_}.heron-pbs"] for id_ in ("101", "104[]", "104[1]")},
        nodes={name: small_pbs.NODES[name] for name in ("h1", "h3[0]")},
        queues={name: small_pbs.QUEUES[name] for name in ("work", "route")},
    )
    for name in ("qstat", "pbsnodes", "qstat_queues", "qstat_server"):
        told[name] = json.dumps(json.loads(told[name]), indent=1)
    return Way(
        name="pbs-cli",
        make=lambda run, clock: PbsSource(run, clock, account="ops", past_s=0),
        questions=pbs.ALL,
        printed=told,
        needed=frozenset({pbs.JOBS.name, pbs.NODES.name}),
        own=frozenset(told),
        untold=frozenset(Fact)
        - {Fact.JOBS, Fact.NODES, Fact.PARTITIONS, Fact.RESERVATIONS}
        - {Fact.LICENSES},
    )


def slurm_rest() -> Way:
    """Slurm's REST daemon, and the commands for what it does not tell."""
    packed = (RECORDED / "slurm-26.05" / "rest.jsonl.gz").read_bytes()
    lines = map(json.loads, gzip.decompress(packed).decode().splitlines())
    told = {line["path"]: line["answer"] for line in lines}
    served = routes_among(told)
    asked = {question.argv[1]: question for question in vars(rest).values() if is_rest(question)}
    own = {
        asked[endpoint].name: json.dumps(first_records(told[path]), separators=(",", ":"))
        for endpoint, path in served.items()
    }
    folder = RECORDED / "slurm-26.05" / "cluster"
    files = {
        questions.PRIORITIES: "sprio.txt",
        questions.USAGE: "assoc_mgr.txt",
        questions.TOPOLOGY: "topology.txt",
    }
    printed = {question.name: (folder / file).read_text() for question, file in files.items()}

    tried = (rest.JOBS, rest.NODES, rest.DIAGNOSIS, rest.RESERVATIONS, rest.LICENSES)

    def make(run: Run, clock: Clock) -> Source:
        def knowing_routes(argv: Sequence[str], timeout_s: float) -> Printed:
            if tuple(argv) == rest.ROUTES.argv:
                return answered(written(served))
            return run(argv, timeout_s)

        return SlurmSource(knowing_routes, clock, account="root", plan=rest_plan.with_commands)

    return Way(
        name="slurm-rest",
        make=make,
        questions=(*questions.ALL, *asked.values()),
        printed=printed | own,
        needed=frozenset({rest.JOBS.name, rest.NODES.name}),
        own=frozenset(question.name for question in tried),
    )


def is_rest(one: object) -> bool:
    """Whether this is a question to slurmrestd about the cluster."""
    return isinstance(one, Question) and one.argv[0] == "GET" and one is not rest.ROUTES


def first_records(answer: dict[str, object]) -> dict[str, object]:
    """Return an answer with two nodes, a running and a waiting job, and one of everything else."""
    kept = {"nodes": slice(2), "jobs": slice(2, 4), "warnings": slice(9)}
    return {
        key: value[kept.get(key, slice(1))] if isinstance(value, list) else value
        for key, value in answer.items()
    }


WAYS = (slurm_json(), slurm_text(), slurm_rest(), slurm_pyslurm(), pbs_cli())
