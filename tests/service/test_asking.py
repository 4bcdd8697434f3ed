"""Who asks, and what is shown to whom."""

import asyncio
import hashlib
import os
import socket
from dataclasses import replace

import pytest
from clusters import NOW
from pydantic import ValidationError
from services import StandingClock, board, client, result, scene

from predictor.domain import Provenance
from predictor.errors import SiteError, SourceError
from predictor.installed import identifier_of
from predictor.service.asking.identify import Identify
from predictor.service.asking.peers import UNKNOWN, Peer, owner, peer_of
from predictor.service.asking.tokens import Tokens, TokenTable
from predictor.service.asking.viewers import ANONYMOUS, EVERYTHING, Role, Sight, Viewer, sight
from predictor.site.access import AccessTable

LIST = "/api/v1/clusters/scene/forecasts?state=all"
NAMES = {0: "root", 33: "www-data", 1000: "ada", 1001: "bob", 1002: "olga", 1003: "nginx"}
ACCESS = AccessTable(operators=("olga",), proxies=("192.0.2.7", "local:nginx"))
OURS = os.geteuid()


def named(uid: int) -> str:
    return NAMES.get(uid, "")


def who(peer: Peer, access=ACCESS, tokens=(), **headers: str) -> Viewer:
    told = {k.replace("_", "-").lower().encode(): v.encode() for k, v in headers.items()}
    gate = Identify(None, access, Tokens(tokens, StandingClock()), named)
    return gate.viewer(peer, told)


def by_socket(uid: int) -> Peer:
    return Peer(address="", uid=uid)


def by_loopback(uid: int | None) -> Peer:
    return Peer(address="127.0.0.1", uid=uid)


# -- by the owner of the connection


def test_the_kernel_tells_who_is_at_the_other_end_of_a_socket():
    here, there = socket.socketpair()
    with here, there:
        assert peer_of(here) == by_socket(OURS)


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_and_of_a_connection_within_this_machine(family, host):
    with socket.socket(family) as door:
        door.bind((host, 0))
        door.listen()
        with socket.create_connection(door.getsockname()[:2]), door.accept()[0] as line:
            assert peer_of(line) == Peer(address=host, uid=OURS)


def test_an_ipv4_connection_to_an_ipv6_door():
    with socket.socket(socket.AF_INET6) as door:
        door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        door.bind(("::", 0))
        door.listen()
        port = door.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)), door.accept()[0] as line:
            assert peer_of(line) == Peer(address="127.0.0.1", uid=OURS)


def test_of_a_connection_that_is_gone_nobody_is():
    here, there = socket.socketpair()
    here.close()
    there.close()
    assert peer_of(here) is UNKNOWN
    assert peer_of(None) is UNKNOWN
    assert who(UNKNOWN) is ANONYMOUS


TABLE = """\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:21C2 00000000:0000 0A 00000000:00000000 00:00000000 00000000   999        0 4711
   1: 0100007F:C001 0100007F:21C2 06 00000000:00000000 00:00000000 00000000     0        0 0
   2: 0100007F:C002 0100007F:21C2 01 00000000:00000000 00:00000000 00000000  1000        0 4712
short
"""


def test_only_an_open_connection_has_an_owner():
    lines = TABLE.splitlines()
    assert owner(lines, "0100007F:C002", "0100007F:21C2") == 1000
    # One that waits for its end is listed as root's, whoever it was.
    assert owner(lines, "0100007F:C001", "0100007F:21C2") is None
    assert owner(lines, "0100007F:C003", "0100007F:21C2") is None


@pytest.mark.parametrize(
    ("peer", "name", "role"),
    [
        (by_socket(1000), "ada", Role.USER),
        (by_socket(33), "www-data", Role.USER),
        (by_socket(1002), "olga", Role.OPERATOR),
        (by_socket(0), "root", Role.OPERATOR),
        (by_socket(4242), "", Role.ANONYMOUS),
        (by_loopback(1000), "ada", Role.USER),
        (by_loopback(1002), "olga", Role.OPERATOR),
        (by_loopback(0), "", Role.ANONYMOUS),
        (by_loopback(33), "", Role.ANONYMOUS),
        (by_loopback(None), "", Role.ANONYMOUS),
        (Peer(address="192.0.2.9"), "", Role.ANONYMOUS),
    ],
)
def test_who_a_connection_stands_for(peer, name, role):
    """Programs pass on what others ask, so that through TCP root and its like are nobody."""
    viewer = who(peer)
    assert (viewer.name, viewer.role) == (name, role)


def test_a_site_may_distrust_its_own_machine():
    distrusting = AccessTable(loopback_users=False)
    assert who(by_loopback(1000), distrusting) is ANONYMOUS
    assert who(by_socket(1000), distrusting).name == "ada"


# -- by a proxy's word


@pytest.mark.parametrize("peer", [Peer(address="192.0.2.7"), by_socket(1003), by_loopback(1003)])
def test_a_listed_proxy_tells_who_asks(peer):
    assert who(peer, X_Remote_User="ada").name == "ada"
    assert who(peer, X_Remote_User="olga").role is Role.OPERATOR
    assert who(peer) is ANONYMOUS


@pytest.mark.parametrize(
    "peer", [Peer(address="192.0.2.8"), by_socket(1000), by_loopback(1000), by_loopback(0), UNKNOWN]
)
def test_nobody_else_does(peer):
    assert who(peer, X_Remote_User="olga").role is not Role.OPERATOR


@pytest.mark.parametrize("name", ["", " ", "a" * 65, "a\x1b[2J", "a\nb"])
def test_what_is_no_name_is_nobodys(name):
    assert who(Peer(address="192.0.2.7"), X_Remote_User=name) is ANONYMOUS


@pytest.mark.parametrize("proxy", ["127.0.0.1", "::1", "127.0.0.0/8", "nobody knows", "10.0.0.1/8"])
def test_proxies_that_cannot_be_told_from_others_are_refused(proxy):
    with pytest.raises(ValidationError):
        AccessTable(proxies=(proxy,))


# -- by a token


def token(text: str, **more) -> TokenTable:
    return TokenTable(name="board", sha256=hashlib.sha256(text.encode()).hexdigest(), **more)


def test_a_token_has_a_scope_and_an_end():
    known = (
        token("a", scope="read:jobs"),
        token("b", scope="read:everything", expires="2023-11-14T22:13:00Z"),
        token("c", scope="read:everything", expires="2033-01-01"),
    )
    far = Peer(address="192.0.2.9")
    roles = [who(far, tokens=known, authorization=f"Bearer {t}").role for t in "abcd"]
    assert roles == [Role.USER, Role.ANONYMOUS, Role.OPERATOR, Role.ANONYMOUS]
    assert who(far, tokens=known, authorization="Basic a") is ANONYMOUS
    assert NOW > 1_699_999_980  # the second one's end


def test_a_bad_token_is_not_mended_by_a_good_connection():
    assert who(by_socket(0), authorization="Bearer x") is ANONYMOUS


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[tokens]]\nname = 'a'\nsha256 = 'secret'", "tokens"),
        ("[[token]]\nname = 'a'", "token"),
        ("[[tokens", "tokens.toml"),
        (f"[[tokens]]\nname='a'\nsha256='{'0' * 64}'\nexpires='secret'", "a: expires: expected"),
    ],
)
def test_a_file_of_tokens_that_cannot_be_read_is_named(tmp_path, text, says):
    file = tmp_path / "tokens.toml"
    file.write_text(text)
    with pytest.raises(SiteError, match=says) as told:
        Tokens.read(file, StandingClock())
    assert "secret" not in str(told.value)
    with pytest.raises(SiteError, match="No such file"):
        Tokens.read(tmp_path / "none", StandingClock())


# -- what is shown to whom

ADA, BOB = (Viewer(role=Role.USER, name=name) for name in ("ada", "bob"))
OPERATOR = Viewer(role=Role.OPERATOR)
PROGRAM = Viewer(role=Role.USER)


@pytest.mark.parametrize(
    ("viewer", "private", "open_", "seen"),
    [
        (ANONYMOUS, False, False, Sight()),
        (ANONYMOUS, False, True, EVERYTHING),
        (ANONYMOUS, True, True, Sight()),
        (ADA, False, False, EVERYTHING),
        (ADA, True, True, Sight(own="ada")),
        (PROGRAM, False, False, EVERYTHING),
        (PROGRAM, True, False, Sight()),
        (OPERATOR, True, False, EVERYTHING),
    ],
)
def test_the_matrix(viewer, private, open_, seen):
    assert sight(viewer, private=private, open_=open_) == seen


def private(snapshot):
    return replace(snapshot, provenance=Provenance(source="scene", private=("jobs",)))


def asked(viewer, path, snapshot=None, **more):
    on = board(result(snapshot or scene()))
    return client(on, StandingClock(), viewer=viewer, **more).get(path)


def users(response) -> set[str]:
    return {job["user"] for job in response.json()["jobs"]}


def test_where_jobs_are_private_everybody_sees_the_own_ones_only():
    hidden = private(scene())
    assert users(asked(ADA, LIST, hidden)) == {"ada"}
    assert users(asked(BOB, LIST, hidden)) == {"bob"}
    assert users(asked(BOB, f"{LIST}&user=ada,bob", hidden)) == {"bob"}
    assert users(asked(OPERATOR, LIST, hidden)) == {"ada", "bob"}
    assert asked(PROGRAM, LIST, hidden).status_code == 403
    assert asked(ANONYMOUS, LIST, hidden).status_code == 403


def test_a_job_that_is_not_seen_is_one_that_is_not_there():
    hidden = private(scene())
    there = asked(BOB, "/api/v1/clusters/scene/jobs/11", hidden)
    not_there = asked(BOB, "/api/v1/clusters/scene/jobs/99", hidden)
    assert there.status_code == not_there.status_code == 404
    assert there.json()["detail"] == not_there.json()["detail"]
    listed = asked(BOB, f"{LIST}&job=11,99", hidden).json()
    assert (listed["jobs"], listed["unknown_jobs"]) == ([], ["11", "99"])


def test_by_default_counts_are_for_all_and_jobs_for_those_who_are_known():
    assert asked(ANONYMOUS, "/api/v1/clusters", open_=False).status_code == 200
    assert asked(ANONYMOUS, LIST, open_=False).status_code == 403
    assert asked(ADA, LIST, open_=False).status_code == 200


def test_the_page_shows_what_the_api_shows():
    assert ">11<" not in asked(ANONYMOUS, "/", open_=False).text
    assert ">11<" in asked(ADA, "/", open_=False).text
    page = asked(BOB, "/", private(scene())).text
    assert ">13<" in page
    assert ">11<" not in page


def test_answers_to_one_are_not_kept_for_another():
    answer = asked(ADA, LIST)
    assert "Authorization" in answer.headers["Vary"]
    assert answer.headers["Cache-Control"].startswith("private")


def test_who_hidden_jobs_belong_to_changes_nothing_for_others():
    """Two worlds that differ in a hidden job's owner, name and account alone."""
    world = private(scene())
    other = replace(
        world,
        running=tuple(
            replace(job, spec=replace(job.spec, user="eve", account="x", name=job.spec.comment))
            for job in world.running
        ),
    )
    for path in (LIST, "/api/v1/clusters/scene/jobs/13", "/api/v1/clusters", "/"):
        assert asked(BOB, path, world).text == asked(BOB, path, other).text


# -- by credentials of the batch system


class Verifier:
    """Knows one token; what it is asked meanwhile it may fail to answer."""

    def __init__(self, error=None):
        self.error = error

    def offered(self, headers):
        return "x-token" in headers

    def name(self, headers):
        if self.error is not None:
            raise self.error
        return {"good": "ada", "olga's": "olga"}.get(headers["x-token"], "")


def verified(verifier, peer, **headers) -> Viewer:
    """Who asks, as an application behind learns it."""
    seen = []

    async def app(scope, _receive, _send):
        seen.append(scope["state"]["viewer"])

    gate = Identify(app, ACCESS, Tokens((), StandingClock()), named, verifier)
    told = [(key.replace("_", "-").encode(), value.encode()) for key, value in headers.items()]
    asyncio.run(gate({"type": "http", "headers": told, "state": {"peer": peer}}, None, None))
    return seen[0]


FAR = Peer(address="192.0.2.9")


@pytest.mark.parametrize(
    ("peer", "headers", "name", "role"),
    [
        (FAR, {"x_token": "good"}, "ada", Role.USER),
        (FAR, {"x_token": "olga's"}, "olga", Role.OPERATOR),
        (FAR, {"x_token": "bad"}, "", Role.ANONYMOUS),
        (FAR, {}, "", Role.ANONYMOUS),
        pytest.param(by_socket(0), {"x_token": "bad"}, "", Role.ANONYMOUS, id="worse than none"),
        pytest.param(by_socket(0), {"x_token": "good"}, "ada", Role.USER, id="that one is meant"),
        pytest.param(by_socket(1000), {}, "ada", Role.USER, id="none shown"),
        pytest.param(
            by_socket(1003), {"x_token": "olga's"}, "", Role.ANONYMOUS, id="a proxy's word alone"
        ),
    ],
)
def test_whom_credentials_prove(peer, headers, name, role):
    viewer = verified(Verifier(), peer, **headers)
    assert (viewer.name, viewer.role) == (name, role)


@pytest.mark.parametrize("error", [SourceError("rest: no answer"), ZeroDivisionError()])
def test_if_they_cannot_be_verified_that_is_said(error):
    viewer = verified(Verifier(error), by_socket(0), x_token="good")
    assert viewer.role is Role.ANONYMOUS
    assert viewer.trouble in asked(viewer, LIST, private(scene())).json()["detail"]
    assert asked(viewer, "/api/v1/me").json()["how"] == viewer.trouble


def test_identifiers_are_those_that_are_installed():
    with pytest.raises(ValidationError, match="slurm-jwt"):
        AccessTable.model_validate({"ask": {"kind": "kerberos"}})
    table = AccessTable.model_validate({"ask": {"kind": "slurm-jwt", "url": "http://a"}})
    assert callable(identifier_of(table.ask.kind, table.ask.settings).name)
