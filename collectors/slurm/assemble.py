"""From the commands' answers to a snapshot. A pure function."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from collectors.slurm import questions
from collectors.slurm.joblists import jobs_told
from collectors.slurm.library import nodes as library_nodes
from collectors.slurm.library import questions as library
from collectors.slurm.library import settings as library_settings
from collectors.slurm.library import tables as library_tables
from collectors.slurm.objects import config as config_json
from collectors.slurm.objects import diagnosis as diagnosis_json
from collectors.slurm.objects import licenses as licenses_json
from collectors.slurm.objects import limits as limits_json
from collectors.slurm.objects import partitions as partitions_json
from collectors.slurm.objects import reservations as reservations_json
from collectors.slurm.objects import shares as shares_json
from collectors.slurm.objects.nodes import combined, one_by_one
from collectors.slurm.objects.nodes import parse_nodes as parse_nodes_json
from collectors.slurm.owners import beside_own
from collectors.slurm.partitioned import as_asked, partitioned
from collectors.slurm.questions import Answers
from collectors.slurm.reading import Reading
from collectors.slurm.rest import questions as rest
from collectors.slurm.rest.plan import hidden_in
from collectors.slurm.returns import with_returns
from collectors.slurm.text.assoc_mgr import UsageNow, parse_usage
from collectors.slurm.text.config import Configuration, parse_config
from collectors.slurm.text.groups import parse_groups, with_members
from collectors.slurm.text.licenses import parse_licenses
from collectors.slurm.text.limits import completed, parse_associations, parse_qos
from collectors.slurm.text.nodes import parse_nodes as parse_nodes_text
from collectors.slurm.text.partitions import parse_partitions
from collectors.slurm.text.reservations import parse_reservations
from collectors.slurm.text.sdiag import Diagnosis, parse_diagnosis
from collectors.slurm.text.sshare import ShareTree, grown, parse_shares
from collectors.slurm.text.topology import parse_topology, under_switches
from collectors.slurm.words.versions import enforced
from collectors.slurm.words.visibility import ALL_PRIVATE, hidden_from
from predictor.domain import (
    Association,
    License,
    Node,
    Partition,
    Provenance,
    Qos,
    Quarantined,
    Reservation,
    RunningJob,
    SchedulerHealth,
    SchedulerSettings,
    Snapshot,
)
from predictor.errors import SourceError

DIAGNOSES = (
    (questions.DIAGNOSIS, parse_diagnosis),
    (rest.DIAGNOSIS, diagnosis_json.parse_diagnosis),
    (library.DIAGNOSIS, library_settings.parse_diagnosis),
)
"""The ways in which the scheduler's statistics may be told."""
UNTOLD = Configuration(cluster="", version="", settings=SchedulerSettings())


def assemble(
    answers: Answers,
    *,
    taken_at: int,
    source: str,
    account: str = "",
    utc_offset_s: int | None = None,
) -> Snapshot:
    """Return the snapshot that the answers make. Raises SourceError without jobs or nodes.

    `account` is who asked; empty: unknown. `utc_offset_s` is the site's; None: that of the
    times printed in the answers.
    """
    reading = Reading(answers)
    config = _config(reading)
    diagnosis = reading.optional(None, *DIAGNOSES)
    printed_offset_s = diagnosis.offset_s if diagnosis else 0
    nodes = _with_topology(reading, config, _nodes(reading, config, printed_offset_s))
    partitions = _partitions(reading, config, nodes)
    reservations = _reservations(reading, nodes, printed_offset_s)
    jobs = jobs_told(reading, config, nodes, taken_at, printed_offset_s)
    usage = reading.optional(UsageNow(), (questions.USAGE, parse_usage))
    cluster = config.cluster or jobs.cluster
    qos = _qos(reading, usage, config.version)
    associations = _associations(reading, cluster, usage)
    licenses = _licenses(reading, config, jobs.running)
    return Snapshot(
        cluster=cluster,
        taken_at=taken_at,
        provenance=_provenance(reading, config, usage, source, account),
        nodes=with_returns(
            nodes,
            jobs.running,
            taken_at,
            boot_s=config.reboots_s,
            dozes_s=config.settings.dozes_s,
        ),
        partitions=partitions,
        pending=as_asked(jobs.pending, partitions),
        running=beside_own(jobs.running, nodes, partitions),
        finished=jobs.finished,
        qos=qos,
        associations=associations,
        reservations=reservations,
        licenses=licenses,
        settings=config.settings,
        health=_health(diagnosis, config) if diagnosis else None,
        utc_offset_s=printed_offset_s if utc_offset_s is None else utc_offset_s,
    )


def _config(reading: Reading) -> Configuration:
    """Return the configuration; of one not told the cluster and version that slurmrestd tells."""
    config = reading.optional(
        UNTOLD,
        (questions.CONFIG, parse_config),
        (library.CONFIG, library_settings.parse_config),
        (rest.CONFIG, config_json.parse_config),
    )
    if config is not UNTOLD or not reading.has(rest.DIAGNOSIS):
        return config
    return reading.optional(UNTOLD, (rest.DIAGNOSIS, config_json.parse_about))


def _health(diagnosis: Diagnosis, config: Configuration) -> SchedulerHealth:
    """Return the scheduler's statistics, with its start if the configuration tells it."""
    if config.booted_at is None:
        return diagnosis.health
    return replace(diagnosis.health, started_at=config.booted_at - diagnosis.offset_s)


def _nodes(reading: Reading, config: Configuration, offset_s: int) -> tuple[Node, ...]:
    parse_text = partial(parse_nodes_text, offset_s=offset_s)
    if reading.has(rest.NODES):
        nodes = reading.needed((rest.NODES, parse_nodes_json))
        if reading.has(questions.NODES_TEXT):
            nodes = combined(nodes, reading.several((questions.NODES_TEXT, parse_text)))
    elif reading.has(library.NODES):
        nodes = reading.needed((library.NODES, library_nodes.parse_nodes))
    elif _as_text(reading, config):
        nodes = reading.needed((questions.NODES_TEXT, parse_text))
    else:
        now = reading.needed((questions.NODES, parse_nodes_json))
        nodes = combined(now, reading.several((questions.NODES_TEXT, parse_text)))
    if not nodes:
        raise SourceError("the cluster shows no nodes at all; PrivateData may hide them")
    return nodes


def _as_text(reading: Reading, config: Configuration) -> bool:
    """Return whether text alone tells of nodes: as asked for, or as JSON does not tell of each."""
    if reading.has(questions.JOBS_TABLE) or config.groups_nodes:
        return True
    return config is UNTOLD and _grouped(reading)


def _grouped(reading: Reading) -> bool:
    return not (reading.has(questions.NODES) and reading.needed((questions.NODES, one_by_one)))


def _with_topology(
    reading: Reading, config: Configuration, nodes: tuple[Node, ...]
) -> tuple[Node, ...]:
    asked = config.may_have_tree and reading.asked(questions.TOPOLOGY)
    if not config.has_tree and not asked:
        return nodes
    return under_switches(nodes, reading.several((questions.TOPOLOGY, parse_topology)))


def _partitions(
    reading: Reading, config: Configuration, nodes: Iterable[Node]
) -> tuple[Partition, ...]:
    found = reading.several(
        (questions.PARTITIONS, parse_partitions),
        (rest.PARTITIONS, partitions_json.parse_partitions),
        (library.PARTITIONS, library_tables.parse_partitions),
    )
    if reading.asked(questions.GROUPS):
        members = reading.several((questions.GROUPS, parse_groups))
        found = with_members(found, members, config.slurm_user)
    return partitioned(found, config, nodes)


def _reservations(
    reading: Reading, nodes: Iterable[Node], offset_s: int
) -> tuple[Reservation, ...]:
    cpus = {node.name: node.cpus for node in nodes}
    parse = partial(parse_reservations, cpus=cpus, offset_s=offset_s)
    parse_json = partial(reservations_json.parse_reservations, cpus=cpus)
    parse_library = partial(library_tables.parse_reservations, cpus=cpus)
    return reading.several(
        (questions.RESERVATIONS, parse),
        (rest.RESERVATIONS, parse_json),
        (library.RESERVATIONS, parse_library),
    )


def _qos(reading: Reading, usage: UsageNow, version: str) -> tuple[Qos, ...]:
    found = reading.several((questions.QOS, parse_qos), (rest.QOS, limits_json.parse_qos))
    return tuple(
        replace(
            qos,
            limits=completed(enforced(qos.limits, version), usage.bounds_of_qos.get(qos.name)),
            usage=usage.qos.get(qos.name),
        )
        for qos in found
    )


def _associations(reading: Reading, cluster: str, usage: UsageNow) -> tuple[Association, ...]:
    parse = partial(parse_associations, cluster=cluster)
    parse_json = partial(limits_json.parse_associations, cluster=cluster)
    parse_library = partial(library_tables.parse_associations, cluster=cluster)
    found = reading.several(
        (questions.ASSOCIATIONS, parse),
        (rest.ASSOCIATIONS, parse_json),
        (library.ASSOCIATIONS, parse_library),
    )
    tree = reading.optional(
        ShareTree(), (questions.SHARES, parse_shares), (rest.SHARES, shares_json.parse_shares)
    )
    return tuple(
        replace(
            one,
            limits=completed(one.limits, usage.bounds_of_associations.get(whose)),
            usage=usage.associations.get(whose),
        )
        for one in grown(found, tree)
        for whose in [(one.account, one.user, one.partition)]
    )


def _licenses(
    reading: Reading, config: Configuration, running: Sequence[RunningJob]
) -> tuple[License, ...]:
    """Return the pools; if nobody tells of them, those configured, used by who runs."""
    asked = (questions.LICENSES, rest.LICENSES, library.LICENSES)
    if not config.has_licenses and not any(map(reading.has, asked)):
        return ()
    told = reading.several(
        (questions.LICENSES, parse_licenses),
        (rest.LICENSES, licenses_json.parse_licenses),
        (library.LICENSES, library_tables.parse_licenses),
    )
    if told:
        return told
    used = Counter[str]()
    for job in running:
        used.update(dict(job.spec.request.licenses))
    return tuple(replace(pool, used=used[pool.name]) for pool in config.pools)


def _provenance(
    reading: Reading, config: Configuration, usage: UsageNow, source: str, account: str
) -> Provenance:
    private = hidden_from(
        account,
        private=config.private,
        slurm_user=config.slurm_user,
        admin_level=usage.admin_levels.get(account, ""),
    )
    return Provenance(
        source=source,
        account=account,
        version=config.version,
        private=config.private if config.private_told else ALL_PRIVATE,
        hidden=tuple(dict.fromkeys((*reading.hidden, *hidden_in(reading), *private))),
        quarantined=_merged(reading.quarantined),
    )


def _merged(notes: Iterable[Quarantined]) -> tuple[Quarantined, ...]:
    """Return one note per kind of fact, with the first example."""
    merged: dict[str, Quarantined] = {}
    for note in notes:
        known = merged.get(note.fact.value)
        merged[note.fact.value] = replace(known, count=known.count + note.count) if known else note
    return tuple(merged.values())
