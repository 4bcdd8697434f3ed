"""The end of the window, behind which a pass that looks ahead plans nobody."""

from engine_scenes import Scene, busy, job


def look(jobs, running, **more):
    return Scene(jobs, running, **more).look()


def test_who_starts_beyond_the_window_is_told_but_not_protected():
    jobs = {"wide": job(4, 600), "small": job(1, 600)}
    running = {"r": busy(0b0111, 500)}
    assert look(jobs, running, window_s=499) == {"wide": 500, "small": 0}
    assert look(jobs, running, window_s=501) == {"wide": 500}


def test_who_starts_just_when_the_window_ends_is_told_but_not_protected():
    jobs = {"wide": job(4, 600), "small": job(1, 600)}
    running = {"r": busy(0b0111, 500)}
    assert look(jobs, running, window_s=500) == {"wide": 500, "small": 0}
    assert look(jobs, running, window_s=540, step_s=60) == {"wide": 500}
    assert look(jobs, running, window_s=530, step_s=500) == {"wide": 500, "small": 0}


def test_that_a_slot_ends_with_the_window_opens_nothing_and_fills_no_table():
    jobs = {"a": job(4, 100), "b": job(4, 100), "now": job(1, 49)}
    running = {"r": busy(0b0111, 50)}
    assert look(jobs, running, entries_max=3, window_s=150) == {"a": 50, "now": 0}
    assert look(jobs, running, entries_max=3, window_s=151) == {"a": 50, "b": 150}
