"""The worker: real processes, real kills."""

import os
import signal
import threading
import time

import pytest
import services

from predictor.service.worker import Bounds, Worker, WorkerFailed

BOUNDS = Bounds(cpu_s=30, deadline_s=30, memory_bytes=2 * 2**30)
SHORT = Bounds(cpu_s=30, deadline_s=1.0, memory_bytes=2 * 2**30)


@pytest.fixture
def employ():
    employed = []

    def make(task, bounds=BOUNDS):
        employed.append(Worker(task, bounds))
        return employed[-1]

    yield make
    for worker in employed:
        worker.stop()


def failure(worker: Worker, *args: object) -> WorkerFailed:
    with pytest.raises(WorkerFailed) as caught:
        worker(*args)
    return caught.value


def test_one_process_does_all_calls(employ):
    worker = employ(services.process_id)
    assert worker(1) == worker(2) == worker.pid != os.getpid()


def test_an_error_is_told_and_the_process_lives_on(employ):
    worker = employ(services.break_down)
    worker.start()
    before = worker.pid
    error = failure(worker, 7)
    assert (error.kind, str(error)) == ("error", "ValueError: no answer to 7")
    assert worker.pid == before


def test_too_much_memory_is_refused_and_the_process_lives_on(employ):
    worker = employ(services.devour)
    assert failure(worker, 1).kind == "memory"
    assert worker.pid is not None


def test_threads_take_little_of_the_address_space_that_is_bounded(employ):
    assert employ(services.space_of_threads)(32) < 300 * 2**20


def test_who_does_not_finish_is_ended_and_replaced(employ):
    worker = employ(services.hang, SHORT)
    begun = time.monotonic()
    assert failure(worker, 1).kind == "timeout"
    assert time.monotonic() - begun < 10
    assert worker.pid is None
    worker.start()
    assert worker.pid is not None


def test_a_single_call_may_have_less_time(employ):
    worker = employ(services.hang)
    with pytest.raises(WorkerFailed, match=r"not done within 0\.5 s"):
        worker(1, within_s=0.5)


def test_a_task_may_remember_what_was_asked_before(employ):
    worker = employ(services.Tally())
    assert (worker(1), worker(2)) == (1, 3)
    os.kill(worker.pid, signal.SIGKILL)
    time.sleep(0.2)
    assert worker(4) == 4


def test_cpu_time_is_bounded_too(employ):
    error = failure(employ(services.burn, Bounds(cpu_s=1, deadline_s=30, memory_bytes=2**31)), 1)
    assert (error.kind, str(error)) == ("timeout", "not done within 1 s of CPU time")


def test_killed_in_the_middle_the_next_call_gets_a_new_process(employ):
    worker = employ(services.hang)
    worker.start()
    victim = worker.pid
    threading.Timer(0.5, os.kill, (victim, signal.SIGKILL)).start()
    error = failure(worker, 1)
    assert (error.kind, str(error)) == ("died", "the worker process ended by signal 9")
    worker.start()
    assert worker.pid not in (None, victim)


def test_killed_between_calls_nobody_notices(employ):
    worker = employ(services.answer)
    worker.start()
    os.kill(worker.pid, signal.SIGKILL)
    time.sleep(0.2)
    assert worker(21) == 42


def test_stopping_breaks_off_a_call_at_once(employ):
    worker = employ(services.hang)
    worker.start()
    threading.Timer(0.3, worker.stop).start()
    begun = time.monotonic()
    assert failure(worker, 1).kind == "stopped"
    assert time.monotonic() - begun < 5
    assert failure(worker, 1).kind == "stopped"
