"""Which limit keeps a job from starting."""

from dataclasses import dataclass
from enum import Enum


class Bound(Enum):
    """What is limited. A closed vocabulary; the scope says of whom."""

    JOBS = "jobs"
    """Jobs running at a time."""
    TRES = "tres"
    """A resource in use at a time."""
    RUN_MINUTES = "run_minutes"
    """A resource times what running jobs have left of their limits."""
    USED_MINUTES = "used_minutes"
    """A resource times how long it was used, decaying."""
    USED_WALL = "used_wall"
    """How long jobs ran, decaying."""
    JOB_TRES = "job_tres"
    NODE_TRES = "node_tres"
    JOB_MINUTES = "job_minutes"
    JOB_WALL = "job_wall"
    JOB_LEAST = "job_least"
    """The least a job must take of a resource."""


class Whose(Enum):
    """What kind of group a limit binds."""

    QOS = "qos"
    USER_OF_QOS = "user_of_qos"
    ACCOUNT_OF_QOS = "account_of_qos"
    ACCOUNT = "account"
    USER_OF_ACCOUNT = "user_of_account"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The group that a limit binds, and whose jobs are counted."""

    whose: Whose
    name: str
    """The QOS or the account."""
    member: str = ""
    """The one user, or the one account of a QOS, it is about; empty: all."""
    partition: str = ""
    """Only that user's jobs in this partition; empty: in all."""

    @property
    def words(self) -> str:
        """Return the group in words."""
        match self.whose:
            case Whose.QOS:
                return f"QOS {self.name}"
            case Whose.USER_OF_QOS:
                return f"user {self.member} in QOS {self.name}"
            case Whose.ACCOUNT_OF_QOS:
                return f"account {self.member} in QOS {self.name}"
            case Whose.ACCOUNT:
                return f"account {self.name}"
            case Whose.USER_OF_ACCOUNT:
                account = f" of account {self.name}" if self.name else ""
                where = f" in partition {self.partition}" if self.partition else ""
                return f"user {self.member}{account}{where}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A limit that keeps a job from starting.

    Its three amounts are jobs, units of the resource, such units times minutes, or seconds of
    wall time, rounded down.
    """

    bound: Bound
    scope: Scope
    resource: str = ""
    """The TRES; empty where jobs or wall time are counted."""
    cap: int
    used: int = 0
    """By the group, without the job."""
    asked: int
    """By the job."""

    @property
    def limit(self) -> str:
        """Return the limit in words, with the names of those it binds."""
        who, what = self.scope.words, _resource(self.resource)
        match self.bound:
            case Bound.JOBS:
                jobs = "job" if self.cap == 1 else "jobs"
                return (
                    f"{who} may run at most {self.cap} {jobs} at a time; {self.used} run{self._why}"
                )
            case Bound.TRES:
                return (
                    f"{who} may use at most {self.cap} {what} at a time;"
                    f" {self.used} in use{self._why}, {self.asked} more needed"
                )
            case Bound.RUN_MINUTES:
                return (
                    f"running jobs of {who} may have at most {self.cap} minutes times {what}"
                    f" before them; they have {self.used}{self._why}, {self.asked} more needed"
                )
            case Bound.USED_MINUTES:
                return (
                    f"{who} may use up at most {self.cap} minutes times {what};"
                    f" {self.used} used up, {self.asked} more needed"
                )
            case Bound.USED_WALL:
                return (
                    f"jobs of {who} may run for at most {self.cap // 60} minutes in all;"
                    f" {self.used // 60} used up, {self.asked // 60} more needed"
                )
            case Bound.JOB_TRES:
                return f"a job of {who} may use at most {self.cap} {what}, not {self.asked}"
            case Bound.NODE_TRES:
                return (
                    f"a job of {who} may use at most {self.cap} {what} per node, not {self.asked}"
                )
            case Bound.JOB_MINUTES:
                return (
                    f"a job of {who} may use at most {self.cap} minutes times {what},"
                    f" not {self.asked}"
                )
            case Bound.JOB_WALL:
                return (
                    f"a job of {who} may run for at most {self.cap // 60} minutes,"
                    f" not {self.asked // 60}"
                )
            case Bound.JOB_LEAST:
                return f"a job of {who} must use at least {self.cap} {what}, not {self.asked}"

    @property
    def _why(self) -> str:
        """Return why more may be running than the limit admits; empty if there is no more."""
        # It was changed while they ran, or a QOS of theirs sets another one in its place.
        return ", let in by another limit" if self.used > self.cap else ""


def _resource(name: str) -> str:
    known = {"cpu": "CPUs", "mem": "MB of memory", "node": "nodes", "billing": "billing units"}
    kind, _, of = name.partition("/")
    return known.get(name, f"licenses of {of}" if kind == "license" else of or name)
