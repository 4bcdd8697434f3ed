"""A document with predictions added: everything that stood in it stays, whoever wrote it."""

from collections.abc import Iterable

from lxml import etree

from predictor.domain import Forecast, Snapshot
from predictor.errors import DocumentError
from predictor.lml.answers import answer_lines
from predictor.lml.binding import Binding
from predictor.lml.chart import chart_lines
from predictor.lml.elements import Element, local_name
from predictor.lml.escaping import unflagged
from predictor.lml.guard import admit
from predictor.lml.keys_cluster import FORECAST
from predictor.lml.repair import mend
from predictor.lml.unmaking import Lines

CHART = "forecast"
SCHEDULER = ("scheduler", "sched000000")
"""The type of the object that carries the forecast's head, and its id if we must add it."""
PREDICTED = ("x_pred_", "x_forecast_")
"""What the keys of predictions begin with; earlier ones are replaced."""
ACTUAL = ("dispatchdate", "enddate")
"""Keys that hold a prediction where a job has one."""


def annotate(
    data: bytes,
    snapshot: Snapshot,
    forecast: Forecast,
    *,
    compat: bool = False,
    place: str = "",
) -> bytes:
    """Return the document `data`, from which `snapshot` was read, with the forecast's answers.

    They are private keys of the waiting jobs, and a chart of the plan; what else stands in the
    document is kept, known or not. `compat` also fills `dispatchdate` and `enddate` of waiting
    jobs. Raises DocumentError if the document cannot be parsed.
    """
    root = _tree(data, place)
    binding = Binding(snapshot.utc_offset_s)
    objects = {e.get("id", ""): e for e in root.iter() if local_name(e) == "object"}
    infos = {e.get("oid", ""): e for e in root.iter() if local_name(e) == "info"}
    jobs = {
        _job_id(object_, infos.get(oid)): oid
        for oid, object_ in objects.items()
        if object_.get("type") == "job"
    }
    for info in infos.values():
        _forget(info)
    waiting = (job.spec.id for job in snapshot.pending)
    for job_id, lines in answer_lines(forecast, waiting, binding, compat=compat).items():
        if jobs.get(job_id, "") in infos:
            _extend(infos[jobs[job_id]], lines)
    _extend(_scheduler(root, objects, infos), Lines(FORECAST, binding).of(forecast))
    for chart in [e for e in root.iter("chart") if e.get("id") == CHART]:
        root.remove(chart)
    root.append(_element("\n".join(chart_lines(snapshot, forecast, jobs))))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"


def _tree(data: bytes, place: str) -> Element:
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False
    )
    data = admit(data, place)
    try:
        return etree.fromstring(data, parser)
    except etree.XMLSyntaxError:
        try:
            return etree.fromstring(mend(data).data, parser)
        except etree.XMLSyntaxError as error:
            raise DocumentError(str(error.msg), place=place, line=error.lineno) from error


def _job_id(job: Element, info: Element | None) -> str:
    """Return the id under which the reader knows a job: its `step`, its name, or its object's."""
    found = () if info is None else info
    step = next((e.get("value", "") for e in found if e.get("key") == "step"), None)
    return job.get("name") or job.get("id") or "" if step is None else unflagged(step)


def _forget(info: Element) -> None:
    """Remove earlier predictions."""
    keys = {e.get("key", "") for e in info}
    predicted = {key for key in keys if key.startswith(PREDICTED)}
    if "x_pred_start" in predicted:
        predicted |= set(ACTUAL)
    for data in [e for e in info if e.get("key", "") in predicted]:
        info.remove(data)


def _scheduler(root: Element, objects: dict[str, Element], infos: dict[str, Element]) -> Element:
    """Return the `info` of the document's scheduler, added if it has none."""
    type_, oid = SCHEDULER
    known = next((id_ for id_, e in objects.items() if e.get("type") == type_), None)
    if known is None:
        added = _element(f'<object id="{oid}" name="" type="{type_}"/>')
        _section(root, "objects").append(added)
    if (known or oid) in infos:
        return infos[known or oid]
    info = _element(f'<info oid="{known or oid}" type="short">\n</info>')
    _section(root, "information").append(info)
    return info


def _section(root: Element, name: str) -> Element:
    section = root.find(name)
    if section is None:
        section = _element(f"<{name}>\n</{name}>")
        root.append(section)
    return section


def _extend(info: Element, lines: Iterable[str]) -> None:
    info.extend([_element(line) for line in lines])


def _element(text: str) -> Element:
    """Return the element, with a line of its own."""
    element = etree.fromstring(text)
    element.tail = "\n"
    return element
