"""The parameters of a question, checked."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from predictor.domain.instants import instant_of, rfc3339
from predictor.service.asking.viewers import Sight
from predictor.service.jobids import AskedJob, parse_job_ids
from predictor.service.published import STATES, Query
from predictor.service.rows import PENDING

MOST_ROWS = 10_000
LONGEST_LIST = 4_000
ALL = "all"

LONGEST_INSTANT = 40

Names = Annotated[str | None, Field(max_length=LONGEST_LIST)]


def _in_calendar(text: str | None) -> str | None:
    if text is not None:
        try:
            rfc3339(instant_of(text))
        except (ValueError, OverflowError, OSError):
            raise ValueError(f"expected an instant in RFC 3339, not {text!r}") from None
    return text


By = Annotated[str | None, Field(max_length=LONGEST_INSTANT), AfterValidator(_in_calendar)]
"""An instant in RFC 3339, one of UTC if it names no zone, or epoch seconds."""


def deadline(by: str | None) -> int | None:
    """Return the UTC epoch seconds of a checked `By`; None for none."""
    return None if by is None else instant_of(by)


class JobsQuestion(BaseModel):
    """Which jobs to list; lists are separated by commas."""

    model_config = ConfigDict(extra="forbid")

    job: Names = None
    """Ids as the batch system writes them: `123`, `123_7`, `123_[1-9]`, `123+1`."""
    user: Names = None
    partition: Names = None
    account: Names = None
    qos: Names = None
    state: Names = PENDING
    """`pending`, `running`, `finished`, or `all`."""
    by: By = None
    """With which chance the jobs start by then is told of each."""
    limit: Annotated[int, Field(ge=1, le=MOST_ROWS)] = 1_000
    cursor: Annotated[int, Field(ge=0, le=10**9)] = 0
    """Where the page before ended: its `next`."""
    format: Literal["json", "csv"] | None = None
    """Unset: CSV for who accepts `text/csv` and not JSON."""

    @field_validator("job")
    @classmethod
    def _ids(cls, text: str | None) -> str | None:
        parse_job_ids(text or "")
        return text

    @field_validator("state")
    @classmethod
    def _states(cls, text: str | None) -> str | None:
        if unknown := (_names(text) or frozenset()) - {*STATES, ALL}:
            choices = ", ".join((*STATES, ALL))
            raise ValueError(f"expected some of {choices}, not {min(unknown)[:40]!r}")
        return text

    @property
    def jobs(self) -> tuple[AskedJob, ...] | None:
        """The ids asked for; None: any."""
        return None if self.job is None else parse_job_ids(self.job)

    def query(self, seen: Sight) -> Query:
        """Return the same as a query of somebody who sees so much."""
        states = _names(self.state)
        return Query(
            jobs=self.jobs,
            users=_names(self.user),
            partitions=_names(self.partition),
            accounts=_names(self.account),
            qos=_names(self.qos),
            states=None if states is None or ALL in states else states,
            sight=seen,
        )


def _names(text: str | None) -> frozenset[str] | None:
    if text is None:
        return None
    return frozenset(part.strip() for part in text.split(",") if part.strip())
