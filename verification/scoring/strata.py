"""By what results are told apart, and which case lies where."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from verification.judging.case import Case, Said
from verification.judging.classes import duration_class, size_class
from verification.scoring.columns import Columns

AT_ONCE_S = 60
"""Who waits less started at once."""


def leads(columns: Columns, said: Sequence[Said]) -> Sequence[str]:
    """Return the class of how far ahead each start was said to be; empty: none was said."""
    return [
        "" if one.likely_at is None else duration_class(one.likely_at - case.seen_at)
        for case, one in zip(columns.cases, said, strict=True)
    ]


def strata(columns: Columns) -> Mapping[str, Sequence[str]]:
    """Return the label of each row by what it is told apart by, but for the predicted lead.

    `at_once` looks at what happened: it serves diagnosis and no comparison of predictors.
    """
    busy = busy_users(columns)
    labels: Mapping[str, Callable[[Case], str]] = {
        "partition": lambda case: case.job.partition,
        "size": lambda case: size_class(case.job.nodes),
        "cause": lambda case: case.cause,
        "user_class": lambda case: "busy" if case.job.user in busy else "others",
        "array": lambda case: "of an array" if case.job.of_array else "single",
        "at_once": _at_once,
    }
    return {name: [label(case) for case in columns.cases] for name, label in labels.items()}


def busy_users(columns: Columns) -> frozenset[str]:
    """Return the fewest users who together own half of the jobs; ties by name."""
    owner = {wait: case.job.user for wait, case in zip(columns.wait, columns.cases, strict=True)}
    counts = Counter(owner.values())
    found: set[str] = set()
    jobs = 0
    for user in sorted(counts, key=lambda user: (-counts[user], user)):
        if 2 * jobs >= columns.waits:
            break
        found.add(user)
        jobs += counts[user]
    return frozenset(found)


def _at_once(case: Case) -> str:
    started_at = case.started_at
    at_once = started_at is not None and started_at - case.submitted_at < AT_ONCE_S
    return "at once" if at_once else "later"
