"""A short slice of the campaign against a real controller, and whether it finds a wrong answer."""

import pytest
from campaigns.controller import restarts
from campaigns.findings import main
from live.needs import needs

pytestmark = pytest.mark.live


def test_no_wrong_answer_is_given_whatever_becomes_of_the_controller(capsys):
    needs()
    code = main({"restarts": restarts}, ["restarts", "--cases", "3"])
    assert code == 0, capsys.readouterr().out


def test_a_controller_that_forgets_is_found(capsys):
    needs()
    code = main({"restarts": restarts}, ["restarts", "--cases", "1", "--seeded-fault"])
    assert code == 1, capsys.readouterr().out
