"""Reports say all that was measured, and do no harm whatever jobs and users are called."""

import json
import re
from xml.etree import ElementTree

import pytest

from verification.report.as_json import render_json
from verification.report.page import render_html
from verification.report.terminal import render_terminal
from verification.report.words import seconds, told


@pytest.mark.parametrize("width", [10, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal(found, width):
    lines = render_terminal(found, width).splitlines()
    assert max(map(len, lines)) <= max(width, 40)


def test_the_terminal_gets_no_control_characters(found):
    text = render_terminal(found, 120)
    assert text.replace("\n", "").isprintable()
    assert "\u202e" not in text


def test_what_is_not_known_is_said_so(found):
    assert re.search(r"not known yet:[^:]* 80 % windows hold", render_terminal(found, 100))
    assert "not known yet" in render_html(found)


def test_the_terminal_tells_the_headline_with_its_interval(found):
    assert re.search(r"mean absolute error +20\.6 min  \(16\.7 min to", render_terminal(found, 100))


def page(found):
    """Return the page as a tree: it is well-formed but for the tags that are never closed."""
    text = re.sub(r"<meta[^>]*>", "", render_html(found))
    return ElementTree.fromstring(text.removeprefix("<!doctype html>"))  # noqa: S314 - we wrote it


def test_the_page_is_well_formed_and_runs_nothing(found):
    tags = {one.tag.rpartition("}")[2] for one in page(found).iter()}
    assert not tags & {"script", "link", "img", "iframe", "object"}
    attributes = {name for one in page(found).iter() for name in one.attrib}
    assert not {name for name in attributes if name.startswith("on") or name in ("href", "src")}


def test_names_are_shown_as_they_are_but_for_control_characters(found):
    texts = [text for one in page(found).iter() for text in (one.text, one.tail) if text]
    assert any("<script>alert(1)</script>?[31m?" in text for text in texts)


def test_every_plot_tells_what_it_shows_to_those_who_cannot_see_it(found):
    plots = [one for one in page(found).iter() if one.tag.endswith("svg")]
    assert len(plots) == 5
    for plot in plots:
        ids = plot.attrib["aria-labelledby"].split()
        named = [one for one in plot if one.attrib.get("id") in ids]
        assert plot.attrib["role"] == "img"
        assert [bool(one.text) for one in named] == [True, True]


def test_there_is_a_table_for_every_plot(found):
    sections = [one for one in page(found).iter("section") if one.find(".//*[@role='img']")]
    assert len(sections) == 5
    assert all(section.find(".//table") is not None for section in sections)


def test_what_diagnostics_found_is_told(found):
    text = render_terminal(found, 120)
    assert "unexplained: 1 of 3" in text
    assert "agreement 90.0 %, DRIFTED" in text
    captions = [one.text for one in page(found).iter("caption")]
    assert "Refused, though they happened" in captions


def test_reports_are_written_without_any_mode(found):
    nothing = {**found, "modes": {}}
    assert render_terminal(nothing)
    assert page(nothing).find(".//h1") is not None
    assert json.loads(render_json(nothing)) == nothing


def test_the_json_is_the_document(found):
    assert json.loads(render_json(found)) == found
    assert render_json(found).isascii()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0 s"),
        (119, "119 s"),
        (-120, "-2.0 min"),
        (7199, "120 min"),
        (7200, "2.0 h"),
        (172_800, "2.0 d"),
        (100 * 86_400, "100 d"),
    ],
)
def test_durations_are_told_in_fitting_units(value, text):
    assert seconds(value) == text


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("within_60s", 0.25, "25.0 %"),
        ("mae_s", 90.0, "90 s"),
        ("jobs_scored", 12345, "12,345"),
        ("kendall_tau", 0.98765, "0.988"),
        ("baselines.slurm.answered", 1, "100.0 %"),
        ("verdict", "not_known_yet", "not known yet"),
        ("user", "a_b", "a_b"),
    ],
)
def test_figures_are_told_by_what_they_are(name, value, text):
    assert told(name, value) == text
