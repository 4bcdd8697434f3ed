"""Cases made by hand, and any number of them by chance."""

from hypothesis import strategies as st

from verification.judging.case import Case, Job, Said

END = 100_000
"""Up to when it is known what happened."""


def case(id_="1", seen_at=0, started_at=None, removed_at=None, submitted_at=0, leads=True, **more):
    """Return a case of which `ours=...` and other predictors say starts or all of `Said`."""
    said = {
        name: one if isinstance(one, Said) else Said(likely_at=one)
        for name, one in more.items()
        if name not in JOB and name not in ("cause", "known_until", "recording")
    }
    job = Job(id=id_, **{name: more.get(name, value) for name, value in JOB.items()})
    return Case(
        job=job,
        seen_at=seen_at,
        submitted_at=submitted_at,
        cause=more.get("cause", "priority"),
        leads=leads,
        started_at=started_at,
        removed_at=removed_at,
        known_until=more.get("known_until", END),
        recording=more.get("recording", ""),
        said=said,
    )


JOB = {
    "user": "ann",
    "account": "physics",
    "partition": "batch",
    "qos": "",
    "nodes": 1,
    "limit_s": 3600,
    "of_array": False,
}


@st.composite
def said(draw, since):
    if draw(st.integers(0, 4)) == 0:
        return Said(why_not="held")
    at = sorted(since + draw(st.integers(0, 20_000)) for _ in range(4))
    low_at, likely_at, high_at, by_at = at
    return Said(
        likely_at=likely_at,
        low_at=low_at,
        high_at=high_at,
        by_at=by_at,
        quantiles=((0.1, low_at), (0.5, likely_at), (0.9, high_at)),
    )


@st.composite
def cases(draw):
    """Some jobs, each seen now and then until it starts, leaves, or nobody looks any more."""
    found = []
    for number in range(draw(st.integers(1, 6))):
        ends_at = draw(st.integers(1, 30_000))
        fate = draw(st.sampled_from(["started", "started", "removed", "open"]))
        seen = draw(st.sets(st.integers(0, ends_at), min_size=1, max_size=5))
        for seen_at in sorted(seen):
            found.append(
                case(
                    id_=str(number),
                    seen_at=seen_at,
                    started_at=ends_at if fate == "started" else None,
                    removed_at=ends_at if fate == "removed" else None,
                    known_until=ends_at if fate == "open" else END,
                    user=draw(st.sampled_from(["ann", "bob"])),
                    partition=draw(st.sampled_from(["batch", "long"])),
                    nodes=draw(st.integers(1, 300)),
                    ours=draw(said(seen_at)),
                    slurm=draw(said(seen_at)),
                )
            )
    return found
