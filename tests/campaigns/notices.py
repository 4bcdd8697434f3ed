"""Notices in which everything that a user can write is hostile."""

from clusters import NOW

from predictor.service.watches.mailing import Mail
from predictor.service.watches.watch import Kind, Notice, Watch

SENDER = Mail(host="x", port=1, sender="queuecast@site.org", domain="site.org")
HEADERS = {
    *("from", "to", "subject", "date", "message-id", "auto-submitted"),
    *("content-type", "content-transfer-encoding", "mime-version"),
}


def notice(words: tuple[str, str, str, str]) -> Notice:
    """Return a notice in which everything that may be hostile is."""
    job, cluster_name, nodes, why = words
    watch = Watch(
        id="w",
        owner="ada",
        job=job,
        kinds=frozenset(Kind),
        soon_s=60,
        webhook=None,
        created_at=NOW,
    )
    return Notice(
        id="n",
        watch=watch,
        kind=Kind.STARTED,
        cluster=cluster_name,
        job_id=job,
        user=why,
        partition=nodes,
        at=NOW,
        moved_by=why,
        started_at=NOW,
        nodelist=nodes,
    )
