"""The source that a site asks for."""

from pathlib import Path

from predictor.domain import Source
from predictor.errors import SettingError, SiteError
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


def source_faults(site: Site, file: Path) -> tuple[str, ...]:
    """Return what is wrong with the source's settings, each with the place in `file`.

    A setting that cannot be used is left out to see what is wrong with the others; what is wrong
    then only for want of it is not told.
    """
    found: list[str] = []
    settings = dict(site.source.settings)
    while True:
        try:
            source_of(site.source.kind, settings)
        except SettingError as error:
            found.append(str(error))
            if error.key in settings:
                del settings[error.key]
                continue
        except SiteError as error:
            found = found or [str(error)]
        place = place_in(file, "source") if found else ""
        return tuple(f"{place}: {fault}" for fault in found)
