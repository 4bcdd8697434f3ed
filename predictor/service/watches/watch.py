"""Watches, what their owners were told, and notices: the values that all parts here speak of."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a notice tells."""

    SOON = "soon"
    SLIPPED = "slipped"
    STARTED = "started"


class Method(StrEnum):
    """How a notice goes."""

    MAIL = "mail"
    WEBHOOK = "webhook"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Somebody's wish to be told."""

    id: str
    owner: str
    job: str | None
    """The job, as the batch system writes its id; None: all jobs of the owner."""
    kinds: frozenset[Kind]
    soon_s: int
    """A job starts soon that is to start within so many seconds."""
    webhook: str | None
    """The name of the webhook; None: by mail."""
    created_at: int
    """UTC epoch seconds."""

    @property
    def method(self) -> Method:
        """How notices go."""
        return Method.MAIL if self.webhook is None else Method.WEBHOOK

    @property
    def wish(self) -> tuple[object, ...]:
        """What two watches have in common that would tell the same."""
        return (self.owner, self.job, self.kinds, self.soon_s, self.webhook)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the owner of a watch knows of one job. Instants are UTC epoch seconds."""

    likely_at: int | None = None
    """The start told last, or the first one there was; None: there was none yet."""
    soon_at: int | None = None
    """For when it was told that it starts soon; None: that was not told, or holds no more."""
    started: bool = False
    """It has started, and nothing more is to be told."""
    gone_at: int | None = None
    """Since when there is no such job; None: there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What is told to somebody once. Instants are UTC epoch seconds."""

    id: str
    """The same for the same news, however often it is sent."""
    watch: Watch
    kind: Kind
    cluster: str
    job_id: str
    user: str
    partition: str
    at: int
    """When the cluster was looked at."""
    likely_at: int | None = None
    low_at: int | None = None
    """The window of 80 %; None: there is none."""
    high_at: int | None = None
    before_at: int | None = None
    """The start told before; None: it was not, or it does not matter."""
    moved_by: str = ""
    """What moved it, as a clause; empty: not known."""
    started_at: int | None = None
    nodelist: str = ""
    more: int = 0
    """Of so many more jobs there is news that is not told one by one."""
