"""What the kinds of run do: the same as the commands that they are named after."""

from pathlib import Path

import pytest

from verification.experiments.cell import Cell, experiment
from verification.sweep.experiments import Experiments
from verification.sweep.proposing import ANEW
from verification.sweep.replays import Replays
from verification.sweep.trials import Trials
from verification.traces.replay import Policy, replay

TRACE = Path(__file__).parents[1] / "traces" / "kth-sp2-first-300.swf"


@pytest.fixture
def days(recording):
    return Trials().read(recording)


def test_a_replay_is_that_of_bench_swf():
    kind = Replays()
    made = kind.run(kind.read(TRACE), {"policy": "fcfs"}, 1)
    assert made.sha256 == replay(TRACE, Policy.FCFS).starts_sha256


def test_shaken_submissions_keep_the_jobs_and_depend_on_the_seed():
    kind = Replays()
    read = kind.read(TRACE)
    made = [kind.run(read, {"shake_s": 600}, seed) for seed in (1, 2, 1)]
    assert made[0] == made[2] != made[1]
    assert {one.figures["jobs"] for one in made} == {300}
    plain = kind.course(read, {}, 1)
    shaken = kind.course(read, {"shake_s": 600}, 1)
    assert sorted(job.cpus for job in plain.jobs) == sorted(job.cpus for job in shaken.jobs)
    submits = [job.submit_at for job in shaken.jobs]
    assert submits == sorted(submits) and submits[0] == 0


def test_an_experiment_is_that_of_its_command():
    kind, settings = Experiments(), {"scheduler": "easy-sjf", "durations": "true"}
    made = kind.run(kind.read(TRACE), settings, 1)
    told = experiment(Cell(trace=TRACE, **settings), lambda: 0)
    assert made.sha256 == told["sha256"]
    assert made.figures["mean_wait_s"] == told["figures"]["mean_wait_s"]
    course = kind.course(TRACE, settings, 1)
    waits = [job.start_at - job.submit_at for job in course.jobs]
    assert sum(waits) / len(waits) == pytest.approx(made.figures["mean_wait_s"])
    assert len(course.watch.node_cpus) == 100


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scheduler": "esy"}, ("scheduler", "did you mean 'easy'?")),
        ({"cores": 4}, ("cores", "`nodes` is missing")),
        ({"nodes": 4, "machine": "seth"}, ("machine", "`nodes` says already")),
        ({"machine": "setth"}, ("machine", "did you mean 'seth'?")),
    ],
)
def test_what_an_experiment_cannot_be_is_named(settings, said):
    (found,) = Experiments().faults(settings)
    assert found[0] == said[0] and said[1] in found[1]


def test_a_machine_of_a_file_is_named_from_the_grids_folder_on(tmp_path):
    kind = Experiments()
    points = [{"machine": "seth"}, {"machine": "mine.toml"}, {}]
    settled = kind.settled(points, tmp_path)
    assert settled == [{"machine": "seth"}, {"machine": str(tmp_path / "mine.toml")}, {}]
    assert [list(kind.files(one)) for one in settled] == [[], [tmp_path / "mine.toml"], []]


def test_a_trial_lives_through_the_recorded_days(days):
    kind = Trials()
    as_it_was = kind.run(days, {}, 1)
    assert as_it_was == kind.run(days, {}, 1)
    closed = kind.run(days, {"remove_nodes": "n1"}, 1)
    assert closed.figures["mean_wait_s"] > as_it_was.figures["mean_wait_s"]
    assert {one.node_names for one in kind.course(days, {}, 1).jobs} > {("n1", "n2", "n3", "n4")}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"PriorityWeightAgge": 3}, ("PriorityWeightAgge", "")),
        ({"MaxJobCount": 3, "PriorityWeightAgge": 3}, ("PriorityWeightAgge", "")),
        ({"qos.low.GrpTRESS": "node=3"}, ("qos.low.GrpTRESS", "")),
        ({"partition.batch.MaxTimes": 3}, ("partition.batch.MaxTimes", "")),
        ({"priority": 3}, ("priority", "expected a key of slurm.conf")),
        (
            {"SchedulerParameters.bf_window": 3, "SchedulerParameters.bf_windwo": 3},
            ("SchedulerParameters.bf_windwo", "bf_windwo: not known"),
        ),
        (
            {"SchedulerParameters.bf_window": "far"},
            ("SchedulerParameters.bf_window", "bf_window: expected a whole number, not 'far'"),
        ),
        ({"SchedulerParameters.bf_off": False}, ("SchedulerParameters.bf_off", "not known")),
        ({"PriorityFlags.bf_window": 3}, ("PriorityFlags.bf_window", "not known")),
        ({"site.policy.depth_": 3}, ("site.policy.depth_", "")),
        ({"config": "/nowhere.conf"}, ("config", "/nowhere.conf")),
    ],
)
def test_settings_that_the_batch_system_does_not_have_are_named(settings, said):
    found = list(Trials().faults(settings))
    assert found, settings
    assert {name for name, _ in found} == {said[0]}
    assert said[1] in found[0][1]


@pytest.mark.parametrize(
    "settings",
    [
        {"PriorityWeightAge": 3000, "SchedulerParameters": "bf_interval=60"},
        {"SchedulerParameters.bf_window": 2880, "SchedulerParameters.bf_continue": False},
        {"qos.low.GrpTRES": "node=3", "qos.low.MaxJobsPU": 3},
        {"partition.batch.MaxTime": "2:00:00"},
        {"site.policy.reservations": 3},
        {"add_nodes": "", "remove_nodes": ""},
    ],
)
def test_settings_that_it_has_are_taken(settings):
    assert list(Trials().faults(settings)) == []


@pytest.mark.parametrize(
    "settings",
    [
        {"MaxArraySize": 3, "PriorityWeightAge": "much"},
        {"PriorityWeightAge": 3, "partition.batch.MaxTime": "long"},
        {"PriorityWeightAge": 3, "remove_nodes": "n1,nowhere"},
    ],
)
def test_values_that_make_no_sense_of_the_recorded_cluster_are_named(days, settings):
    ((name, what),) = Trials().misfits(days, settings)
    assert name == list(settings)[1]
    assert "queuecast-sweep" not in what


def test_where_one_point_ranks_otherwise_all_are_ranked_anew(tmp_path):
    kind = Trials()
    plain = [{"remove_nodes": ""}, {"remove_nodes": "n1"}]
    assert kind.settled(plain, tmp_path) == plain
    ranking = [{"qos.low.Priority": 3}, {"qos.low.Priority": 4}]
    assert all(point[ANEW] is True for point in kind.settled(ranking, tmp_path))
    files = kind.settled([{"config": "new.conf"}], tmp_path)
    assert files == [{"config": str(tmp_path / "new.conf"), ANEW: True}]
    assert list(kind.files(files[0])) == [tmp_path / "new.conf"]


def test_the_content_of_a_recording_counts_and_nothing_else(recording):
    kind = Trials()
    before = kind.digest(recording)
    (recording / "note").write_text("nothing")
    assert kind.digest(recording) == before
    (segment,) = recording.glob("*.qcr")
    segment.write_bytes(segment.read_bytes() + b"\0")
    assert kind.digest(recording) != before
