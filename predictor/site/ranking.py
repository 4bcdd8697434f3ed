"""The tables that say who comes first and what is done about those that cannot start."""

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from predictor.domain.durations import HOUR_S
from predictor.errors import FormulaError
from predictor.priority.attributes import NAMES
from predictor.priority.formula import compile_formula
from predictor.priority.past import NOT_TOLD
from predictor.scheduling.policy import POLICIES, Allocation, Filling, Policy, Scope
from predictor.site.table import Table
from predictor.site.values import Depth, Seconds

LONGEST_CADENCE_S = HOUR_S

Strategy = Literal[
    "first-fit",
    "best-fit",
    "balanced",
    "consecutive",
    "tree",
    "round-robin",
    "dual-end",
    "last",
    "lightest",
    "weighted",
    "hybrid",
    "random",
]


class PriorityTable(Table):
    """How waiting jobs are ranked."""

    formula: str | None = None
    """A formula over job attributes; without one the batch system's own priority counts."""
    as_of: Literal["now", "submission"] | None = None
    """For when the formula is worked out: the snapshot, which is the default, or the submission."""

    @field_validator("formula")
    @classmethod
    def _compiles(cls, text: str | None) -> str | None:
        try:
            if text is not None:
                compile_formula(text, NAMES)
        except FormulaError as error:
            raise PydanticCustomError("formula", "{error}", {"error": str(error)}) from None
        return text

    @field_validator("as_of")
    @classmethod
    def _can_be_told(cls, as_of: str | None, info: ValidationInfo) -> str | None:
        text = info.data.get("formula")
        if as_of is not None and text is None and "formula" in info.data:
            raise PydanticCustomError("alone", "there is no formula to work out")
        if as_of == "submission" and text is not None:
            for name in sorted(compile_formula(text, NAMES).names & NOT_TOLD):
                cause = f"the formula's {name} is not known as of the submission"
                raise PydanticCustomError("not_told", "{cause}", {"cause": cause})
        return as_of


class PolicyTable(Table):
    """What is done about jobs that cannot start at once."""

    name: Literal["fcfs", "list", "easy", "conservative", "two-pass"] | None = None
    """The policy whose numbers hold where none are given below.

    Unset, with none given: `two-pass` where the batch system tells how it works, as Slurm does,
    and `conservative` where not.
    """
    reservations: Depth | None = None
    """So many blocked jobs keep their planned start free of later ones; or `all`."""
    skip_blocked: bool | None = None
    """Whether jobs behind a blocked one may start before it."""
    scope: Literal["cluster", "partition"] | None = None
    """Among whom reservations are counted, and whom a blocked job stops."""
    allocation: Strategy | None = None
    """Which of the nodes that fit a job gets."""
    seed: Annotated[int, Field(ge=0)] | None = None
    """By which the order of nodes is drawn where the allocation is `random`; unset: 0."""
    filling: Literal["first", "best", "greedy"] | None = None
    """In which order those behind blocked jobs start, once no reservation is left."""
    eligible_per_user: Annotated[int, Field(ge=1)] | None = None
    """So many waiting jobs of one user are looked at in a pass; unset: all."""
    queued_per_user: Annotated[int, Field(ge=1)] | None = None
    """So many jobs of one user run or are looked at; unset: all."""
    pass_every_s: Annotated[Seconds, Field(ge=1, le=LONGEST_CADENCE_S)] | None = None
    """Passes are so far apart, and so are starts; unset: one whenever something happens."""

    @property
    def said(self) -> bool:
        """Whether the file says anything here."""
        return any(value is not None for value in self.__dict__.values())

    def policy(self) -> Policy:
        """Return the numbers to plan by, called "own" if they are not those of the name."""
        base = POLICIES[self.name or "conservative"]
        reservations, skip = base.reservations, base.skip_blocked
        if self.reservations is not None:
            reservations = None if self.reservations == "all" else self.reservations
        if self.skip_blocked is not None:
            skip = self.skip_blocked
        made = replace(
            base,
            reservations=reservations,
            skip_blocked=skip,
            filling=Filling(self.filling or base.filling),
            eligible_per_user=self.eligible_per_user,
            queued_per_user=self.queued_per_user,
            pass_every_s=self.pass_every_s,
        )
        return replace(
            made,
            name=base.name if made == base else "own",
            scope=Scope(self.scope or base.scope),
            allocation=Allocation(self.allocation or base.allocation),
            seed=self.seed or base.seed,
        )
