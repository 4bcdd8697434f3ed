"""Sources by their kind: whatever is installed under the entry-point group."""

from importlib.metadata import entry_points
from pathlib import Path

from predictor.domain import Source
from predictor.domain.source import SOURCES
from predictor.errors import SiteError
from predictor.site import Site
from predictor.site.load import place_in


def make_source(site: Site, file: Path | None = None) -> Source:
    """Return the source that the site asks for. Raises SiteError, naming the place in `file`."""
    try:
        return _made(site)
    except SiteError as error:
        if file is None:
            raise
        raise SiteError(f"{place_in(file, 'source')}: {error}") from error


def _made(site: Site) -> Source:
    for entry in entry_points(group=SOURCES, name=site.source.kind):
        source: Source = entry.load()(site.source.settings)
        return source
    raise SiteError(f"source.kind: no source {site.source.kind!r} is installed")
