"""Sources by their kind: whatever is installed under the entry-point group."""

from importlib.metadata import entry_points

from predictor.domain import Source
from predictor.errors import SiteError
from predictor.site import Site

GROUP = "queuecast.sources"


def make_source(site: Site) -> Source:
    """Return the source that the site file asks for. Raises SiteError."""
    for entry in entry_points(group=GROUP, name=site.source.kind):
        source: Source = entry.load()(site.source.settings)
        return source
    raise SiteError(f"source.kind: no source {site.source.kind!r} is installed")
