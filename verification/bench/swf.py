"""A workload trace replayed, reading included."""

from dataclasses import dataclass, fields
from pathlib import Path

from predictor.engine.kind import kind_of
from verification.bench.measure import Figures, figures_of, timed
from verification.traces.replay import Policy, Replay, Semantics, replay


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """The figures of a replay, and what came out of it."""

    figures: Figures
    replay: Replay


def measure_replay(
    path: Path, policy: Policy, semantics: Semantics, procs: int | None, repeat: int
) -> Replayed:
    """Read and replay the trace `repeat` times. Raises DocumentError."""
    rounds = [timed(lambda: replay(path, policy, semantics, procs)) for _ in range(repeat)]
    made = rounds[0][1]
    return Replayed(
        figures=figures_of(
            "swf",
            [(user_s, result.starts) for user_s, result in rounds],
            jobs=made.jobs,
            nodes=made.procs,
            kind=kind_of("verification/traces"),
        ),
        replay=made,
    )


def outcome(made: Replay) -> dict[str, object]:
    """Return what a replay's figures do not say: its means and who was left out."""
    names = (f.name for f in fields(made) if not f.name.startswith("starts"))
    return {name: getattr(made, name) for name in names if name not in ("jobs", "procs")}
