"""The style sheet: all text can be read, in light and in dark, and what is drawn be told apart."""

import re

import pytest

from predictor.web.frame import Assets

SHEET = next(
    content.decode() for name, content in Assets.read().content.items() if name.endswith(".css")
)
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", part))
    for part in SHEET.partition("* { box-sizing")[0].split("prefers-color-scheme: dark")
)
SURFACES = ("paper", "card", "head")
TEXT = 4.5
"""Source: WCAG 2.1, 1.4.3, level AA."""
GRAPHICS = 3.0
"""Source: WCAG 2.1, 1.4.11."""
MIXED = re.findall(
    r"\.([\w-]+) \{ background: color-mix\(in srgb, var\(--(\w+)\) (\d+)%, var\(--(\w+)\)\)", SHEET
)


def luminance(colour: str) -> float:
    """Source: WCAG 2.1, relative luminance."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def mixed(one: str, share: float, other: str) -> str:
    parts = ((int(c[at : at + 2], 16) for c in (one, other)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


def test_the_measure_is_the_known_one():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
class TestPalette:
    @pytest.mark.parametrize("ink", ["ink", "faint", "accent"])
    @pytest.mark.parametrize("surface", SURFACES)
    def test_text_can_be_read(self, palette, ink, surface):
        assert contrast(palette[ink], palette[surface]) >= TEXT

    def test_warnings_and_buttons_can_be_read(self, palette):
        assert contrast(palette["warn-ink"], palette["warn-paper"]) >= TEXT
        assert contrast(palette["paper"], palette["accent"]) >= TEXT

    @pytest.mark.parametrize(("name", "hue", "share", "base"), MIXED)
    def test_text_on_shades_can_be_read(self, palette, name, hue, share, base):
        ground = mixed(palette[hue], int(share) / 100, palette[base])
        for ink in ("ink",) if name != "own" else ("ink", "faint", "accent"):
            assert contrast(palette[ink], ground) >= TEXT

    @pytest.mark.parametrize("line", ["field", "runs", "waits", "accent", "apart", "warn-line"])
    def test_what_is_drawn_stands_out(self, palette, line):
        assert contrast(palette[line], palette["card"]) >= GRAPHICS

    def test_bars_of_ones_own_are_told_from_others(self, palette):
        assert contrast(palette["accent"], palette["runs"]) >= 1.5


def test_both_palettes_have_the_same_colours():
    assert LIGHT.keys() == DARK.keys()
    assert MIXED


def test_nothing_moves():
    """So there is nothing to leave out for who prefers reduced motion."""
    assert not re.search(r"transition|animation|@keyframes|scroll-behavior", SHEET)
