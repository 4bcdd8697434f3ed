"""What follows from LoadLeveler's rules, by the ready site file."""

from dataclasses import replace

from clusters import MINUTE, NOW, nodes, partition, running
from other_systems import DEEP, LOADLEVELER, busy, job, ready, starts


def at_work(name, submitted, started):
    """A job of ada's that ends at 30; submitted and started so many minutes ago."""
    one = running(f"r{name}", name, 30, user="ada", submitted_at=NOW - submitted * MINUTE)
    request = replace(one.spec.request, limit_s=(started + 30) * MINUTE)
    spec = replace(one.spec, request=request)
    return replace(one, spec=spec, started_at=NOW - started * MINUTE)


def test_loadleveler_works_sysprio_out_when_a_step_is_queued():
    """When ada queued, nothing of hers ran or waited before; the two began afterwards.

    SYSPRIO -3600 for her step, as for bob's, and hers is older. As of now hers would be -10800.
    """
    jobs = (job("ada's", "ada", 2, 60, 100), job("bob's", "bob", 2, 60, 90))
    later = at_work("n1", 80, 10), at_work("n2", 80, 10)
    assert starts(ready(LOADLEVELER), *jobs, *later, count=2) == {"ada's": 30, "bob's": 90}
    now = ready(LOADLEVELER, priority={"as_of": "now"})
    assert starts(now, *jobs, *later, count=2) == {"bob's": 30, "ada's": 90}


def test_loadleveler_counts_the_steps_a_user_had_at_queueing():
    """The two were there already, one running and one waiting then: -10800 and an hour ahead."""
    jobs = (job("ada's", "ada", 2, 60, 100), job("bob's", "bob", 2, 60, 50))
    before = at_work("n1", 200, 110), at_work("n2", 200, 90)
    assert starts(ready(LOADLEVELER), *jobs, *before, count=2) == {"bob's": 30, "ada's": 90}


def test_loadleveler_protects_its_top_dog_only():
    assert starts(ready(LOADLEVELER), *DEEP) == {"top": 30, "second": 120, "filler": 0}
    two = ready(LOADLEVELER, policy={"reservations": 2})
    assert starts(two, *DEEP) == {"top": 30, "second": 90, "filler": 150}


#      n1 n2 | n3 n4    a class for each half; one of its two nodes is free until 30
#   0  r  .  | r  .
def test_loadleveler_may_have_a_top_dog_in_every_class():
    """MAX_TOP_DOGS 1 protects `one` only; a top dog for each class protects `two` as well."""
    members = nodes(4)
    classes = (partition("a", members[:2]), partition("b", members[2:]))
    jobs = (
        job("one", "ada", 2, 60, 300, partitions=("a",)),
        job("two", "bob", 2, 60, 200, partitions=("b",)),
        job("long", "cy", 1, 120, 60, partitions=("b",)),
        busy("n1", 30),
        busy("n3", 30),
    )
    made = starts(ready(LOADLEVELER), *jobs, partitions=classes)
    assert made == {"one": 30, "two": 120, "long": 0}
    by_class = ready(LOADLEVELER, policy={"scope": "partition"})
    assert starts(by_class, *jobs, partitions=classes) == {"one": 30, "two": 30, "long": 90}


def test_loadleveler_looks_at_three_idle_steps_of_a_user():
    """Three wide steps are in the queue: the small fourth follows when the first runs, at 30."""
    wide = [job(f"wide{i}", "ada", 4, 60, 500 - i) for i in range(3)]
    fits = job("fourth", "ada", 1, 30, 60), job("bob's", "bob", 1, 30, 30)
    made = starts(ready(LOADLEVELER), *wide, *fits, busy("n1 n2", 30))
    assert made == {"wide0": 30, "wide1": 90, "wide2": 150, "fourth": 210, "bob's": 0}
    more = ready(LOADLEVELER, policy={"eligible_per_user": 4})
    assert starts(more, *wide, *fits, busy("n1 n2", 30))["fourth"] == 0


def test_loadleveler_counts_running_steps_into_maxqueued():
    """Ada runs three, so one idle step is looked at: `wide`, until they end at 30."""
    runs = [busy(f"n{i}", 30, user="ada") for i in (1, 2, 3)]
    jobs = (job("wide", "ada", 4, 60, 90), job("small", "ada", 1, 30, 60))
    assert starts(ready(LOADLEVELER), *jobs, *runs) == {"wide": 30, "small": 90}
    more = ready(LOADLEVELER, policy={"queued_per_user": 5})
    assert starts(more, *jobs, *runs) == {"wide": 30, "small": 0}


def test_loadleveler_weighs_classes():
    """ClassSysprio 40 * 100 s is more than the hour by which `old` was queued earlier."""
    members = nodes(1)
    queues = tuple(partition(name, members) for name in ("batch", "urgent"))
    new = job("new", "bob", 1, 60, 30, partitions=("urgent",))
    jobs = (job("old", "ada", 1, 60, 90), new, busy("n1", 30))
    plain = ready(LOADLEVELER)
    assert starts(plain, *jobs, count=1, partitions=queues) == {"old": 30, "new": 90}
    weighed = ready(LOADLEVELER, queues=[{"name": "urgent", "job_factor": 40}])
    assert starts(weighed, *jobs, count=1, partitions=queues) == {"new": 30, "old": 90}
