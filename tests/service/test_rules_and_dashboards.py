"""Rules for Prometheus and dashboards for Grafana: what they ask for is what the daemon tells.

Where promtool is installed it tries every alert on made-up series; without it every expression is
still taken apart, and each of its names looked up among the daemon's own.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations
from pathlib import Path

import pytest
import requests
import yaml
from clusters import NOW
from prometheus_client import generate_latest
from services import board, result, scene

from predictor.domain import Call, Fact, Hidden, Provenance
from predictor.service.metrics import Metrics
from predictor.service.probes import Probe
from predictor.service.published import Published
from predictor.service.scoring import Judged, Miss, Scores, Wait
from predictor.service.tick import Stage, TickReport

DEPLOY = Path(__file__).parents[2] / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
DASHBOARDS = sorted((DEPLOY / "grafana").glob("*.json"))
ADDED = {"job", "instance"}
"""Labels that Prometheus itself adds."""
WORDS = {
    *("by", "on", "ignoring", "and", "or", "unless", "offset"),
    *("sum", "rate", "increase", "time", "histogram_quantile", "predict_linear", "changes"),
}
TOKEN = re.compile(
    r"""(?P<space>\s+)|(?P<text>"[^"]*")|(?P<range>\[(?:\d+[smhd]|\$__rate_interval)\]|\d+[smhd]\b)
    |(?P<number>\d+(?:\.\d+)?)|(?P<name>[a-zA-Z_][\w:]*)
    |(?P<sign>=~|!~|!=|==|>=|<=|[-+*/=<>(){},])""",
    re.VERBOSE,
)
promtool = pytest.mark.skipif(
    shutil.which("promtool") is None and not os.environ.get("QUEUECAST_REQUIRE_LIVE"),
    reason="needs promtool (Debian's package prometheus)",
)


HIDDEN = Provenance(source="scene", hidden=(Hidden(fact=Fact.USAGE, why="not permitted"),))


CURRENT = result(scene(provenance=HIDDEN), windows=True)


def full() -> Metrics:
    """The metrics of a daemon to which everything has happened once."""
    on = board(CURRENT)
    on.probes = {("batch", "small"): Probe(at=NOW, half_s=60, most_s=120)}
    metrics = Metrics(on)
    metrics.source("slurm-cli")
    happen(metrics, CURRENT)
    return metrics


def happen(metrics: Metrics, current: Published) -> None:
    """Let everything happen to a daemon once more."""
    failed = Stage(name="observe", duration_s=1, kind="timeout")
    call = Call(name="squeue", duration_s=1, size_bytes=1)
    metrics.tick(TickReport(stages=(failed,), calls=(call,), published=current), NOW)
    metrics.tick(TickReport(stages=(Stage(name="observe", duration_s=1),)), NOW)
    scores = Scores(
        misses=(Miss("2h", "batch", 60, 60, 60),),
        windows=(Judged("2h", 0.8, held=True),),
        waits=(Wait("batch", "small", 60),),
    )
    metrics.scored(scores, current)
    metrics.answered("/", "GET", 200, 0.1)


@pytest.fixture(scope="module")
def known() -> dict[str, set[str]]:
    """The labels of everything that can be asked for, by name."""
    found = {"up": set(ADDED)}
    for family in full().registry.collect():
        for sample in family.samples:
            found.setdefault(sample.name, set(ADDED)).update(sample.labels)
    for rule in rules():
        if "record" in rule:
            grouped = re.search(r"by \(([\w, ]+)\)", rule["expr"])
            found[rule["record"]] = set(grouped[1].split(", "))
    return found


def rules():
    groups = yaml.safe_load((PROMETHEUS / "queuecast.rules.yml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"]]


ALERTS = {rule["alert"]: rule for rule in rules() if "alert" in rule}


def panels(file):
    return [one for one in json.loads(file.read_text())["panels"] if one["type"] != "row"]


def expressions():
    yield from ((rule.get("alert") or rule["record"], rule["expr"]) for rule in rules())
    for file in DASHBOARDS:
        for panel in panels(file):
            for target in panel["targets"]:
                yield f"{file.stem}: {panel['title']}", target["expr"]


def tokens(expression):
    """Return the expression's parts, each with its kind. Raises ValueError for any other."""
    found, at = [], 0
    while at < len(expression):
        match = TOKEN.match(expression, at)
        if match is None:
            raise ValueError(f"no PromQL from here on: {expression[at:]}")
        if match.lastgroup != "space":
            found.append((match.lastgroup, match[0]))
        at = match.end()
    return found


def strange(expression, known):
    """Return what an expression asks for that nobody tells."""
    found, metric, grouping, within = [], "", False, ""
    open_ = []
    for (kind, text), (_, after) in zip(
        tokens(expression), [*tokens(expression)[1:], ("", "")], strict=True
    ):
        if text in "({":
            open_.append(text)
            grouping = text == "(" and within in ("by", "on", "ignoring")
        elif text in ")}":
            if not open_ or open_.pop() + text not in ("()", "{}"):
                found.append(f"unbalanced {text}")
            grouping = False
        elif kind == "name" and open_[-1:] == ["{"]:
            found += [] if text in known.get(metric, ()) else [f"{metric}{{{text}}}"]
        elif kind == "name" and grouping:
            found += [] if any(text in labels for labels in known.values()) else [text]
        elif kind == "name" and text in WORDS:
            found += [] if text != "time" or after == "(" else ["time"]
        elif kind == "name":
            metric = text
            found += [] if text in known else [text]
        within = text
    return found + open_


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_what_is_asked_for_is_told(where, expression, known):
    assert strange(expression, known) == []


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("sum(queuecast_jobs", ["("]),
        ("sum(queuecast_jobs})", ["unbalanced }"]),
        ("queuecast_jbos > 1", ["queuecast_jbos"]),
        ('queuecast_jobs{user="ada"}', ["queuecast_jobs{user}"]),
        ("sum by (user) (queuecast_jobs)", ["user"]),
    ],
)
def test_what_is_asked_for_in_vain_is_noticed(expression, found, known):
    assert strange(expression, known)[: len(found)] == found


def test_every_alert_has_words_and_a_severity():
    for name, rule in ALERTS.items():
        assert name.startswith("Queuecast")
        assert rule["labels"]["severity"] in {"page", "warning", "info"}
        assert set(rule["annotations"]) == {"summary", "description"}


def test_every_alert_is_tried_on_a_bad_series_and_on_a_good_one():
    tried = [
        (one["alertname"], bool(one["exp_alerts"]))
        for test in yaml.safe_load((PROMETHEUS / "queuecast.tests.yml").read_text())["tests"]
        for one in test["alert_rule_test"]
    ]
    assert {name for name, heard in tried if heard} == set(ALERTS)
    assert {name for name, heard in tried if not heard} == set(ALERTS)


def test_every_alert_is_documented():
    text = (DEPLOY / "README.md").read_text()
    assert [name for name in ALERTS if f"`{name.removeprefix('Queuecast')}`" not in text] == []


def test_every_metric_that_is_told_is_documented():
    text = (DEPLOY / "README.md").read_text()
    named = set(re.findall(r"queuecast_\w+", text))
    told = {family.name for family in full().registry.collect()}
    assert sorted(name for name in told if not named & {name, f"{name}_total"}) == []


@promtool
@pytest.mark.parametrize(
    "words",
    [
        ("check", "rules", "queuecast.rules.yml"),
        ("check", "config", "scrape.yml"),
        ("test", "rules", "queuecast.tests.yml"),
    ],
)
def test_promtool_agrees(words):
    done = subprocess.run(("promtool", *words), cwd=PROMETHEUS, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@promtool
def test_promtool_finds_nothing_to_say_of_our_metrics():
    text = generate_latest(full().registry)
    done = subprocess.run(
        ("promtool", "check", "metrics"), input=text, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


class Told(BaseHTTPRequestHandler):
    """Tells the metrics of a daemon to which everything happens again and again."""

    metrics = full()

    def do_GET(self):
        happen(self.metrics, CURRENT)
        content = generate_latest(self.metrics.registry)
        self.send_response(200)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Not to the terminal."""


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory):
    """A real Prometheus with our rules, which scrapes such a daemon; its address."""
    home = tmp_path_factory.mktemp("prometheus")
    with ThreadingHTTPServer(("127.0.0.1", 0), Told) as daemon:
        threading.Thread(target=daemon.serve_forever, daemon=True).start()
        config = yaml.safe_load((PROMETHEUS / "scrape.yml").read_text())
        (scraped,) = config["scrape_configs"]
        scraped["static_configs"] = [{"targets": [f"127.0.0.1:{daemon.server_port}"]}]
        scraped |= {"scrape_interval": "1s", "scrape_timeout": "1s"}
        config["global"] = {"evaluation_interval": "1s"}
        config["rule_files"] = [str(PROMETHEUS / "queuecast.rules.yml")]
        (home / "prometheus.yml").write_text(yaml.safe_dump(config))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [
                    *("prometheus", f"--config.file={home / 'prometheus.yml'}"),
                    *(f"--storage.tsdb.path={home / 'data'}", "--log.level=warn"),
                    f"--web.listen-address=127.0.0.1:{port}",
                ],
                stdout=log,
                stderr=log,
            )
        yield f"http://127.0.0.1:{port}/api/v1"
        process.terminate()
        process.wait(30)
        daemon.shutdown()


def asked(address, **query):
    """Return what a question of an address comes to, once it answers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return requests.get(address, params=query, timeout=10).json()
        except (requests.ConnectionError, requests.JSONDecodeError):  # it begins, or is not ready
            assert time.monotonic() < deadline
            time.sleep(0.2)


@promtool
def test_a_real_prometheus_takes_the_rules_and_answers_every_expression(prometheus):
    groups = asked(f"{prometheus}/rules")["data"]["groups"]
    assert {rule["name"] for group in groups for rule in group["rules"]} == {
        rule.get("alert") or rule["record"] for rule in rules()
    }
    deadline = time.monotonic() + 60
    while not asked(f"{prometheus}/query", query="queuecast_jobs")["data"]["result"]:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    for where, expression in expressions():
        answer = shown(prometheus, expression)
        assert answer["status"] == "success", (where, answer)
    probes = 'queuecast_probe_wait_seconds{cluster=~".*", chance="0.5"}'
    (one,) = asked(f"{prometheus}/query", query=probes)["data"]["result"]
    assert one["value"][1] == "60"


@promtool
def test_every_panel_has_something_to_show(prometheus):
    missing = [one for one in expressions() if ": " in one[0]]
    deadline = time.monotonic() + 60
    while missing:
        assert time.monotonic() < deadline, missing
        missing = [one for one in missing if not shown(prometheus, one[1])["data"]["result"]]
        time.sleep(0.5)


def shown(prometheus, expression):
    """Return what Prometheus answers a panel of all clusters, daemons, partitions."""
    whole = expression.replace("$__rate_interval", "5m").replace("$cluster", ".*")
    return asked(f"{prometheus}/query", query=re.sub(r"\$\w+", ".*", whole))


def test_the_dashboards_are_told_apart():
    boards = [json.loads(file.read_text()) for file in DASHBOARDS]
    assert [one["title"] for one in boards] == [
        "queuecast: Service health",
        "queuecast: Forecast quality",
        "queuecast: Queue weather",
    ]
    assert len({one["uid"] for one in boards}) == len(boards)


@pytest.mark.parametrize("file", DASHBOARDS, ids=lambda file: file.stem)
def test_a_dashboard_works_with_any_data_source(file):
    described = json.loads(file.read_text())
    variables = {one["name"]: one for one in described["templating"]["list"]}
    assert variables["datasource"]["type"] == "datasource"
    sources = re.findall(r'"uid": "([^"]+)"', json.dumps(described["panels"]))
    assert set(sources) == {"${datasource}"}
    used = set(re.findall(r'=~"\$(\w+)"', " ".join(asked["expr"] for asked in targets(file))))
    assert used == set(variables) - {"datasource"}


def targets(file):
    return [target for panel in panels(file) for target in panel["targets"]]


@pytest.mark.parametrize("file", DASHBOARDS, ids=lambda file: file.stem)
def test_no_panel_lies_on_another(file):
    every = json.loads(file.read_text())["panels"]
    assert len({panel["id"] for panel in every}) == len(every)
    places = [panel["gridPos"] for panel in every]
    assert all(place["x"] + place["w"] <= 24 for place in places)
    for one, other in combinations(places, 2):
        apart = [
            one[at] + one[size] <= other[at] or other[at] + other[size] <= one[at]
            for at, size in (("x", "w"), ("y", "h"))
        ]
        assert any(apart), (one, other)


@pytest.mark.parametrize("file", DASHBOARDS, ids=lambda file: file.stem)
def test_every_panel_says_what_it_shows_and_in_which_unit(file):
    for panel in panels(file):
        assert panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"]
        assert all(target["legendFormat"] for target in panel["targets"])
