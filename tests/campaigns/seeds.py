"""What campaigns have in common: work in several processes, and one line of figures at the end."""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import takewhile
from math import inf
from multiprocessing import get_context

AT_ONCE = 20
TOLD = 10
"""So many findings are told in full."""
Part = Callable[[range], tuple[Counter[str], list[str]]]


def in_processes(
    part: Part, numbers: range, processes: int, until: float = inf
) -> tuple[Counter[str], list[str]]:
    """Return the figures of all parts together, and what was found. A figure of MiB: the most.

    From the monotonic instant `until` on no more parts are waited for.
    """
    pieces = [numbers[at : at + AT_ONCE] for at in range(0, len(numbers), AT_ONCE)]
    if processes == 1:
        return _together(takewhile(lambda _: time.monotonic() < until, map(part, pieces)))
    with get_context("spawn").Pool(processes) as pool:
        results = pool.imap_unordered(part, pieces)
        return _together(takewhile(lambda _: time.monotonic() < until, results))


def _together(results) -> tuple[Counter[str], list[str]]:
    figures: Counter[str] = Counter()
    found: list[str] = []
    for some, more in results:
        for one in more[: max(0, TOLD - len(found))]:
            print(one, file=sys.stderr, flush=True)
        most = {key: max(figures[key], some[key]) for key in some if key.endswith("_mib")}
        figures.update(some)
        figures.update({key: value - figures[key] for key, value in most.items()})
        found += more
    return figures, found


def finish(name: str, figures: Mapping[str, object], found: list[str], took_s: float) -> int:
    """Print the figures, and return the status to end with."""
    told = {
        "campaign": name,
        **dict(sorted(figures.items())),
        "findings": len(found),
        "first": found[:TOLD],
    }
    print(json.dumps(told | {"seconds": round(took_s, 1)}))
    return 1 if found else 0
