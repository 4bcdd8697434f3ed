"""The process that asks Slurm's library through pyslurm, one question after the other.

pyslurm lets no other thread run while it waits, may crash, and Slurm's library ends its process
when it finds no slurm.conf: so this runs apart, and imports nothing of ours. A question is a line
of JSON on standard input, the answer a line of JSON, `{"exit": 0, "bytes": 17}`, and so many bytes
on standard output: the facts as JSON or, where `exit` is not 0, why there are none.
"""

import ctypes
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from grp import getgrgid
from pathlib import Path
from pwd import getpwuid
from typing import Any, BinaryIO

LONGEST_QUESTION = 4096
NO_ANSWER, CANNOT_SERVE, NOT_OFFERED = 1, 2, 3
"""Values of `exit`: this once; never here; not by this version of pyslurm."""

LIBRARIES = {
    "22.5": 38,
    "23.2": 39,
    "23.11": 40,
    "24.5": 41,
    "24.11": 42,
    "25.5": 43,
    "25.11": 44,
}
"""The number of Slurm's library (its soname) that each version of pyslurm is made for."""

HOLDING = frozenset({"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "STOPPED", "RESIZING"})
"""States in which a job holds nodes."""

Facts = Mapping[str, object]
Reader = Callable[[Any, Facts], list[Facts]]
"""Reads one kind of facts from pyslurm, given the question. Raises whatever pyslurm does."""


class CannotServe(Exception):
    """pyslurm is of no use here, and will not be."""


class NotOffered(Exception):
    """Not by this version of pyslurm."""


def attributes(thing: object, names: Iterable[str]) -> dict[str, object]:
    """Return what can be told of a thing; what its version lacks, or is None, is left out.

    A value that pyslurm stumbles over is told as `{"error": ...}`.
    """
    found: dict[str, object] = {}
    for name in names:
        try:
            value = plain(getattr(thing, name))
        except AttributeError:
            continue
        except Exception as error:  # it may be any
            value = {"error": words_of(error)}
        if value is not None:
            found[name] = value
    return found


def plain(value: Any) -> object:
    """Return a value as JSON has them; bundles of resources as `cpu=4,gres/gpu=1`."""
    if isinstance(value, Enum):
        return value.name
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return _items(value)
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if hasattr(value, "gres"):
        return ",".join(f"{name}={amount}" for name, amount in bundle(value))
    return _items(value.to_dict()) if hasattr(value, "to_dict") else str(value)


def bundle(tres: Any) -> Iterator[tuple[str, int]]:
    """Yield the amounts of trackable resources that are set; up to 24.11 they are plain numbers."""
    for kind in ("cpu", "mem", "node", "billing"):
        if (amount := getattr(tres, kind, None)) is not None:
            yield kind, getattr(amount, "count", amount)
    for kind in ("gres", "license"):
        for name, amount in getattr(tres, kind, {}).items():
            yield f"{kind}/{name}", getattr(amount, "count", amount)


def words_of(error: BaseException) -> str:
    """Return what an exception says, with the number that Slurm gave the error."""
    number = getattr(error, "errno", None)
    kind = type(error).__name__
    said = f"{kind}: {error}" if str(error) else kind
    return (f"{said} (error {number})" if isinstance(number, int) else said)[:500]


def jobs(slurm: Any, ask: Facts) -> list[Facts]:
    """Return all jobs, those that hold nodes with what they hold there if that can be told."""
    ping(slurm)
    layouts = bool(ask.get("layouts")) and library_number() == wanted_library(slurm)
    found = part(slurm, "Jobs").load().values()
    return [job_of(job, names_in(ask), layouts) for job in found]


def job_of(job: Any, names: Sequence[str], layouts: bool) -> Facts:
    """Return one job with the names of its user and group."""
    found = attributes(job, names)
    user, group = found.get("user_id"), found.get("group_id")
    if isinstance(user, int):
        found["user_name"] = user_name(user)
    if isinstance(group, int):
        found["group_name"] = group_name(group)
    if layouts and found.get("allocated_nodes") and found.get("state") in HOLDING:
        found["layout"] = plain(job.get_resource_layout_per_node())
    return found


# pyslurm itself would look each name up anew for every job.
@lru_cache(maxsize=65_536)
def user_name(number: int) -> str:
    """Return a user's name; the number as text if it has none here."""
    try:
        return getpwuid(number).pw_name
    except KeyError:
        return str(number)


@lru_cache(maxsize=65_536)
def group_name(number: int) -> str:
    """Return a group's name; the number as text if it has none here."""
    try:
        return getgrgid(number).gr_name
    except KeyError:
        return str(number)


def ping(slurm: Any) -> None:
    """Raise at once what the questions would raise after ten seconds: no controller is there.

    With a second controller that may have taken over, the questions themselves must find out.
    """
    if hasattr(slurm.slurmctld, "ping_primary") and not may_have_backup():
        slurm.slurmctld.ping_primary()


def may_have_backup() -> bool:
    """Return whether there may be more than one controller, by slurm.conf."""
    try:
        text = Path(os.environ.get("SLURM_CONF", "/etc/slurm/slurm.conf")).read_text("utf-8")
    except (OSError, UnicodeError):
        return True
    found = re.findall(r"^\s*(SlurmctldHost|ControlMachine|Backup\w+|Include)\b", text, re.M | re.I)
    return len(found) != 1


def names_in(ask: Facts) -> Sequence[str]:
    """Return the attributes that are asked for."""
    found = ask.get("attributes")
    return found if isinstance(found, list) else []


def listing(kind: str) -> Reader:
    """Return what reads all things of a kind."""

    def read(slurm: Any, ask: Facts) -> list[Facts]:
        return [attributes(one, names_in(ask)) for one in part(slurm, kind).load().values()]

    return read


def config(slurm: Any, ask: Facts) -> list[Facts]:
    """Return the configuration, as a list of one."""
    part(slurm, "slurmctld.Config.scheduler_parameters")
    return [attributes(slurm.slurmctld.Config.load(), names_in(ask))]


def diagnosis(slurm: Any, ask: Facts) -> list[Facts]:
    """Return the scheduler's statistics, as a list of one."""
    return [attributes(part(slurm, "slurmctld.diag")(), names_in(ask))]


def licenses(slurm: Any, _: Facts) -> list[Facts]:
    """Return all pools of licenses."""
    pools = part(slurm, "licenses")().get()
    return [{"name": name} | _items(pool) for name, pool in pools.items()]


def _items(pool: Mapping[str, object]) -> dict[str, object]:
    return {str(key): plain(value) for key, value in pool.items()}


def part(slurm: Any, name: str) -> Any:
    """Return what pyslurm has under a dotted name. Raises NotOffered."""
    found = slurm
    for step in name.split("."):
        if not hasattr(found, step):
            raise NotOffered(f"pyslurm {version(slurm)} has no {name}")
        found = getattr(found, step)
    return found


ANSWERS: Mapping[str, Reader] = {
    "Jobs.load": jobs,
    "Nodes.load": listing("Nodes"),
    "Partitions.load": listing("Partitions"),
    "Reservations.load": listing("Reservations"),
    "slurmctld.Config.load": config,
    "slurmctld.diag": diagnosis,
    "db.Associations.load": listing("db.Associations"),
    "licenses.get": licenses,
}


def imported() -> Any:
    """Return pyslurm. Raises CannotServe."""
    try:
        import pyslurm
    except ModuleNotFoundError as error:
        if error.name == "pyslurm":
            raise CannotServe("pyslurm is not installed (pip install queuecast[slurm])") from error
        raise CannotServe(f"pyslurm cannot be imported: {error}") from error
    except ImportError as error:
        raise CannotServe(f"pyslurm cannot load Slurm's library: {error}") from error
    except Exception as error:
        raise CannotServe(f"pyslurm cannot be imported: {words_of(error)}") from error
    if not hasattr(pyslurm, "Jobs"):
        raise CannotServe(f"pyslurm {version(pyslurm)} is too old: it has no Jobs, 22.5 has")
    return pyslurm


def version(slurm: Any) -> str:
    """Return pyslurm's version; empty where it says none."""
    return str(getattr(slurm, "__version__", ""))


def wanted_library(slurm: Any) -> int | None:
    """Return the number of the library that pyslurm is made for; None if we do not know it."""
    return LIBRARIES.get(".".join(version(slurm).split(".")[:2]))


def library_number() -> int | None:
    """Return the number of Slurm's library that is loaded; None if that cannot be told."""
    try:
        return int(ctypes.CDLL(None).slurm_api_version()) >> 16
    except AttributeError:
        return None


def refuse_mismatch(slurm: Any) -> None:
    """Raise CannotServe if pyslurm is known to be made for another library."""
    wanted, loaded = wanted_library(slurm), library_number()
    if wanted is not None and loaded is not None and wanted != loaded:
        raise CannotServe(
            f"pyslurm {version(slurm)} is made for libslurm.so.{wanted}, but libslurm.so.{loaded} "
            "is loaded: it may read nonsense"
        )


def answer(ask: Facts) -> tuple[int, str]:
    """Return `exit` and the body."""
    try:
        slurm = imported()
        if not ask.get("unmatched"):
            refuse_mismatch(slurm)
        found = ANSWERS[str(ask["ask"])](slurm, ask)
        return 0, json.dumps({"pyslurm": version(slurm), "found": found}, separators=(",", ":"))
    except CannotServe as error:
        return CANNOT_SERVE, str(error)
    except NotOffered as error:
        return NOT_OFFERED, str(error)
    except Exception as error:
        return NO_ANSWER, words_of(error)


def converse(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer each question until there are no more."""
    while line := questions.readline(LONGEST_QUESTION):
        code, text = answer(json.loads(line))
        body = text.encode(errors="replace")
        answers.write(json.dumps({"exit": code, "bytes": len(body)}).encode() + b"\n" + body)
        answers.flush()


if __name__ == "__main__":
    # What the library prints must not end up among the answers.
    with os.fdopen(os.dup(1), "wb") as private:
        os.dup2(2, 1)
        converse(sys.stdin.buffer, private)
