"""The source that a site asks for."""

from pathlib import Path

from predictor.domain import Source
from predictor.errors import SiteError
from predictor.installed import source_of
from predictor.site import Site
from predictor.site.load import place_in


def make_source(site: Site, file: Path | None = None) -> Source:
    """Return the source that the site asks for. Raises SiteError, naming the place in `file`."""
    try:
        return source_of(site.source.kind, site.source.settings)
    except SiteError as error:
        if file is None:
            raise
        raise SiteError(f"{place_in(file, 'source')}: {error}") from error
