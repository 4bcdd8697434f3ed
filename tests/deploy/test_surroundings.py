"""Container, proxies, role and widget: what they say of the service is true."""

import json
import re
from pathlib import Path

import jinja2
import pytest
import yaml

from predictor.cli.meeting import MACHINES_UID, runtime_socket
from predictor.service.guard import LARGEST_BODY_BYTES
from predictor.service.openapi import COMMITTED
from predictor.site import load
from predictor.site.access import AccessTable

DEPLOY = Path(__file__).parents[2] / "deploy"
ROLE = DEPLOY / "ansible" / "roles" / "queuecast"
HEADER = AccessTable().proxy_header
PROXIES = ("proxy/nginx.conf", "proxy/apache.conf")


def text(name):
    return (DEPLOY / name).read_text()


def settings(name):
    """The lines of a file that are no comments."""
    return [line.strip() for line in text(name).splitlines() if not line.strip().startswith("#")]


@pytest.mark.parametrize("name", PROXIES)
def test_proxies_ask_by_the_socket_and_keep_events_flowing(name):
    told = "\n".join(settings(name))
    assert f"unix:{runtime_socket(MACHINES_UID, {})}" in told
    assert "proxy_buffering off;" in told or "flushpackets=on" in told
    assert "client_max_body_size 64k;" in told or f"LimitRequestBody {LARGEST_BODY_BYTES}" in told
    assert told.count("{") == told.count("}")


def test_nginx_replaces_what_clients_say_of_themselves():
    assert f"proxy_set_header {HEADER} $remote_user;" in settings("proxy/nginx.conf")


def test_apache_drops_what_clients_say_of_themselves():
    told = settings("proxy/apache.conf")
    dropped = told.index(f"RequestHeader unset {HEADER}")
    assert told[dropped + 1].startswith(f"RequestHeader set {HEADER} ")


@pytest.mark.parametrize("name", PROXIES)
def test_what_proxies_say_of_the_site_file_is_a_site_file(name, tmp_path):
    lines = re.findall(r"^#     (\S.*)$", text(name), re.MULTILINE)
    file = tmp_path / "site.toml"
    file.write_text("\n".join(lines))
    assert load(file).access.local_proxies == {"www-data"}


def test_the_containers_site_file_is_one():
    site = load(DEPLOY / "container" / "site.toml")
    assert site.recording.path.is_relative_to("/data")
    assert f"--url unix:{site.service.socket} " in text("container/Containerfile")


def test_the_container_runs_as_nobody_in_particular():
    steps = [line.split(maxsplit=1) for line in settings("container/Containerfile") if line]
    words = [step[0] for step in steps]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert dict(steps)["USER"] == "queuecast"
    assert {"HEALTHCHECK", "VOLUME"} <= set(words)


def test_the_container_s_check_of_health_gets_into_its_image():
    # Of the two forms of images only Docker's has room for one.
    assert any(line.startswith("HEALTHCHECK") for line in settings("container/Containerfile"))
    assert "podman build --format docker " in text("container/Containerfile")


def test_the_container_takes_along_what_exists():
    for line in settings("container/Containerfile"):
        if line.startswith("COPY ") and "--from" not in line:
            for source in line.split()[1:-1]:
                assert (DEPLOY.parent / source).exists()


def told_by_role(values, tmp_path):
    """The site that the role writes for these values of its variable."""
    templates = jinja2.Environment(trim_blocks=True)  # noqa: S701 - it writes TOML, not HTML
    templates.filters["to_json"] = json.dumps
    template = templates.from_string((ROLE / "templates" / "site.toml.j2").read_text())
    file = tmp_path / "site.toml"
    file.write_text(template.render(queuecast_site=values, ansible_managed="by Ansible"))
    return load(file)


def test_the_roles_defaults_are_a_site_file(tmp_path):
    defaults = yaml.safe_load((ROLE / "defaults" / "main.yml").read_text())
    site = told_by_role(defaults["queuecast_site"], tmp_path)
    assert str(site.recording.path) == "/var/lib/queuecast/recording"


def test_the_role_writes_tables_lists_of_them_and_what_stands_beside(tmp_path):
    values = {
        "access": {"proxies": ["local:www-data"], "operators": ["añna", 'q"uote\\']},
        "cluster": "alpha",
        "service.worker": {"memory_mb": 2048},
        "nodes": [
            {"hosts": "n[1-4]", "cpus": 64, "gres": {"gpu:a100": 4}},
            {"hosts": "m1", "cpus": 8},
        ],
    }
    site = told_by_role(values, tmp_path)
    assert site.cluster == "alpha"
    assert site.access.operators == ("añna", 'q"uote\\')
    assert site.service.worker.memory_mb == 2048
    assert [group.gres for group in site.nodes] == [{"gpu:a100": 4}, None]


@pytest.mark.parametrize(
    "file", sorted(DEPLOY.glob("ansible/**/*.yml")), ids=lambda file: file.name
)
def test_what_ansible_reads_is_yaml(file):
    assert yaml.safe_load(file.read_text())


def test_the_widget_uses_what_the_api_tells():
    schemas = json.loads(COMMITTED.read_text())["components"]["schemas"]
    widget = text("ood/_queuecast.html.erb")
    asked = {"job": "Job", "found": "Forecasts", "me": "Me"}
    for name, schema in asked.items():
        used = set(re.findall(rf"\b{name}\.(\w+)", widget))
        assert used
        assert used <= schemas[schema]["properties"].keys()
    assert "innerHTML" not in widget
