"""Who is in which group, out of `getent group`, for partitions that take the jobs of some only."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from collectors.slurm import questions
from collectors.slurm.questions import Question
from collectors.slurm.words.quarantine import sorted_out
from predictor.domain import Fact, Partition, Quarantined
from predictor.errors import SourceError

SUPERUSER = "root"
"""Whose jobs every partition takes."""

Reader = Callable[[str], tuple[tuple[Partition, ...], tuple[Quarantined, ...]]]
Members = tuple[str, tuple[str, ...]]
"""A group, and its users but for those of whom it is the first group."""


def asked_of(partitions: Iterable[Partition]) -> Iterator[Question]:
    """Yield the question after the groups that partitions name, if any does."""
    names = sorted({name for one in partitions for name in one.allow_groups})
    if names:
        yield replace(questions.GROUPS, argv=(*questions.GROUPS.argv, *names))


def asked_by(known: Mapping[str, str], *ways: tuple[Question, Reader]) -> Iterator[Question]:
    """Yield the same by the first of the answers there is; nothing if that cannot be read."""
    for question, parse in ways:
        if question.name in known:
            try:
                yield from asked_of(parse(known[question.name])[0])
            except SourceError:
                return
            return


def parse_groups(text: str) -> tuple[tuple[Members, ...], tuple[Quarantined, ...]]:
    """Return the groups."""
    return sorted_out(Fact.PARTITIONS, text.splitlines(), _group)


def _group(line: str) -> Members:
    name, *_, members = parts = line.split(":")
    if len(parts) != 4 or not name:
        raise ValueError(f"not a group: {line[:80]!r}")
    return name, tuple(filter(None, members.split(",")))


def with_members(
    partitions: Iterable[Partition], groups: Iterable[Members], slurm_user: str
) -> tuple[Partition, ...]:
    """Return the partitions with the members of their groups, where all of these are told."""
    told = dict(groups)
    return tuple(
        replace(one, group_members=_members(one.allow_groups, told, slurm_user), groups_told=True)
        if one.allow_groups and told.keys() >= set(one.allow_groups)
        else one
        for one in partitions
    )


def _members(
    names: Iterable[str], told: Mapping[str, tuple[str, ...]], slurm_user: str
) -> tuple[str, ...]:
    everywhere = {SUPERUSER, slurm_user} - {""}
    return tuple(sorted(everywhere.union(*(told[name] for name in names))))
