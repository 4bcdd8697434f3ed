"""Which nodes a job gets: the allocators by name.

All prefer some nodes to others and then fill one after the other; none refuses a job that fits.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from predictor.engine import kind
from verification.experiments.later import later

if TYPE_CHECKING:
    from verification.experiments.allocators.protocol import Allocator
    from verification.experiments.state import State

# Compiled modules lie in a folder of their own that is searched first: all of them or none.
__path__[:0] = kind.compiled_folder("verification/experiments/allocators")

HERE: Final = "verification.experiments.allocators"

ALLOCATORS: Final[Mapping[str, "Callable[[State, int], Allocator]"]] = MappingProxyType(
    {
        "first-fit": later(f"{HERE}.first_fit", "FirstFit"),
        "best-fit": later(f"{HERE}.simple", "BestFit"),
        "balanced": later(f"{HERE}.scarce", "Balanced"),
        "weighted": later(f"{HERE}.scarce", "Weighted"),
        "priority-weighted": later(f"{HERE}.scarce", "PriorityWeighted"),
        "hybrid": later(f"{HERE}.scarce", "Hybrid"),
        "random": later(f"{HERE}.simple", "Drawn"),
        "round-robin": later(f"{HERE}.simple", "RoundRobin"),
        "dual-end": later(f"{HERE}.simple", "DualEnd"),
        "cartesian": later(f"{HERE}.near", "Cartesian"),
        "topology": later(f"{HERE}.near", "TopologyOrder"),
        "virtual-partitions": later(f"{HERE}.simple", "VirtualPartitions"),
    }
)
"""By name: makes an allocator for a machine's state, with a seed for whoever draws."""
