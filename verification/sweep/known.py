"""The kinds of run that a grid may name."""

from collections.abc import Mapping
from typing import Final

from verification.sweep.experiments import Experiments
from verification.sweep.kinds import Kind
from verification.sweep.replays import Replays
from verification.sweep.trials import Trials

KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind for kind in (Trials(), Experiments(), Replays())
}
