import http.client
import socket
import threading
import time

import pytest
from services import StandingClock, app, board, result

from predictor.errors import ServiceError
from predictor.service import listening
from predictor.service.listening import LARGEST_HEADER_BYTES, listen, server
from predictor.site.model import ServiceTable


@pytest.fixture
def port(monkeypatch):
    """A served scene that soon loses its patience."""
    monkeypatch.setattr(listening, "SILENCE_S", 0.5)
    on, clock = board(result()), StandingClock()
    (line,) = listen(ServiceTable(port=0))
    line.socket.listen()
    at = server(app(on, clock))
    thread = threading.Thread(target=at.run, args=([line.socket],))
    thread.start()
    yield int(line.address.rpartition(":")[2])
    at.should_exit = True
    thread.join()
    line.close()


def test_a_taken_port_is_an_error_that_names_it():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServiceError, match=rf"127\.0\.0\.1:{port}: .*in use"):
            listen(ServiceTable(port=port))


def test_an_address_that_is_none_is_an_error():
    with pytest.raises(ServiceError, match="cannot listen on"):
        listen(ServiceTable(host="192.0.2.1"))


def test_a_socket_file_that_a_crash_left_is_replaced(tmp_path):
    table = ServiceTable(socket=tmp_path / "api.sock", tcp=False)
    listen(table)[0].socket.close()
    assert (tmp_path / "api.sock").is_socket()
    (line,) = listen(table)
    assert line.address == f"unix:{tmp_path / 'api.sock'}"
    line.close()
    assert not (tmp_path / "api.sock").exists()


def test_a_socket_that_somebody_answers_is_left_alone(tmp_path):
    table = ServiceTable(socket=tmp_path / "api.sock", tcp=False)
    (line,) = listen(table)
    line.socket.listen()
    with pytest.raises(ServiceError, match="in use"):
        listen(table)
    line.close()


def test_a_plain_file_is_never_removed(tmp_path):
    (tmp_path / "notes").write_text("mine")
    with pytest.raises(ServiceError, match="in use"):
        listen(ServiceTable(socket=tmp_path / "notes", tcp=False))
    assert (tmp_path / "notes").read_text() == "mine"


def test_answers_are_sent_without_delay(port):
    line = http.client.HTTPConnection("127.0.0.1", port)
    begun = time.monotonic()
    for _ in range(25):
        line.request("GET", "/healthz")
        assert line.getresponse().read()
    line.close()
    assert time.monotonic() - begun < 0.8  # each held back for 40 ms would make it 1.0


@pytest.mark.parametrize(
    "said", [b"", b"GET / HT", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "]
)
def test_who_says_nothing_whole_is_hung_up_on(port, said):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(said)
        assert line.recv(1000) == b""


def test_headers_beyond_measure_are_refused(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * (2 * LARGEST_HEADER_BYTES))
        assert b" 400 " in line.recv(1000)


@pytest.mark.parametrize("path", ["/", "/metrics", "/healthz", "/api/v1/clusters", "/nowhere"])
def test_head_is_get_without_the_body(port, path):
    answers = {}
    for method in ("GET", "HEAD"):
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        line.request(method, path)
        response = line.getresponse()
        answers[method] = (response.status, response.getheader("content-type"), response.read())
        line.close()
    assert answers["HEAD"] == (*answers["GET"][:2], b"")
    assert answers["GET"][2] != b""
