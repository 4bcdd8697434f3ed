import socket

from services import result

from predictor.service.metrics import Metrics
from predictor.service.published import Board
from predictor.service.reporting import tell
from predictor.service.systemd import notify
from predictor.service.tick import Stage, TickReport


def test_without_systemd_nothing_happens(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    notify("READY=1")


def test_a_socket_that_is_gone_is_no_error(monkeypatch, tmp_path):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    notify("READY=1")


def test_the_watchdog_is_told_after_a_result_only(monkeypatch, tmp_path):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        failed = Stage(name="forecast", duration_s=1, kind="worker", cause="died")
        tell(TickReport(stages=(failed,)), Metrics(Board()), 0)
        published = result()
        tell(TickReport(stages=(), published=published), Metrics(Board()), published.observed_at)
        told = systemd.recv(1000).decode().splitlines()
    assert told == ["READY=1", "WATCHDOG=1", "STATUS=3 waiting, snapshot 5 s old"]
