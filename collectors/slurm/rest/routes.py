"""What slurmrestd may be asked at all, and by which path each thing is asked."""

import re
from collections.abc import Iterable, Mapping, Sequence

OPENAPI = "openapi.json"
SPECIFICATIONS = ("/openapi.json", "/openapi/v3")
"""Where slurmrestd lists its paths; the first that is there counts."""
ENDPOINTS = (
    "slurm/conf",
    "slurm/diag",
    "slurm/jobs",
    "slurm/licenses",
    "slurm/nodes",
    "slurm/partitions",
    "slurm/reservations",
    "slurm/shares",
    "slurmdb/associations",
    "slurmdb/qos",
)
"""All that is ever asked. `slurm/reconfigure`, which is a GET as well, is an action."""
VERSIONS = tuple(f"v0.0.{number}" for number in range(45, 35, -1))
"""Of the API, the newest first: those whose answers we read."""

LAST_CHOICE = frozenset({"/slurm/v0.0.45/jobs"})
"""Paths, less a slash at their end, that leave out what older ones tell: who shares nodes."""

_PATH = re.compile(r"/(slurm|slurmdb)/(v0\.0\.\d+)/(\w+)/?")

Routes = Mapping[str, str]
"""Paths by endpoint."""


def routes_among(paths: Iterable[str], only: str = "") -> Routes:
    """Return for each endpoint its path in the newest version we know, or in `only` that one."""
    wanted = (only,) if only else VERSIONS
    found: dict[str, dict[str, str]] = {}
    for path in paths:
        match = _PATH.fullmatch(path)
        if match and f"{match[1]}/{match[3]}" in ENDPOINTS:
            found.setdefault(f"{match[1]}/{match[3]}", {})[match[2]] = path
    served = {
        endpoint: [by[version] for version in wanted if version in by]
        for endpoint, by in found.items()
    }
    return {endpoint: _chosen(by) for endpoint, by in served.items() if by}


def _chosen(newest_first: Sequence[str]) -> str:
    complete = (path for path in newest_first if path.rstrip("/") not in LAST_CHOICE)
    return next(complete, newest_first[0])


def assumed(version: str) -> Routes:
    """Return the routes of a version of which slurmrestd lists no paths."""
    areas = (endpoint.split("/") for endpoint in ENDPOINTS)
    return {f"{area}/{what}": f"/{area}/{version}/{what}" for area, what in areas}


def written(routes: Routes) -> str:
    """Return the routes as a text, one on each line."""
    return "".join(f"{endpoint} {path}\n" for endpoint, path in sorted(routes.items()))


def read(text: str) -> Routes:
    """Return the routes in such a text."""
    pairs = (line.partition(" ") for line in text.splitlines())
    return {endpoint: path for endpoint, _, path in pairs}


def version_of(path: str) -> int:
    """Return the last number of a path's version: 42 for `v0.0.42`; 0 if it has none."""
    match = _PATH.fullmatch(path)
    return int(match[2].rpartition(".")[2]) if match else 0
