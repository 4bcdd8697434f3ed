"""Site files from a few lines of text."""

import textwrap

import pytest

from predictor.errors import SiteError
from predictor.site import load


@pytest.fixture
def site_file(tmp_path):
    """Write a site file and return its path."""

    def write(text):
        file = tmp_path / "site.toml"
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        return file

    return write


@pytest.fixture
def site(site_file):
    """Load a site from its text."""
    return lambda text: load(site_file(text))


@pytest.fixture
def faults(site_file):
    """Return what is wrong with a site file, each without its file name."""

    def find(text):
        file = site_file(text)
        with pytest.raises(SiteError) as caught:
            load(file)
        return [line.removeprefix(f"{file}:") for line in str(caught.value).splitlines()]

    return find
