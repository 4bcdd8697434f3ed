import threading
import time

import pytest
from services import Scripted, scene

from predictor.errors import SourceError, SourceTimeout
from predictor.service.patience import PatientSource


class Hanging:
    """A source that answers when it is let go."""

    def __init__(self):
        self.go = threading.Event()
        self.looks = 0

    def observe(self):
        self.looks += 1
        self.go.wait(20)
        return Scripted([scene()]).observe()


def test_an_answer_in_time_is_passed_on():
    assert PatientSource(Scripted([scene()]), 5).observe().snapshot == scene()


def test_an_error_is_passed_on():
    with pytest.raises(SourceError, match="no such host"):
        PatientSource(Scripted([SourceError("no such host")]), 5).observe()


def test_a_timeout_of_the_sources_own_is_its_own():
    with pytest.raises(TimeoutError, match="mine"):
        PatientSource(Scripted([TimeoutError("mine")]), 5).observe()


def test_who_hangs_is_not_waited_for_nor_asked_again_until_back():
    hanging = Hanging()
    source = PatientSource(hanging, 0.1)
    with pytest.raises(SourceTimeout, match=r"0\.1 s"):
        source.observe()
    with pytest.raises(SourceTimeout, match="still hangs"):
        source.observe()
    assert hanging.looks == 1
    hanging.go.set()
    time.sleep(0.2)
    assert source.observe().snapshot == scene()


def test_stopping_ends_the_wait():
    hanging = Hanging()
    source = PatientSource(hanging, 20)
    threading.Timer(0.1, source.stop).start()
    with pytest.raises(SourceError, match="ending"):
        source.observe()
    hanging.go.set()
