"""Machines as TOML files, and the ready-made ones."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from predictor.errors import FormulaError, SiteError
from predictor.priority.suggestion import suggestion
from predictor.site.complaints import complaints
from predictor.site.lines import lines_of
from predictor.site.table import Table
from predictor.site.toml import parsed, text_of
from verification.experiments.machine import XFACTOR, Group, Machine, Queue, one_core
from verification.experiments.neighbours import Speedups
from verification.experiments.network import Network, Torus, dragonfly, fat_tree
from verification.experiments.ready_made import SYSTEMS, ready_made

MOST_NODES = 10**7
MOST = 10**15

Amount = Annotated[int, Field(ge=0, le=MOST)]
Amounts = dict[str, Amount]
Named = Annotated[str, Field(min_length=1, max_length=64)]


class GroupTable(Table):
    """Nodes that are alike, numbered in the order of the groups."""

    name: Named
    nodes: Annotated[int, Field(ge=1, le=MOST_NODES)]
    has: Amounts
    """What each node has, by resource: `core`, `memory_kib`, and any other name."""


class QueueTable(Table):
    """What is special about a queue, by the trace's number of it."""

    expected_wait_s: Annotated[int, Field(ge=1, le=MOST)] = 1800
    """How long its jobs are expected to wait."""
    priority: int = 0
    """Jobs of queues with more go first, where a scheduler heeds that."""


class SpeedupsTable(Table):
    """How fast jobs run on halves of nodes; 1 is the speed on as few whole nodes as will do."""

    kinds: Annotated[tuple[Named, ...], Field(strict=False)]
    """Kinds of programs."""
    beside: Annotated[
        tuple[Annotated[tuple[float, ...], Field(strict=False)], ...], Field(strict=False)
    ]
    """By kind, in their order: the speeds beside each kind."""
    alone: Annotated[tuple[float, ...], Field(strict=False)]
    """By kind: the speed with nobody on the other halves."""
    programs: Annotated[dict[str, Named], Field(default_factory=dict)]
    """Kinds by the trace's number of the executable, or of the user where it tells none; others
    take turns, by their number."""


class NetworkTable(Table):
    """What joins the nodes, in their order."""

    kind: Literal["torus", "fat-tree", "dragonfly"]
    """A torus has the extents of the machine's `grid`."""
    talks: Annotated[float, Field(ge=0, le=1)]
    """The share of its time that a job spends on messages if its nodes are as near as can be."""
    below: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(strict=False)] = ()
    """Of a fat tree: how many are below each switch, from the leaves on. Of a dragonfly: nodes a
    router, routers a group, groups."""


class MachineTable(Table):
    """A machine."""

    name: Named = "machine"
    groups: Annotated[tuple[GroupTable, ...], Field(strict=False)]
    unit: Amounts | None = None
    """What jobs come in: so many processors of a trace are one unit, on one node."""
    kinds: Annotated[dict[str, Amounts], Field(default_factory=dict)]
    """Units of another kind, by the trace's number of the partition."""
    queues: Annotated[dict[str, QueueTable], Field(default_factory=dict)]
    critical: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    """Resources to be spared for who needs them; else those that some nodes are without."""
    grid: Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(strict=False)] = ()
    """The extents of a grid that the nodes form, the last counted fastest."""
    leaf_nodes: Annotated[int, Field(ge=0)] = 0
    """So many nodes share a leaf switch, in order; 0: all."""
    score: str = XFACTOR
    """Who has more goes first, where a scheduler heeds that."""
    speedups: SpeedupsTable | None = None
    """Unset: jobs do not feel who is beside them."""
    network: NetworkTable | None = None
    """Unset: jobs do not feel how far their nodes are from one another."""


def load_machine(name: str) -> Machine:
    """Return the ready-made machine of that name, or the one that a file of that name describes.

    Raises SiteError with a line for everything that is wrong: `file:line: key: cause`.
    """
    if name in ready_made():
        text = (SYSTEMS / f"{name}.toml").read_text(encoding="utf-8")
        return machine_of(tomllib.loads(text), name)
    path = Path(name)
    if not path.exists():
        hint = suggestion(name, ready_made()) or f": there are {', '.join(ready_made())}"
        raise SiteError(f"{name}: neither a file nor a ready-made machine{hint}")
    text = text_of(path)
    try:
        return machine_of(parsed(text, path), name)
    except ValidationError as error:
        said = complaints(error, MachineTable, lines_of(text), path)
        raise SiteError("\n".join(said)) from None


def machine_of(data: dict[str, Any], place: str) -> Machine:
    """Return the machine of these tables.

    Raises ValidationError, or SiteError with the place where they contradict one another.
    """
    table = MachineTable.model_validate(data)
    try:
        machine = Machine(
            name=table.name,
            groups=tuple(
                Group(name=one.name, nodes=one.nodes, has=one.has) for one in table.groups
            ),
            unit=one_core() if table.unit is None else table.unit,
            kinds=dict(_numbered(table.kinds, "kinds")),
            queues={
                number: Queue(expected_wait_s=one.expected_wait_s, priority=one.priority)
                for number, one in _numbered(table.queues, "queues")
            },
            critical=table.critical,
            grid=table.grid,
            leaf_nodes=table.leaf_nodes,
            score=table.score,
            speedups=None if table.speedups is None else _speedups(table.speedups),
            network=None if table.network is None else _network(table.network, table.grid),
            talks=0.0 if table.network is None else table.network.talks,
        )
        _ = machine.score_formula
    except (ValueError, FormulaError) as error:
        raise SiteError(f"{place}: {error}") from None
    return machine


def _speedups(table: SpeedupsTable) -> Speedups:
    return Speedups(
        kinds=table.kinds,
        beside=table.beside,
        alone=table.alone,
        programs=dict(_numbered(table.programs, "speedups.programs")),
    )


def _network(table: NetworkTable, grid: tuple[int, ...]) -> Network:
    if table.kind == "torus":
        if not grid or table.below:
            raise ValueError("a torus is told by the machine's grid")
        return Torus(extents=grid)
    if table.kind == "fat-tree":
        return fat_tree(table.below)
    if len(table.below) != 3:
        raise ValueError("a dragonfly has nodes a router, routers a group, and groups")
    return dragonfly(*table.below)


def _numbered(table: dict[str, Any], name: str) -> Iterator[tuple[int, Any]]:
    for key, value in table.items():
        if not key.isascii() or not key.isdigit():
            raise ValueError(f"{name}.{key}: a trace counts them: expected a number")
        yield int(key), value
