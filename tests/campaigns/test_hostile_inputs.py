"""Short slices of the campaigns with hostile inputs, strings and questions; what they can find."""

from contextlib import suppress
from functools import partial

import pytest
from campaigns import escapes, parsers, privacy
from campaigns.entries import entries, reached
from campaigns.findings import main
from campaigns.hunting import shown

CASES = 4_000
NOT_FROM_OUTSIDE = {
    ("collectors/slurm/coverage/catalogue.py", "catalogue"): "comes with the package",
    ("collectors/slurm/library/child.py", "converse"): "the questions of its own parent",
    ("predictor/cli/columns.py", "instant"): "out of the daemon's answers, once they are read",
    ("predictor/cli/predict.py", "_with_explanation"): "a row of ours",
    ("predictor/cli/predict.py", "explained_job"): "a row of ours",
    ("predictor/cli/summaries.py", "summary"): "the source of an installed command",
    ("predictor/engine/kind.py", "read_record"): "is written when the engine is compiled",
    ("predictor/service/asking/peers.py", "_written"): "an address, out of the kernel",
    ("predictor/service/asking/peers.py", "peer_of"): "what the kernel tells of a socket",
    ("predictor/service/herald.py", "_changes"): "a row of ours",
    ("predictor/service/jobs_table.py", "jobs_table"): "a body of ours",
    ("predictor/service/longwork/api.py", "_body"): "a body of ours",
    ("predictor/service/longwork/checking.py", "_covered"): "what a command of ours printed",
    ("predictor/service/parcels.py", "unpacked"): "what a process of ours packed",
}
"""What reads bytes that nobody outside has written, and why that is so."""


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    return parsers.targets(tmp_path_factory.mktemp("readers"))


def refused_or_read(reader, seed):
    with suppress(*reader.refuses):
        reader.read(seed)


def test_no_reader_is_forgotten(readers):
    """Each place where bytes are made values is passed by what some reader is given."""
    passed = set()
    for reader in readers:
        for seed in reader.seeds:
            passed |= reached(partial(refused_or_read, reader, seed))
    forgotten = entries() - passed - NOT_FROM_OUTSIDE.keys()
    assert not forgotten, "give it a Target in campaigns/own_readers.py or slurm_readers.py"
    assert not NOT_FROM_OUTSIDE.keys() & passed


@pytest.mark.timeout(900)
def test_no_input_does_harm(readers):
    done = list(parsers.hunts(readers, seed=0, cases=CASES, seconds=0))
    assert [shown(hunt) | {"found": hunt.findings} for hunt in done if hunt.findings] == []
    assert sum(hunt.cases for hunt in done) >= CASES


def test_planted_faults_are_found(readers):
    done = parsers.hunts(parsers.faulty(readers), seed=0, cases=4_000, seconds=0)
    assert all(hunt.findings for hunt in done)


def test_no_string_escapes(capsys):
    assert main(escapes.PARTS, ["all", "--cases", "400"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("output", escapes.OUTPUTS)
def test_an_output_that_forgets_to_encode_is_found(output, capsys):
    asked = [output, "--cases", "200", "--seeded-fault"]
    assert main(escapes.PARTS, asked) == 1, capsys.readouterr().out


def test_whom_hidden_jobs_belong_to_is_told_to_nobody(capsys):
    assert main(privacy.PARTS, ["all", "--cases", "3"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("part", ["answers", "events"])
def test_a_service_that_shows_hidden_jobs_is_found(part, capsys):
    asked = [part, "--cases", "3", "--seeded-fault"]
    assert main(privacy.PARTS, asked) == 1, capsys.readouterr().out
