"""The settings in slurm.conf and in the files beside it."""

from collections.abc import Iterator
from pathlib import Path

from collectors.slurm.coverage.findings import Said
from collectors.slurm.files.conf import RECORDS, Conf, load
from collectors.slurm.files.topology import switches_of_yaml
from predictor.errors import SourceError

SCOPES = {"NodeName": "node", "DownNodes": "node", "PartitionName": "partition"}
"""By the key that begins a record."""
SPELLINGS = {"shared": "OverSubscribe"}
"""Old names of partitions' keys."""
BESIDE = (
    "acct_gather.conf",
    "cgroup.conf",
    "gres.conf",
    "job_container.conf",
    "mpi.conf",
    "oci.conf",
    "plugstack.conf",
    "resources.yaml",
    "topology.conf",
    "topology.yaml",
)
"""Files that Slurm reads where they lie beside slurm.conf."""


def written(conf: Conf) -> Iterator[Said]:
    """Yield the settings of slurm.conf with all that it includes."""
    for setting in conf.settings().values():
        yield Said(scope="settings", key=setting.key, value=setting.value, place=str(setting.place))
    for kind, scope in SCOPES.items():
        for entry in conf.records(kind):
            for key, value in entry.values.items():
                name = SPELLINGS.get(key, entry.written[key])
                place = str(entry.place)
                yield Said(scope=scope, key=name, value=value, of=entry.name, place=place)
    for kind in RECORDS.values():
        if kind not in SCOPES and kind != "NodeSet":
            for entry in conf.records(kind):
                place = str(entry.place)
                yield Said(scope="settings", key=kind, value=entry.name, place=place)


def beside(folder: Path) -> Iterator[Said]:
    """Yield what the other files in the folder of slurm.conf are about."""
    for name in BESIDE:
        path = folder / name
        if not path.is_file():
            continue
        yield Said(scope="files", key=name, value="there", place=str(path))
        try:
            yield from _inside(path)
        except SourceError:
            continue


def _inside(path: Path) -> Iterator[Said]:
    """Yield what a file says that decides on its ruling. Raises SourceError."""
    match path.name:
        case "gres.conf":
            yield from _found_by_nodes(load(path))
        case "topology.conf":
            for block in load(path).records("BlockName")[:1]:
                key, place = "topology.conf of blocks", str(block.place)
                yield Said(scope="files", key=key, value="there", place=place)
        case "topology.yaml":
            for remark in switches_of_yaml(path)[1][-1:]:
                key, place = "topology.yaml beyond one tree", str(remark.place)
                yield Said(scope="files", key=key, value=remark.cause, place=place)


def _found_by_nodes(conf: Conf) -> Iterator[Said]:
    for line in conf.lines:
        for pair in line.pairs:
            if pair.key.lower() == "autodetect":
                key, place = "gres.conf AutoDetect", str(line.place)
                yield Said(scope="files", key=key, value=pair.value, place=place)
