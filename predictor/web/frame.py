"""What all pages have: the templates, the assets, the head with the age of the answer."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Self

from jinja2 import Environment, PackageLoader, StrictUndefined

from predictor.cli.terminal import plain
from predictor.domain.durations import duration
from predictor.service.asking.viewers import ANONYMOUS, Role, Viewer
from predictor.service.published import Published
from predictor.web.words import local, utc, zone

TEMPLATES = Environment(
    loader=PackageLoader("predictor.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
MEDIA_TYPES = {"css": "text/css", "js": "text/javascript"}
STATIC = ("queuecast.css", "schedule.js", "live.js")
OWN = (("My jobs", "mine"), ("Watches", "watches"))
PAGES = (("Queue", ""), ("Schedule", "schedule"), ("What if", "what-if"))
ABOUT = (("Weather", "weather"), ("About", "about"))
OPERATORS = (("Operation", "operation"), ("Experiments", "experiments"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """The files beside the pages, named by their content so that they may be kept for ever."""

    content: Mapping[str, bytes]
    """By the name under which it is served."""
    names: Mapping[str, str]
    """Those names, by the file's own."""

    @classmethod
    def read(cls) -> Self:
        """Return those that are installed."""
        content, names = {}, {}
        for own in STATIC:
            found = files("predictor.web").joinpath("static", own).read_bytes()
            stem, _, kind = own.rpartition(".")
            names[own] = f"{stem}.{hashlib.sha256(found).hexdigest()[:12]}.{kind}"
            content[names[own]] = found
        return cls(content=content, names=names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where a page stands: all addresses in it are relative to it."""

    assets: Assets
    here: str
    """Which of the pages it is, for the navigation."""
    root: str = ""
    """The way up to the first page: `../` for one in a folder."""
    viewer: Viewer = ANONYMOUS
    """For whom it is made."""
    embed: bool = False
    """Whether it is to stand in another page: without navigation and heading."""
    trouble: str = ""
    """Why the newest looks brought nothing, for a page that has no result to tell of."""

    def around(self, current: Published | None, now: float) -> Mapping[str, Any]:
        """Return what the frame's templates need; without a result, the addresses alone."""
        addresses = {
            "asset": self._asset,
            "root": self.root,
            "here": self.here,
            "pages": self._pages(),
            "viewer": plain(self.viewer.name),
            "embed": self.embed,
        }
        if current is None:
            return addresses
        return addresses | {
            "cluster": plain(current.cluster),
            "age": duration(current.age_s(now)),
            "age_s": current.age_s(now),
            "tick": current.tick,
            "stale_after_s": current.terms.stale_after_s,
            "stale": current.stale(now),
            "stale_after": duration(current.terms.stale_after_s),
            "snapshot_at": utc(current.snapshot_at),
            "snapshot_local": local(current.snapshot_at, current.utc_offset_s, now),
            "trouble": _trouble(current, now),
            "zone": zone(current.utc_offset_s),
            "policy": plain(current.policy),
        }

    def _pages(self) -> list[tuple[str, str]]:
        """Return the pages that are of use to the viewer, each with its address."""
        own = OWN if self.viewer.name else ()
        operators = OPERATORS if self.viewer.role is Role.OPERATOR else ()
        return [*own, *PAGES, *ABOUT, *operators]

    def _asset(self, own: str) -> str:
        return f"{self.root}assets/{self.assets.names[own]}"

    def page(self, template: str, current: Published | None, now: float, **more: Any) -> str:
        """Return a page as HTML; as long as there is no result, one that says so."""
        if current is None:
            return self.alone("waiting.html", trouble=self.trouble)
        return TEMPLATES.get_template(template).render(**self.around(current, now), **more)

    def alone(self, template: str, **more: Any) -> str:
        """Return a page as HTML that tells nothing of the cluster."""
        return TEMPLATES.get_template(template).render(**self.around(None, 0), **more)


def _trouble(current: Published, now: float) -> str:
    """Return why there is nothing newer, in the site's time; empty: all is well."""
    trouble = current.trouble
    if trouble is None:
        return ""
    next_at = local(int(trouble.next_at), current.utc_offset_s, now)
    return f"The cluster cannot be seen now ({trouble.kind}); the next look is at {next_at}."
