"""How PBS writes things."""

import pytest

from collectors.pbs import words
from collectors.pbs.select import Chunks, Place, chunks, place, vnode_chunks


@pytest.mark.parametrize(
    ("word", "mib"),
    [
        ("527672488kb", 515306),
        ("235gb", 240640),
        ("4tb", 4 * 2**20),
        ("0b", 0),
        ("1", 1),
        ("8gw", 65536),
        ("100MB", 100),
        ("2m", 2),
    ],
)
def test_sizes(word, mib):
    assert words.size_mb(word) == mib


@pytest.mark.parametrize("word", ["", "much", "4xb", "-1kb", "1.5gb", "9" * 20, "9" * 15 + "pw"])
def test_what_is_no_size(word):
    with pytest.raises(ValueError, match="size"):
        words.size_mb(word)


def test_what_is_too_large_is_no_amount():
    assert words.amount(str(words.MOST)) == words.amount(f"{words.MOST}mb") == words.MOST
    assert words.amount(str(words.MOST + 1)) is words.amount(f"{words.MOST + 1}mb") is None
    with pytest.raises(ValueError, match="at most"):
        words.count(str(words.MOST + 1))


@pytest.mark.parametrize(
    ("word", "seconds"),
    [
        ("24:46:00", 89_160),
        ("8199:09:40", 29_516_980),
        ("20:00", 1200),
        ("90", 90),
        ("00:00:01.5", 1),
        ("", None),
    ],
)
def test_durations(word, seconds):
    assert words.seconds(word) == seconds


def test_dates():
    assert words.instant("Sat Dec  3 20:25:38 2022") == 1_670_099_138
    assert words.instant("1751737675") == 1_751_737_675
    # Source: qstat prints the first for a start that nobody has worked out yet.
    assert words.instant("UNKNOWN") is None
    assert words.instant("Wed Dec 31 18:00:00 1969") is None
    assert words.instant("Sat Foo  3 20:25:38 2022") is None


def test_access_lists():
    assert words.people("+ana@*,ben@login1, -eve@*,ana") == ("ana", "ben")


def test_limits():
    text = "[u:PBS_GENERIC=1],[o:PBS_ALL=32], [g: staff = 4tb]"
    assert words.limits(text) == (
        ("u", "PBS_GENERIC", "1"),
        ("o", "PBS_ALL", "32"),
        ("g", "staff", "4tb"),
    )


def test_limits_are_read_in_one_go():
    assert words.limits("[u:a" + " " * 200_000) == ()
    assert words.limits("[" * 200_000 + "u:a=1]") == (("u", "a", "1"),)


def chunk(count, **wants):
    return Chunks(count=count, wants=tuple(sorted(wants.items())))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("40", (chunk(40),)),
        ("ncpus=4", (chunk(1, ncpus="4"),)),
        ("2:ncpus=16:mem=4gb+1:ncpus=2", (chunk(2, ncpus="16", mem="4gb"), chunk(1, ncpus="2"))),
        ("1:ncpus=4+2:ncpus=4", (chunk(3, ncpus="4"),)),
        ("1:NCPUS=4:host=n1", (chunk(1, ncpus="4", host="n1"),)),
        ("1:ncpus=1:set='a:b+c'", (chunk(1, ncpus="1", set="a:b+c"),)),
    ],
)
def test_select_statements(text, expected):
    assert chunks(text, {}) == expected


def test_what_a_chunk_lacks_comes_from_the_defaults():
    assert chunks("2:ncpus=4", {"ncpus": "1", "mem": "1gb"}) == (chunk(2, ncpus="4", mem="1gb"),)


@pytest.mark.parametrize(
    "text", ["", "2:", "2::", "+", "2:ncpus", "0:ncpus=1", "'", "2:a='b", "9999999:ncpus=1"]
)
def test_what_is_no_select_statement(text):
    with pytest.raises(ValueError, match=r"select|resource"):
        chunks(text, {})


def test_place_statements():
    assert place("scatter:excl:group=rack") == Place(arrangement="scatter", sharing="excl")
    assert place("") == Place()


def test_vnodes_that_hold_a_job():
    assert vnode_chunks("(n1:ncpus=2:mem=4kb)+(n2[0]:ncpus=1+n2[1]:ncpus=1)") == (
        (("n1", {"ncpus": "2", "mem": "4kb"}),),
        (("n2[0]", {"ncpus": "1"}), ("n2[1]", {"ncpus": "1"})),
    )
