import re
from dataclasses import replace

import pytest
from clusters import NOW, cluster, nodes, partition
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families
from services import ALARM, Client, StandingClock, board, client, result, scene

from predictor.domain import Call
from predictor.errors import StorageError
from predictor.service.accounts import Asked, State
from predictor.service.bysize import SHAPES
from predictor.service.callmetrics import KINDS, MOST_CALL_NAMES
from predictor.service.forecaster import Reply
from predictor.service.guard import Guard
from predictor.service.metrics import Metrics
from predictor.service.past import Slice
from predictor.service.probes import Probe
from predictor.service.published import Board
from predictor.service.room import room
from predictor.service.scoring import LEADS, Judged, Miss, Scores, Wait
from predictor.service.statemetrics import MOST_PARTITIONS, MOST_PROBED
from predictor.service.tick import Stage, TickReport

FAILED = TickReport(
    stages=(Stage(name="observe", duration_s=20.0, kind="timeout", cause="squeue: 20 s"),)
)


def samples(metrics: Metrics, on: Board | None = None) -> dict[tuple[str, ...], float]:
    """What a scrape gives: values by name and label values."""
    text = client(on or Board(), StandingClock(), metrics).get("/metrics").text
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_counters_begin_at_zero():
    metrics = Metrics(Board())
    metrics.source("slurm-cli")
    told = samples(metrics)
    assert told["queuecast_ticks_total", "error"] == 0
    assert told["queuecast_tick_failures_total", "timeout", "observe"] == 0
    assert told["queuecast_collector_errors_total", "timeout", "slurm-cli"] == 0
    assert told["queuecast_reloads_total", "refused"] == 0


def test_a_failed_look_is_counted_and_timed():
    metrics = Metrics(Board())
    metrics.source("slurm-cli")
    metrics.tick(FAILED, NOW)
    told = samples(metrics)
    assert told["queuecast_ticks_total", "error"] == 1
    assert told["queuecast_collector_errors_total", "timeout", "slurm-cli"] == 1
    assert told["queuecast_collector_duration_seconds_sum", "slurm-cli"] == 20
    assert told["queuecast_tick_duration_seconds_count", "observe"] == 1


def test_what_accounting_told_and_still_owes():
    metrics = Metrics(Board())
    assert samples(metrics)["queuecast_outcomes_repaired_total",] == 0
    call = Call(name="sacct", duration_s=0.5, size_bytes=900)
    state = State(behind_s=600, missing=2, repaired=3, unrepaired=1)
    part = Slice(of="unseen", since=0, until=60)
    asked = Asked(slice=part, calls=(call,), jobs=9, new=7, quarantined=0, error=None, state=state)
    metrics.source("slurm-cli")
    metrics.asked(asked, NOW)
    metrics.past(state)
    metrics.past(replace(state, repaired=5))
    told = samples(metrics)
    assert told["queuecast_accounting_outcomes_total",] == 7
    assert told["queuecast_outcomes_repaired_total",] == 5
    assert told["queuecast_outcomes_unrepaired_total",] == 1
    assert told["queuecast_outcomes_missing",] == 2
    assert told["queuecast_accounting_behind_seconds",] == 600
    assert told["queuecast_collector_calls_total", "sacct", "slurm-cli"] == 1


def test_what_the_batch_system_was_asked_is_counted():
    metrics = Metrics(Board())
    metrics.source("slurm-cli")
    call = Call(name="squeue", duration_s=0.5, size_bytes=900)
    late = replace(call, ok=False, kind="timeout")
    strange = replace(call, ok=False, kind="struck by lightning")
    metrics.tick(TickReport(stages=(), calls=(call, late, late, strange)), NOW)
    told = samples(metrics)
    of = ("squeue", "slurm-cli")
    assert told["queuecast_collector_calls_total", *of] == 4
    assert told["queuecast_collector_call_seconds_total", *of] == 2
    assert told["queuecast_collector_call_bytes_total", *of] == 3600
    assert told["queuecast_collector_call_success_timestamp_seconds", *of] == NOW
    name = "queuecast_collector_call_errors_total"
    assert {kind: told[name, "squeue", kind, "slurm-cli"] for kind in KINDS} == {
        "timeout": 2,
        "format": 0,
        "unreachable": 0,
    }
    assert told[name, "squeue", "other", "slurm-cli"] == 1


def test_when_a_look_brought_something_last_is_told():
    metrics = Metrics(Board())
    metrics.source("slurm-cli")
    metrics.tick(TickReport(stages=(Stage(name="observe", duration_s=1),)), NOW)
    metrics.tick(FAILED, NOW + 60)
    assert samples(metrics)["queuecast_collector_success_timestamp_seconds", "slurm-cli"] == NOW


def test_the_state_of_the_cluster_is_read_off_the_board():
    on = board(result())
    told = samples(Metrics(on), on)
    assert told["queuecast_snapshot_timestamp_seconds", "scene"] == NOW
    assert told["queuecast_forecast_timestamp_seconds", "scene"] == NOW + 6
    assert told["queuecast_jobs", "scene", "batch", "pending"] == 3
    assert told["queuecast_jobs_unpredicted", "held", "scene"] == 1
    assert told["queuecast_jobs_unpredicted", "horizon", "scene"] == 0


def test_how_good_answers_were_and_whether_that_changed_is_read_off_the_board_too():
    alarm = replace(ALARM, raised_at=NOW - 100)
    old = replace(ALARM, raised_at=NOW - 2 * 86_400)
    on = board(replace(result(windows=True), alarms=(old, alarm)))
    told = samples(Metrics(on), on)
    assert told["queuecast_window_coverage_ratio", "scene"] == 0.8235
    assert told["queuecast_typical_error_seconds", "scene"] == 1320
    assert told["queuecast_drift_alarms", "scene", "held"] == 1
    assert told["queuecast_drift_alarms", "scene", "off"] == 0


def test_before_anything_is_known_of_answers_their_quality_is_not_made_up():
    on = board(result())
    assert ("queuecast_window_coverage_ratio", "scene") not in samples(Metrics(on), on)


def test_what_the_worker_learned_and_drew_is_counted():
    metrics = Metrics(Board())
    metrics.learned(Reply(draws=30, saved_bytes=900, learned_until=NOW))
    metrics.learned(Reply(draws=12))
    told = samples(metrics)
    assert told["queuecast_draws_total",] == 42
    assert told["queuecast_experience_bytes",] == 900
    assert told["queuecast_experience_timestamp_seconds",] == NOW


def test_requests_are_counted_by_pattern_never_by_address():
    metrics = Metrics(Board())
    on = board(result())
    api = client(on, StandingClock(), metrics)
    for job_id in range(30):
        api.get(f"/api/v1/clusters/scene/jobs/{job_id}")
        api.get(f"/made-up/{job_id}")
        api.ask(f"VERB{job_id}", "/")
    routes = {key for key in samples(metrics) if key[0].startswith("queuecast_http")}
    assert len({key for key in routes if key[0].endswith("_count")}) <= 6
    assert any("/api/v1/clusters/{cluster}/jobs/{job_id}" in key for key in routes)


def test_neither_calls_nor_partitions_can_flood_whoever_scrapes():
    many = result()
    counts = {(f"p{i}", "pending"): 1 for i in range(2 * MOST_PARTITIONS)}
    object.__setattr__(many, "counts", counts)
    on = board(many)
    metrics = Metrics(on)
    calls = tuple(Call(name=f"c{i}", duration_s=1, size_bytes=1) for i in range(500))
    metrics.tick(TickReport(stages=(), calls=calls), NOW)
    told = samples(metrics, on)
    jobs = [value for key, value in told.items() if key[0] == "queuecast_jobs"]
    assert (len(jobs), sum(jobs)) == (3 * (MOST_PARTITIONS + 1), 2 * MOST_PARTITIONS)
    named = [key for key in told if key[0] == "queuecast_collector_calls_total"]
    assert len(named) == MOST_CALL_NAMES + 1


def test_no_person_and_no_job_is_ever_named():
    on = board(result())
    text = client(on, StandingClock(), Metrics(on)).get("/metrics").text
    assert not re.search(r'(user|account|job_id|node)=|"ada"|"bob"', text)


def test_openmetrics_is_spoken_to_who_asks_for_it():
    api = client(Board(), StandingClock())
    answer = api.get("/metrics", Accept="application/openmetrics-text; version=1.0.0")
    assert answer.text.endswith("# EOF\n")


def partitions(*names):
    """The result of a cluster with such partitions."""
    members = nodes(4)
    return result(cluster(4, partitions=tuple(partition(name, members) for name in names)))


def test_how_answers_came_out_is_counted_by_lead():
    metrics = Metrics(Board())
    late = Miss("2h", "batch", 600, -60, 900)
    early = Miss("2h", "batch", -200, None)
    scores = Scores(
        misses=(late, early),
        windows=(Judged("2h", 0.8, held=True), Judged("2h", 0.8, held=False)),
        waits=(Wait("batch", "small", 7_200),),
        overdue=3,
    )
    metrics.scored(scores, partitions("batch"))
    told = samples(metrics)
    assert told["queuecast_start_error_seconds_sum", "scene", "2h"] == 800
    assert told["queuecast_start_error_seconds_count", "scene", "8h"] == 0
    assert told["queuecast_partition_start_error_seconds_count", "scene", "batch"] == 2
    assert told["queuecast_start_bias_seconds", "scene", "2h"] == 200
    assert told["queuecast_interval_scored_total", "scene", "2h", "0.8"] == 2
    assert told["queuecast_interval_covered_total", "scene", "2h", "0.8"] == 1
    assert told["queuecast_compared_error_seconds_sum", "queuecast", "scene", "2h"] == 600
    assert told["queuecast_compared_error_seconds_sum", "batch_system", "scene", "2h"] == 60
    assert told["queuecast_baseline_error_seconds_sum", "queuecast", "scene", "2h"] == 600
    assert told["queuecast_baseline_error_seconds_sum", "history", "scene", "2h"] == 900
    assert told["queuecast_baseline_error_seconds_count", "history", "scene", "2h"] == 1
    assert told["queuecast_actual_wait_seconds_sum", "scene", "batch", "small"] == 7_200
    assert told["queuecast_jobs_overdue", "scene"] == 3


def test_what_a_new_job_would_wait_is_told_by_shape_and_chance():
    on = board(result())
    on.probes = {("batch", "small"): Probe(at=NOW, half_s=60, most_s=7_200)}
    told = samples(Metrics(on), on)
    assert told["queuecast_probe_wait_seconds", "0.5", "scene", "batch", "small"] == 60
    assert told["queuecast_probe_wait_seconds", "0.9", "scene", "batch", "small"] == 7_200


def test_probes_do_not_flood_whoever_scrapes():
    on = board(result())
    one = Probe(at=NOW, half_s=60, most_s=7_200)
    on.probes = {(f"p{n:03}", "small"): one for n in range(2 * MOST_PROBED)}
    told = [key for key in samples(Metrics(on), on) if key[0] == "queuecast_probe_wait_seconds"]
    assert len(told) == 2 * MOST_PROBED


def test_before_any_answer_of_a_lead_came_out_it_has_no_bias():
    metrics = Metrics(Board())
    metrics.scored(Scores(), partitions("batch"))
    assert ("queuecast_start_bias_seconds", "scene", "2h") not in samples(metrics)


def test_a_partition_that_is_gone_takes_its_series_along():
    metrics = Metrics(Board())
    wait = Wait("gpu", "small", 60)
    metrics.scored(Scores(waits=(wait,)), partitions("batch", "gpu"))
    metrics.scored(Scores(waits=(wait,)), partitions("batch"))
    told = samples(metrics)
    assert not [key for key in told if "gpu" in key]
    assert told["queuecast_actual_wait_seconds_count", "scene", "other", "small"] == 1


def test_a_strange_name_costs_nobody_the_metrics():
    strange = 'b"a}\n\\t\ud800ch'
    on = board(partitions(strange))
    metrics = Metrics(on)
    metrics.scored(Scores(waits=(Wait(strange, "small", 60),)), on.current)
    told = samples(metrics, on)
    as_sent = 'b"a}\n\\t\\ud800ch'
    assert told["queuecast_actual_wait_seconds_count", "scene", as_sent, "small"] == 1
    assert told["queuecast_jobs", "scene", as_sent, "pending"] == 0


def test_another_cluster_takes_the_place_of_the_first():
    metrics = Metrics(Board())
    metrics.scored(Scores(misses=(Miss("2h", "batch", 60, 60),)), partitions("batch"))
    metrics.scored(Scores(), replace(partitions("batch"), cluster="second"))
    told = samples(metrics)
    assert not [key for key in told if "scene" in key]
    assert told["queuecast_start_error_seconds_count", "second", "2h"] == 0


def configured(fingerprint, **more):
    made = result(replace(scene(), **more))
    return replace(made, forecast=replace(made.forecast, fingerprint=fingerprint))


def test_when_the_configuration_changed_last_is_told():
    metrics = Metrics(Board())
    first = configured("one")
    metrics.tick(TickReport(stages=(), published=first), NOW)
    metrics.tick(TickReport(stages=(), published=first), NOW)
    assert samples(metrics)["queuecast_config_change_timestamp_seconds",] == 0
    changed = configured("two", taken_at=NOW + 60)
    metrics.tick(TickReport(stages=(), published=changed), NOW)
    assert samples(metrics)["queuecast_config_change_timestamp_seconds",] == NOW + 60


def test_how_much_room_the_recording_has_is_told(tmp_path):
    (tmp_path / "segment").write_bytes(b"x" * 900)
    metrics = Metrics(Board())
    metrics.stored(room(tmp_path))
    told = samples(metrics)
    assert told["queuecast_recording_bytes",] == 900
    assert 0 < told["queuecast_recording_free_bytes",] < told["queuecast_recording_total_bytes",]


def test_a_recording_that_is_gone_has_no_size(tmp_path):
    with pytest.raises(StorageError, match="room is not known"):
        room(tmp_path / "gone")


def test_jobs_supposed_are_counted_by_what_became_of_them():
    metrics = Metrics(Board())
    metrics.supposed("ok", 12)
    metrics.supposed("limited", 100)
    told = samples(metrics)
    assert told["queuecast_suppositions_total", "ok"] == 12
    assert told["queuecast_suppositions_total", "limited"] == 100
    assert told["queuecast_suppositions_total", "failed"] == 0


def test_the_backlog_is_what_waiting_jobs_ask_for():
    on = board(result())  # for 10 min each: 2 nodes, 6 tasks of one, and one of bob's
    told = samples(Metrics(on), on)
    assert told["queuecast_backlog_node_seconds", "scene", "batch"] == (2 + 6 + 1) * 600
    assert told["queuecast_stale_after_seconds", "scene"] == 300
    assert told["queuecast_interval_seconds", "scene"] == 60


def test_the_backlog_of_few_private_jobs_is_not_told():
    hiding = replace(scene().provenance, private=("jobs",))
    on = board(result(replace(scene(), provenance=hiding)))
    assert ("queuecast_backlog_node_seconds", "scene", "batch") not in samples(Metrics(on), on)


def test_an_event_stream_counts_until_it_begins_not_until_somebody_hangs_up():
    clock, metrics = StandingClock(), Metrics(Board())

    async def stream(scope, receive, send):
        head = [(b"content-type", b"text/event-stream; charset=utf-8")]
        clock.at += 2
        await send({"type": "http.response.start", "status": 200, "headers": head})
        clock.at += 3_600
        await send({"type": "http.response.body", "body": b""})

    Client(Guard(stream, hosts=(), metrics=metrics, clock=clock)).get("/events")
    assert (
        samples(metrics)["queuecast_http_request_duration_seconds_sum", "200", "GET", "other"] == 2
    )


def test_who_listens_is_counted():
    metrics = Metrics(Board())
    metrics.listened_to_by(lambda: 7)
    text = generate_latest(metrics.registry).decode()
    assert "queuecast_sse_clients 7.0" in text


def test_at_fifty_partitions_a_cluster_stays_within_five_thousand_series():
    names = [f"partition{number}" for number in range(50)]
    on = board(partitions(*names))
    probe = Probe(at=NOW, half_s=60, most_s=120)
    on.probes = {(name, shape): probe for name in names for shape in SHAPES}
    metrics = Metrics(on)
    metrics.source("slurm-cli")
    waits = tuple(Wait(name, shape, 60) for name in names for shape in SHAPES)
    misses = tuple(Miss(lead, name, 60, 60, 60) for name in names for lead in LEADS)
    metrics.scored(Scores(waits=waits, misses=misses), on.current)
    calls = tuple(
        Call(name=f"c{number}", duration_s=1, size_bytes=1, ok=False, kind="timeout")
        for number in range(10)
    )
    metrics.tick(TickReport(stages=FAILED.stages, calls=calls), NOW)
    for route in range(40):
        for code in (200, 404):
            metrics.answered(f"/route/{route}", "GET", code, 0.01)
    assert 3_000 < len(samples(metrics, on)) <= 5_000


def test_more_partitions_do_not_make_more_histograms():
    many = partitions(*(f"p{number:03}" for number in range(60)))
    metrics = Metrics(Board())
    metrics.scored(Scores(waits=(Wait("p000", "small", 1), Wait("p059", "small", 1))), many)
    told = samples(metrics)
    assert told["queuecast_actual_wait_seconds_count", "scene", "p000", "small"] == 1
    assert told["queuecast_actual_wait_seconds_count", "scene", "other", "small"] == 1


def test_what_was_not_seen_is_counted_by_kind_of_fact():
    hidden = ("qos: not asked", "qos: garbage", "usage: refused")
    on = board(replace(result(), hidden=hidden))
    told = samples(Metrics(on), on)
    assert told["queuecast_facts_hidden", "scene", "qos"] == 2
    assert told["queuecast_facts_hidden", "scene", "usage"] == 1
    assert told["queuecast_facts_hidden", "scene", "jobs"] == 0
