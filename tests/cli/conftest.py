"""For the tests of commands."""

from http import HTTPStatus

import pytest

from predictor.cli.client import Client


@pytest.fixture
def daemons_client(monkeypatch):
    """Put in a command's place for the client one that asks an app without a network."""

    def put(place, app):
        class Wire(Client):
            def __init__(self, url="http://localhost", patience_s=10.0):
                super().__init__("http://localhost", patience_s)

            def _exchange(self, method, target, asked):
                headers = {} if asked is None else {"Content-Type": "application/json"}
                answer = app.ask(method, target, headers, asked)
                return HTTPStatus(answer.status_code), answer.content

        monkeypatch.setattr(place, Wire)

    return put
