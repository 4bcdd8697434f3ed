"""What can be seen of a cluster: one look, told in words or as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from collectors.here import own_account
from collectors.slurm.coverage.catalogue import catalogue
from collectors.slurm.coverage.findings import Finding, judged
from collectors.slurm.coverage.told import told
from collectors.slurm.source import SlurmSource, from_settings
from collectors.slurm.words.visibility import ALL_PRIVATE
from predictor.domain import Call, Fact, Snapshot, Source
from predictor.domain.counts import counted
from predictor.domain.durations import HOUR_S
from predictor.engine.kind import KIND
from predictor.errors import SourceError

SCHEMA = "queuecast.doctor/1"
MOST_LOST = 12
"""So many settings without a rule are named."""
SLURM = "slurm-"
"""So the kinds of sources begin that ask Slurm."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What one look brought."""

    account: str
    calls: tuple[Call, ...]
    commands: Mapping[str, str]
    """What was asked, by the name of the call."""
    failed: dict[str, str]
    """Why questions got no answer, by name."""
    snapshot: Snapshot | None
    error: str = ""
    """Why there is no snapshot."""
    ended: int | None = None
    """So many runs accounting says ended within the last hour; None: it was not asked, or did not
    answer."""
    unaccounted: str = ""
    """Why accounting did not answer."""
    lost: tuple[Finding, ...] = ()
    """The settings in use for which forecasts may be wrong, as far as their commands tell them."""


def examine(source: Source | None = None) -> Findings:
    """Look once and return what came of it. Never raises for what is wrong with the cluster.

    Without a source, this machine's Slurm is asked by its commands.
    """
    source = source or from_settings({})
    if not isinstance(source, SlurmSource):
        return _observed(source)
    survey = source.survey()
    try:
        snapshot, error = source.assembled(survey), ""
    except SourceError as problem:
        snapshot, error = None, str(problem)
    found = Findings(
        account=source.account,
        calls=tuple(survey.calls),
        commands={name: question.command for name, question in survey.asked.items()},
        failed=survey.failed,
        snapshot=snapshot,
        error=error,
        lost=tuple(one for one in judged(told(survey.printed), catalogue()) if one.matters),
    )
    return _with_accounting(found, source) if snapshot and source.past_s else found


def _observed(source: Source) -> Findings:
    """Return what one look brought by a source of which nothing more is known."""
    snapshot, error = None, ""
    try:
        seen = source.observe()
        snapshot, calls = seen.snapshot, seen.calls
    except SourceError as problem:
        error = str(problem)
        calls = tuple(call for call in problem.calls if isinstance(call, Call))
    return Findings(
        account=own_account(),
        calls=calls,
        commands={call.name: call.name for call in calls},
        failed={call.name: call.kind or "failed" for call in calls if not call.ok},
        snapshot=snapshot,
        error=error,
    )


def _with_accounting(found: Findings, source: SlurmSource) -> Findings:
    now = found.snapshot.taken_at if found.snapshot else 0
    counts: list[int] = []
    answer = source.ended(now - HOUR_S, now, lambda jobs: counts.append(len(jobs)))
    if answer.error is not None:
        return replace(found, unaccounted=str(answer.error))
    return replace(found, ended=sum(counts))


def report(findings: Findings) -> dict[str, object]:
    """Return the findings for `--json`."""
    seen = findings.snapshot.provenance if findings.snapshot else None
    return {
        "schema": SCHEMA,
        "account": findings.account,
        "engine": {"kind": KIND.name, "why_pure": KIND.why_pure or None},
        "error": findings.error or None,
        "cluster": findings.snapshot.cluster if findings.snapshot else None,
        "version": seen.version if seen else None,
        "private_data": list(seen.private) if seen else None,
        "calls": [_call(call, findings) for call in findings.calls],
        "accounting": {
            "ended_last_hour": findings.ended,
            "error": findings.unaccounted or None,
        },
        "not_simulated": [{"setting": one.title, "why": one.ruling.why} for one in findings.lost],
        "seen": _seen(findings.snapshot) if findings.snapshot else None,
        "hidden": [{"fact": h.fact.value, "why": h.why} for h in seen.hidden] if seen else [],
        "quarantined": [
            {"fact": q.fact.value, "count": q.count, "example": q.example}
            for q in (seen.quarantined if seen else ())
        ],
    }


def sheet(findings: Findings) -> Iterator[str]:
    """Yield the findings as lines for a person; they may hold any character."""
    yield f"account   {findings.account}"
    yield f"engine    {KIND.words}"
    if findings.snapshot is not None:
        seen = findings.snapshot.provenance
        of_slurm = seen.source.startswith(SLURM)
        what = "Slurm" if of_slurm else f"by {seen.source},"
        yield f"cluster   {findings.snapshot.cluster}, {what} {seen.version or 'version unknown'}"
        unseen = not of_slurm or Fact.SETTINGS in {hidden.fact for hidden in seen.hidden}
        nothing = "unknown" if unseen else "nothing (PrivateData is not set)"
        untold = unseen and seen.private == ALL_PRIVATE
        listed = "unknown, so that all is taken to be" if untold else ", ".join(seen.private)
        yield f"private   {listed or nothing}"
    yield ""
    yield from (_line(call, findings) for call in findings.calls)
    yield ""
    yield from _verdict(findings)


def _line(call: Call, findings: Findings) -> str:
    outcome = f"{call.size_bytes} bytes" if call.ok else findings.failed[call.name]
    mark = "ok  " if call.ok else "FAIL"
    return f"{mark}  {call.duration_s:6.2f} s  {findings.commands[call.name]:30}  {outcome}"


def _verdict(findings: Findings) -> Iterator[str]:
    if findings.snapshot is None:
        yield f"no snapshot: {findings.error}"
        return
    if findings.ended is not None:
        ended = counted(findings.ended, "run")
        yield f"past      accounting can be read: {ended} ended within the last hour"
    elif findings.unaccounted:
        yield f"past      accounting cannot be read: {findings.unaccounted}"
    yield "seen      " + ", ".join(f"{n} {what}" for what, n in _seen(findings.snapshot).items())
    seen = findings.snapshot.provenance
    for hidden in seen.hidden:
        yield f"hidden    {hidden.fact.value}: {hidden.why}"
    for bad in seen.quarantined:
        yield f"left out  {bad.count} of {bad.fact.value}: {bad.example}"
    yield from (f"no rule   {one.title}: {one.ruling.why}" for one in findings.lost[:MOST_LOST])
    if len(findings.lost) > MOST_LOST:
        yield "no rule   … all that have none are told by: queuecast config coverage"
    if not seen.hidden and not seen.quarantined:
        yield "Nothing is hidden, every record was understood."


def _seen(snapshot: Snapshot) -> dict[str, int]:
    return {
        "waiting": len(snapshot.pending),
        "running": len(snapshot.running),
        "finished": len(snapshot.finished),
        "nodes": len(snapshot.nodes),
        "partitions": len(snapshot.partitions),
        "reservations": len(snapshot.reservations),
        "licenses": len(snapshot.licenses),
        "qos": len(snapshot.qos),
        "associations": len(snapshot.associations),
    }


def _call(call: Call, findings: Findings) -> dict[str, object]:
    return {
        "name": call.name,
        "command": findings.commands[call.name],
        "seconds": round(call.duration_s, 3),
        "bytes": call.size_bytes,
        "ok": call.ok,
        "why": findings.failed.get(call.name),
    }
