"""A job as sbatch's options say it, from a command line and from a script's `#SBATCH` lines."""

import re
import shlex
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from predictor.cli.timesyntax import EXPECTED, deadline
from predictor.domain.instants import rfc3339
from predictor.errors import QueuecastError

F = TypeVar("F", bound=Callable[..., Any])

MB = {"K": 1 / 1024, "": 1, "M": 1, "G": 1024, "T": 1024**2}
LARGEST_SCRIPT_BYTES = 2**20
DIRECTIVE = "#SBATCH"


class ScriptError(QueuecastError):
    """A script that cannot be read."""


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
    click.option("-L", "--licenses", help="fluent:2."),
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
    """Take what counts in a script; other options have no influence on its start."""


def of_script(path: Path) -> dict[str, Any]:
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
        return _directives.make_context("sbatch", words, resilient_parsing=False).params
    except (ValueError, click.UsageError) as error:
        said = error.format_message() if isinstance(error, click.UsageError) else str(error)
        raise ScriptError(f"{path}: {said}") from error


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
