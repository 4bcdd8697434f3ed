import contextlib
import http.client
import json
import socket
import threading
import time

import pytest
from services import StandingClock, app, board, neighbours, result

from predictor.errors import ServiceError
from predictor.service import listening, places
from predictor.service.listening import LARGEST_HEADER_BYTES, listen, server
from predictor.site.model import ServiceTable


@pytest.fixture
def port(monkeypatch):
    """A served scene that soon loses its patience."""
    with served(monkeypatch) as port:
        yield port


@contextlib.contextmanager
def served(monkeypatch, per_peer=500):
    monkeypatch.setattr(listening, "SILENCE_S", 0.5)
    on, clock = board(result()), StandingClock()
    (line,) = listen(ServiceTable(port=0))
    line.socket.listen()
    at = server(app(on, clock), neighbours(per_peer))
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


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HT",
        b"POST /api/v1/clusters/scene/what-if HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
    ],
)
def test_nor_may_anybody_begin_a_further_request_or_a_body_and_stop(port, said):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in line.recv(10_000)
        line.sendall(said)
        while line.recv(1000):
            pass


def test_who_does_not_take_answers_is_hung_up_on(port):
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.settimeout(5)
        line.connect(("127.0.0.1", port))
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100)
        time.sleep(0.5 * (listening.SILENCES["answer"] + 3))
        taken = 0
        with contextlib.suppress(ConnectionResetError):
            while some := line.recv(100_000):
                taken += len(some)
        assert taken < 5_000_000  # of about 8: of what was left nobody holds any more


def test_connections_leave_files_for_what_else_is_to_be_done(port, monkeypatch):
    monkeypatch.setattr(places, "most_files", lambda: 16)
    with contextlib.ExitStack() as stack:
        here = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
            for _ in range(12)
        ]
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            for line in here[-2:]:
                line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                if not line.recv(10_000):
                    raise ConnectionResetError
        here[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in here[0].recv(10_000)


def test_headers_beyond_measure_are_refused(port):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * (2 * LARGEST_HEADER_BYTES))
        assert refused(line)[0] == 400


@pytest.mark.parametrize(
    "said", [b"\x16\x03\x01\x02\x00", b"GET /\xff HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nA\r\n\r\n"]
)
def test_what_is_no_http_is_a_problem_like_any_other(port, said):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(said + b"\r\n\r\n")
        status, told = refused(line)
    assert (status, told["status"], told["title"]) == (400, 400, "Bad Request")


def test_garbage_after_an_answer_ends_the_connection_and_no_more(port, caplog):
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(
            b"POST /api/v1/clusters/scene/what-if HTTP/1.1\r\n"
            b"Host: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        assert b" 413 " in line.recv(10_000)
        line.sendall(b"zz\r\nno chunk\r\n")
        while line.recv(1_000):
            pass
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_who_comes_when_all_places_are_taken_is_told_so(port, monkeypatch):
    monkeypatch.setattr(places, "MOST_CONNECTIONS", 2)
    with contextlib.ExitStack() as stack:
        here = [
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
            for _ in range(3)
        ]
        for line in here:
            line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in here[0].recv(10_000)
        status, told = refused(here[-1])
    assert (status, told["detail"]) == (503, "too many are connected already")


def test_nobody_takes_the_places_of_others(monkeypatch):
    with served(monkeypatch, per_peer=2) as port, contextlib.ExitStack() as stack:
        for _ in range(2):  # whose places are free again once they are left
            here = [
                stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60))
                for _ in range(4)
            ]
            with contextlib.suppress(ConnectionResetError):
                assert here[3].recv(1000) == b""
            here[2].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            status, told = refused(here[2])
            assert (status, told["detail"]) == (429, "too many connections from there already")
            here[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in here[0].recv(10_000)
            while any(line.recv(10_000) for line in here[:2]):
                pass


def refused(line):
    """Return status and body of a last answer, which is a problem."""
    answer = http.client.HTTPResponse(line)
    answer.begin()
    assert answer.getheader("content-type") == "application/problem+json"
    assert answer.getheader("connection") == "close"
    return answer.status, json.loads(answer.read())


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
