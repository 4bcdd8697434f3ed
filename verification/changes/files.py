"""Read proposed configurations: each file is told by its content."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

from predictor.domain.amendment import AMENDMENTS, Amendment
from predictor.errors import SiteError
from predictor.site import Site, default, load

_SITE = re.compile(r"\s*(?:\[|([a-z][a-z0-9_]*)\s*=)")
LONGEST_HEAD = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """What the files of one side say, in the order given."""

    amendments: tuple[Amendment, ...] = ()
    site: Site | None = None
    """None: there is no site file among them."""

    @property
    def said(self) -> Mapping[str, str]:
        """Return every setting by its name in full; the last file's word counts."""
        found: dict[str, str] = {}
        for amendment in self.amendments:
            found |= amendment.said
        return found

    @property
    def without_effect(self) -> Mapping[str, str]:
        """Return the settings that nothing on paper depends on, and why."""
        found: dict[str, str] = {}
        for amendment in self.amendments:
            found |= amendment.without_effect
        return found

    @property
    def faults(self) -> tuple[str, ...]:
        """Return what is wrong with the files, with places."""
        return tuple(fault for amendment in self.amendments for fault in amendment.faults)


def read_files(paths: Sequence[Path]) -> Configured:
    """Return what the files say. Raises SiteError and SourceError for what cannot be read."""
    amendments: list[Amendment] = []
    site: Site | None = None
    for path in paths:
        if is_site(path):
            if site is not None:
                raise SiteError(f"{path}: a second site file on the same side")
            site = load(path)
        else:
            amendments.append(_amendment(path))
    return Configured(amendments=tuple(amendments), site=site)


def is_site(path: Path) -> bool:
    """Return whether a file is a site file: it begins with a table, or a key of such a file.

    Raises SiteError if it cannot be read.
    """
    try:
        with path.open("rb") as file:
            text = file.read(LONGEST_HEAD).decode(errors="replace")
    except OSError as error:
        raise SiteError(f"{path}: cannot be read: {error.strerror}") from None
    code = (line.partition("#")[0] for line in text.splitlines())
    first = next((line for line in code if line.strip()), "")
    found = _SITE.match(first)
    return found is not None and (found[1] is None or found[1] in Site.model_fields)


def _amendment(path: Path) -> Amendment:
    kinds = sorted(entry_points(group=AMENDMENTS), key=lambda entry: entry.name)
    for kind in kinds:
        found: Amendment | None = kind.load()(path)
        if found is not None:
            return found
    known = ", ".join(["site file", *(kind.name for kind in kinds)])
    raise SiteError(f"{path}: none of the kinds of files that are known: {known}")


def site_words(site: Site | None) -> Mapping[str, str]:
    """Return what a site file says by dotted keys; of lists of tables each is numbered."""
    return dict(_flat("", (site or default()).model_dump(mode="json", by_alias=True)))


def _flat(name: str, value: object) -> list[tuple[str, str]]:
    match value:
        case dict():
            inner = ((f"{name}.{key}" if name else key, one) for key, one in value.items())
        case list() if any(isinstance(one, dict) for one in value):
            inner = ((f"{name}[{n}]", one) for n, one in enumerate(value, start=1))
        case _:
            return [(name, "" if value is None else str(value))]
    return [pair for key, one in inner for pair in _flat(key, one)]
