import threading
import time

import pytest
from services import Scripted, scene

from predictor.domain.source import Told
from predictor.errors import SourceError, SourceTimeout, StorageError
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


class Remembering:
    """A source with accounting that tells of one job after the other, at a pace that is set."""

    past_s = 60

    def __init__(self, pause_s=0.0, then=None):
        self.pause_s = pause_s
        self.then = then

    def observe(self):
        return Scripted([scene()]).observe()

    def ended(self, since, until, take):
        for number in range(since, until):
            time.sleep(self.pause_s)
            take((number,))
        if self.then is not None:
            raise self.then
        return Told()


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


def test_who_ended_is_passed_on_as_it_comes():
    taken = []
    assert PatientSource(Remembering(), 5).ended(3, 6, taken.extend) == Told()
    assert taken == [3, 4, 5]


def test_how_far_back_may_be_asked():
    assert PatientSource(Remembering(), 5).past_s == 60
    assert PatientSource(Scripted([scene()]), 5).past_s == 0
    with pytest.raises(SourceError, match="no accounting"):
        PatientSource(Scripted([scene()]), 5).ended(3, 6, list)


def test_nothing_is_taken_any_more_once_nobody_waits():
    taken = []
    source = PatientSource(Remembering(pause_s=0.05), 0.12)
    with pytest.raises(SourceTimeout):
        source.ended(0, 60, taken.extend)
    counted = len(taken)
    time.sleep(0.2)
    assert len(taken) == counted < 10
    source.observe()


def test_a_fault_of_the_taker_is_its_own():
    def refuse(_jobs):
        raise StorageError("full")

    with pytest.raises(StorageError, match="full"):
        PatientSource(Remembering(), 5).ended(0, 3, refuse)
