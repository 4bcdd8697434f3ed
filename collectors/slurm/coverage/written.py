"""The settings in slurm.conf and in the files beside it."""

from collections.abc import Iterator
from pathlib import Path

from collectors.slurm.coverage.findings import Said
from collectors.slurm.files.conf import RECORDS, Conf, load
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
TREES_OF_YAML = ("tree:", "flat:")


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
    if path.name not in {"gres.conf", "topology.conf", "topology.yaml"}:
        return
    conf = load(path)
    if path.name == "gres.conf":
        for line in conf.lines:
            for pair in line.pairs:
                if pair.key.lower() == "autodetect":
                    key, place = "gres.conf AutoDetect", str(line.place)
                    yield Said(scope="files", key=key, value=pair.value, place=place)
    if path.name == "topology.conf" and conf.records("BlockName"):
        yield Said(scope="files", key="topology.conf of blocks", value="there", place=str(path))
