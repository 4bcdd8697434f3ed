"""Slurm's words for the states of jobs and nodes, and what they mean to us."""

from collections.abc import Iterable, Set
from enum import Enum

from predictor.domain import NodeFlag, NodeState, Outcome, RunState


class Stage(Enum):
    """Where in its life a job is."""

    PENDING = "pending"
    HOLDING = "holding"
    """It holds nodes."""
    FINISHED = "finished"


# Flags come before base states: of `COMPLETED,COMPLETING` the second says what holds nodes.
_HOLDING = (
    ("COMPLETING", RunState.COMPLETING),
    ("SUSPENDED", RunState.SUSPENDED),
    ("STOPPED", RunState.SUSPENDED),
    ("CONFIGURING", RunState.CONFIGURING),
    ("POWER_UP_NODE", RunState.CONFIGURING),
    ("RUNNING", RunState.RUNNING),
    ("RESIZING", RunState.RUNNING),
    ("SIGNALING", RunState.RUNNING),
)
_PENDING = frozenset(
    {"PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"}
)
_HELD = frozenset({"REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD"})
_OUTCOMES = {
    "COMPLETED": Outcome.COMPLETED,
    "FAILED": Outcome.FAILED,
    "CANCELLED": Outcome.CANCELLED,
    "TIMEOUT": Outcome.TIMEOUT,
    "NODE_FAIL": Outcome.NODE_FAIL,
    "PREEMPTED": Outcome.PREEMPTED,
    "REQUEUED": Outcome.PREEMPTED,
    "OUT_OF_MEMORY": Outcome.FAILED,
    "BOOT_FAIL": Outcome.NODE_FAIL,
    "LAUNCH_FAILED": Outcome.FAILED,
    "DEADLINE": Outcome.OTHER,
    "REVOKED": Outcome.OTHER,
    "STAGE_OUT": Outcome.OTHER,
}

_NODE_STATES = {
    "IDLE": NodeState.IDLE,
    "MIXED": NodeState.MIXED,
    "ALLOCATED": NodeState.ALLOCATED,
    "DOWN": NodeState.DOWN,
    "ERROR": NodeState.DOWN,
    # Nodes are that until a controller that has just started hears of them. Those that were down or
    # drained before it ended are so again at once.
    "UNKNOWN": NodeState.IDLE,
}
_ELSEWHERE = "EXTERNAL"
"""Of a node of Slurm 26.05 on which it starts no jobs: others do, by means of their own."""
_NODE_FLAGS = {
    "DRAIN": NodeFlag.DRAIN,
    "FAIL": NodeFlag.FAIL,
    "NOT_RESPONDING": NodeFlag.NOT_RESPONDING,
    "INVALID_REG": NodeFlag.INVALID,
    "COMPLETING": NodeFlag.COMPLETING,
    "MAINTENANCE": NodeFlag.MAINTENANCE,
    "RESERVED": NodeFlag.RESERVED,
    "PLANNED": NodeFlag.PLANNED,
    "POWERED_DOWN": NodeFlag.POWERED_DOWN,
    "POWERING_UP": NodeFlag.POWERING_UP,
    "POWERING_DOWN": NodeFlag.POWERING_DOWN,
    "REBOOT_REQUESTED": NodeFlag.REBOOT,
    "REBOOT_ISSUED": NodeFlag.REBOOT,
    "BLOCKED": NodeFlag.BLOCKED,
}

_BUSY = frozenset({"MIXED", "ALLOCATED"})
_FAILED = frozenset({"FAIL", "INVALID_REG"})

# Who is drained only to be rebooted as soon as possible is told UNDRAIN, unless asked otherwise.
_BACK = frozenset({"RESUME", "UNDRAIN"})


def stage(words: Iterable[str]) -> Stage:
    """Return where a job in these states is. Raises ValueError for states nobody told us of."""
    known = frozenset(words)
    if any(word in known for word, _ in _HOLDING):
        return Stage.HOLDING
    if known & _PENDING:
        return Stage.PENDING
    if known & _OUTCOMES.keys():
        return Stage.FINISHED
    raise ValueError(f"unknown job state {'+'.join(sorted(known))!r}")


def run_state(words: Iterable[str]) -> RunState:
    """Return what a job that holds nodes does there."""
    known = frozenset(words)
    return next(state for word, state in _HOLDING if word in known)


def held_by_state(words: Iterable[str]) -> bool:
    """Return whether a waiting job's state itself keeps it from being considered."""
    return not _HELD.isdisjoint(words)


def outcome(words: Iterable[str]) -> Outcome:
    """Return how a finished job ended."""
    return next((_OUTCOMES[word] for word in words if word in _OUTCOMES), Outcome.OTHER)


def node_state(words: Iterable[str]) -> NodeState:
    """Return what a node mainly is; UNKNOWN for every word we do not know, and where none runs."""
    known = tuple(words)
    if _ELSEWHERE in known:
        return NodeState.UNKNOWN
    return next((_NODE_STATES[word] for word in known if word in _NODE_STATES), NodeState.UNKNOWN)


def node_flags(words: Iterable[str], afterwards: Iterable[str] = ()) -> frozenset[NodeFlag]:
    """Return what holds of a node besides; words that do not matter to planning are dropped.

    `afterwards`: its state after a reboot, if it is told one.
    """
    known = frozenset(words)
    found = frozenset(_NODE_FLAGS[word] for word in known if word in _NODE_FLAGS)
    returns = _powers_down(known) or (not _BACK.isdisjoint(afterwards) and _reboots(known))
    return found | {NodeFlag.RETURNING} if returns else found


def _reboots(words: Set[str]) -> bool:
    """Return whether a node is being rebooted, or is once nobody is on it, and nobody new comes.

    Source: Slurm 22.05 to 26.05, _queue_reboot_msg; one that fails stays out of service.
    """
    idle = "IDLE" in words and "COMPLETING" not in words
    emptied = "DRAIN" in words and not words.isdisjoint(_BUSY)
    waits = "REBOOT_REQUESTED" in words and (idle or emptied)
    return ("REBOOT_ISSUED" in words or waits) and words.isdisjoint(_FAILED)


def _powers_down(words: Set[str]) -> bool:
    """Return whether a node is drained to fall asleep once nobody is on it, and be woken again.

    Seen of `scontrol update state=power_down_asap` of Slurm 24.11 and 26.05.
    """
    drained = {"DRAIN", "POWER_DOWN"} <= words and not words.isdisjoint(_BUSY)
    return drained and words.isdisjoint(_FAILED)
