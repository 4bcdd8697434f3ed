"""Who has a right to how much: factors from a tree of shares and usage."""

import math
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import (
    Association,
    Fairshare,
    FairshareFormula,
    Provenance,
    SchedulerSettings,
    Snapshot,
)
from predictor.priority.fairshare import Shares
from predictor.priority.sharetree import share_tree

FAIR_TREE = SchedulerSettings()
CLASSIC = SchedulerSettings(fairshare_formula=FairshareFormula.CLASSIC)
DEPTH_OBLIVIOUS = SchedulerSettings(fairshare_formula=FairshareFormula.DEPTH_OBLIVIOUS)


def tree(*rows):
    """Return associations: ("account/user", shares, usage); accounts nest as "a/b/"."""
    total = sum(usage for path, _, usage in rows if path.count("/") == 1 and path[-1] == "/")
    total += sum(usage for path, _, usage in rows if path.startswith("/"))
    root = Association(account="root", fairshare=Fairshare(usage_raw=total))
    return (root, *(association(*row) for row in rows))


def association(path, shares, usage):
    *accounts, user = path.split("/")
    accounts = ["root", *filter(None, accounts)]
    parent = accounts[-1] if user else accounts[-2]
    return Association(
        account=accounts[-1],
        user=user,
        parent=parent,
        shares=shares,
        fairshare=Fairshare(usage_raw=usage),
    )


def shares_of(associations, settings=FAIR_TREE):
    return Shares.of(
        Snapshot(
            cluster="c",
            taken_at=0,
            provenance=Provenance(source="test"),
            associations=tuple(associations),
            settings=settings,
        )
    )


def factors(associations, settings=FAIR_TREE):
    """Return the factors by user; every user of these tests is in one account only."""
    return {who[1]: found for who, found in shares_of(associations, settings).factors().items()}


# physics has 40 % and used two thirds: 0.6. chem has 60 % and used one third: 1.8, so it is first.
TWO_ACCOUNTS = tree(
    ("physics/", 40, 100),
    ("physics/anna", 1, 100),
    ("physics/ben", 1, 0),
    ("chem/", 60, 50),
    ("chem/carl", 1, 50),
)


@pytest.mark.parametrize(
    ("associations", "ranks"),
    [
        pytest.param(TWO_ACCOUNTS, {"carl": 3, "ben": 2, "anna": 1}, id="the better account first"),
        pytest.param(
            tree(("/a", 1, 0), ("/b", 5, 0), ("/c", 1, 7)),
            {"a": 3, "b": 3, "c": 1},
            id="equals share the better rank, and the next one does not move up",
        ),
        pytest.param(
            tree(("x/", 1, 0), ("x/a", 1, 0), ("y/", 1, 0), ("y/b", 1, 0)),
            {"a": 2, "b": 2},
            id="nobody used anything: all are first, across accounts",
        ),
        pytest.param(
            tree(("x/", 1, 4), ("x/a", 1, 1), ("x/b", 1, 3), ("y/", 1, 4), ("y/c", 1, 4)),
            {"a": 3, "b": 2, "c": 2},
            id="the first of an account equal to the one before equals the last one there",
        ),
        pytest.param(
            tree(("/a", 0, 0), ("/b", 1, 100)),
            {"b": 2, "a": 1},
            id="without shares comes after all others, even without usage",
        ),
        pytest.param(
            tree(("/a", None, 900), ("/b", 9, 1)),
            {"a": 2, "b": 1},
            id="a user with the account's shares comes first in it",
        ),
        pytest.param(
            tree(("x/", None, 90), ("x/a", 1, 90), ("/b", 1, 10)),
            {"b": 2, "a": 1},
            id="members of an account with its parent's shares compete one level up",
        ),
        pytest.param(
            tree(("c/", 1, 8), ("c/a", 1, 5), ("c/d", 1, 3), ("/b", 1, 8)),
            {"b": 3, "d": 3, "a": 1},
            id="a user comes before an account that is its equal, which then shares its rank",
        ),
    ],
)
def test_fair_tree_ranks(associations, ranks):
    assert factors(associations) == {user: rank / len(ranks) for user, rank in ranks.items()}


# Two accounts with half of the cluster each; all was used by one of the first one's two users:
# anna's effective usage is 1 of her quarter, ben's half of the account's 1 of his, chem's none.
HALVES = tree(
    ("physics/", 1, 100),
    ("physics/anna", 1, 100),
    ("physics/ben", 1, 0),
    ("chem/", 1, 0),
    ("chem/carl", 1, 0),
)


def test_classic_factors_halve_with_each_share_used():
    assert factors(HALVES, CLASSIC) == {"anna": 2**-4, "ben": 2**-2, "carl": 1}


def test_dampening_takes_roots():
    damped = replace(CLASSIC, fairshare_dampening=2)
    assert factors(HALVES, damped) == {"anna": 2**-2, "ben": 2**-1, "carl": 1}


def test_classic_without_shares_is_zero_and_with_the_parents_as_the_parent():
    users = tree(("/a", 0, 5), ("/b", 1, 5), ("x/", 1, 10), ("x/c", None, 10))
    assert factors(users, CLASSIC) == {"a": 0, "b": 2**-0.5, "c": 2**-1}


# physics used 3/4 of a cluster of which it has 1/2: R = 1.5. Of its equal users anna used 4/3 of
# her part of that, ben 2/3 of his; what would mend the account's R counts less.
def test_depth_oblivious_factors():
    associations = tree(
        ("physics/", 1, 150),
        ("physics/anna", 1, 100),
        ("physics/ben", 1, 50),
        ("chem/", 1, 50),
        ("chem/carl", 1, 50),
    )
    weaker = 1 / (1 + (5 * math.log(1.5)) ** 2)
    found = factors(associations, DEPTH_OBLIVIOUS)
    assert found["anna"] == pytest.approx(2 ** -(1.5 * 4 / 3))
    assert found["ben"] == pytest.approx(2 ** -(1.5 * (2 / 3) ** weaker))
    assert found["carl"] == pytest.approx(2**-0.5)


@pytest.mark.parametrize(
    "associations",
    [
        pytest.param((), id="nothing is told"),
        pytest.param(TWO_ACCOUNTS[1:], id="no root"),
        pytest.param((*TWO_ACCOUNTS, Association(account="other")), id="two roots"),
        pytest.param((*TWO_ACCOUNTS, Association(account="x", parent="hidden")), id="a loose end"),
        pytest.param((*TWO_ACCOUNTS, TWO_ACCOUNTS[-1]), id="somebody twice"),
        pytest.param(
            (
                *TWO_ACCOUNTS,
                Association(account="x", parent="y"),
                Association(account="y", parent="x"),
            ),
            id="a circle",
        ),
        pytest.param(
            (TWO_ACCOUNTS[0], Association(account=TWO_ACCOUNTS[0].account, parent="root")),
            id="the root below itself",
        ),
    ],
)
def test_what_is_no_whole_tree_is_not_used(associations):
    assert share_tree(associations) is None
    assert shares_of(associations) is None


def test_hidden_usage_of_one_hides_the_factors_of_all():
    assert shares_of((*TWO_ACCOUNTS, Association(account="chem", user="dora"))) is None


@st.composite
def trees(draw):
    """Trees of up to four accounts, whatever their nesting, and six users."""
    shares = st.none() | st.integers(0, 5)
    root = Association(account="root")
    accounts = [root]
    for number in range(draw(st.integers(0, 4))):
        parent = draw(st.sampled_from(accounts)).account
        accounts.append(Association(account=f"a{number}", parent=parent, shares=draw(shares)))
    users = [
        Association(
            account=draw(st.sampled_from(accounts)).account, user=f"u{number}", shares=draw(shares)
        )
        for number in range(draw(st.integers(1, 6)))
    ]
    used = {user.user: draw(st.integers(0, 50)) for user in users}
    return [*accounts, *users], used


def used_by(associations, used):
    """Return the associations with what the users and all of an account's members used."""
    above = {one.account: one.parent for one in associations if not one.user}
    sums = Counter()
    for one in associations:
        account = one.account if one.user else None
        while account:
            sums[account] += used[one.user]
            account = above[account]
    return [
        replace(
            one, fairshare=Fairshare(usage_raw=used[one.user] if one.user else sums[one.account])
        )
        for one in associations
    ]


settings = st.sampled_from([FAIR_TREE, CLASSIC, DEPTH_OBLIVIOUS])


@given(trees(), settings)
def test_every_user_has_a_factor_from_0_to_1(drawn, chosen):
    associations, used = drawn
    found = factors(used_by(associations, used), chosen)
    assert found.keys() == used.keys()
    assert all(0 <= factor <= 1 for factor in found.values())


@given(trees(), settings, st.randoms(use_true_random=False))
def test_the_order_of_the_records_does_not_matter(drawn, chosen, chance: random.Random):
    told = used_by(*drawn)
    shuffled = chance.sample(told, len(told))
    one, other = (shares_of(each, chosen) for each in (told, shuffled))
    assert one == other
    assert one.factors() == other.factors()


@given(trees(), st.sampled_from([FAIR_TREE, CLASSIC]), st.data())
def test_more_usage_never_raises_ones_own_factor(drawn, chosen, data):
    associations, used = drawn
    user = data.draw(st.sampled_from(sorted(used)))
    more = {**used, user: used[user] + data.draw(st.integers(1, 50))}
    before, after = (factors(used_by(associations, each), chosen) for each in (used, more))
    assert after[user] <= before[user] + 1e-12
