"""One queue under several schedulers, and site files with wrong numbers."""

import pytest
from other_systems import FILES, LOADLEVELER, MAUI, OPENPBS, STRICT, busy, job, starts

from predictor.domain import PassSettings, SchedulerSettings
from predictor.site import load

#      n1 n2 n3 n4      queue, by submission: 1 wide (3 nodes), 2 long (2 nodes, an hour),
#   0  r  r  .  .       3 ends before n1 and n2 are free, 4 is short and another user's
#  30  .  .  .  .
QUEUE = (
    job("1", "ada", 3, 60, 60),
    job("2", "ada", 2, 60, 50),
    job("3", "ada", 2, 25, 40),
    job("4", "bob", 2, 15, 30),
)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        pytest.param(
            "slurm.toml",
            {"1": 30, "2": 90, "3": 0, "4": 90},
            id="slurm: by submission; 3 is gone when 1 has its slot, the others come after",
        ),
        pytest.param(
            STRICT,
            {"1": 30, "2": 90, "3": 0, "4": 90},
            id="openpbs strict: the same here, 1 and 2 being the top jobs",
        ),
        pytest.param(
            OPENPBS,
            {"1": 70, "2": 0, "3": 30, "4": 55},
            id="openpbs: who fits runs, so 2, then 3 and 4; nothing is kept free for 1",
        ),
        pytest.param(
            MAUI,
            {"1": 40, "2": 100, "3": 15, "4": 0},
            id="maui: short jobs have the greatest XFACTOR: 4, then 3, 1, 2",
        ),
        pytest.param(
            LOADLEVELER,
            {"1": 30, "2": 90, "3": 90, "4": 0},
            id="loadleveler: ada's later steps rank behind 4; 1 is the top dog",
        ),
    ],
)
def test_one_queue_under_four_schedulers(file, expected):
    told = SchedulerSettings(passes=PassSettings())
    made = starts(load(FILES / file), *QUEUE, busy("n1 n2", 30), settings=told)
    assert {id_: int(minute) for id_, minute in made.items()} == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "[policy]\nname = 'easy'\nreservationdepth = 1",
            "3: policy.reservationdepth: unknown key, did you mean 'reservations'?",
        ),
        (
            "[policy]\n\nreservations = -1",
            '3: policy.reservations: expected a whole number or "all", got -1',
        ),
        (
            "[policy]\neligible_per_user = 0",
            "2: policy.eligible_per_user: expected at least 1, got 0",
        ),
        (
            "[policy]\nqueued_per_user = 'ALL'",
            '2: policy.queued_per_user: expected a whole number, got "ALL"',
        ),
        (
            "[policy]\npass_every_s = 0",
            "2: policy.pass_every_s: expected at least 1, got 0",
        ),
        (
            "[policy]\nfilling = 'bestfit'",
            "2: policy.filling: expected 'first', 'best' or 'greedy', got \"bestfit\", "
            "did you mean 'best'?",
        ),
        (
            "[priority]\nformula = 'nodes'\nas_of = 'queueing'",
            "3: priority.as_of: expected 'now' or 'submission', got \"queueing\"",
        ),
        ("[priority]\nas_of = 'now'", "2: priority.as_of: there is no formula to work out"),
        (
            "[priority]\nformula = 'nodes + fairshare'\nas_of = 'submission'",
            "3: priority.as_of: the formula's fairshare is not known as of the submission",
        ),
    ],
)
def test_a_wrong_number_is_told_with_its_line(text, fault, faults):
    assert faults(text) == [fault]


def test_an_unknown_attribute_is_told_with_its_line(faults):
    first = faults("\n[priority]\nformula = 'queuetime * 2'")[0]
    assert first.startswith("3: priority.formula: ")
    assert "queuetime" in first
