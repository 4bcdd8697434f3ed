"""Mail to a relay that wants TLS and a login: what it takes, and what is never said to anybody."""

import base64
import email
import json
import logging
import ssl
import time
from dataclasses import replace
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from pydantic import ValidationError
from receiving import Listener, Mailbox, Posted
from services import StandingClock
from watching import NOTICE

from predictor.errors import SiteError
from predictor.service.logs import JsonLines
from predictor.service.watches.counts import NoticeCounts
from predictor.service.watches.lane import Lane
from predictor.service.watches.mailing import Login, Mail, mail_of
from predictor.service.watches.posting import Webhook
from predictor.service.watches.sending import NotSent
from predictor.site.notices import MailTable

CERTIFICATE = Path(__file__).parents[2] / "collectors" / "rest" / "loopback.pem"
"""That of 127.0.0.1, which its own key vouches for."""
CANARY = "canary-0123456789-password"
LOGIN = Login(user="queuecast", password=CANARY)
BYTES_OF_A_HANDSHAKE = b"\x16\x03\x03\x3f\xff"
"""A record that is 16 kB long, and comes slowly."""


def theirs():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context


def ours(cafile=CERTIFICATE):
    return ssl.create_default_context(cafile=None if cafile is None else str(cafile))


def mail(port, *, starttls=False, tls=None, **more):
    usual = {
        "host": "127.0.0.1",
        "port": port,
        "sender": "queuecast@hpc.example",
        "domain": "hpc.example",
        "tls": tls or ours(),
        "starttls": starttls,
        "login": LOGIN,
        "deadline_s": 5.0,
    }
    return Mail(**(usual | more))


def listening(box, *, starttls):
    """A relay of either kind."""
    if starttls:
        box.tls = theirs()
        return Listener(box)
    return Listener(box, tls=theirs())


def refused(there, **more):
    with there, pytest.raises(NotSent) as caught:
        mail(there.port, **more)(NOTICE)
    assert CANARY not in f"{caught.value!r}{caught.value.__cause__!r}"
    return caught.value


@pytest.mark.parametrize("starttls", [False, True], ids=["from the beginning", "after STARTTLS"])
class TestBothWays:
    def test_a_mail_arrives_by_tls_with_a_login(self, starttls):
        box = Mailbox(takes="PLAIN")
        with listening(box, starttls=starttls) as there:
            mail(there.port, starttls=starttls)(NOTICE)
        (raw,) = box.letters
        assert email.message_from_bytes(raw)["To"] == "ada@hpc.example"
        (login,) = [one for one in box.secured if one.startswith("AUTH")]
        sent = base64.b64decode(login.split()[2]).decode()
        assert sent == f"\0queuecast\0{CANARY}"

    def test_no_more_than_is_needed_is_said_in_the_clear(self, starttls):
        box = Mailbox(takes="PLAIN")
        with listening(box, starttls=starttls) as there:
            mail(there.port, starttls=starttls)(NOTICE)
        clear = box.said[: len(box.said) - len(box.secured)]
        assert clear == (["ehlo hpc.example", "STARTTLS"] if starttls else [])

    @pytest.mark.parametrize(
        ("believed", "host", "cause"),
        [
            pytest.param(None, "127.0.0.1", "self-signed", id="nobody vouches for it"),
            pytest.param(CERTIFICATE, "localhost", "not valid for 'localhost'", id="another's"),
        ],
    )
    def test_who_is_not_who_it_should_be_hears_nothing(self, starttls, believed, host, cause):
        box = Mailbox(takes="PLAIN")
        there = listening(box, starttls=starttls)
        told = refused(there, starttls=starttls, tls=ours(believed), host=host)
        assert str(told).startswith("certificate not accepted: ")
        assert cause in str(told)
        assert told.again
        assert box.secured == []

    @pytest.mark.parametrize(
        ("answer", "again"), [(f"535 {CANARY} is wrong", False), (f"454 {CANARY} later", True)]
    )
    def test_a_login_that_is_refused_is_named(self, starttls, answer, again):
        box = Mailbox(takes="PLAIN", refuse={"AUTH": answer})
        told = refused(listening(box, starttls=starttls), starttls=starttls)
        assert (str(told), told.again) == (f"login refused: {answer[:3]}", again)
        assert box.letters == []

    def test_who_takes_no_login_gets_no_mail(self, starttls):
        box = Mailbox()
        told = refused(listening(box, starttls=starttls), starttls=starttls)
        assert str(told) == "the relay takes no login"
        assert box.letters == []

    def test_a_login_that_is_not_known_is_named(self, starttls):
        told = refused(listening(Mailbox(takes="GSSAPI"), starttls=starttls), starttls=starttls)
        assert str(told) == "SMTPException"


def test_without_a_login_tls_is_enough():
    box = Mailbox()
    with listening(box, starttls=True) as there:
        mail(there.port, starttls=True, login=None)(NOTICE)
    assert len(box.letters) == 1


@pytest.mark.parametrize(
    "box",
    [
        pytest.param(Mailbox(takes="PLAIN"), id="it does not offer it"),
        pytest.param(Mailbox(takes="PLAIN", refuse={"STARTTLS": "454 not now"}), id="it fails"),
    ],
)
def test_where_tls_does_not_begin_nothing_is_sent(box):
    if box.refuse:
        box.tls = theirs()
    told = refused(Listener(box), starttls=True)
    assert (str(told), told.again) == ("the relay offers no TLS", True)
    assert {one.split()[0] for one in box.said} <= {"ehlo", "STARTTLS"}


def test_what_somebody_in_between_said_in_the_clear_is_not_believed():
    box = Mailbox(takes="PLAIN", after_starttls=b"250-evil\r\n250 AUTH GSSAPI\r\n")
    # The bytes are read by the TLS layer, or not at all: in no case as an answer.
    told = refused(listening(box, starttls=True), starttls=True)
    assert "TLS" in str(told) or "certificate" in str(told)
    assert box.letters == []


def test_a_relay_without_tls_where_it_should_begin_at_once_is_named():
    told = refused(Listener(Mailbox()))
    assert str(told).startswith("no TLS: ")


@pytest.mark.parametrize("behave", ["hang", "drip", "handshake"])
@pytest.mark.parametrize("starttls", [False, True])
def test_who_hangs_in_the_handshake_is_left_at_the_deadline(behave, starttls):
    def talk(line):
        if starttls:
            line.sendall(b"220 scene\r\n")
            line.recv(100)
            line.sendall(b"250-scene\r\n250 STARTTLS\r\n")
            line.recv(100)
            line.sendall(b"220 go on\r\n")
        if behave == "handshake":
            line.sendall(BYTES_OF_A_HANDSHAKE)
        getattr(there, "drip" if behave == "handshake" else behave)(line)

    there = Listener(talk)
    begun = time.monotonic()
    told = refused(there, starttls=starttls, deadline_s=0.5)
    assert time.monotonic() - begun < 2
    assert told.again
    if behave != "drip":  # that soon is no TLS
        assert str(told) == "not done within 0.5 s"


def test_a_webhook_that_hangs_in_the_handshake_is_left_at_the_deadline_too():
    def talk(line):
        line.sendall(BYTES_OF_A_HANDSHAKE)
        there.drip(line)

    there = Listener(talk)
    hook = Webhook(url="", secret=b"x" * 16, deadline_s=0.5, tls=ours())
    with there, pytest.raises(NotSent, match=r"not done within 0.5 s"):
        replace(hook, url=f"https://127.0.0.1:{there.port}/")(NOTICE)


def test_a_webhook_by_tls_is_asked_for_its_certificate():
    posted = Posted(["204 No Content"])
    with Listener(posted, tls=theirs()) as there:
        hook = Webhook(url=f"https://127.0.0.1:{there.port}/x", secret=b"x" * 16, tls=ours())
        hook(NOTICE)
        with pytest.raises(NotSent, match="certificate not accepted"):
            replace(hook, tls=ours(None))(NOTICE)
    (head,) = posted.heads
    assert f"Host: 127.0.0.1:{there.port}\r\n" in head


# -- the password


def table(**more):
    usual = {"host": "relay.example", "from": "q@hpc.example", "domain": "hpc.example"}
    return MailTable.model_validate(usual | more)


def test_the_password_comes_from_a_file(tmp_path):
    file = tmp_path / "password"
    file.write_text(f"{CANARY}\n")
    made = mail_of(table(tls="starttls", user="queuecast", password_file=str(file)))
    assert made.login == LOGIN
    assert (made.port, made.starttls) == (587, True)
    assert CANARY not in repr(made)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        pytest.param(None, "No such file", id="none"),
        pytest.param(b" \n", "1 to 4096 bytes, not 0", id="empty"),
        pytest.param(b"canary\nof two lines", "one line of printable ASCII", id="two lines"),
        pytest.param("canäry".encode(), "one line of printable ASCII", id="not ASCII"),
        pytest.param(b"canary" * 1_000, "1 to 4096 bytes", id="too long"),
    ],
)
def test_a_password_that_is_none_is_refused_without_being_told(tmp_path, content, complaint):
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SiteError, match=complaint) as caught:
        mail_of(table(tls="implicit", user="queuecast", password_file=str(file)))
    assert "canary" not in str(caught.value)


def test_authorities_that_cannot_be_read_are_told(tmp_path):
    file = tmp_path / "ca.pem"
    with pytest.raises(SiteError, match="No such file"):
        mail_of(table(tls="implicit", ca_file=str(file)))
    file.write_text("nothing")
    with pytest.raises(SiteError, match="certificates in PEM"):
        mail_of(table(tls="implicit", ca_file=str(file)))


@pytest.mark.parametrize(
    ("told", "port"), [({}, 25), ({"tls": "starttls"}, 587), ({"tls": "implicit"}, 465)]
)
def test_the_port_follows_from_the_kind_of_tls(told, port):
    assert table(**told).its_port == port
    assert table(**told, port=2525).its_port == 2525


@pytest.mark.parametrize(
    "told",
    [
        pytest.param({"user": "q", "tls": "implicit"}, id="a user without a password"),
        pytest.param({"password_file": "p", "tls": "implicit"}, id="a password without a user"),
        pytest.param({"user": "q", "password_file": "p"}, id="a password in the clear"),
        pytest.param({"ca_file": "ca.pem"}, id="authorities of nobody"),
        pytest.param({"tls": "maybe"}, id="another kind"),
        pytest.param({"user": "a b", "password_file": "p", "tls": "implicit"}, id="no user"),
    ],
)
def test_what_makes_no_sense_is_refused(told):
    with pytest.raises(ValidationError):
        table(**told)


def test_on_this_machine_a_password_may_be_sent_in_the_clear():
    assert table(host="127.0.0.1", user="q", password_file="p").tls == "none"


def test_a_password_that_the_relay_repeats_is_in_no_log_and_no_metric(caplog):
    box = Mailbox(takes="PLAIN", refuse={"AUTH": f"535 no {CANARY}"})
    registry = CollectorRegistry()
    with listening(box, starttls=True) as there, caplog.at_level(logging.DEBUG):
        clock = StandingClock()
        lane = Lane("mail", mail(there.port, starttls=True), NoticeCounts(registry), clock)
        lane.put(NOTICE)
        deadline = time.monotonic() + 10
        while not caplog.records and time.monotonic() < deadline:
            time.sleep(0.02)
        lane.stop()
    (record,) = caplog.records
    line = JsonLines().format(record)
    assert json.loads(line)["cause"] == "login refused: 535"
    told = line + caplog.text + generate_latest(registry).decode()
    hidden = base64.b64encode(f"\0queuecast\0{CANARY}".encode()).decode()
    assert any(hidden in one for one in box.secured)  # it was told to whom it is for
    assert CANARY not in told
    assert hidden not in told
