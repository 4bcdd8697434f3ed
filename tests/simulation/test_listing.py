"""The list of all jobs: who is submitted comes to its end, and so do an array's tasks left."""

from dataclasses import replace

from clusters import NOW, array, cluster, running, waiting

from predictor.domain import ArrayTasks
from predictor.opening import opening, staged
from predictor.simulation.listing import places
from predictor.site import default, overlay


def submitted(job, ago_s, **more):
    return replace(job, spec=replace(job.spec, submitted_at=NOW - ago_s, **more))


def runs(id_, node, ago_s, **more):
    return submitted(running(id_, node, 600), ago_s, **more)


def task(id_, node, ago_s):
    base, _, number = id_.partition("_")
    return runs(id_, node, ago_s, array=ArrayTasks(job_id=base, tasks=(int(number),)))


def listed(*jobs):
    """Return the ids of all, as far as the engine is told, in the order of the list."""
    seen = overlay(default(), cluster(9, *jobs))
    play = staged(seen, default(), opening(seen, default())).play
    ids = [role.entrant.id for role in play.roles] + list(play.running_ids)
    people = [*play.tables.waiting, *play.tables.running]
    numbers = {id_: people[i].ordinal for i, id_ in enumerate(ids)}
    assert len(set(numbers.values())) == len(ids)
    return sorted(numbers, key=numbers.__getitem__)


def test_a_task_stands_where_the_rest_of_its_array_was_entered_anew():
    # As Slurm 22.05 listed those who ran; 243_4 had started in between.
    jobs = [runs("856", "n1", 2950), task("243_5", "n2", 30300), runs("864", "n3", 2813)]
    assert listed(*jobs) == ["856", "243_5", "864"]


def test_who_waits_and_who_runs_stand_in_one_list():
    jobs = [
        waiting("1"),
        submitted(waiting("3"), 1200),
        submitted(array("2", 3), 3000),
        runs("4", "n1", 800),
        submitted(waiting("5"), 700),
    ]
    # The first task will keep the place of its record, the others come to the end.
    assert listed(*jobs) == ["1", "3", "2_0", "4", "5", "2_1", "2_2"]


def test_who_was_sent_back_keeps_its_place():
    jobs = [runs("1", "n1", 900), runs("2", "n2", 10, restarts=1), runs("3", "n3", 500)]
    assert listed(*jobs) == ["1", "2", "3"]


def test_records_stand_in_it_as_they_came_and_who_is_to_come_at_its_end():
    rest = submitted(array("2", 3), 3000)
    there = [runs("1", "n1", 3500), task("8_1", "n2", 3100), runs("4", "n3", 800), rest]
    there += [submitted(waiting("3"), 1200), submitted(waiting("5"), 700)]
    coming = [submitted(waiting("6"), -20), submitted(waiting("7"), -10)]
    found = places(cluster(9, *there), coming)
    # Of the rest it is the snapshot that tells where it is.
    assert sorted(found, key=found.__getitem__) == [
        "1",
        "8_1",
        rest.spec.id,
        "3",
        "4",
        "5",
        "7",
        "6",
    ]
    moved = [*there[:3], *there[4:], rest]
    found = places(cluster(9, *moved), coming)
    assert sorted(found, key=found.__getitem__)[-3:] == [rest.spec.id, "7", "6"]
