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
    """
    site, wrong = checked(path)
    if wrong:
        raise SiteError("\n".join(wrong))
    return site


def checked(path: Path) -> tuple[Site, tuple[str, ...]]:
    """Return what of a site file is right, and a line for everything that is wrong.

    What tables say about one another is looked at as far as each is right by itself. Raises
    SiteError for what is no TOML.
    """
    text = text_of(path)
    data, lines = parsed(text, path), lines_of(text)
    context = {"folder": path.absolute().parent}
    wrong: tuple[str, ...] = ()
    try:
        site = Site.model_validate(data, context=context)
    except ValidationError as error:
        wrong = complaints(error, Site, lines, path)
        bad = {detail["loc"][0] for detail in error.errors(include_url=False)}
        right = {key: value for key, value in data.items() if key not in bad}
        site = Site.model_validate(right, context=context)
    said = (complaint(path, line_of(at, lines), dotted(at), what) for at, what in findings(site))
    return site, (*wrong, *sorted(said))


def place_in(path: Path, key: str) -> str:
    """Return `file:line` of a table or key at the top of a file that could be loaded."""
    return f"{path}:{line_of((key,), lines_of(text_of(path)))}"
