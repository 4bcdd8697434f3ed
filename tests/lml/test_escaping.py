"""Spellings of text and lists: plain where possible, reversible always."""

import pytest
import strategies as domain
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from predictor.lml.codec import OFFSET, instants, local_seconds, tasks
from predictor.lml.escaping import flagged, item, items, quoted, unflagged, unitem, unitems


@given(domain.texts)
def test_any_text_survives_an_xml_attribute(text):
    element = etree.fromstring(f'<data value="{quoted(flagged(text))}"/>')
    assert unflagged(element.get("value")) == text


@given(st.lists(domain.texts).map(tuple))
def test_any_list_survives(texts):
    assert unitems(items(texts)) == texts


@given(domain.texts)
def test_an_item_survives_without_the_marks_of_its_list(text):
    assert unitem(item(text)) == text
    assert not set(item(text)) & set(",()=\n\0")


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        pytest.param("C:\\temp", "C:\\temp", id="a backslash inside stays"),
        pytest.param("\\x", "\\\\\\x", id="one at the beginning is flagged"),
        pytest.param("a\tb", "\\a\\u0009b", id="control characters are spelled out"),
        pytest.param("", "\\", id="empty text is the bare flag"),
    ],
)
def test_only_what_must_be_is_flagged(text, spelled):
    assert flagged(text) == spelled


@given(st.lists(st.integers(-9, 99)).map(tuple))
def test_task_numbers_survive_in_any_order(numbers):
    if numbers:
        assert tasks().decode(tasks().encode(numbers)) == numbers


def test_spans_of_tasks_cannot_fill_the_memory():
    codec = tasks()
    assert codec.encode((1, 2, 3, 7)) == "1..3,7"
    codec.decode("1..4000000")
    with pytest.raises(ValueError, match="more than 5000000"):
        codec.decode("1..4000000")


@given(domain.ints, domain.ints)
def test_any_instant_survives_any_offset(at, offset_s):
    codec = instants(offset_s)
    assert codec.decode(codec.encode(at)) == at
    assert OFFSET.decode(OFFSET.encode(offset_s)) == offset_s


def test_dates_are_read_in_both_forms():
    assert local_seconds("2026-11-20 14:02:00") == local_seconds("11/20/26-14:02:00")
