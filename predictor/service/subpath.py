"""Below which path the service is to be found, where a proxy leaves that path in its requests."""

from starlette.types import ASGIApp, Receive, Scope, Send

from predictor.service.problems import problem


class SubPath:
    """Answers requests for `/prefix/…` as for `/…`, and those without the prefix all the same.

    Nothing we answer holds an absolute address, so that proxies which take the prefix off need
    no help. The prefix is the site file's: no header of a request can move us elsewhere.
    """

    def __init__(self, app: ASGIApp, prefix: str) -> None:
        """`prefix` begins with a slash and ends in none; empty: there is none."""
        self._app = app
        self._prefix = prefix

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http" and self._prefix and not scope.get("root_path"):
            path = scope["path"]
            if path == self._prefix:
                # Without the slash, what the first page refers to would be looked for beside it.
                there = {"Location": f"{self._prefix.rpartition('/')[2]}/"}
                answer = problem(308, "the first page ends in a slash", path, headers=there)
                await answer(scope, receive, send)
                return
            if path.startswith(f"{self._prefix}/"):
                scope = {**scope, "root_path": self._prefix}
        await self._app(scope, receive, send)
