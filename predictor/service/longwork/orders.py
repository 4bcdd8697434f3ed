"""What operators may order, and what they are told of it, as types."""

import re
import tomllib
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, field_validator, model_validator

from predictor.domain.instants import instant_of
from predictor.service.bodies import Body

MOST_HOURS = 7 * 24
MOST_DRAWS = 100
MOST_CHANGES = 20
LONGEST_TEXT = 48_000
LONGEST_WORDS = 1_000
INCLUDES = re.compile(r"(?i)\binclude\b")
OF_FILES = frozenset({"inputs", "optimise"})
"""The parts of a grid that name files."""


def _alone(text: str) -> str:
    """Refuse what would have files of this machine read."""
    if INCLUDES.search(re.sub(r"\\\r?\n", "", re.sub(r"#[^\n]*", "", text))):
        raise ValueError("expected a text that includes no other file")
    return text


def _strings(told: object) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for key, value in told.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(told, list):
        for value in told:
            yield from _strings(value)


def _no_option(text: str) -> str:
    if text.startswith("-") or not text.isprintable():
        raise ValueError("expected words, not an option")
    return text


Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), AfterValidator(_alone)]
Words = Annotated[str, Field(min_length=1, max_length=LONGEST_WORDS), AfterValidator(_no_option)]
Seed = Annotated[int, Field(ge=0, lt=2**31)]


def _instant(text: str) -> str:
    try:
        instant_of(text)
    except (ValueError, OverflowError):
        raise ValueError(f"expected an instant in RFC 3339, not {text[:40]!r}") from None
    return text


class Stretch(Body):
    """The part of our own recording that something is tried on."""

    model_config = ConfigDict(extra="forbid")

    until: Annotated[str, Field(max_length=40), AfterValidator(_instant)] | None = None
    """An instant in RFC 3339; null: now."""
    hours: Annotated[int, Field(ge=1, le=MOST_HOURS)] = 24
    """So long before it begins."""


class Replay(Stretch):
    """Judge the predictions of recorded days."""

    kind: Literal["replay"]
    every: Annotated[int, Field(ge=1, le=1_000)] = 10
    """Of so many snapshots one is asked."""


class Diff(Stretch):
    """Compare recorded days with what they would have been under another configuration."""

    kind: Literal["diff"]
    new: Annotated[tuple[Text, ...], Field(max_length=4)] = ()
    """Pieces of slurm.conf, what sacctmgr printed, or a site file."""
    base: Annotated[tuple[Text, ...], Field(max_length=4)] = ()
    """As it is set up; empty: as it was recorded."""
    reservations: Annotated[tuple[Words, ...], Field(max_length=MOST_CHANGES)] = ()
    """`start=…,duration=…,nodes=…`."""
    add_nodes: Annotated[tuple[Words, ...], Field(max_length=MOST_CHANGES)] = ()
    """`NEW like OLD`."""
    remove_nodes: Annotated[tuple[Words, ...], Field(max_length=MOST_CHANGES)] = ()
    draws: Annotated[int, Field(ge=1, le=MOST_DRAWS)] = 10
    seed: Seed = 1

    @model_validator(mode="after")
    def _changes_something(self) -> "Diff":
        if not (self.new or self.reservations or self.add_nodes or self.remove_nodes):
            raise ValueError("nothing is proposed: see new, reservations, add_nodes, remove_nodes")
        return self


class Sweep(Stretch):
    """Try each combination of the settings of a grid."""

    kind: Literal["sweep"]
    grid: Text
    """A grid file (TOML) that names no inputs: these are the recorded days."""
    draws: Annotated[int, Field(ge=1, le=MOST_DRAWS)] | None = None

    @field_validator("grid")
    @classmethod
    def _names_no_files(cls, text: str) -> str:
        try:
            told = tomllib.loads(text)
            if OF_FILES & told.keys() or any("/" in one for one in _strings(told)):
                raise ValueError("expected a grid that names no files")
        except RecursionError as error:
            raise ValueError("expected a grid of few levels") from error
        return text


Order = Annotated[Replay | Diff | Sweep, Field(discriminator="kind")]
"""Something to be done."""


class Experiment(Body):
    """Something that was ordered. Instants are RFC 3339 in UTC."""

    id: str
    kind: Literal["replay", "diff", "sweep"]
    state: Literal["queued", "running", "finished", "failed", "cancelled", "interrupted"]
    """`interrupted`: the service ended meanwhile; what waits outlives that."""
    by: str
    """Who ordered it."""
    created_at: str
    begun_at: str | None
    ended_at: str | None
    progress: str | None
    """The last that was told of how far it is."""
    cause: str | None
    """Why it failed."""
    report: bool
    """Whether there is one."""
    order: dict[str, Any]


class ExperimentAnswer(Experiment):
    """One of them."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")


class Experiments(Body):
    """All of them, the newest first."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    experiments: list[Experiment]


class ConfigCheck(Body):
    """A slurm.conf that is to be looked at."""

    model_config = ConfigDict(extra="forbid")

    slurm_conf: Text


class ChangedSetting(Body):
    """A setting, a partition or nodes that would not be what they are."""

    name: str
    """In full: `PriorityWeightAge`, `partition batch MaxTime`, `node n[1-4] Features`."""
    running: str | None
    """Null: it is not set, or not there. Of what may be a secret only that it is: `(not told)`."""
    proposed: str | None
    """The same."""


class Changes(Body):
    """What would change of the cluster as it was last seen, of all that decides on starts."""

    whole: bool
    """Whether it is a whole slurm.conf, which names the cluster; of a piece nothing is removed."""
    changed: list[ChangedSetting]
    added: list[ChangedSetting]
    removed: list[ChangedSetting]
    """What it does not name; `proposed` is the default that counts then."""


class Checked(Body):
    """Which of its settings are replicated, approximated or ignored, and why."""

    schema_: Literal["queuecast/1"] = Field(alias="schema")
    coverage: dict[str, Any]
    """As `queuecast config coverage --json` tells it."""
    changes: Changes | None
    """Null: the cluster was not seen yet."""
