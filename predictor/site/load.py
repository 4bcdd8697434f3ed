"""Read a site file."""

from pathlib import Path

from pydantic import ValidationError

from predictor.errors import SiteError
from predictor.site.complaints import complaint, complaints, dotted, line_of
from predictor.site.lines import lines_of
from predictor.site.model import Site
from predictor.site.references import findings
from predictor.site.toml import parsed, text_of


def default() -> Site:
    """Return the site of somebody who has no file: a Slurm cluster, asked on its command line."""
    return Site()


def load(path: Path) -> Site:
    """Return the site that a TOML file describes; relative paths in it start at its folder.

    Raises SiteError with a line for everything that is wrong: `file:line: table.key: cause`.
    What tables say about one another is looked at once each is right by itself.
    """
    text = text_of(path)
    data = parsed(text, path)
    try:
        site = Site.model_validate(data, context={"folder": path.absolute().parent})
    except ValidationError as error:
        raise SiteError("\n".join(complaints(error, Site, lines_of(text), path))) from None
    if wrong := sorted(findings(site)):
        lines = lines_of(text)
        said = [complaint(path, line_of(at, lines), dotted(at), what) for at, what in wrong]
        raise SiteError("\n".join(said))
    return site


def place_in(path: Path, key: str) -> str:
    """Return `file:line` of a table or key at the top of a file that could be loaded."""
    return f"{path}:{line_of((key,), lines_of(text_of(path)))}"
