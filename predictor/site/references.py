"""Check what the tables of a site file say about one another."""

from collections import Counter
from collections.abc import Iterable, Iterator

from predictor.hostlists import expanded
from predictor.priority.suggestion import suggestion
from predictor.site.lines import Place
from predictor.site.machine import LimitTable
from predictor.site.model import Site

Finding = tuple[Place, str]
"""A place in the file and what is wrong there."""


def findings(site: Site) -> Iterator[Finding]:
    """Yield names that are given twice, or refer to nothing."""
    yield from _twice("queues", (queue.name for queue in site.queues))
    yield from _twice("qos", (qos.name for qos in site.qos))
    yield from _twice("nodes", (group.name for group in site.nodes))
    yield from _twice("limits", map(_bound, site.limits))
    yield from _two_webhooks(site)
    yield from _same_hosts(site)
    yield from _two_defaults(site)
    yield from _unknown_qos(site)
    yield from _qos_and_limits(site)


def _twice(table: str, names: Iterable[str]) -> Iterator[Finding]:
    seen: Counter[str] = Counter()
    for position, name in enumerate(names):
        seen[name] += 1
        if name and seen[name] == 2:
            yield (table, position), f"there is another one of {name}"


def _two_webhooks(site: Site) -> Iterator[Finding]:
    names = (webhook.name for webhook in site.notices.webhooks)
    yield from ((("notices", *place), what) for place, what in _twice("webhooks", names))


def _bound(limit: LimitTable) -> str:
    if limit.queue or not limit.user:
        return f"queue {limit.queue}" if limit.queue else f"account {limit.account}"
    return f"user {limit.user}" + (f" in {limit.account}" if limit.account else "")


def _same_hosts(site: Site) -> Iterator[Finding]:
    seen: set[str] = set()
    for position, group in enumerate(site.nodes):
        hosts = expanded(group.hosts)
        if both := next((host for host in hosts if host in seen), None):
            yield ("nodes", position, "hosts"), f"{both} is in another group already"
        seen.update(hosts)


def _two_defaults(site: Site) -> Iterator[Finding]:
    chosen = [position for position, queue in enumerate(site.queues) if queue.default]
    for position in chosen[1:]:
        yield ("queues", position, "default"), "another queue is the default already"


def _unknown_qos(site: Site) -> Iterator[Finding]:
    known = [qos.name for qos in site.qos]
    for position, queue in enumerate(site.queues):
        if known and queue.qos is not None and queue.qos not in known:
            hint = suggestion(queue.qos, known)
            yield ("queues", position, "qos"), f"there is no [[qos]] named {queue.qos!r}{hint}"


def _qos_and_limits(site: Site) -> Iterator[Finding]:
    limited = {limit.queue for limit in site.limits if limit.queue}
    for position, queue in enumerate(site.queues):
        if queue.qos and queue.name in limited:
            yield (
                ("queues", position, "qos"),
                "this queue has [[limits]] too; put them into its [[qos]]",
            )
