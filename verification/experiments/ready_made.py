"""The machines that are described here."""

from pathlib import Path
from typing import Final

SYSTEMS: Final = Path(__file__).with_name("systems")


def ready_made() -> list[str]:
    """Return the names of the machines that are described here."""
    return sorted(one.stem for one in SYSTEMS.glob("*.toml"))
