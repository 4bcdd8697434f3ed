"""What other programs say a node does: the standard's words, and Slurm's where they shine through.

LLview maps a few of Slurm's states to the standard's words and lets all others pass as they are:
`IDLE+PLANNED`, `DOWN*+DRAIN`, `mixed`.
"""

from collections.abc import Mapping

from predictor.domain import NodeFlag, NodeState

_STATES: Mapping[str, NodeState] = {
    "idle": NodeState.IDLE,
    "drain": NodeState.IDLE,
    "drained": NodeState.IDLE,
    "maint": NodeState.IDLE,
    "reserved": NodeState.IDLE,
    "planned": NodeState.IDLE,
    "running": NodeState.MIXED,
    "mixed": NodeState.MIXED,
    "draining": NodeState.MIXED,
    "completing": NodeState.MIXED,
    "allocated": NodeState.ALLOCATED,
    "down": NodeState.DOWN,
}
_FLAGS: Mapping[str, NodeFlag] = {flag.value: flag for flag in NodeFlag} | {
    "drained": NodeFlag.DRAIN,
    "draining": NodeFlag.DRAIN,
    "maint": NodeFlag.MAINTENANCE,
    "invalid_reg": NodeFlag.INVALID,
}
_MARKS: Mapping[str, NodeFlag] = {
    "*": NodeFlag.NOT_RESPONDING,
    "~": NodeFlag.POWERED_DOWN,
    "#": NodeFlag.POWERING_UP,
    "!": NodeFlag.POWERING_DOWN,
    "%": NodeFlag.POWERING_DOWN,
    "$": NodeFlag.MAINTENANCE,
    "@": NodeFlag.REBOOT,
    "^": NodeFlag.REBOOT,
    "-": NodeFlag.PLANNED,
}
"""Source: Slurm, sinfo, "NODE STATE CODES"."""


def state_and_flags(text: str) -> tuple[NodeState, frozenset[NodeFlag]]:
    """Return what a node mainly is, by the first of the words joined by `+`, and what else holds.

    UNKNOWN where that word is; other words that we do not know are passed over.
    """
    parts = text.lower().split("+")
    words = [part.rstrip("".join(_MARKS)) for part in parts]
    marks = "".join(part[len(word) :] for part, word in zip(parts, words, strict=True))
    flags = {_FLAGS[word] for word in words if word in _FLAGS} | {_MARKS[mark] for mark in marks}
    return _STATES.get(words[0], NodeState.UNKNOWN), frozenset(flags)
