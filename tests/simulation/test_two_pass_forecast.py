"""The batch system's own scheduler, replayed: limits and priorities that move with the jobs."""

from dataclasses import replace

from clusters import MINUTE, NOW, cluster, nodes, partition, running, waiting

from predictor.domain import (
    Cause,
    Limits,
    NodeSharing,
    Obstacle,
    PassSettings,
    Qos,
    Reservation,
    SchedulerSettings,
    Snapshot,
    Unpredictable,
)
from predictor.forecast import forecast
from predictor.plan import plan
from predictor.site import default

PASSES = PassSettings(interval_s=30, step_s=1)
ENFORCED = SchedulerSettings(passes=PASSES, limits_enforced=True)


def capped(snapshot: Snapshot, **limits: object) -> Snapshot:
    """The same cluster with all jobs in a QOS of these limits."""
    qos = Qos(name="q", limits=Limits(**limits))  # type: ignore[arg-type]
    return replace(
        snapshot,
        settings=ENFORCED,
        qos=(qos,),
        pending=tuple(replace(j, spec=replace(j.spec, qos="q")) for j in snapshot.pending),
        running=tuple(replace(j, spec=replace(j.spec, qos="q")) for j in snapshot.running),
    )


def starts(snapshot: Snapshot) -> dict[str, float]:
    made = forecast(snapshot, default())
    assert made.policy == "two-pass"
    return {p.job_id: (p.start_at - NOW) / MINUTE for p in made.predictions}


def test_one_job_of_a_user_at_a_time():
    # Four nodes, one user who may run one job: one after another, as each ends.
    jobs = running("r", "n1", 20), waiting("1", 1, 10), waiting("2", 1, 10)
    snapshot = capped(cluster(4, *jobs), max_jobs=1)
    assert starts(snapshot) == {"1": 20, "2": 30}
    made = forecast(snapshot, default())
    assert {p.cause for p in made.predictions} == {Cause.LIMIT}


def test_a_limit_on_what_jobs_take_together_is_the_cause_before_nodes_are():
    jobs = running("r", "n1 n2", 20), waiting("1", 3, 10)
    made = forecast(capped(cluster(8, *jobs), group_tres=(("node", 4),)), default())
    assert [p.cause for p in made.predictions] == [Cause.LIMIT]
    made = forecast(capped(cluster(4, *jobs), group_tres=(("node", 4),)), default())
    assert [p.cause for p in made.predictions] == [Cause.LIMIT]
    made = forecast(capped(cluster(4, *jobs), group_tres=(("node", 5),)), default())
    assert [p.cause for p in made.predictions] == [Cause.RESOURCES]


def test_a_limit_comes_before_a_reservation_in_the_way():
    kept = Reservation(
        name="m", start_at=NOW, end_at=NOW + 30 * MINUTE, node_names=("n2", "n3", "n4")
    )
    jobs = running("r", "n1", 20), waiting("1", 1, 10)
    scene = cluster(4, *jobs, reservations=(kept,))
    assert [p.cause for p in forecast(scene, default()).predictions] == [Cause.RESERVATION]
    made = forecast(capped(scene, max_jobs=1), default())
    assert [p.cause for p in made.predictions] == [Cause.LIMIT]


def test_a_limit_on_nodes_lets_pass_who_needs_fewer():
    jobs = running("r", "n1 n2", 20), waiting("1", 3, 10), waiting("2", 1, 10)
    assert starts(capped(cluster(8, *jobs), group_tres=(("node", 4),))) == {"2": 0, "1": 20}


def test_who_alone_exceeds_a_limit_never_starts_and_is_told_which():
    made = forecast(capped(cluster(8, waiting("1", 6)), group_tres=(("node", 4),)), default())
    [abstention] = made.abstentions
    assert abstention.cause is Unpredictable.LIMIT
    assert "QOS q" in abstention.detail


def test_who_exceeds_a_limit_on_nodes_counts_among_those_of_its_user():
    # As logged by a real scheduler, that looks at two of each user: "1" is one of them.
    jobs = running("r", "n1 n2 n3", 20), waiting("1", 4), waiting("2", 3, 9), waiting("3", 1, 9)
    snapshot = capped(cluster(4, *jobs), max_tres_per_job=(("node", 3),))
    most = {n: replace(ENFORCED, passes=replace(PASSES, jobs_max_per_user=n)) for n in (2, 3)}
    found = {n: plan(replace(snapshot, settings=told), default()) for n, told in most.items()}
    assert {n: sorted(announced) for n, announced in found.items()} == {2: ["2"], 3: ["2", "3"]}


def test_a_limit_told_by_the_batch_system_is_worked_out_anew():
    snapshot = capped(cluster(2, waiting("1", obstacle=Obstacle.LIMIT)), max_jobs=1)
    assert starts(snapshot) == {"1": 0}


def test_limits_that_nobody_enforces_do_not_bind():
    snapshot = capped(cluster(2, waiting("1"), waiting("2")), max_jobs=1)
    free = replace(snapshot, settings=replace(ENFORCED, limits_enforced=False))
    assert starts(free) == {"1": 0, "2": 0}


def test_a_slot_on_a_shared_node_delays_more_than_its_cpus_would():
    # One node of 4 CPUs, 3 busy until minute 10. "big" needs 2 then; "late" needs 1 for half an
    # hour and would fit beside, yet a slot takes the whole node. It starts with "big", when the
    # pass in strict order counts CPUs.
    members = nodes(1)
    shared = (partition("batch", members, sharing=NodeSharing.NO),)

    def small(id_: str, cpus: int, minutes: int, priority: int):
        job = waiting(id_, 1, minutes, of_job={"priority": priority})
        request = replace(job.spec.request, cpus=cpus, memory_per_node_mb=100)
        return replace(job, spec=replace(job.spec, request=request))

    busy = running("r", "n1", 10)
    share = replace(busy.allocation[0], cpus=3, memory_mb=100)
    jobs = replace(busy, allocation=(share,)), small("big", 2, 60, 9), small("late", 1, 30, 5)
    snapshot = cluster(1, *jobs, partitions=shared, settings=SchedulerSettings(passes=PASSES))
    assert starts(snapshot) == {"big": 10, "late": 10}


def test_a_long_queue_is_answered_to_the_last_job():
    queue = (waiting(str(n), 1, 10) for n in range(600))
    snapshot = cluster(2, *queue, settings=SchedulerSettings(passes=PASSES))
    assert max(starts(snapshot).values()) == 10 * (600 / 2 - 1)
