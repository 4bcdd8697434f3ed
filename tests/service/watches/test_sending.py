"""Sending one notice: what arrives, and what does not and why."""

import email
import email.policy
import hmac
import json
import time
from dataclasses import replace

import pytest
from receiving import Listener, Mailbox, Posted, deaf
from services import HOSTILE
from watching import NOTICE

from predictor.errors import SiteError
from predictor.service.watches.mailing import Mail, has_mailbox
from predictor.service.watches.posting import Webhook, webhook_of
from predictor.service.watches.sending import NotSent
from predictor.service.watches.watch import Kind
from predictor.site.notices import WebhookTable

SECRET = b"sixteen bytes and more"
SLIP = replace(
    NOTICE,
    kind=Kind.SLIPPED,
    before_at=NOTICE.at + 60,
    moved_by="3 jobs more ahead",
    low_at=NOTICE.at,
    high_at=NOTICE.at + 7_200,
)
STARTED = replace(
    NOTICE, kind=Kind.STARTED, likely_at=None, started_at=NOTICE.at - 60, nodelist="n[1-4]"
)


def webhook(port, deadline_s=5.0, path="/hook?channel=jobs"):
    return Webhook(url=f"http://127.0.0.1:{port}{path}", secret=SECRET, deadline_s=deadline_s)


def mail(port, deadline_s=5.0):
    return Mail(
        host="127.0.0.1",
        port=port,
        sender="queuecast@hpc.example",
        domain="hpc.example",
        deadline_s=deadline_s,
    )


# -- webhooks


def test_a_webhook_gets_json_that_is_signed():
    posted = Posted(["204 No Content"])
    with Listener(posted) as there:
        webhook(there.port)(SLIP)
    (head,), (body,) = posted.heads, posted.bodies
    assert head.startswith("POST /hook?channel=jobs HTTP/1.1\r\n")
    told = json.loads(body)
    assert (told["kind"], told["job_id"], told["sent_for"]) == ("slipped", "1", "ada")
    assert told["moved_by"] == "3 jobs more ahead"
    signature = hmac.new(SECRET, body, "sha256").hexdigest()
    assert f"X-Queuecast-Signature: sha256={signature}\r\n" in head
    assert SECRET.decode() not in head + body.decode()


@pytest.mark.parametrize(
    ("answer", "again"),
    [
        ("500 Oh", True),
        ("503 Later", True),
        ("429 Slowly", True),
        ("408 Late", True),
        ("400 What", False),
        ("404 Where", False),
        ("301 There\r\nLocation: http://127.0.0.1:1/", False),
        ("307 There\r\nLocation: http://127.0.0.1:1/", False),
    ],
)
def test_what_a_webhook_answers_decides_whether_to_try_again(answer, again):
    with Listener(Posted([answer])) as there, pytest.raises(NotSent) as caught:
        webhook(there.port)(NOTICE)
    assert caught.value.again is again
    assert str(caught.value) == f"answered {answer[:3]}"
    assert there.calls == 1  # no redirect is followed


def test_nobody_there_is_worth_another_attempt():
    for send in (webhook(deaf()), mail(deaf())):
        with pytest.raises(NotSent, match="refused") as caught:
            send(NOTICE)
        assert caught.value.again


@pytest.mark.parametrize("behave", ["hang", "drip"])
@pytest.mark.parametrize("way", [webhook, mail])
def test_who_hangs_or_sends_a_byte_now_and_then_is_left_at_the_deadline(way, behave):
    there = Listener(lambda line: getattr(there, behave)(line))
    with there:
        begun = time.monotonic()
        with pytest.raises(NotSent) as caught:
            way(there.port, deadline_s=0.5)(NOTICE)
        assert time.monotonic() - begun < 2
    assert caught.value.again


def test_what_is_no_http_is_worth_another_attempt():
    there = Listener(lambda line: line.sendall(b"220 mail\r\n\r\n"))
    with there, pytest.raises(NotSent) as caught:
        webhook(there.port)(NOTICE)
    assert caught.value.again


def test_a_hostile_text_is_a_text_in_the_json():
    posted = Posted(["200 OK"])
    with Listener(posted) as there:
        webhook(there.port)(replace(NOTICE, job_id=HOSTILE, partition="a\r\nb"))
    (body,) = posted.bodies
    assert body.isascii()
    assert json.loads(body)["job_id"] == HOSTILE
    assert "\x1b" not in json.loads(body)["text"]


def test_a_secret_is_read_without_blanks_and_must_be_long(tmp_path):
    file = tmp_path / "secret"
    table = WebhookTable(name="chat", url="https://chat.example/", secret_file=file)
    with pytest.raises(SiteError, match=r"secret: No such file"):
        webhook_of(table)
    file.write_bytes(SECRET + b"\n")
    assert webhook_of(table).secret == SECRET
    assert SECRET.decode() not in repr(webhook_of(table))
    file.write_bytes(b"short\n")
    with pytest.raises(SiteError, match=r"16 to 4096 bytes, not 5") as caught:
        webhook_of(table)
    assert "short" not in str(caught.value)


# -- mail


def letter(notice):
    box = Mailbox()
    with Listener(box) as there:
        mail(there.port)(notice)
    (raw,) = box.letters
    return box, email.message_from_bytes(raw, policy=email.policy.default)


def test_a_mail_goes_to_the_user_at_the_domain():
    box, message = letter(SLIP)
    assert "rcpt TO:<ada@hpc.example>" in box.said
    assert message["To"] == "ada@hpc.example"
    assert message["From"] == "queuecast <queuecast@hpc.example>"
    assert message["Subject"] == "Job 1 on scene starts later than told"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message.get_content_type() == "text/plain"
    text = message.get_content()
    assert "Likely start: 2023-11-14T22:33:20Z, in 20 min." in text
    assert "With 80% between 2023-11-14T22:13:20Z and 2023-11-15T00:13:20Z." in text
    assert "Told before: 2023-11-14T22:14:20Z." in text
    assert "What moved it: 3 jobs more ahead." in text
    assert text.splitlines()[-1] == "w1"


def test_of_a_start_it_is_told_when_and_where():
    _, message = letter(STARTED)
    assert "It started at 2023-11-14T22:12:20Z on n[1-4]." in message.get_content()


def test_no_text_adds_a_header_a_recipient_or_the_end_of_the_mail():
    encoded = "=?utf-8?q?=0ABcc: eve@else.where?="
    hostile = encoded + "\r\nBcc: eve@else.where\r\n\r\n.\r\nRCPT TO:<eve@else.where>" + HOSTILE
    box, message = letter(replace(STARTED, job_id=hostile, cluster=hostile, nodelist=hostile))
    assert [each for each in box.said if "rcpt" in each.lower()] == ["rcpt TO:<ada@hpc.example>"]
    assert set(message.keys()) == {
        *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted"),
        *("Content-Type", "Content-Transfer-Encoding", "MIME-Version"),
    }
    assert all(line.isprintable() for line in message.get_content().splitlines())


@pytest.mark.parametrize(
    "user", ["", "a b", "a@b", "a\nb", "-x", ".x", '"a"', "ä", "a" * 65, "a<b"]
)
def test_whose_name_is_no_mailbox_gets_no_mail(user):
    assert not has_mailbox(user)
    notice = replace(NOTICE, watch=replace(NOTICE.watch, owner=user))
    with pytest.raises(NotSent, match="no mailbox") as caught:
        mail(deaf())(notice)
    assert not caught.value.again


@pytest.mark.parametrize(
    ("command", "answer", "again"),
    [
        ("RCPT", "550 nobody", False),
        ("RCPT", "451 later", True),
        ("MAIL", "452 full", True),
        ("DATA", "554 no", False),
    ],
)
def test_what_a_relay_answers_decides_whether_to_try_again(command, answer, again):
    box = Mailbox(refuse={command: answer})
    with Listener(box) as there, pytest.raises(NotSent) as caught:
        mail(there.port)(NOTICE)
    assert caught.value.again is again
    assert answer[:3] in str(caught.value)
