"""Watches on disk: bounded, whole after a crash, and never in the way."""

import json
import logging
import stat
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from watching import WATCH

from predictor.errors import StorageError
from predictor.service.watches import store
from predictor.service.watches.deciding import Decision
from predictor.service.watches.store import MOST_OF_ONE, TooMany, Watches, file_of
from predictor.service.watches.watch import Kind, Told, Watch

TOLD = Told(likely_at=5, soon_at=None, started=False, gone_at=7)


@pytest.fixture
def file(tmp_path):
    return file_of(tmp_path / "recording")


def test_what_was_kept_is_there_after_a_restart(file):
    watches = Watches(file)
    watches.add(WATCH)
    watches.settle(Decision(ledger={"w1": {"1": TOLD}}))
    assert Watches(file).all() == ((WATCH,), {"w1": {"1": TOLD}})


@given(
    st.builds(
        Watch,
        id=st.just("w1"),
        owner=st.text(),
        job=st.none() | st.text(),
        kinds=st.frozensets(st.sampled_from(Kind)),
        soon_s=st.integers(),
        webhook=st.none() | st.text(),
        created_at=st.integers(),
    ),
    st.dictionaries(
        st.text(),
        st.builds(
            Told,
            likely_at=st.none() | st.integers(),
            soon_at=st.none() | st.integers(),
            started=st.booleans(),
            gone_at=st.none() | st.integers(),
        ),
    ),
)
def test_any_watch_reads_as_it_was_written(tmp_path_factory, watch, told):
    file = tmp_path_factory.mktemp("any") / "watches"
    watches = Watches(file)
    watches.add(watch)
    watches.settle(Decision(ledger={"w1": told}))
    assert Watches(file).all() == ((watch,), {"w1": told})


def test_nobody_else_may_read_it(file):
    Watches(file).add(WATCH)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_one_that_tells_the_same_is_kept_once(file):
    watches = Watches(file)
    watches.add(WATCH)
    assert watches.add(replace(WATCH, id="other", created_at=9)) == WATCH
    assert watches.of("ada") == (WATCH,)


def test_one_user_and_all_users_have_bounds(file, monkeypatch):
    monkeypatch.setattr(store, "MOST", MOST_OF_ONE + 1)
    watches = Watches(file)
    for number in range(MOST_OF_ONE):
        watches.add(replace(WATCH, id=f"w{number}", soon_s=number))
    with pytest.raises(TooMany, match="you have 20 watches already"):
        watches.add(replace(WATCH, id="more", soon_s=99))
    watches.add(replace(WATCH, id="bob", owner="bob"))
    with pytest.raises(TooMany, match="not kept here"):
        watches.add(replace(WATCH, id="eve", owner="eve"))


def test_only_its_owner_forgets_a_watch(file):
    watches = Watches(file)
    watches.add(WATCH)
    assert watches.remove("bob", "w1") is None
    assert watches.remove("ada", "w1") == WATCH
    assert watches.remove("ada", "w1") is None
    assert Watches(file).all() == ((), {})


def test_what_is_done_is_forgotten_and_what_was_deleted_meanwhile_stays_so(file):
    watches = Watches(file)
    watches.add(WATCH)
    watches.add(replace(WATCH, id="w2", job="2"))
    watches.settle(Decision(ledger={"w1": {}, "w2": {}, "w3": {}}, done=frozenset({"w1"})))
    (left,), ledger = Watches(file).all()
    assert (left.id, ledger) == ("w2", {"w2": {}})


def test_what_did_not_change_is_not_written_again(file):
    watches = Watches(file)
    watches.add(WATCH)
    watches.settle(Decision(ledger={"w1": {"1": TOLD}}))
    before = file.stat()
    watches.settle(Decision(ledger={"w1": {"1": TOLD}}))
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


DAMAGE = {
    "cut": lambda content: content[:-3],
    "empty": lambda _: b"",
    "other form": lambda content: content.replace(b"watches/1", b"watches/9"),
    "no list": lambda _: b'{"schema": "queuecast.watches/1", "watches": 5}',
    "no text": lambda _: b"\xff\xfe",
    "deep": lambda _: b"[" * 100_000,
    "strange kind": lambda content: content.replace(b'"slipped"', b'"slept"'),
    "not told": lambda content: content.replace(b'"told":{}', b'"told":{"1":[1]}'),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_set_aside(file, damage, caplog):
    Watches(file).add(WATCH)
    damaged = damage(file.read_bytes())
    file.write_bytes(damaged)
    with caplog.at_level(logging.ERROR, "queuecast"):
        watches = Watches(file)
    assert "watches begin anew" in caplog.text
    assert watches.all() == ((), {})
    assert file.with_name(file.name + ".damaged").read_bytes() == damaged
    watches.add(WATCH)
    assert Watches(file).of("ada") == (WATCH,)


def test_what_cannot_be_kept_is_not_there_but_what_was_told_is_known_all_the_same(tmp_path):
    file = tmp_path / "gone" / "watches"
    watches = Watches(file)
    with pytest.raises(StorageError, match="cannot be kept"):
        watches.add(WATCH)
    assert watches.all() == ((), {})
    file.parent.mkdir()
    watches.add(WATCH)
    file.unlink()
    file.parent.rmdir()
    with pytest.raises(StorageError, match="cannot be kept"):
        watches.settle(Decision(ledger={"w1": {"1": TOLD}}))
    assert watches.all()[1] == {"w1": {"1": TOLD}}


def test_it_is_one_object_in_ascii(file):
    Watches(file).add(replace(WATCH, owner="ä\ud800"))
    content = file.read_bytes()
    assert content.isascii()
    assert json.loads(content)["schema"] == "queuecast.watches/1"
