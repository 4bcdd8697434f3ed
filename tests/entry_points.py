"""Entry points as an installer leaves them: a folder of metadata beside the modules."""

import tomllib
from pathlib import Path

HOUSE = Path(__file__).parents[1]


def lay_out(folder: Path, project: str) -> None:
    """Write into `folder` the metadata of a distribution, given its `pyproject.toml`."""
    table = tomllib.loads(project)["project"]
    metadata = folder / f"{table['name'].replace('-', '_')}-{table['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {table['name']}\nVersion: {table['version']}\n")
    lines = [
        line
        for group, entries in table["entry-points"].items()
        for line in (f"[{group}]", *(f"{kind} = {place}" for kind, place in entries.items()))
    ]
    (metadata / "entry_points.txt").write_text("\n".join(lines))


def lay_out_ours(folder: Path) -> None:
    """Write into `folder` what this very checkout installs, wherever it was installed from."""
    lay_out(folder, (HOUSE / "pyproject.toml").read_text(encoding="utf-8"))
