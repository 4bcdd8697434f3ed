"""Limits on jobs of a queue or of the whole server, as far as the domain has words for them.

Source: PBS Professional Administrator's Guide, "Managing Resource Usage by Users, Groups, and
Projects, at Server & Queues".
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from collectors.pbs.answers import Attributes
from collectors.pbs.hosts import CPUS, MEMORY, kind
from collectors.pbs.words import amount, limits
from predictor.domain import Limits, Tres

_EVERYBODY = {("o", "PBS_ALL"): "o", ("u", "PBS_GENERIC"): "u", ("p", "PBS_GENERIC"): "p"}
_OLD_RUN = {"max_running": "o", "max_user_run": "u"}
_NEVER_READ = (
    "max_run_soft",
    "max_run_res_soft",
    "max_queued_res",
    "queued_jobs_threshold",
    "queued_jobs_threshold_res",
    "max_group_run",
    "max_group_res",
)

Spec = tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The limits of one queue, or of the server."""

    limits: Limits | None = None
    """None: there are none that we can tell."""
    untold: int = 0
    """How many others there are: of single users, of groups, soft ones."""


def bounds_of(told: Attributes) -> Bounds:
    """Return the limits among these attributes. Amounts that are none count as untold."""
    run = dict(_numbers(limits(told.text("max_run"))))
    run |= {whom: n for key, whom in _OLD_RUN.items() if (n := amount(told.text(key))) is not None}
    queued = dict(_numbers(limits(told.text("max_queued"))))
    of_resources = told.part("max_run_res").texts()
    resources = {name: dict(_numbers(limits(text))) for name, text in of_resources.items()}
    found = Limits(
        group_jobs=run.get("o"),
        max_jobs=run.get("u"),
        max_jobs_per_account=run.get("p"),
        group_submit=queued.get("o"),
        max_submit=queued.get("u"),
        max_submit_per_account=queued.get("p"),
        group_tres=_tres(resources, "o"),
        max_tres=_tres(resources, "u"),
        max_tres_per_account=_tres(resources, "p"),
    )
    return Bounds(limits=None if found == Limits() else found, untold=_untold(told))


def _numbers(specs: Iterable[Spec]) -> Iterator[tuple[str, int]]:
    for who, whom, text in specs:
        known, number = _EVERYBODY.get((who, whom)), amount(text)
        if known and number is not None:
            yield known, number


def _tres(resources: dict[str, dict[str, int]], whom: str) -> Tres:
    names = {CPUS: "cpu", MEMORY: "mem", "nodect": "node"}
    found = (
        (names.get(name.lower()) or f"gres/{kind(name.lower())}", bounds[whom])
        for name, bounds in resources.items()
        if whom in bounds
    )
    return tuple(sorted(found))


def _untold(told: Attributes) -> int:
    of_resources = told.part("max_run_res").texts()
    texts = [told.text("max_run"), told.text("max_queued"), *of_resources.values()]
    specs = [spec for text in texts for spec in limits(text)]
    single = sum((who, whom) not in _EVERYBODY for who, whom, _ in specs)
    return single + sum(told.has(key) for key in _NEVER_READ)
