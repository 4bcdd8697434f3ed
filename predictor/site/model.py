"""The site file: what the batch system cannot say, in tables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from predictor.domain import SchedulerSettings
from predictor.domain.durations import DAY_S, HOUR_S
from predictor.installed import kinds
from predictor.priority.attributes import NAMES
from predictor.priority.formula import compile_formula
from predictor.priority.order import PriorityRule
from predictor.scheduling.policy import TWO_PASS, Policy
from predictor.site.access import AccessTable
from predictor.site.machine import LimitTable, NodeGroup, QosTable, Queue
from predictor.site.notices import NoticesTable
from predictor.site.passes import PassesTable
from predictor.site.preemption import PreemptionTable
from predictor.site.ranking import PolicyTable, PriorityTable
from predictor.site.table import Table
from predictor.site.values import (
    Address,
    HostName,
    Name,
    Seconds,
    SitePath,
    path_from_here,
    refuse,
)

SHORTEST_INTERVAL_S = 10
LONGEST_INTERVAL_S = DAY_S
MOST_MEMORY_MB = 2**30
MOST_DRAWS = 1_000
LONGEST_DRAWING_S = 30


class SourceTable(Table):
    """Where snapshots come from. All keys but `kind` go to the source as they are."""

    model_config = ConfigDict(extra="allow")

    kind: str = "slurm-cli"
    """Any source that is installed."""

    @field_validator("kind")
    @classmethod
    def _installed(cls, kind: str) -> str:
        known = list(kinds())
        if kind not in known:
            raise refuse(f"an installed source: {', '.join(known)}", kind, known)
        return kind

    @model_validator(mode="before")
    @classmethod
    def _path_from_here(cls, data: Any, info: ValidationInfo) -> Any:
        if isinstance(data, dict) and isinstance(data.get("path"), str):
            return data | {"path": str(path_from_here(data["path"], info))}
        return data

    @property
    def settings(self) -> Mapping[str, object]:
        """Return what the source is made from: every key but `kind`."""
        return dict(self.model_extra or {})


class ForecastTable(Table):
    """How far a forecast looks, and what it believes of what nobody knows yet."""

    horizon_s: Annotated[Seconds, Field(ge=60, le=10 * 365 * DAY_S)] = 14 * DAY_S
    """Starts beyond this are not told."""
    array_tasks_max: Annotated[int, Field(ge=1)] = 1_000
    """So many tasks of one array are planned one by one."""
    boot_s: Seconds | None = None
    """How long nodes take that sleep to save power; unset: as long as the batch system allows."""
    kill_wait_s: Seconds | None = None
    """How long jobs live on after their limit; unset: as the batch system says."""
    run_times: Literal["history", "rules", "last-two", "limit"] = "history"
    """From what the run time of a job is told: how jobs like it ran, the first of six matching
    rules that fits, its user's last two jobs, or its limit alone."""
    draws: Annotated[int, Field(ge=0, le=MOST_DRAWS)] = 30
    """So many possible courses are worked out for the windows; 0: no windows."""
    draws_s: Annotated[Seconds, Field(ge=1, le=HOUR_S)] | None = None
    """The time for them; unset: a third of the service's interval, and 30 s at the most."""
    arrivals: bool = True
    """Whether the courses have newcomers in them, as they came of late."""
    scenarios: Annotated[int, Field(ge=1, le=MOST_DRAWS)] = 4
    """So many different comings of others the courses share; in every other one nobody comes."""
    cancellations: bool = True
    """Whether in the courses waiting jobs are given up, as they were of late."""
    probes: bool = True
    """Whether it is worked out now and then what new jobs of each partition would wait."""
    corrected: bool = True
    """Whether windows become as wide as past answers show that they must be."""


class RecordingTable(Table):
    """Where snapshots are kept, and for how long."""

    path: SitePath = Path("/var/lib/queuecast/recording")
    """The folder."""
    keep_days: Annotated[int, Field(ge=1, le=36_500)] | None = None
    """Older snapshots are removed; unset: none are."""
    max_bytes: Annotated[int, Field(ge=1_000_000)] = 20_000_000_000
    """The oldest snapshots are removed beyond this."""


class WorkerTable(Table):
    """Bounds of the process that computes one forecast."""

    memory_mb: Annotated[int, Field(ge=128, le=MOST_MEMORY_MB)] = 4_096
    """Memory in MiB."""
    cpu_s: Annotated[Seconds, Field(ge=1, le=DAY_S)] = 300
    """CPU time."""


class ServiceTable(Table):
    """The daemon."""

    interval_s: Annotated[Seconds, Field(ge=1, le=LONGEST_INTERVAL_S)] = 60
    """How often it looks at the cluster; less than 10 needs `force`."""
    force: bool = False
    """Permits an interval that may burden the batch system."""
    host: Address = "127.0.0.1"
    """The address it answers on."""
    port: Annotated[int, Field(ge=0, le=65_535)] = 8642
    """The port it answers on; 0: any free one."""
    tcp: bool = True
    """Whether it answers on host and port at all."""
    socket: SitePath | None = None
    """A Unix socket to answer on, too: there it knows who asks."""
    allowed_hosts: Annotated[tuple[HostName, ...], Field(strict=False)] = ()
    """Further names by which it may be called, besides the loopback ones and `host`."""
    connections_per_peer: Annotated[int, Field(ge=1)] = 500
    """So many connections one account of this machine, or one address elsewhere, may have."""
    prefix: Annotated[str, Field(pattern=r"^(/[A-Za-z0-9._~-]{1,64}){0,8}$")] = ""
    """Below which path a proxy passes requests on without taking it off; empty: none."""
    experiments: SitePath | None = None
    """A folder of sweeps and comparisons that operators are shown; unset: none are."""
    stale_after_s: Annotated[Seconds, Field(ge=1)] = 300
    """From this age on a forecast is called stale."""
    worker: WorkerTable = WorkerTable()

    @model_validator(mode="after")
    def _spares_the_controller(self) -> "ServiceTable":
        if self.interval_s < SHORTEST_INTERVAL_S and not self.force:
            expected = f"interval_s of at least {SHORTEST_INTERVAL_S}, or force = true"
            raise refuse(expected, self.interval_s)
        return self

    @model_validator(mode="after")
    def _answers_somewhere(self) -> "ServiceTable":
        if not self.tcp and self.socket is None:
            raise refuse("a socket, or tcp = true", self.tcp)
        return self


class PrivacyTable(Table):
    """What is dropped before a snapshot is kept or answered from."""

    job_names: Literal["keep", "drop"] = "keep"
    """What happens to the names that users give their jobs."""
    comments: Literal["keep", "drop"] = "drop"
    """What happens to their comments."""


class Site(Table):
    """A site file. Every table may be left out."""

    cluster: Name | None = None
    """The cluster's name; unset: as the batch system says."""
    source: SourceTable = SourceTable()
    priority_table: Annotated[PriorityTable, Field(alias="priority")] = PriorityTable()
    policy_table: Annotated[PolicyTable, Field(alias="policy")] = PolicyTable()
    passes: PassesTable = PassesTable()
    preemption: PreemptionTable = PreemptionTable()
    forecast: ForecastTable = ForecastTable()
    recording: RecordingTable = RecordingTable()
    service: ServiceTable = ServiceTable()
    privacy: PrivacyTable = PrivacyTable()
    access: AccessTable = AccessTable()
    notices: NoticesTable = NoticesTable()
    queues: Annotated[tuple[Queue, ...], Field(strict=False)] = ()
    nodes: Annotated[tuple[NodeGroup, ...], Field(strict=False)] = ()
    qos: Annotated[tuple[QosTable, ...], Field(strict=False)] = ()
    limits: Annotated[tuple[LimitTable, ...], Field(strict=False)] = ()

    @property
    def drawing_s(self) -> float:
        """How long the windows of one forecast may take."""
        if self.forecast.draws_s is not None:
            return self.forecast.draws_s
        return min(self.service.interval_s / 3, LONGEST_DRAWING_S)

    def priority(self) -> PriorityRule:
        """Return the formula to rank by; None: the batch system's own priority."""
        text = self.priority_table.formula
        return None if text is None else compile_formula(text, NAMES)

    @property
    def as_submitted(self) -> bool:
        """Whether the formula is worked out for the submission of each job."""
        return self.priority_table.as_of == "submission"

    def policy_for(self, settings: SchedulerSettings) -> Policy:
        """Return how to plan for a batch system of these settings.

        What the file says; if it says nothing, as the batch system does where it tells.
        """
        own = settings.passes is not None and not self.policy_table.said
        return TWO_PASS if own else self.policy()

    def policy(self) -> Policy:
        """Return the numbers to plan by, called "own" if they are not those of the name."""
        return self.policy_table.policy()
