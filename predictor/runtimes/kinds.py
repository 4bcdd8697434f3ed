"""What jobs have in common by which their run times may be guessed."""

from dataclasses import dataclass
from hashlib import blake2b

from predictor.domain import JobSpec

LONGEST_NAME = 64
"""So many characters of a name count."""

Key = tuple[str | int, ...]
"""What jobs of a kind share; of texts and whole numbers, the first says what kind of kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of jobs: its key, and whose jobs they are in words."""

    key: Key
    words: str


def kinds_of(spec: JobSpec, limit_s: int) -> tuple[Kind, ...]:
    """Return the kinds that a job is of, the most special first."""
    request = spec.request
    user, name = short(spec.user), short(spec.name.raw)
    queue, account = short(spec.partitions[0] if spec.partitions else ""), short(spec.account)
    stem = name.rstrip("0123456789")
    size = request.nodes
    of_user = "jobs of this user"
    return (
        Kind(
            key=("name", user, name, queue, limit_s, size),
            words=f"{of_user} with this name, limit and size",
        ),
        Kind(
            key=("stem", user, stem, queue, limit_s, size),
            words=f"{of_user} with a like name, this limit and size",
        ),
        Kind(
            key=("work", user, stem, queue, limit_s), words=f"{of_user} with a like name and limit"
        ),
        Kind(key=("limit", user, limit_s), words=f"{of_user} with this limit"),
        Kind(key=("user", user), words=of_user),
        Kind(key=("account", account, limit_s), words="jobs of this account with this limit"),
        Kind(key=("queue", queue, limit_s), words="jobs of this partition with this limit"),
    )


def short(text: str) -> str:
    """Return as much of a text as counts."""
    return text[:LONGEST_NAME]


def likeness(key: Key) -> str:
    """Return an opaque text, the same for equal keys only."""
    return blake2b(ascii(key).encode(), digest_size=8).hexdigest()
