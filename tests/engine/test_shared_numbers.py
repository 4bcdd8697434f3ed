"""Numbers that compiled modules read from a header are those that plain Python reads."""

import re
from pathlib import Path

import pytest

from predictor import engine
from predictor.engine import bound, codes

FOLDER = Path(engine.__file__).parent


@pytest.mark.parametrize("module", [bound, codes], ids=["bound", "codes"])
def test_a_header_says_what_its_module_says(module):
    name = module.__name__.rpartition(".")[2]
    header = (FOLDER / f"{name}.pxd").read_text()
    told = {word: int(number) for word, number in re.findall(r"^    (\w+) = (\d+)$", header, re.M)}
    meant = {word: value for word, value in vars(module).items() if word.isupper()}
    assert told == meant
