from pathlib import Path

from clusters import cluster, running, waiting
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lxml import etree
from strategies import forecasts, snapshots

from predictor.forecast import forecast
from predictor.lml import annotate, check, read, write
from predictor.site import default

SCENE = cluster(2, running("r", "n1", 30), waiting("1", 2), waiting("2", 9))


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(st.data())
def test_a_document_of_ours_comes_back_with_the_forecast_in_it(data):
    snapshot = data.draw(snapshots())
    assume(all(job.spec.id for job in snapshot.pending))
    made = data.draw(forecasts(snapshot))
    document = read(annotate(write(snapshot), snapshot, made))
    assert document.snapshot == snapshot
    assert document.forecast == made


def test_earlier_predictions_are_replaced():
    made = forecast(SCENE, default())
    once = annotate(write(SCENE), SCENE, made, compat=True)
    assert annotate(once, SCENE, made, compat=True) == once
    assert read(annotate(once, SCENE, made)) == read(annotate(write(SCENE), SCENE, made))


def test_what_is_not_known_here_stays():
    foreign = (
        write(SCENE)
        .replace(
            b"</information>",
            b'<info oid="ps000001" type="short">\n<data key="mystery" value="42"/>\n</info>\n'
            b"</information>",
        )
        .replace(b"</objects>", b'<object id="ps000001" name="probe" type="pstat"/>\n</objects>')
    )
    annotated = annotate(foreign, SCENE, forecast(SCENE, default()))
    root = etree.fromstring(annotated)
    assert root.xpath('//object[@type="pstat"]/@name') == ["probe"]
    assert root.xpath('//data[@key="mystery"]/@value') == ["42"]
    assert len(root.xpath('//data[@key="x_pred_start"]')) == 1
    assert len(root.xpath('//data[@key="x_pred_abstains"]')) == 1


def test_an_annotated_document_of_llview_has_an_answer_for_each_waiting_job():
    for path in sorted((Path(__file__).parent / "documents").glob("*.lml")):
        data = path.read_bytes()
        snapshot = read(data).snapshot
        annotated = annotate(data, snapshot, forecast(snapshot, default()))
        answers = etree.fromstring(annotated).xpath(
            '//data[@key="x_pred_start" or @key="x_pred_abstains"]'
        )
        assert len(answers) == len(snapshot.pending)


def test_the_annotated_document_has_no_errors():
    annotated = annotate(write(SCENE), SCENE, forecast(SCENE, default()))
    assert check(annotated).errors == ()
