"""Scenes for the ready site files of other schedulers.

In the drawings a column is a node and a row half an hour; `.` is free. Jobs are written
(id, user, nodes, minutes, minutes waited); whole nodes are handed out unless a scene says else.
"""

import tomllib
from pathlib import Path

from clusters import MINUTE, NOW, cluster, running, waiting

from predictor.forecast import forecast
from predictor.site import Site

FILES = Path(__file__).parents[1] / "config" / "sites"
MAUI, OPENPBS, STRICT, LOADLEVELER = (
    f"{name}-like.toml" for name in ("maui", "openpbs", "openpbs-strict", "loadleveler")
)


def ready(name, **tables):
    """Return a ready file's site; of `tables` each key stands over the file's own, None removes."""
    content = tomllib.loads((FILES / name).read_text())
    for table, values in tables.items():
        if isinstance(values, list):
            content[table] = values
        else:
            merged = content.get(table, {}) | values
            content[table] = {key: value for key, value in merged.items() if value is not None}
    return Site.model_validate(content)


def job(id_, user, count, minutes, waited=60, **of_job):
    at = NOW - waited * MINUTE
    return waiting(
        id_, count, minutes, of_job={"user": user, "submitted_at": at, "eligible_at": at, **of_job}
    )


def busy(names, minutes_left, user="eve", **more):
    return running(f"r{names}", names, minutes_left, user=user, **more)


def starts(site, *jobs, count=4, **more):
    """Return the minute at which each job starts."""
    made = forecast(cluster(count, *jobs, **more), site)
    assert not made.abstentions
    return {p.job_id: (p.start_at - NOW) / MINUTE for p in made.predictions}


#      n1 n2 n3 n4      top: 3 nodes, from 30 on; second: 4 nodes, from 90 on if kept free;
#   0  r  r  .  .       filler: one node until 120, beside top but in second's way
DEEP = (
    job("top", "ada", 3, 60, 300),
    job("second", "bob", 4, 60, 200),
    job("filler", "cy", 1, 120, 60),
    busy("n1 n2", 30),
)
