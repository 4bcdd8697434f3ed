"""Hypothesis strategies for the domain: arbitrary values, and snapshots that hang together.

Every strategy is a function, so that a test can say `running_jobs(spec=...)` and leave the rest to
chance. Strings hold any character, NUL and quotes included; ids are unique within a snapshot.
"""

from dataclasses import MISSING

from hypothesis import strategies as st

from predictor.domain import (
    UNLIMITED,
    Abstention,
    ArrayTasks,
    Association,
    BatchEstimate,
    Cause,
    CpuGranularity,
    Dependency,
    DependencyKind,
    Fact,
    Fairshare,
    FinishedJob,
    Forecast,
    HetComponent,
    Hidden,
    Hold,
    JobSpec,
    License,
    Limits,
    Node,
    NodeFlag,
    NodeShare,
    NodeSharing,
    NodeState,
    Obstacle,
    Outcome,
    Partition,
    PartitionState,
    PendingJob,
    Prediction,
    PriorityFactors,
    PriorityWeights,
    Provenance,
    Qos,
    Quarantined,
    Request,
    Reservation,
    ReservationFlag,
    RunningJob,
    RunState,
    SchedulerHealth,
    SchedulerSettings,
    Sharing,
    Snapshot,
    Unpredictable,
    Untrusted,
    Usage,
)

NASTY = (
    "",
    "none",
    "None",
    "%",
    "\\",
    "\\u0000",
    "a,b",
    "(x,1)",
    "a=b",
    "<a & 'b'>",
    '"',
    "\x00",
    " ",
)

texts = st.sampled_from(NASTY) | st.text(st.characters(codec=None), max_size=8)
untrusted = texts.map(Untrusted)
ints = st.integers(min_value=-(2**63), max_value=2**63)
counts = st.integers(min_value=0, max_value=2**40)
instants = st.integers(min_value=0, max_value=2**32) | ints
floats = st.floats(allow_nan=False)
limits_of_one = st.none() | st.just(UNLIMITED) | counts
maybe_int = st.none() | ints


def names(max_size=3):
    return st.lists(texts, max_size=max_size).map(tuple)


def pairs(amounts=ints):
    return st.lists(st.tuples(texts, amounts), max_size=3).map(tuple)


def some(strategy, max_size=3):
    return st.lists(strategy, max_size=max_size).map(tuple)


def sets(enum):
    return st.frozensets(st.sampled_from(enum), max_size=4)


def values(cls, **given):
    """Values of a dataclass whose optional fields are now given, now left at their default."""
    fields = cls.__dataclass_fields__
    optional = {name: given[name] for name in given if fields[name].default is not MISSING}
    required = {name: given[name] for name in given if name not in optional}
    return st.fixed_dictionaries(required, optional=optional).map(lambda kw: cls(**kw))


def requests():
    return values(
        Request,
        nodes=st.integers(1, 10_000),
        cpus=st.integers(1, 1_000_000),
        limit_s=limits_of_one,
        limit_min_s=maybe_int,
        nodes_max=maybe_int,
        cpus_per_node=maybe_int,
        memory_per_node_mb=maybe_int,
        memory_per_cpu_mb=maybe_int,
        gres_per_node=pairs(),
        gres_total=pairs(),
        licenses=pairs(),
        sharing=st.sampled_from(Sharing),
        features=texts,
        required_nodes=names(),
        excluded_nodes=names(),
        contiguous=st.booleans(),
        switches=maybe_int,
    )


def array_tasks():
    return values(
        ArrayTasks,
        job_id=texts,
        tasks=some(st.integers(-5, 50), max_size=12),
        max_running=maybe_int,
    )


def specs(ids=texts):
    return values(
        JobSpec,
        id=ids,
        user=texts,
        request=requests(),
        partitions=names(),
        submitted_at=instants,
        account=texts,
        group=texts,
        qos=texts,
        name=untrusted,
        comment=untrusted,
        reservation=texts,
        eligible_at=st.none() | instants,
        accrues_age_since=st.none() | instants,
        priority=maybe_int,
        nice=ints,
        array=st.none() | array_tasks(),
        het=st.none() | values(HetComponent, job_id=texts, offset=ints),
        restarts=ints,
    )


def pending_jobs(spec=None):
    return values(
        PendingJob,
        spec=specs() if spec is None else spec,
        hold=st.sampled_from(Hold),
        reason=texts,
        obstacle=st.sampled_from(Obstacle),
        begin_at=st.none() | instants,
        dependencies=some(
            values(
                Dependency,
                kind=st.sampled_from(DependencyKind),
                job_id=texts,
                delay_s=ints,
                any_of=st.booleans(),
            )
        ),
        priorities=some(
            values(
                PriorityFactors,
                partition=texts,
                priority=ints,
                age=maybe_int,
                association=maybe_int,
                fairshare=maybe_int,
                job_size=maybe_int,
                partition_points=maybe_int,
                qos=maybe_int,
                site=maybe_int,
                nice=maybe_int,
                tres=pairs(),
            ),
            max_size=2,
        ),
        estimate=values(
            BatchEstimate,
            start_at=st.none() | instants,
            node_names=names(),
            evaluated_at=st.none() | instants,
        ),
    )


def running_jobs(spec=None):
    return values(
        RunningJob,
        spec=specs() if spec is None else spec,
        started_at=instants,
        allocation=some(values(NodeShare, node=texts, cpus=ints, memory_mb=ints, gres=pairs())),
        state=st.sampled_from(RunState),
        suspended_s=ints,
    )


def finished_jobs(spec=None):
    return values(
        FinishedJob,
        spec=specs() if spec is None else spec,
        ended_at=instants,
        outcome=st.sampled_from(Outcome),
        started_at=st.none() | instants,
        node_names=names(),
        exit_code=maybe_int,
    )


def nodes():
    return values(
        Node,
        name=texts,
        cpus=ints,
        memory_mb=ints,
        state=st.sampled_from(NodeState),
        flags=sets(NodeFlag),
        cpus_per_core=ints,
        sockets=ints,
        gres=pairs(),
        features=names(),
        weight=ints,
        cpus_allocated=ints,
        memory_allocated_mb=ints,
        owner=texts,
        reason=texts,
        boot_at=st.none() | instants,
    )


def partitions():
    return values(
        Partition,
        name=texts,
        node_names=names(),
        state=st.sampled_from(PartitionState),
        is_default=st.booleans(),
        tier=ints,
        job_factor=ints,
        max_time_s=limits_of_one,
        default_time_s=limits_of_one,
        min_nodes=ints,
        max_nodes=limits_of_one,
        max_cpus_per_node=limits_of_one,
        sharing=st.sampled_from(NodeSharing),
        jobs_per_cpu=ints,
        exclusive_user=st.booleans(),
        spread=st.booleans(),
        default_memory_per_cpu_mb=maybe_int,
        default_memory_per_node_mb=maybe_int,
        max_memory_per_cpu_mb=maybe_int,
        max_memory_per_node_mb=maybe_int,
        allow_accounts=names(),
        deny_accounts=names(),
        allow_groups=names(),
        allow_qos=names(),
        deny_qos=names(),
        qos=texts,
        grace_s=ints,
        over_time_s=limits_of_one,
        preempt_mode=texts,
        billing_weights=pairs(floats),
    )


def limits():
    bounds = {
        name: limits_of_one if field.default is None else pairs()
        for name, field in Limits.__dataclass_fields__.items()
    }
    return values(Limits, **(bounds | {"min_priority": maybe_int}))


def usages():
    return values(
        Usage,
        jobs=ints,
        submitted=ints,
        wall_minutes=floats,
        tres=pairs(),
        tres_minutes=pairs(),
        tres_run_minutes=pairs(),
    )


def qualities():
    return values(
        Qos,
        name=texts,
        priority=ints,
        limits=limits(),
        usage=st.none() | usages(),
        usage_factor=floats,
        flags=names(),
        preempts=names(),
        preempt_mode=texts,
        grace_s=ints,
        exempt_s=maybe_int,
    )


def associations():
    return values(
        Association,
        account=texts,
        user=texts,
        partition=texts,
        parent=texts,
        shares=maybe_int,
        priority=ints,
        limits=limits(),
        usage=st.none() | usages(),
        fairshare=st.none()
        | values(
            Fairshare,
            shares_norm=st.none() | floats,
            usage_raw=ints,
            usage_norm=st.none() | floats,
            usage_effective=st.none() | floats,
            factor=st.none() | floats,
            level=st.none() | floats,
        ),
        qos=names(),
        default_qos=texts,
    )


def reservations():
    return st.builds(
        lambda start, length, **rest: Reservation(start_at=start, end_at=start + length, **rest),
        start=instants,
        length=counts,
        name=texts,
        node_names=names(),
        cpus=maybe_int,
        flags=sets(ReservationFlag),
        partition=texts,
        users=names(),
        groups=names(),
        accounts=names(),
        licenses=pairs(),
    )


def licenses():
    return values(License, name=texts, total=ints, used=ints, reserved=ints, remote=st.booleans())


def settings_of_schedulers():
    return values(
        SchedulerSettings,
        multifactor=st.booleans(),
        weights=values(
            PriorityWeights,
            age=ints,
            association=ints,
            fairshare=ints,
            job_size=ints,
            partition=ints,
            qos=ints,
            tres=pairs(floats),
        ),
        priority_max_age_s=ints,
        priority_half_life_s=ints,
        priority_period_s=ints,
        priority_usage_reset=texts,
        priority_favor_small=st.booleans(),
        priority_flags=names(),
        fairshare_dampening=ints,
        backfill=st.booleans(),
        granularity=st.sampled_from(CpuGranularity),
        memory_is_consumable=st.booleans(),
        limits_enforced=st.booleans(),
        limits_safe=st.booleans(),
        kill_wait_s=ints,
        over_time_s=limits_of_one,
        complete_wait_s=ints,
        min_job_age_s=ints,
        default_memory_per_cpu_mb=maybe_int,
        default_memory_per_node_mb=maybe_int,
        preempt_type=texts,
        preempt_mode=texts,
        parameters=pairs(texts),
    )


def healths():
    return values(
        SchedulerHealth,
        **{
            name: st.none() | instants if name.endswith("_at") else maybe_int
            for name in SchedulerHealth.__dataclass_fields__
        },
    )


def provenances():
    return values(
        Provenance,
        source=texts,
        account=texts,
        version=texts,
        private=names(),
        hidden=some(values(Hidden, fact=st.sampled_from(Fact), why=texts)),
        quarantined=some(
            values(Quarantined, fact=st.sampled_from(Fact), count=ints, example=texts)
        ),
    )


@st.composite
def snapshots(draw, max_size=3):
    """Snapshots with unique job ids, everything else arbitrary."""
    ids = draw(st.lists(texts, unique=True, max_size=3 * max_size))
    kinds = [draw(st.sampled_from((pending_jobs, running_jobs, finished_jobs))) for _ in ids]
    jobs = [
        draw(kind(spec=specs(ids=st.just(job_id)))) for job_id, kind in zip(ids, kinds, strict=True)
    ]
    return draw(
        values(
            Snapshot,
            cluster=texts,
            taken_at=instants,
            provenance=provenances(),
            nodes=some(nodes(), max_size),
            partitions=some(partitions(), max_size),
            pending=st.just(tuple(j for j in jobs if isinstance(j, PendingJob))),
            running=st.just(tuple(j for j in jobs if isinstance(j, RunningJob))),
            finished=st.just(tuple(j for j in jobs if isinstance(j, FinishedJob))),
            qos=some(qualities(), max_size),
            associations=some(associations(), max_size),
            reservations=some(reservations(), max_size),
            licenses=some(licenses(), max_size),
            settings=settings_of_schedulers(),
            health=st.none() | healths(),
            utc_offset_s=st.integers(-14, 14).map(lambda hours: hours * 3600) | ints,
        )
    )


@st.composite
def forecasts(draw, snapshot):
    """Forecasts for `snapshot`: a prediction or an abstention for each waiting job, or neither."""
    ids = draw(st.permutations([job.spec.id for job in snapshot.pending]))
    ids = ids[: draw(st.integers(0, len(ids)))]
    cut = draw(st.integers(0, len(ids)))
    predictions = [
        draw(
            values(
                Prediction,
                job_id=st.just(job_id),
                start_at=instants,
                end_at=instants,
                partition=texts,
                node_names=names(),
                cause=st.sampled_from(Cause),
                rank=ints,
                last_start_at=st.none() | instants,
            )
        )
        for job_id in ids[:cut]
    ]
    abstentions = [
        draw(
            values(
                Abstention,
                job_id=st.just(job_id),
                cause=st.sampled_from(Unpredictable),
                detail=texts,
            )
        )
        for job_id in ids[cut:]
    ]
    return draw(
        values(
            Forecast,
            cluster=texts,
            snapshot_at=instants,
            policy=texts,
            fingerprint=texts,
            predictions=st.just(tuple(predictions)),
            abstentions=st.just(tuple(abstentions)),
        )
    )
