"""A job as sbatch's options say it, from a command line and from a script's `#SBATCH` lines."""

import re
import shlex
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from predictor.cli.timesyntax import EXPECTED, deadline
from predictor.domain.instants import rfc3339
from predictor.errors import QueuecastError

F = TypeVar("F", bound=Callable[..., Any])

MB = {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1024**2}
LARGEST_SCRIPT_BYTES = 2**20
DIRECTIVE = "#SBATCH"
LONG_PASSED_OVER = """
    --array --cluster-constraint --clusters --contiguous --core-spec --cores-per-socket
    --cpus-per-gpu --dependency --exclude --extra-node-info --gpus --gpus-per-node
    --gpus-per-socket --gpus-per-task --hint --hold --mem-per-gpu --mincpus --nice --nodefile
    --ntasks-per-core --ntasks-per-gpu --ntasks-per-node --ntasks-per-socket --overcommit
    --oversubscribe --prefer --priority --sockets-per-node --spread-job --switches
    --thread-spec --threads-per-core --time-min --tmp --tres-per-task --use-min-nodes
"""
PASSED_OVER = {
    "-a": "--array",
    "-B": "--extra-node-info",
    "-d": "--dependency",
    "-F": "--nodefile",
    "-G": "--gpus",
    "-H": "--hold",
    "-M": "--clusters",
    "-O": "--overcommit",
    "-S": "--core-spec",
    "-s": "--oversubscribe",
    "-x": "--exclude",
    **{option: option for option in LONG_PASSED_OVER.split()},
}
"""Options that bear on a start, which a shape cannot say; by how they are written."""
SHORT_OPTION = re.compile(r"-[A-Za-z]")


class ScriptError(QueuecastError):
    """A script that cannot be read."""


class Script(NamedTuple):
    """What a script asks for."""

    told: dict[str, Any]
    passed_over: tuple[str, ...]
    """The options among PASSED_OVER that it has."""


class Memory(click.ParamType[int]):
    """Memory as sbatch takes it, in MiB: `4000`, `4G`."""

    name = "memory"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Return MiB; fails as click does."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d{1,12})([KMGT]?)B?", str(value).upper())
        if found is None:
            self.fail(f"expected MiB, or an amount like 4G, got {value!r}")
        return -int(-int(found[1]) * MB[found[2]] // 1)


OPTIONS = (
    click.option("-N", "--nodes", metavar="N", help="Nodes; of 2-4, the least."),
    click.option("-n", "--ntasks", type=click.IntRange(1), help="Tasks."),
    click.option("-c", "--cpus-per-task", type=click.IntRange(1), help="CPUs for each."),
    click.option("-t", "--time", "time_limit", help="The limit: 90 (minutes), 12:00:00, 1-00."),
    click.option("--mem", "mem_mb", type=Memory(), help="Memory on each node: 4000 (MiB), 4G."),
    click.option("--mem-per-cpu", "mem_per_cpu_mb", type=Memory(), help="Memory for each CPU."),
    click.option("--gres", help="On each node: gpu:4."),
    click.option("-L", "--licenses", help="Licenses: fluent:2."),
    click.option("-C", "--constraint", help="Features."),
    click.option("--exclusive", is_flag=True, default=None, help="Whole nodes."),
    click.option("-p", "--partition", help="Partitions, with commas."),
    click.option("-A", "--account", help="Account."),
    click.option("-q", "--qos", help="QOS."),
    click.option("--reservation", help="Reservation."),
    click.option("-w", "--nodelist", help="Nodes it must have."),
    click.option("-b", "--begin", help="Not before then: 18:00, now+2hours."),
)


def job_options(command: F) -> F:
    """Give a command the options that describe a job."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


@click.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@job_options
def _directives(**_: object) -> None:
    """Take what a shape can say; all else is left over."""


SHORT = frozenset(one for param in _directives.params for one in param.opts if len(one) == 2)


def of_script(path: Path) -> Script:
    """Return what the `#SBATCH` lines of a script say. Raises ScriptError.

    Lines count up to the first command, as with sbatch.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST_SCRIPT_BYTES).decode(errors="replace")
    except OSError as error:
        raise ScriptError(f"{path}: {error.strerror}") from error
    try:
        words = [word for line in _directive_lines(text) for word in shlex.split(line)]
        context = _directives.make_context("sbatch", list(filter(_whole, words)))
    except (ValueError, click.UsageError) as error:
        said = error.format_message() if isinstance(error, click.UsageError) else str(error)
        raise ScriptError(f"{path}: {said}") from error
    names = (word[:2] if SHORT_OPTION.match(word) else word.partition("=")[0] for word in words)
    over = dict.fromkeys(PASSED_OVER[name] for name in names if name in PASSED_OVER)
    return Script(context.params, tuple(over))


def _whole(word: str) -> bool:
    """Return whether click may see a word.

    In `-Jcnn`, an option that it does not know, it would take what follows for options: `-c nn`.
    """
    return not SHORT_OPTION.match(word) or word[:2] in SHORT


def _directive_lines(text: str) -> Iterable[str]:
    for line in text.splitlines():
        if line.startswith(DIRECTIVE):
            yield line[len(DIRECTIVE) :].partition(" #")[0]
        elif line.strip() and not line.startswith("#"):
            return


def shape(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shape for the API: what is given, in its words. Raises a usage error."""
    known = {key: value for key, value in given.items() if value is not None}
    if "nodes" in known:
        least = re.fullmatch(r"(\d{1,7})(?:-\d+)?", str(known["nodes"]))
        if least is None:
            raise click.BadParameter(f"--nodes: expected a number, not {known['nodes']!r}")
        known["nodes"] = int(least[1])
    if "begin" in known:
        try:
            known["begin"] = rfc3339(deadline(str(known["begin"]), time.time()))
        except (ValueError, OverflowError, OSError):
            raise click.BadParameter(
                f"--begin: expected {EXPECTED}, not {known['begin']!r}"
            ) from None
    return known
