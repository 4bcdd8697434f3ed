"""Forms that change something: only those are taken that one of our own pages gave to who sends it.

Who asks is known by the connection or by a proxy, so that a page of anybody's could send forms in
its visitor's name; but it cannot read ours.
"""

import hmac
import secrets
from collections.abc import Mapping
from urllib.parse import parse_qs

from fastapi import Request

from predictor.service.asking.viewers import Viewer
from predictor.service.problems import Refused

KIND = "application/x-www-form-urlencoded"
MOST_FIELDS = 40
OURS = frozenset({"same-origin", "none"})
"""What a browser says of a form that no other site had a hand in. Source: Fetch Metadata."""


class Forms:
    """Gives marks to forms, and knows them again as long as the service runs."""

    def __init__(self, secret: bytes | None = None) -> None:
        self._secret = secret or secrets.token_bytes(32)

    def mark(self, viewer: Viewer) -> str:
        """Return what a form for this viewer holds."""
        return hmac.new(self._secret, viewer.name.encode(errors="replace"), "sha256").hexdigest()

    async def read(self, request: Request, viewer: Viewer) -> Mapping[str, list[str]]:
        """Return the fields of a form of the viewer's. Raises Refused: 400, 415."""
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
            raise Refused(415, f"a form comes as {KIND}")
        try:
            fields = parse_qs((await request.body()).decode(), max_num_fields=MOST_FIELDS)
        except ValueError as error:
            raise Refused(400, "the form cannot be read") from error
        foreign = request.headers.get("sec-fetch-site", "none") not in OURS
        mark = (fields.get("mark") or [""])[0].encode(errors="replace")
        if foreign or not hmac.compare_digest(mark, self.mark(viewer).encode()):
            raise Refused(400, "this form is not one of ours, or of before a restart: load it anew")
        return fields
