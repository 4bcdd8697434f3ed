"""The settings in a controller's answers and in accounting's tables."""

from collections.abc import Iterator, Mapping, Sequence

from collectors.slurm import questions
from collectors.slurm.coverage.findings import Said
from collectors.slurm.files.dump import rows
from collectors.slurm.files.lines import Remark
from collectors.slurm.text.config import config_keys
from collectors.slurm.text.records import Record, some_records, some_rows
from collectors.slurm.text.topology import other_kind

QUESTIONS = (
    questions.CONFIG,
    questions.PARTITIONS,
    questions.QOS,
    questions.ASSOCIATIONS,
    questions.TOPOLOGY,
)
"""Whose answers tell settings; the first must be answered, and the last may be that none is."""


def told(printed: Mapping[str, str]) -> Iterator[Said]:
    """Yield the settings in answers, by the name of the question."""
    for key, value in config_keys(printed.get(questions.CONFIG.name, "")).items():
        yield Said(scope="settings", key=key.partition("[")[0], value=value)
    if kind := other_kind(printed.get(questions.TOPOLOGY.name, "")):
        # From 25.05 on topology.yaml decides, whatever the plugin is said to be.
        yield Said(scope="settings", key="TopologyPlugin", value=f"topology/{kind}")
    for partition in some_records(printed.get(questions.PARTITIONS.name, ""), "PartitionName"):
        for key, value in partition.items():
            yield Said(scope="partition", key=key, value=value, of=partition["PartitionName"])
    yield from in_table(printed.get(questions.QOS.name, ""))
    yield from in_table(printed.get(questions.ASSOCIATIONS.name, ""))


def in_dump(text: str, place: str) -> tuple[list[Said], list[str]]:
    """Return what a file of `sacctmgr dump` sets, and what of it could not be read."""
    said: list[Said] = []
    remarks: list[str] = []
    for row in rows(text, place):
        if isinstance(row, Remark):
            remarks.append(str(row))
            continue
        of, where = _whose(row.record), str(row.place)
        said += (
            Said(scope="association", key=key, value=value, of=of, place=where)
            for key, value in row.record.items()
            if value
        )
    return said, remarks


def in_table(text: str, place: str = "") -> Iterator[Said]:
    """Yield what a table of `sacctmgr -P` sets; nothing for what is not set."""
    scope = scope_of(text)
    for row in some_rows(text):
        of = row.get("Name", "") if scope == "qos" else _whose(row)
        for key, value in row.items():
            if value:
                yield Said(scope=scope, key=key, value=value, of=of, place=place)


def scope_of(text: str) -> str:
    """Return whether a table of sacctmgr's is about `qos` or `association`."""
    return "association" if "Account" in columns(text) else "qos"


def columns(text: str) -> Sequence[str]:
    """Return what a table has columns for."""
    return text.partition("\n")[0].split("|")


def _whose(row: Record) -> str:
    words = (row.get("Account", ""), row.get("User", ""), row.get("Partition", ""))
    return "/".join(filter(None, words))
