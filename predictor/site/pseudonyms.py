"""Recordings for others to look at: everybody in them goes by another name, the same throughout."""

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final, TypeVar

from predictor.domain import (
    Association,
    FinishedJob,
    Node,
    Partition,
    PendingJob,
    Provenance,
    Reservation,
    RunningJob,
    Snapshot,
    Untrusted,
    choices,
)
from predictor.errors import StorageError

SHORTEST_KEY: Final = 16
"""Bytes: nobody shall find a name by trying keys."""
LONGEST_KEY: Final = 64
KEPT: Final = frozenset({"", "root"})
"""The root of all accounts has to be known as that."""

Job = TypeVar("Job", PendingJob, RunningJob, FinishedJob)


class Pseudonyms:
    """Other names, made by a key: who has it can make them again, nobody else."""

    def __init__(self, key: bytes) -> None:
        """`key` has 16 bytes at least; who knows it can tell who is meant. Raises StorageError."""
        if not SHORTEST_KEY <= len(key) <= LONGEST_KEY:
            cause = f"expected {SHORTEST_KEY} to {LONGEST_KEY} bytes, got {len(key)}"
            raise StorageError(f"the key of pseudonyms: {cause}")
        self._key = key

    def snapshot(self, snapshot: Snapshot) -> Snapshot:
        """Return it with other names of users, accounts, groups, jobs and reservations.

        Comments, and sentences that may quote somebody, are left out. Partitions, nodes and QOS
        keep their names. Equal names become equal ones, so that forecasts stay what they are.
        """
        return replace(
            snapshot,
            provenance=self._provenance(snapshot.provenance),
            nodes=tuple(map(self._node, snapshot.nodes)),
            partitions=tuple(map(self._partition, snapshot.partitions)),
            pending=tuple(map(self.job, snapshot.pending)),
            running=tuple(map(self.job, snapshot.running)),
            finished=tuple(map(self.job, snapshot.finished)),
            associations=tuple(map(self._association, snapshot.associations)),
            reservations=tuple(map(self._reservation, snapshot.reservations)),
        )

    def job(self, job: Job) -> Job:
        """Return the job as somebody else's."""
        spec = replace(
            job.spec,
            user=self._other("u", job.spec.user),
            account=self._other("a", job.spec.account),
            group=self._other("g", job.spec.group),
            name=Untrusted(self._other("j", job.spec.name.raw)),
            comment=Untrusted(""),
            reservation=",".join(self._others("r", choices(job.spec.reservation))),
        )
        return replace(job, spec=spec)

    def _association(self, one: Association) -> Association:
        return replace(
            one,
            account=self._other("a", one.account),
            user=self._other("u", one.user),
            parent=self._other("a", one.parent),
        )

    def _reservation(self, one: Reservation) -> Reservation:
        return replace(
            one,
            name=self._other("r", one.name),
            users=self._others("u", one.users),
            groups=self._others("g", one.groups),
            accounts=self._others("a", one.accounts),
        )

    def _partition(self, one: Partition) -> Partition:
        return replace(
            one,
            allow_accounts=self._others("a", one.allow_accounts),
            deny_accounts=self._others("a", one.deny_accounts),
            allow_groups=self._others("g", one.allow_groups),
            group_members=self._others("u", one.group_members),
        )

    def _node(self, one: Node) -> Node:
        return replace(one, owner=self._other("u", one.owner), reason="")

    def _provenance(self, one: Provenance) -> Provenance:
        return replace(
            one,
            account=self._other("u", one.account),
            hidden=tuple(replace(each, why="") for each in one.hidden),
            quarantined=tuple(replace(each, example="") for each in one.quarantined),
        )

    def _others(self, kind: str, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(self._other(kind, name) for name in names)

    def _other(self, kind: str, name: str) -> str:
        if name in KEPT:
            return name
        # Who is kept out is named with a sign before.
        sign, plain = (name[0], name[1:]) if name[0] in "-+" else ("", name)
        told = plain.encode(errors="surrogatepass")
        made = hashlib.blake2b(told, key=self._key, person=kind.encode(), digest_size=5)
        return f"{sign}{kind}{made.hexdigest()}"


def read_key(file: Path) -> Pseudonyms:
    """Return pseudonyms by the key in a file, less blanks around it. Raises StorageError."""
    try:
        return Pseudonyms(file.read_bytes().strip())
    except OSError as error:
        raise StorageError(f"{file}: cannot be read: {error.strerror}") from error
