"""A slurm.conf, or a piece of one, as a proposed change."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from collectors.slurm.amending.judging import WORDS, named, unheeded, unknown
from collectors.slurm.amending.words import completed, gone, in_lists, no_numbers
from collectors.slurm.coverage.written import written
from collectors.slurm.files.conf import Conf, load
from collectors.slurm.files.dump import is_dump
from collectors.slurm.files.overlay import overlaid
from collectors.slurm.files.spoken import spoken_partition, spoken_settings
from predictor.domain import Snapshot
from predictor.domain.amendment import Amendment
from predictor.errors import SourceError


def read(path: Path) -> Amendment | None:
    """Return what a slurm.conf says; None for a file that sacctmgr wrote. Raises SourceError."""
    conf = load(path)
    text = path.read_text(encoding="utf-8", errors="replace")
    if is_dump(text) or "|" in text.partition("\n")[0]:
        return None
    if not conf.lines and not conf.remarks:
        raise SourceError(f"{path}: no setting in it")
    plain = tuple(written(conf))
    said = tuple(in_lists(plain))
    aside = dict(unheeded(said))
    return Amendment(
        said=_named(conf),
        faults=(*map(str, conf.remarks), *unknown(said), *no_numbers(plain)),
        without_effect=aside,
        replaces=(f"{WORDS} ",) if conf.value(WORDS) else (),
        over=partial(_over, conf),
        told=partial(_told, conf, frozenset(aside)),
    )


def _over(conf: Conf, snapshot: Snapshot) -> Snapshot:
    under, remarks = overlaid(snapshot, completed(conf, _parameters(snapshot)))
    if strange := [one for one in remarks if one not in conf.remarks]:
        raise SourceError("; ".join(map(str, strange)))
    return under


def _told(conf: Conf, aside: frozenset[str], snapshot: Snapshot) -> Mapping[str, str]:
    """Return what the snapshot says under the names of the file, as the file spells what is so.

    Of the settings `aside` a snapshot says nothing.
    """
    # Of its words a controller tells all: the others are not set.
    found = {name: "" for name in _named(conf) if name.startswith(f"{WORDS} ")}
    found |= dict(_spoken(snapshot))
    for line in conf.lines:
        alone = Conf(lines=(line,), files=conf.files)
        under, _ = overlaid(snapshot, completed(alone, _parameters(snapshot)))
        if _configured(under) == _configured(snapshot):
            found |= {name: one for name, one in _named(alone).items() if name not in aside}
    return found


def _named(conf: Conf) -> Mapping[str, str]:
    """Return what files say, by names in full; of a word that is taken away: nothing."""
    said = tuple(written(conf))
    taken = {f"{WORDS} {word}": "" for word in gone(said)}
    return {**dict(named(in_lists(said))), **taken}


def _parameters(snapshot: Snapshot) -> str:
    """Return the words of the scheduler's parameters, as one line."""
    return spoken_settings(snapshot.settings, snapshot.provenance.version)[WORDS]


def _configured(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.settings, snapshot.nodes, snapshot.partitions, snapshot.licenses


def _spoken(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    for key, value in spoken_settings(snapshot.settings, snapshot.provenance.version).items():
        if key != WORDS:
            yield key, value
    for name, value in snapshot.settings.parameters:
        yield f"{WORDS} {name}", value or "yes"
    for partition in snapshot.partitions:
        for key, value in spoken_partition(partition).items():
            yield f"partition {partition.name} {key}", value
