"""The harness checked on itself: what a replica decided, it finds again."""

from dataclasses import replace

from clusters import HOUR

from predictor.simulation.story import Story
from predictor.site import default
from verification.fidelity.diagnosis import partings
from verification.fidelity.impossible import check
from verification.fidelity.looks import HORIZON_S, look
from verification.fidelity.report import decision_figures, window_figures, window_of
from verification.fidelity.truth import story_of


def history_of(busy_cluster, performed):
    snapshot, arrivals, run_s = busy_cluster
    return performed(snapshot, Story(run_s=run_s, arrivals=arrivals), snapshot.taken_at + 3 * HOUR)


def test_a_window_of_our_own_decisions_is_found_again_to_the_second(busy_cluster, performed):
    history = history_of(busy_cluster, performed)
    window = look(history, 0, 3 * HOUR, default())
    assert len(window.real) > 30
    assert window.said_at == window.real
    figures = window_figures([window])
    assert figures["within_60s"] == 1.0
    assert (figures["median_s"], figures["p90_s"], figures["sigma_s"]) == (0, 0, 0.0)
    assert figures["kendall_tau"] == 1.0
    assert partings(history, window, default()) == ()


def test_so_are_decisions_but_for_passes_that_a_new_beginning_adds(busy_cluster, performed):
    history = history_of(busy_cluster, performed)
    looks = [look(history, number, HORIZON_S, default()) for number in range(0, 150, 3)]
    figures = decision_figures(looks)
    assert figures["hits"] > 50
    assert figures["precision"] > 0.95
    assert figures["recall"] > 0.95
    first = decision_figures(looks[:1])
    assert (first["precision"], first["recall"], first["within_60s_of_hits"]) == (1.0, 1.0, 1.0)


def test_none_of_our_own_starts_is_impossible(busy_cluster, performed):
    history = history_of(busy_cluster, performed)
    checked = [one for number in range(180) for one in check(history, number, default())]
    assert len(checked) > 25
    assert [one for one in checked if one.verdict] == []


def test_other_jobs_run_times_are_no_truth(busy_cluster, performed):
    snapshot, arrivals, run_s = busy_cluster
    history = history_of(busy_cluster, performed)
    lengths = list(reversed(run_s.values()))
    other = performed(
        snapshot,
        Story(run_s=dict(zip(run_s, lengths, strict=True)), arrivals=arrivals),
        snapshot.taken_at + 3 * HOUR,
    )
    said = look(history, 0, 3 * HOUR, default())
    mixed = window_of(replace(said, real=look(other, 0, 3 * HOUR, default()).real))
    assert mixed.close_share < 0.6
    assert mixed.off_s(0.9) > 600


def test_the_story_holds_no_starts_and_the_snapshot_nothing_that_came_later(
    busy_cluster, performed
):
    history = history_of(busy_cluster, performed)
    snapshot = history.snapshots[60]
    story = story_of(history, 60, snapshot.taken_at + HOUR)
    waiting = {job.spec.id for job in snapshot.pending}
    assert {job.spec.id for job in story.arrivals} & waiting == set()
    assert all(job.spec.submitted_at > snapshot.taken_at for job in story.arrivals)
    assert set(story.ends_at) == {job.spec.id for job in snapshot.running}
    assert history.snapshots[60] is snapshot
