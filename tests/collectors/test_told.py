"""The page of what each way tells is that of the recorded answers."""

from recorded_forms import VERSIONS
from told import COLUMNS, PAGE, renewed, told_by


def test_the_page_is_up_to_date():
    assert PAGE.read_text() == renewed(PAGE.read_text()), "PYTHONPATH=tests python -m told"


def test_text_tells_all_that_json_tells():
    for version in VERSIONS:
        text, json = (told_by(COLUMNS[f"{form} {version}"]()) for form in ("text", "json"))
        assert json - text == frozenset()
