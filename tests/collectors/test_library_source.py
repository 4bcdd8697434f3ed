"""A look through pyslurm: what is asked, of whom, and what becomes of it."""

import os

import pytest
from recordings import HandClock

from collectors.commands import Printed
from collectors.doctor import examine, sheet
from collectors.slurm import questions
from collectors.slurm.library.asking import Library, beside
from collectors.slurm.library.plan import by_pyslurm
from collectors.slurm.library.questions import GRES_WISHES
from collectors.slurm.library.source import KIND, from_settings
from collectors.slurm.source import SlurmSource
from predictor.domain import Fact
from predictor.errors import SiteError, SourceError

NOW = 1795211000.0
"""By our clock; the controller's is a quarter of an hour ahead."""


@pytest.fixture
def look(pyslurm, answers):
    """Return what a look brings; `missing` commands are not installed."""
    made = []

    def look(series, *, missing=lambda _: False, **settings):
        pyslurm(series, **settings)
        library = Library()
        made.append(library)
        texts = answers("26.05").printed
        by_argv = {question.argv: question for question in (*questions.ALL, GRES_WISHES)}

        def command(argv, _):
            if missing(argv) or by_argv[argv].name not in texts:
                raise SourceError(f"{argv[0]}: No such file or directory")
            return Printed(output=texts[by_argv[argv].name])

        source = SlurmSource(
            beside(library.run, command),
            HandClock(NOW),
            account="root",
            kind=KIND,
            plan=by_pyslurm,
            timeout_s=10,
        )
        survey = source.survey()
        return survey, source.assembled(survey) if survey.error is None else survey.error

    yield look
    for library in made:
        library.close()


def asked(survey):
    return [call.name for call in survey.calls]


def test_a_look_asks_the_library_first_and_the_commands_for_the_rest(look):
    survey, snapshot = look("26.05")
    assert asked(survey) == [
        "pyslurm_jobs",
        "pyslurm_config",
        "pyslurm_nodes",
        "gres_wishes",
        "pyslurm_diag",
        "reservations",
        "partitions",
        "assoc",
        "licenses",
        "sprio",
        "sshare",
        "qos",
        "assoc_mgr",
        "topology",
    ]
    assert (snapshot.provenance.source, snapshot.cluster) == (KIND, "lab")
    assert snapshot.provenance.version == "26.05.5"
    assert len(snapshot.nodes) == 5
    assert snapshot.qos and snapshot.associations and snapshot.health is not None
    assert snapshot.taken_at == 1795211901, "by the controller's clock"


def test_without_any_command_the_library_stands_in_and_the_rest_is_hidden(look):
    survey, snapshot = look("26.05", missing=lambda _: True)
    assert {"pyslurm_partitions", "pyslurm_reservations", "pyslurm_assoc", "pyslurm_licenses"} <= {
        call.name for call in survey.calls if call.ok
    }
    assert len(snapshot.partitions) == 4
    assert len(snapshot.reservations) == 3
    assert len(snapshot.associations) == 8
    assert len(snapshot.licenses) == 2
    hidden = {each.fact for each in snapshot.provenance.hidden}
    assert hidden == {
        Fact.JOBS,
        Fact.PRIORITIES,
        Fact.FAIRSHARE,
        Fact.QOS,
        Fact.USAGE,
        Fact.TOPOLOGY,
    }


def test_what_an_old_version_lacks_is_asked_of_the_commands(look):
    survey, snapshot = look("22.05")
    failed = {call.name for call in survey.calls if not call.ok}
    assert failed == {"pyslurm_config", "pyslurm_diag", "gres_wishes"}
    assert {"config", "sdiag"} <= set(asked(survey))
    assert snapshot.settings.multifactor
    assert snapshot.health is not None


def test_without_jobs_nothing_else_is_asked(look):
    survey, error = look("26.05", does="unreachable")
    assert asked(survey) == ["pyslurm_jobs"]
    assert str(error).startswith("pyslurm Jobs.load: RPCError: Unable to contact")


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"form": "text"}, 'source "slurm-pyslurm": unknown key form'),
        ({"unmatched": "yes"}, "unmatched: expected true or false, got 'yes'"),
        ({"timeout_s": 0}, "timeout_s: expected seconds above 0"),
    ],
)
def test_wrong_settings(settings, why):
    with pytest.raises(SiteError, match=why):
        from_settings(settings)


def test_the_doctor_tells_why_it_cannot_serve(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.devnull)
    told = "\n".join(sheet(examine(from_settings({}))))
    assert "no snapshot: pyslurm Jobs.load: pyslurm is not installed (pip install" in told
    assert 'kind = "slurm-cli" asks the commands instead' in told
