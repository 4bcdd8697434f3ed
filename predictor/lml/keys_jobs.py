"""The keys of jobs and of what is predicted for them.

A key has LML's own name where LML has one for exactly that; ours begin with `x_`, those of
predictions with `x_pred_`. A waiting job's `starttime` and `prenodelist` are the batch system's
estimate, as in LLview's files; an actual start is a `dispatchdate`.
"""

from predictor.domain import (
    Abstention,
    ArrayTasks,
    Awaited,
    BatchEstimate,
    Cause,
    Dependency,
    DependencyKind,
    Explanation,
    FinishedJob,
    HetComponent,
    Hold,
    JobSpec,
    Lately,
    NodeShare,
    Obstacle,
    Outcome,
    Outlook,
    PendingJob,
    Prediction,
    PriorityFactors,
    Request,
    RunningJob,
    RunState,
    Sharing,
    Unpredictable,
)
from predictor.lml.codec import (
    FLAG,
    FLOAT,
    INT,
    LEVELS,
    LIMIT,
    NAMES,
    PART,
    TEXT,
    TRES,
    USERTEXT,
    records,
    word,
)
from predictor.lml.kinds import Key, Kind, Part, PerDocument, own

INSTANT = PerDocument.INSTANT

REQUEST = Kind(
    Request,
    (
        Key("nodes", "numnodes", INT),
        Key("cpus", "totalcores", INT),
        Key("limit_s", "wall", LIMIT),
        *own(INT, "limit_min_s", "cpus_named", "nodes_named", "nodes_max", "cpus_per_node"),
        *own(INT, "cpus_per_core", "tasks_per_node", "memory_per_node_mb", "memory_per_cpu_mb"),
        *own(INT, "tmp_disk_mb", "switches", "switches_wait_s"),
        *own(TRES, "gres_per_node", "gres_total", "licenses", "other_licenses"),
        *own(word(Sharing), "sharing"),
        *own(TEXT, "features"),
        *own(NAMES, "required_nodes", "excluded_nodes", "uncounted"),
        *own(FLAG, "contiguous", "uneven", "scattered"),
    ),
)

ARRAY = Kind(
    ArrayTasks,
    (
        Key("job_id", "ArrayJobId", TEXT),
        Key("tasks", "x_tasks", PerDocument.TASKS),
        Key("max_running", "x_max_running", INT),
    ),
)

HET = Kind(
    HetComponent,
    (Key("job_id", "HetJobId", TEXT), Key("offset", "HetJobOffset", INT)),
)

SPEC = Kind(
    JobSpec,
    (
        Key("id", "step", TEXT),
        Key("user", "owner", TEXT),
        Key("group", "group", TEXT),
        Key("account", "account", TEXT),
        Key("partitions", "queue", NAMES),
        Key("qos", "qos", TEXT),
        Key("name", "name", USERTEXT),
        Key("comment", "comment", USERTEXT),
        Key("reservation", "reservation", TEXT),
        Key("submitted_at", "queuedate", INSTANT),
        Key("eligible_at", "eligdate", INSTANT),
        Key("accrues_age_since", "x_accrues_age_since", INSTANT),
        Key("priority", "userprio", INT),
        Key("nice", "x_nice", INT),
        Key("restarts", "restart", INT),
        *own(FLAG, "can_restart"),
    ),
    (Part("request", REQUEST), Part("array", ARRAY, True), Part("het", HET, True)),
)

ESTIMATE = Kind(
    BatchEstimate,
    (
        Key("start_at", "starttime", INSTANT),
        Key("node_names", "prenodelist", NAMES),
        Key("evaluated_at", "x_estimate_at", INSTANT),
    ),
)

PENDING = Kind(
    PendingJob,
    (
        Key("hold", "x_hold", word(Hold)),
        Key("reason", "reason", TEXT),
        Key("obstacle", "x_obstacle", word(Obstacle)),
        Key("begin_at", "x_begin_at", INSTANT),
        Key("start_by", "x_start_by", INSTANT),
        Key(
            "dependencies",
            "x_dependencies",
            records(Dependency, kind=word(DependencyKind), job_id=PART, delay_s=INT, any_of=FLAG),
        ),
        Key(
            "priorities",
            "x_priorities",
            records(
                PriorityFactors,
                partition=PART,
                priority=INT,
                age=INT,
                association=INT,
                fairshare=INT,
                job_size=INT,
                partition_points=INT,
                qos=INT,
                site=INT,
                nice=INT,
                tres=TRES,
            ),
        ),
    ),
    (Part("spec", SPEC), Part("estimate", ESTIMATE)),
)

RUNNING = Kind(
    RunningJob,
    (
        Key("started_at", "dispatchdate", INSTANT),
        Key(
            "allocation",
            "x_allocation",
            records(NodeShare, node=PART, cpus=INT, memory_mb=INT, gres=TRES),
        ),
        Key("state", "x_run_state", word(RunState)),
        Key("suspended_s", "x_suspended_s", INT),
        Key("stopped_since", "x_stopped_since", INSTANT),
        Key("spared_until", "x_spared_until", INSTANT),
    ),
    (Part("spec", SPEC),),
)

FINISHED = Kind(
    FinishedJob,
    (
        Key("ended_at", "enddate", INSTANT),
        Key("outcome", "x_outcome", word(Outcome)),
        Key("started_at", "dispatchdate", INSTANT),
        Key("node_names", "x_ran_on", NAMES),
        Key("exit_code", "x_exit_code", INT),
    ),
    (Part("spec", SPEC),),
)

AWAITED = records(Awaited, job_id=PART, at=INT, user=PART, nodes=INT, waits=FLAG, starts=FLAG)
"""Instants are in UTC epoch seconds: what stands in a list knows no offset."""

LIFTED_BY = Kind(
    Awaited,
    (
        Key("job_id", "x_pred_lifted_by", TEXT),
        Key("at", "x_pred_lifted_at", INSTANT),
        Key("user", "x_pred_lifted_by_user", TEXT),
        Key("nodes", "x_pred_lifted_nodes", INT),
        Key("waits", "x_pred_lifted_by_waiting", FLAG),
        Key("starts", "x_pred_lifted_by_start", FLAG),
    ),
)

EXPLANATION = Kind(
    Explanation,
    (
        *own(INT, "nodes", "nodes_free", "nodes_down", prefix="x_pred_"),
        *own(AWAITED, "waits_for", "dependencies", "makes_leave", prefix="x_pred_"),
        *own(INT, "waits_for_more", "dependencies_more", "makes_leave_more", prefix="x_pred_"),
        *own(INT, "ahead_jobs", "ahead_node_s", prefix="x_pred_"),
        *own(INT, "let_past_jobs", "let_past_node_s", "passes_jobs", prefix="x_pred_"),
        *own(TEXT, "limit", "reservation", prefix="x_pred_"),
        *own(NAMES, "licenses", "uncounted", prefix="x_pred_"),
        *own(INT, "array_limit", prefix="x_pred_"),
        *own(INSTANT, "reservation_from", "reservation_until", "not_before", prefix="x_pred_"),
        *own(INSTANT, "planned_start", "turn_from", prefix="x_pred_"),
        *own(FLAG, "limit_later", "own_reservation", "any_dependency", prefix="x_pred_"),
        *own(FLAG, "gives_way", prefix="x_pred_"),
    ),
    (Part("lifted_by", LIFTED_BY, True),),
)
"""Why a job starts no earlier; each key means what the field of its name in the domain does."""

LATELY = Kind(
    Lately,
    (
        Key("like", "x_pred_lately_like", TEXT),
        Key("jobs", "x_pred_lately_jobs", INT),
        Key("since_at", "x_pred_lately_since", INSTANT),
        Key("typical_error_s", "x_pred_lately_error_s", INT),
        Key("held80", "x_pred_lately_held80", FLOAT),
    ),
)

OUTLOOK = Kind(
    Outlook,
    (
        Key("likely_at", "x_pred_start_p50", INSTANT),
        Key("low_at", "x_pred_start_p10", INSTANT),
        Key("high_at", "x_pred_start_p90", INSTANT),
        Key("by_at", "x_pred_start_p95", INSTANT),
        Key("quantiles", "x_pred_start_levels", LEVELS),
        Key("basis", "x_pred_basis", TEXT),
    ),
    (Part("lately", LATELY, True),),
)
"""How sure a start is; the levels are pairs of a chance and UTC epoch seconds, `0.1@1763650860`."""

PREDICTION = Kind(
    Prediction,
    (
        Key("start_at", "x_pred_start", INSTANT),
        Key("end_at", "x_pred_end", INSTANT),
        Key("partition", "x_pred_partition", TEXT),
        Key("node_names", "x_pred_nodelist", NAMES),
        Key("cause", "x_pred_cause", word(Cause)),
        Key("rank", "x_pred_rank", INT),
        Key("last_start_at", "x_pred_last_start", INSTANT),
    ),
    (Part("explanation", EXPLANATION, True), Part("outlook", OUTLOOK, True)),
    partial=True,
)

ABSTENTION = Kind(
    Abstention,
    (
        Key("cause", "x_pred_abstains", word(Unpredictable)),
        Key("detail", "x_pred_detail", TEXT),
    ),
    partial=True,
)
