"""Nodes that a private Slurm lets sleep: their daemons end, and come back after a while.

Slurm tells two programs which nodes to put to sleep and to wake. These write the names into files
of the controller's user; whoever is root reads them and acts.
"""

from dataclasses import dataclass, field

from live.cluster import Slurm

BOOT_S = 8
"""So long a node takes from being woken until its daemon starts."""
SAVING = (
    "SuspendProgram={root}/sleep",
    "ResumeProgram={root}/wake",
    "SuspendTime=20",
    "SuspendTimeout=5",
    "ResumeTimeout=15",
    "SuspendRate=0",
    "ResumeRate=0",
)
"""Lines of slurm.conf; `{root}` stands for the folder of the Slurm."""
PROGRAM = """\
#!/bin/sh
# Told which nodes, as a list in brackets.
SLURM_CONF={root}/slurm.conf scontrol show hostnames "$1" >> {root}/state/{name}.names
"""
PROGRAMS = {name: PROGRAM.replace("{name}", name) for name in ("sleep", "wake")}


@dataclass(slots=True)
class Keeper:
    """Puts nodes to sleep and wakes them as Slurm asks."""

    slurm: Slurm
    wakes_at: dict[str, float] = field(default_factory=dict)

    def tend(self, now: float) -> None:
        """Do what was asked since the last time."""
        for node in self._asked("sleep"):
            self.slurm.stop(node)
        for node in self._asked("wake"):
            self.wakes_at[node] = now + BOOT_S
        for node in [node for node, at in self.wakes_at.items() if at <= now]:
            del self.wakes_at[node]
            # -b: it counts as booted just now.
            self.slurm.spawn(node, "slurmd", "-D", "-b", "-N", node)

    def _asked(self, what: str) -> list[str]:
        file = self.slurm.root / "state" / f"{what}.names"
        if not file.exists():
            return []
        taken = file.rename(file.with_suffix(".taken"))
        return taken.read_text().split()
