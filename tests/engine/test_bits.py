"""The operations on words, and moving stretches of arrays, as plain Python has them."""

from hypothesis import given
from hypothesis import strategies as st

from predictor.engine import bits, moves

WORDS = st.integers(0, 2**200 - 1)


@given(WORDS, st.data())
def test_the_first_bits_are_the_lowest_ones(word, data):
    count = data.draw(st.integers(0, word.bit_count()))
    places = [place for place in range(200) if word >> place & 1]
    assert bits.first(word, count) == sum(1 << place for place in places[:count])


@given(WORDS)
def test_the_width_is_where_the_highest_bit_ends(word):
    assert 1 << bits.width(word) > word >= 1 << bits.width(word) >> 1 or word == 0


@given(st.lists(st.integers()), st.data())
def test_a_stretch_may_overlap_where_it_goes(values, data):
    source, target = (data.draw(st.integers(0, len(values))) for _ in range(2))
    count = data.draw(st.integers(0, len(values) - max(source, target)))
    moved = list(values)
    moves.shift(moved, source, target, count)
    assert moved[target : target + count] == values[source : source + count]
    assert moved[:target] == values[:target]
    assert moved[target + count :] == values[target + count :]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=4, max_size=4), st.data())
def test_the_next_one_is_the_first_bit_that_is_set_from_there_on(words, data):
    sparse = [word & data.draw(st.integers(0, 2**64 - 1)) for word in words]
    count, first = data.draw(st.integers(0, 192)), data.draw(st.integers(0, 1))
    place = data.draw(st.integers(0, count))
    kept = [word & (1 << max(0, min(64, count - 64 * w))) - 1 for w, word in enumerate(sparse)]
    row = [*words[:first], *kept]
    ones = [i for i in range(place, count) if kept[i // 64] >> i % 64 & 1]
    assert bits.next_one(row, first, place, count) == min(ones, default=count)
