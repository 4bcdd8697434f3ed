"""A forecast's answers as keys of the waiting jobs, and back."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from predictor.domain import Abstention, Forecast, Prediction
from predictor.lml.binding import Binding
from predictor.lml.keys_cluster import FORECAST, INSTANT
from predictor.lml.keys_jobs import ABSTENTION, PREDICTION
from predictor.lml.making import Values
from predictor.lml.splitting import data_lines
from predictor.lml.unmaking import Lines

ORDER = "x_pred_order"
"""An answer's place among those of its kind, where its rank does not tell it."""


def answer_lines(
    forecast: Forecast, job_ids: Iterable[str], binding: Binding, *, compat: bool
) -> dict[str, list[str]]:
    """Return the `data` lines of each job's answer. `job_ids` wait, in the document's order.

    Raises ValueError if the forecast speaks of another job.
    """
    place = {job_id: number for number, job_id in enumerate(job_ids)}
    told: list[Prediction | Abstention] = [*forecast.predictions, *forecast.abstentions]
    if strangers := [answer.job_id for answer in told if answer.job_id not in place]:
        raise ValueError(f"the forecast speaks of jobs that do not wait: {strangers[:5]}")
    predicted, abstained = Lines(PREDICTION, binding), Lines(ABSTENTION, binding)
    lines = {answer.job_id: list(predicted.of(answer)) for answer in forecast.predictions}
    lines |= {answer.job_id: list(abstained.of(answer)) for answer in forecast.abstentions}
    if compat:
        for prediction in forecast.predictions:
            lines[prediction.job_id] += _shown_in_2012(prediction, binding)
    ranked = sorted(forecast.predictions, key=lambda a: (a.rank, place[a.job_id]))
    queued = sorted(forecast.abstentions, key=lambda a: place[a.job_id])
    if (*ranked, *queued) != tuple(told):
        for number, answer in enumerate(told):
            lines[answer.job_id] += data_lines(ORDER, str(number))
    return lines


def _shown_in_2012(answer: Prediction, binding: Binding) -> Iterator[str]:
    encode = binding.codec(INSTANT).encode
    yield from data_lines("dispatchdate", encode(answer.start_at))
    yield from data_lines("enddate", encode(answer.end_at))


class AnswerReader:
    """Collects the answers of one document and makes the forecast of them."""

    def __init__(self, binding: Binding) -> None:
        self._head = Values(FORECAST, binding)
        self._predicted = Values(PREDICTION, binding)
        self._abstained = Values(ABSTENTION, binding)
        self._predictions: list[tuple[int, int, Prediction]] = []
        self._abstentions: list[tuple[int, Abstention]] = []

    def add(self, job_id: str, texts: Mapping[str, str]) -> None:
        """Take the answer that stands among a waiting job's data, if any. Raises ValueError."""
        order = int(texts.get(ORDER, "0"))
        if "x_pred_start" in texts:
            prediction = Prediction(job_id=job_id, **self._predicted.of(texts))
            self._predictions.append((order, prediction.rank, prediction))
        elif "x_pred_abstains" in texts:
            abstention = Abstention(job_id=job_id, **self._abstained.of(texts))
            self._abstentions.append((order, abstention))

    def forecast(self, texts: Mapping[str, str]) -> Forecast | None:
        """Return all of it; `texts` are the scheduler's data. None: there is no forecast."""
        if "x_forecast_at" not in texts:
            return None
        head: dict[str, Any] = self._head.of(texts)
        predictions = sorted(self._predictions, key=lambda entry: entry[:2])
        abstentions = sorted(self._abstentions, key=lambda entry: entry[0])
        return Forecast(
            **head,
            predictions=tuple(entry[-1] for entry in predictions),
            abstentions=tuple(entry[-1] for entry in abstentions),
        )
