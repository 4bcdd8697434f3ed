"""What jobs have in common by which their run times may be guessed."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Final

from predictor.domain import JobSpec, Request
from predictor.domain.amounts import Tres

LONGEST_NAME: Final = 64
"""So many characters of a name count."""

Key = tuple[str | int, ...]
"""What jobs of a kind share. The first is the sort of kind, one of `WORDS`."""

WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "name": "jobs of this user with the same name, limit and size",
        "stem": "jobs of this user with a like name and the same limit and size",
        "work": "jobs of this user with a like name and the same limit",
        "shape": "jobs of this user with the same limit and size",
        "limit": "jobs of this user with the same limit",
        "size": "jobs of this user of the same size",
        "user": "jobs of this user",
        "account": "jobs of this account with a like limit",
        "queue": "jobs of this partition with a like limit and size",
        "span": "jobs of this partition with a like limit",
        "all": "jobs of everybody",
    }
)
"""Whose jobs they are, by sort of kind."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds that a job is of, the most special first, each once."""

    user: str
    own: tuple[Key, ...]
    """Those that only jobs of this user are of."""
    shared: tuple[Key, ...]
    """Those that jobs of others are of, too."""
    shape: Key
    """That of the user's jobs with the same limit and size."""
    work: Key
    """That of its user's jobs which are fast or slow together."""


def kinds_of(spec: JobSpec, limit_s: int) -> Kinds:
    """Return the kinds of a job that is allowed to run for `limit_s`."""
    name, stem, queue, size = name_of(spec), stem_of(spec), queue_of(spec), size_of(spec.request)
    span, width = limit_s.bit_length(), spec.request.nodes.bit_length()
    work = ("work", stem, queue, limit_s)
    shape = ("shape", limit_s, *size)
    like = (("stem", stem, queue, limit_s, *size),) if stem != name else ()
    return Kinds(
        user=user_of(spec),
        own=(
            ("name", name, queue, limit_s, *size),
            *like,
            work,
            shape,
            ("limit", limit_s),
            ("size", *size),
            ("user",),
        ),
        shared=(
            ("account", spec.account[:LONGEST_NAME], span),
            ("queue", queue, span, width),
            ("span", queue, span),
            ("all",),
        ),
        shape=shape,
        work=work,
    )


def user_of(spec: JobSpec) -> str:
    """Return as much of the user's name as counts."""
    return spec.user[:LONGEST_NAME]


def name_of(spec: JobSpec) -> str:
    """Return as much of the job's name as counts."""
    return spec.name.raw[:LONGEST_NAME]


def stem_of(spec: JobSpec) -> str:
    """Return the job's name without the digits at its end that number its likes."""
    name = name_of(spec)
    return name.rstrip("0123456789_-.") or name


def queue_of(spec: JobSpec) -> str:
    """Return the first partition of the job's list, cut to LONGEST_NAME; empty: it has none."""
    return spec.first_partition[:LONGEST_NAME]


def size_of(request: Request) -> tuple[int, int, int]:
    """Return how many nodes, CPUs and generic resources a job asks for."""
    return request.nodes, request.cpus, _sum(request.gres_per_node) + _sum(request.gres_total)


def _sum(amounts: Tres) -> int:
    return sum(amount for _, amount in amounts) if amounts else 0


def likeness(*key: str | int) -> str:
    """Return an opaque text, the same for equal keys only."""
    return blake2b(ascii(key).encode(), digest_size=8).hexdigest()
