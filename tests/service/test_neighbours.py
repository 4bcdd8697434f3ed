"""How many connections one peer may have."""

from functools import partial

import pytest

from predictor.service.asking.peers import UNKNOWN, Peer
from predictor.service.asking.proxies import passes_on
from predictor.service.neighbours import Neighbours, Place
from predictor.site.access import AccessTable

NAMES = {0: "root", 33: "www-data", 1001: "ada", 1002: "portal"}
ACCESS = AccessTable(proxies=("192.0.2.0/24", "local:portal"))


def places(*peers, most=4):
    here = Neighbours(most, partial(passes_on, access=ACCESS, name_of=NAMES.__getitem__))
    return [here.come(peer) for peer in peers]


def elsewhere(address):
    return Peer(address=address)


def here(uid, address="127.0.0.1"):
    return Peer(address=address, uid=uid)


@pytest.mark.parametrize(
    "peer",
    [elsewhere("198.51.100.7"), elsewhere("2001:db8::7"), here(1001), here(1001, ""), UNKNOWN],
)
def test_beyond_the_bound_a_quarter_are_told_so_and_the_others_are_not(peer):
    served, told, gone = Place.FREE, Place.REFUSED, Place.NONE
    assert places(*[peer] * 7) == [served] * 4 + [told, gone, gone]


@pytest.mark.parametrize(
    "peer", [elsewhere("192.0.2.9"), here(1002), here(1002, ""), here(33), here(0, "")]
)
def test_whoever_passes_on_what_others_ask_may_have_any_number(peer):
    assert set(places(*[peer] * 20)) == {Place.FREE}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (elsewhere("198.51.100.7"), elsewhere("198.51.100.8"), False),
        (elsewhere("2001:db8::7"), elsewhere("2001:db8::1:8"), True),
        (elsewhere("2001:db8::7"), elsewhere("2001:db8:0:1::7"), False),
        (here(1001), here(1003), False),
        (here(1001), here(1001, ""), False),
    ],
)
def test_who_counts_as_one(one, other, same):
    assert (places(one, other, most=1)[1] is Place.FREE) is not same


def test_places_that_are_left_are_free_again():
    here = Neighbours(1, lambda peer: False)
    for _ in range(3):
        assert here.come(UNKNOWN) is Place.FREE
        assert here.come(UNKNOWN) is Place.REFUSED
        here.go(UNKNOWN)
        here.go(UNKNOWN)
