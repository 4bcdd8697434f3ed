"""Slurm's tokens, verified by a slurmrestd."""

import base64
import json

import pytest
from clusters import NOW
from services import StandingClock

from collectors.slurm.rest import identify
from collectors.slurm.rest.connection import Address, Reply
from collectors.slurm.rest.identify import JwtIdentifier, from_settings
from predictor.errors import SiteError, SourceError, SourceTimeout

REFUSAL = b"Authentication failure"
WHERE = Address(url="http://rest")


def token(user="ada", signature="good", **claims) -> str:
    def part(content) -> str:
        return base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")

    payload = {"exp": NOW + 600, "iat": NOW, "sun": user} | claims
    return f"{part({'alg': 'HS256'})}.{part(payload)}.{signature}"


def bearer(text: str) -> dict[str, str]:
    return {"authorization": f"Bearer {text}"}


def beside(text: str, user: str) -> dict[str, str]:
    return {"x-slurm-user-name": user, "x-slurm-user-token": text}


class Rest:
    """A slurmrestd that knows a good signature, and the name that a token is for."""

    def __init__(self, **faults):
        self.asked = []
        self.faults = faults
        self.clock = StandingClock()

    def __call__(self, _address, path, headers, _timeout_s, _most_bytes):
        self.asked.append((path, headers))
        if "raises" in self.faults:
            raise self.faults["raises"]
        text = headers["X-SLURM-USER-TOKEN"]
        version = self.faults.get("version", "v0.0.42")
        if version not in path:
            return Reply(status=404, content_type="text/plain", body=b"")
        good = text.endswith(".good") and text.split(".")[1] in token(headers["X-SLURM-USER-NAME"])
        if good or self.faults.get("lets_all_in"):
            return Reply(status=200, content_type="application/json", body=b'{"errors": []}')
        status = self.faults.get("status", 401)
        return Reply(
            status=status, content_type="text/plain", body=self.faults.get("says", REFUSAL)
        )

    def identifier(self, **more) -> JwtIdentifier:
        return JwtIdentifier(WHERE, self.clock, fetch=self, **more)


@pytest.mark.parametrize("shown", [bearer(token()), beside(token(), "ada")])
def test_a_good_token_proves_its_user(shown):
    assert Rest().identifier().name(shown) == "ada"


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(bearer(token(signature="evil")), id="signed by somebody else"),
        pytest.param(beside(token(), "bob"), id="another's"),
        pytest.param(beside(token(), "bob\r\nX: y"), id="a name that is none"),
        pytest.param(bearer(token(user="../x y")), id="the same in the token"),
        pytest.param(bearer(token(user=7)), id="a number for a name"),
        pytest.param(bearer("e30x.W10x.good"), id="claims that are no table"),
        pytest.param(bearer("aaaa.bbbb.good"), id="no claims at all"),
    ],
)
@pytest.mark.parametrize("status", [401, 500, 511])
def test_another_proves_nobody(shown, status):
    assert Rest(status=status).identifier().name(shown) == ""


def test_one_that_has_run_out_is_not_even_asked_about():
    rest = Rest()
    assert rest.identifier().name(bearer(token(exp=NOW))) == ""
    assert rest.asked == []


@pytest.mark.parametrize(
    ("headers", "offered"),
    [
        ({}, False),
        (bearer("plain"), False),
        (bearer(f"{'x' * 9000}.bbbb.cccc"), False),
        ({"authorization": f"Basic {token()}"}, False),
        (bearer(token()), True),
        (beside(token(), "ada"), True),
    ],
)
def test_what_is_taken_for_a_token(headers, offered):
    assert JwtIdentifier(WHERE, StandingClock()).offered(headers) is offered


def test_answers_hold_for_a_minute_and_not_beyond_the_tokens_end():
    rest = Rest()
    who = rest.identifier()
    shown = bearer(token())
    assert who.name(shown) == "ada"
    before = len(rest.asked)
    rest.clock.at += 59
    assert who.name(shown) == "ada"
    assert len(rest.asked) == before
    rest.clock.at += 2
    assert who.name(shown) == "ada"
    assert len(rest.asked) == before + 1
    rest.clock.at = NOW + 600
    assert who.name(shown) == ""


def test_memory_holds_neither_token_nor_without_end(monkeypatch):
    monkeypatch.setattr(identify, "MOST_KEPT", 2)
    rest = Rest()
    who = rest.identifier()
    for user in ("ada", "bob", "eve"):
        assert who.name(bearer(token(user))) == user
    assert len(who._kept) == 2
    assert "good" not in repr(vars(who))


def test_of_an_old_slurm_a_good_token_is_good_all_the_same():
    """It does not tell a wrong token from its controller's silence."""
    rest = Rest(status=500, says=b"Unspecified error")
    assert rest.identifier().name(bearer(token())) == "ada"


def test_one_who_lets_anybody_in_proves_nothing():
    with pytest.raises(SourceError, match="anybody"):
        Rest(lets_all_in=True).identifier().name(bearer(token()))


@pytest.mark.parametrize(
    "faults",
    [
        {"raises": SourceTimeout("http://rest: no whole answer within 3 s")},
        {"status": 502},
        {"status": 500, "says": b"Unspecified error"},
        {"status": 503},
        {"version": "v0.0.99"},
    ],
)
def test_if_nobody_tells_that_is_an_error_without_the_token(faults):
    shown = token(signature="evil")
    who = Rest(**faults).identifier()
    with pytest.raises(SourceError) as told:
        who.name(bearer(shown))
    assert shown not in str(told.value)
    assert who._kept == {}


def test_the_version_is_looked_for_once_and_the_controller_is_spared():
    rest = Rest(version="v0.0.40")
    who = rest.identifier()
    assert who.name(bearer(token())) == "ada"
    rest.asked.clear()
    with pytest.raises(SourceError, match="too many"):
        for number in range(100):
            who.name(bearer(token(f"u{number}", signature="evil")))
    assert len(rest.asked) < 61
    assert who.name(bearer(token())) == "ada"  # what is known is known


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"url": "http://a", "socket": "/b"},
        {"url": "ftp://a"},
        {"url": "http://a", "key": "secret"},
        {"url": "http://a", "api_version": "42"},
    ],
)
def test_wrong_settings_are_refused(settings):
    with pytest.raises(SiteError, match="slurm-jwt"):
        from_settings(settings)
