"""Which nodes a job gets: the allocators by name.

All prefer some nodes to others and then fill one after the other; none refuses a job that fits.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from verification.experiments.allocators.near import Cartesian, TopologyOrder
from verification.experiments.allocators.protocol import Allocator
from verification.experiments.allocators.scarce import (
    Balanced,
    Hybrid,
    PriorityWeighted,
    Weighted,
)
from verification.experiments.allocators.simple import (
    BestFit,
    Drawn,
    DualEnd,
    FirstFit,
    RoundRobin,
    VirtualPartitions,
)
from verification.experiments.state import State

ALLOCATORS: Final[Mapping[str, Callable[[State, int], Allocator]]] = MappingProxyType(
    {
        "first-fit": FirstFit,
        "best-fit": BestFit,
        "balanced": Balanced,
        "weighted": Weighted,
        "priority-weighted": PriorityWeighted,
        "hybrid": Hybrid,
        "random": Drawn,
        "round-robin": RoundRobin,
        "dual-end": DualEnd,
        "cartesian": Cartesian,
        "topology": TopologyOrder,
        "virtual-partitions": VirtualPartitions,
    }
)
"""By name: makes an allocator for a machine's state, with a seed for whoever draws."""
