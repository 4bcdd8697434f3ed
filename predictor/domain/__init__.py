"""The values that pass between the stages: frozen, typed, in UTC seconds."""

from predictor.domain.amounts import (
    LARGEST,
    UNLIMITED,
    Limit,
    Tres,
    Unlimited,
    amount_of,
    amounts_by_name,
    tres,
    whole,
    within,
)
from predictor.domain.billing import BillingRule
from predictor.domain.calendar import (
    License,
    Reservation,
    ReservationFlag,
)
from predictor.domain.explanation import Awaited, Explanation
from predictor.domain.forecast import (
    Abstention,
    Cause,
    Forecast,
    Prediction,
    Unpredictable,
)
from predictor.domain.job import (
    BY_HAND,
    ArrayTasks,
    BatchEstimate,
    Dependency,
    DependencyKind,
    FinishedJob,
    HetComponent,
    Hold,
    JobSpec,
    NodeShare,
    Obstacle,
    Outcome,
    PendingJob,
    PriorityFactors,
    RunningJob,
    RunState,
    choices,
)
from predictor.domain.limits import (
    Association,
    Fairshare,
    Limits,
    Qos,
    QosFlag,
    Usage,
)
from predictor.domain.node import (
    Node,
    NodeFlag,
    NodeState,
)
from predictor.domain.outlook import Lately, Outlook
from predictor.domain.partition import (
    NodeSharing,
    Partition,
    PartitionState,
)
from predictor.domain.preemption import (
    Eviction,
    Preemption,
)
from predictor.domain.provenance import (
    Fact,
    Hidden,
    Provenance,
    Quarantined,
)
from predictor.domain.request import (
    Request,
    Sharing,
)
from predictor.domain.scheduler import (
    CpuGranularity,
    FairshareFormula,
    PassSettings,
    PriorityWeights,
    SchedulerHealth,
    SchedulerSettings,
)
from predictor.domain.snapshot import Snapshot
from predictor.domain.source import (
    Call,
    Observation,
    Source,
    SourceFactory,
)
from predictor.domain.text import Untrusted

__all__ = [
    "BY_HAND",
    "LARGEST",
    "UNLIMITED",
    "Abstention",
    "ArrayTasks",
    "Association",
    "Awaited",
    "BatchEstimate",
    "BillingRule",
    "Call",
    "Cause",
    "CpuGranularity",
    "Dependency",
    "DependencyKind",
    "Eviction",
    "Explanation",
    "Fact",
    "Fairshare",
    "FairshareFormula",
    "FinishedJob",
    "Forecast",
    "HetComponent",
    "Hidden",
    "Hold",
    "JobSpec",
    "Lately",
    "License",
    "Limit",
    "Limits",
    "Node",
    "NodeFlag",
    "NodeShare",
    "NodeSharing",
    "NodeState",
    "Observation",
    "Obstacle",
    "Outcome",
    "Outlook",
    "Partition",
    "PartitionState",
    "PassSettings",
    "PendingJob",
    "Prediction",
    "Preemption",
    "PriorityFactors",
    "PriorityWeights",
    "Provenance",
    "Qos",
    "QosFlag",
    "Quarantined",
    "Request",
    "Reservation",
    "ReservationFlag",
    "RunState",
    "RunningJob",
    "SchedulerHealth",
    "SchedulerSettings",
    "Sharing",
    "Snapshot",
    "Source",
    "SourceFactory",
    "Tres",
    "Unlimited",
    "Unpredictable",
    "Untrusted",
    "Usage",
    "amount_of",
    "amounts_by_name",
    "choices",
    "tres",
    "whole",
    "within",
]
