"""A server that answers badly: too late, too much, cut off, or not at all."""

import itertools
import socket
import ssl
import time
from dataclasses import replace
from pathlib import Path

import pytest
from rest_server import reply

from collectors.slurm.objects.licenses import parse_licenses
from collectors.slurm.rest.connection import Address, fetch
from predictor.errors import SourceError, SourceTimeout

BODY = b'{"licenses": [{"LicenseName": "matlab", "Total": 10, "Used": 3}], "errors": []}'
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"20\r\n" + BODY[:32] + b"\r\n%x\r\n" % len(BODY[32:]) + BODY[32:] + b"\r\n0\r\n\r\n"
)
UNTIL_THE_END = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + BODY
CERTIFICATE = Path(__file__).with_name("loopback.pem")
"""Of a key that nobody else should trust: it is there to be read. Good for 100 years."""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"

SOON_S = 2.5
"""Shorter than any silence here, and long enough for a machine that has much else to do."""


def get(address, timeout_s=5, most_bytes=10_000):
    return fetch(address, "/x", {}, timeout_s, most_bytes)


@pytest.mark.parametrize(
    "whole",
    [
        pytest.param(reply(BODY), id="with its length"),
        pytest.param(CHUNKED, id="in chunks"),
        pytest.param(UNTIL_THE_END, id="until the connection ends"),
    ],
)
def test_an_answer_cut_off_at_any_byte_is_never_taken_for_a_whole_one(serving, whole):
    cuts = iter(range(len(whole) + 1))
    with serving(lambda path: whole[: next(cuts)]) as server:
        for cut in range(len(whole)):
            try:
                told = get(server.address)
                found, _ = parse_licenses(told.body.decode())
            except SourceError:
                continue
            # Only what follows the last bracket may be missing.
            assert told.body == BODY and len(found) == 1, cut
            assert whole[cut:] in {b"\r\n0\r\n\r\n"[n:] for n in range(7)}
        assert get(server.address).body == BODY


@pytest.mark.parametrize(
    "garbage",
    [
        b"",
        b"\0\xff\xfe" * 100,
        b"slurmrestd: error\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nA: " + b"b" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc",
    ],
)
def test_garbage_in_the_place_of_http(serving, garbage):
    with serving(lambda path: garbage) as server:
        try:
            body = get(server.address).body
        except SourceError as error:
            assert str(server.address) in str(error)
        else:
            with pytest.raises(SourceError):
                parse_licenses(body.decode(errors="replace"))


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(b"HTTP/1.1 200 OK\r\nX: ", id="within the headers"),
        pytest.param(HEAD, id="within the body"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", id="within a chunk's size"
        ),
        pytest.param(b"", id="from the beginning"),
    ],
)
def test_byte_after_byte_ends_at_the_deadline_all_the_same(serving, first):
    def drip(path):
        return itertools.chain([first], itertools.cycle([b"0", 0.02]))

    with serving(drip) as server:
        begun = time.monotonic()
        with pytest.raises(SourceTimeout, match=r"no whole answer within 0\.3 s"):
            get(server.address, timeout_s=0.3)
        assert time.monotonic() - begun < SOON_S


def test_silence_ends_at_the_deadline(serving):
    with serving(lambda path: [3]) as server:
        begun = time.monotonic()
        with pytest.raises(SourceTimeout):
            get(server.address, timeout_s=0.2)
        assert time.monotonic() - begun < SOON_S


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(UNTIL_THE_END, id="body"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", id="size of a chunk"
        ),
        pytest.param(b"HTTP/1.1 200 OK\r\nX: ", id="header"),
    ],
)
def test_an_answer_without_end_is_given_up(serving, first):
    def without_end(path):
        return itertools.chain([first], itertools.repeat(b"1" * 65536))

    told = r"more than 10000 bytes|got more than|header"
    with serving(without_end) as server, pytest.raises(SourceError, match=told):
        get(server.address)


def test_nobody_listens(tmp_path):
    for address in (Address(url="http://127.0.0.1:1"), Address(socket=tmp_path / "none")):
        with pytest.raises(SourceError, match=r"refused|No such file") as caught:
            get(address)
        assert "HTTPConnection" not in str(caught.value)


def test_redirects_are_not_followed(serving):
    with serving(lambda path: reply(status=302, Location="/elsewhere")) as server:
        assert get(server.address).status == 302
        assert server.paths == ["/x"]


def test_proxies_and_passwords_of_the_environment_are_left_aside(serving, monkeypatch, tmp_path):
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login eve password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with serving(lambda path: reply(BODY)) as server:
        assert get(server.address).body == BODY
        assert "authorization" not in server.requests[0].lower()


def test_over_a_unix_socket(serving, tmp_path):
    with serving(lambda path: reply(BODY), tmp_path / "sock") as server:
        assert get(server.address).body == BODY
        assert "Host: localhost" in server.requests[0]


def test_no_handle_stays_open(serving):
    def handles():
        return len(list(Path("/proc/self/fd").iterdir()))

    with serving(lambda path: HEAD) as server:
        with pytest.raises(SourceError):
            get(server.address)
        before = handles()
        for _ in range(5):
            with pytest.raises(SourceError):
                get(server.address)
        time.sleep(0.1)
        assert handles() <= before + 1


@pytest.fixture
def tls():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def test_over_tls_the_certificate_is_checked(serving, tls):
    with serving(lambda path: reply(BODY), tls=tls) as server:
        with pytest.raises(SourceError, match=r"certificate verify failed|self-signed"):
            get(server.address)
        assert get(replace(server.address, ca_file=CERTIFICATE)).body == BODY
        elsewhere = server.address.url.replace("127.0.0.1", "localhost")
        with pytest.raises(SourceError, match="certificate is not valid for 'localhost'"):
            get(Address(url=elsewhere, ca_file=CERTIFICATE))


def test_over_tls_byte_after_byte_ends_at_the_deadline(serving, tls):
    def drip(path):
        return itertools.chain([HEAD], itertools.cycle([b"0", 0.02]))

    with serving(drip, tls=tls) as server:
        begun = time.monotonic()
        with pytest.raises(SourceTimeout):
            get(replace(server.address, ca_file=CERTIFICATE), timeout_s=0.4)
        assert time.monotonic() - begun < SOON_S


def test_who_never_ends_the_greeting_of_tls(serving):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        begun = time.monotonic()
        with pytest.raises(SourceTimeout):
            get(Address(url=f"https://127.0.0.1:{silent.getsockname()[1]}"), timeout_s=0.3)
        assert time.monotonic() - begun < SOON_S
