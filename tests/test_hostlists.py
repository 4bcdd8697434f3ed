import time

import pytest
from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet
from hypothesis import given
from hypothesis import strategies as st

from predictor.hostlists import MOST_HOSTS, expanded, folded

HOSTNAMES = st.from_regex(r"[a-z]{1,3}-?[0-9]{0,4}(x[0-9]{1,2})?", fullmatch=True)


@pytest.mark.parametrize(
    ("hostlist", "names"),
    [
        ("n1", ("n1",)),
        ("n[01,03-04],x1", ("n01", "n03", "n04", "x1")),
        ("r[1-2]n[1-2]", ("r1n1", "r1n2", "r2n1", "r2n2")),
        ("n10,n9,n9", ("n9", "n10")),
        ("a-b.c_d", ("a-b.c_d",)),
    ],
)
def test_names_in_a_list(hostlist, names):
    assert expanded(hostlist) == names


@pytest.mark.parametrize(
    ("hostlist", "piece"),
    [
        pytest.param("", "''", id="nobody"),
        pytest.param(",", "','", id="nobody twice"),
        pytest.param("a b", "'a b'", id="a blank"),
        pytest.param("@all", "'@all'", id="a group, which would run a command"),
        pytest.param("n[1-2]!n1", "'n[1-2]!n1'", id="a set operator"),
        pytest.param("n[", "'n['", id="no end"),
        pytest.param("n[1-2", "'n[1-2'", id="no end of a range"),
        pytest.param("n]1-2[", "'n]1-2['", id="brackets the wrong way"),
        pytest.param("n1,x[1-y]", "'[1-y]'", id="a letter in a range"),
        pytest.param("n[2-1]", "'[2-1]'", id="backwards"),
    ],
)
def test_what_is_no_list_is_refused_and_quoted(hostlist, piece):
    with pytest.raises(ValueError) as refusal:
        expanded(hostlist)
    assert str(refusal.value).startswith(f"{piece}: ")


@pytest.mark.parametrize(
    "hostlist",
    [
        "n[1-999999999]",
        "a[1-9999]b[1-9999]",
        f"n[0-{MOST_HOSTS}]",
        "n[1-99999999999999999999]",
        "n[1-150000],x[1-150000]",
    ],
)
@pytest.mark.timeout(5)
def test_a_list_of_too_many_is_refused_before_it_is_built(hostlist):
    with pytest.raises(ValueError, match=r"more than 200000 hosts|not ranges of numbers"):
        expanded(hostlist)


@pytest.mark.parametrize(
    "hidden",
    ["n[2-1]x[0-99999999]", "a[1-3-n[2-1]1_[0-9999999]b[4,6]", "n[9-1,1-999999]", "n]1["],
)
def test_nothing_makes_up_for_a_huge_range(hidden):
    with pytest.raises(ValueError, match=r"brackets that do not|goes backwards"):
        expanded(hidden)


@pytest.mark.parametrize("many", ["[" * 100_000, "n[" * 50_000, "a," * 50_000, "n[1]" * 9_999])
@pytest.mark.timeout(20)
def test_a_long_list_costs_no_long_time(many):
    try:
        expanded(many)
    except ValueError as refusal:
        assert len(str(refusal)) < 300


def test_as_many_as_are_allowed():
    assert len(expanded(f"n[1-{MOST_HOSTS}]")) == MOST_HOSTS


@given(st.sets(HOSTNAMES, min_size=1))
def test_folding_and_unfolding_give_the_same_names(names):
    assert set(expanded(folded(names))) == names


@pytest.mark.parametrize(
    ("names", "hostlist"),
    [
        ((), ""),
        (("n1", "n2", "n3", "x1"), "n[1-3],x1"),
        (("n[", "n,1", "n[0-999999999]", "@all"), "n[,n,1,n[0-999999999],@all"),
        (("n" + "9" * 250, "n1"), "n" + "9" * 250 + ",n1"),
    ],
)
def test_names_become_a_list(names, hostlist):
    assert folded(names) == hostlist


@given(st.lists(st.text()))
def test_whatever_the_names_are_folding_gives_a_text(names):
    assert isinstance(folded(names), str)


NUMBERED = st.tuples(
    st.sampled_from(["n", "node", "gpu-", "a_b", "x-"]),
    st.integers(1, 4),
    st.lists(st.integers(0, 10**4 - 1), min_size=1, max_size=12),
)


@given(NUMBERED)
def test_numbered_names_are_folded_as_clustershell_does(drawn):
    word, width, numbers = drawn
    names = [f"{word}{number % 10**width:0{width}}" for number in numbers]
    assert folded(names) == str(NodeSet.fromlist(names, resolver=RESOLVER_NOGROUP))


@given(st.lists(HOSTNAMES, min_size=1, max_size=8))
def test_any_names_are_folded_as_clustershell_does(names):
    assert folded(names) == str(NodeSet.fromlist(names, resolver=RESOLVER_NOGROUP))


@pytest.mark.parametrize("end", ["[", "]", "[["])
def test_brackets_that_do_not_match_are_refused_in_no_time(end):
    began = time.process_time()
    with pytest.raises(ValueError, match="brackets"):
        expanded("1," * 20_000 + end)
    assert time.process_time() - began < 1
