import os
import signal
import socket
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from click.testing import CliRunner

from predictor.cli import exits
from predictor.cli.demo import demo
from predictor.cli.serve import Overrides, serve
from predictor.errors import RecordingInUse, SiteError, StorageError
from predictor.service.sources import make_source
from predictor.site import Site, default
from predictor.storage import open_for_writing

CODE = "import sys; sys.argv = ['queuecast', *sys.argv[1:]]; from predictor.cli import main; main()"


def answer(url: str) -> str:
    """What the address answers, once it does."""
    deadline = time.monotonic() + 30
    while True:
        try:
            with urlopen(url, timeout=5) as response:  # noqa: S310 - loopback
                return response.read().decode()
        except URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def test_the_demo_shows_a_real_queue_and_leaves_nothing_behind(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", CODE, "demo", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    try:
        words = (word for line in process.stdout for word in line.split())
        url = next(word for word in words if word.startswith("http"))
        answer(f"{url}readyz")
        page = answer(url)
        assert "Waiting jobs in queue order" in page
        assert page.count("<time ") > 20
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=10)
    finally:
        process.kill()
    assert (process.returncode, told) == (0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("found", [True, False])
def test_what_the_demo_says_to_type_can_be_typed(monkeypatch, tmp_path, found):
    own = tmp_path / "bin" / "queuecast"
    own.parent.mkdir()
    own.write_text("")
    own.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(own), "demo"])
    monkeypatch.setenv("PATH", str(own.parent) if found else str(tmp_path))
    monkeypatch.setattr(
        "predictor.cli.demo.run", lambda *_, announce, **__: announce("http://here")
    )
    lines = CliRunner().invoke(demo, []).stdout.splitlines()
    assert f"  answers   {'queuecast' if found else own} when --url http://here" in lines


def test_a_second_daemon_ends_with_a_code_of_its_own_though_the_port_is_taken_too(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        file = tmp_path / "site.toml"
        port = taken.getsockname()[1]
        file.write_text(f'[recording]\npath = "r"\n[service]\nport = {port}\n')
        with open_for_writing(tmp_path / "r"):
            done = subprocess.run(
                [sys.executable, "-c", CODE, "serve", "--site", str(file)],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
    assert done.returncode == exits.IN_USE
    assert done.stderr.startswith(f"queuecast: {tmp_path / 'r'}: another process writes")


@pytest.mark.parametrize(
    ("fault", "given", "helped"),
    [(StorageError, False, True), (StorageError, True, False), (RecordingInUse, False, False)],
)
def test_who_has_no_site_file_is_told_where_else_to_record(
    monkeypatch, tmp_path, fault, given, helped
):
    def refuse(*_, **__):
        raise fault("/var/lib/queuecast/recording: refused")

    file = tmp_path / "site.toml"
    file.write_text("")
    monkeypatch.setattr("predictor.cli.serve.run", refuse)
    answer = CliRunner().invoke(serve, ["--site", str(file)] if given else [])
    assert type(answer.exception) is fault
    assert ("--site FILE" in str(answer.exception)) == helped


def test_options_win_over_the_site_file():
    site = Overrides(host="::1", port=None, interval_s=30).applied(default())
    assert (site.service.host, site.service.port) == ("::1", default().service.port)
    assert site.service.interval_s == 30
    assert Overrides(host=None, port=None, interval_s=None).applied(default()) == default()


def test_names_to_be_called_by_are_added_to_the_files():
    site = Site.model_validate({"service": {"allowed_hosts": ["Queue.Example.org"]}})
    more = Overrides(host=None, port=None, interval_s=None, more_hosts=("login1",)).applied(site)
    assert more.service.allowed_hosts == ("queue.example.org", "login1")


def test_a_wrong_site_file_is_refused_before_anything_begins(tmp_path):
    file = tmp_path / "site.toml"
    file.write_text("[service]\nintervall_s = 60\n")
    error = CliRunner().invoke(serve, ["--site", str(file)]).exception
    assert isinstance(error, SiteError)
    assert "interval_s" in str(error)


def test_an_option_is_held_to_the_rules_of_its_key():
    with pytest.raises(SiteError, match=r"^host: expected an address or a host name .*, got \"\"$"):
        Overrides(host="", port=None, interval_s=None).applied(default())


def test_a_wrong_source_is_named_with_its_place(tmp_path):
    file = tmp_path / "site.toml"
    file.write_text("[recording]\npath = 'r'\n[source]\nkind = 'lml-file'\n[service]\nport = 0\n")
    error = CliRunner().invoke(serve, ["--site", str(file)]).exception
    assert str(error).startswith(f'{file}:3: source "lml-file": expected path')


@pytest.mark.parametrize(
    "arguments", [["--port", "99999"], ["--interval", "9"], ["--interval", "9" * 30]]
)
def test_wrong_usage_of_serve(arguments):
    assert CliRunner().invoke(serve, arguments).exit_code == exits.USAGE


def test_a_speed_is_a_number():
    assert CliRunner().invoke(demo, ["--speed", "nan"]).exit_code == exits.USAGE


def test_a_source_that_is_not_installed_is_named():
    site = default().model_copy(
        update={"source": default().source.model_copy(update={"kind": "pbs"})}
    )
    with pytest.raises(SiteError, match=r"no source 'pbs' is installed; there are .*slurm-cli"):
        make_source(site)
