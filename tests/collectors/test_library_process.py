"""The process that asks pyslurm, driven for real: what goes wrong in it stays in it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from live.cluster import wait_until

from collectors.slurm.library import asking
from collectors.slurm.library.asking import Library, beside
from predictor.errors import SourceError, SourceFormatError, SourceTimeout

JOBS = ("pyslurm", "Jobs.load")
NODES = ("pyslurm", "Nodes.load")
LIBRARY = "long slurm_api_version(void) { return 0x%x0000L; }"


@pytest.fixture
def library():
    """Return the library with a pyslurm that does so; to be asked more than once."""
    made = []

    def library(**settings):
        made.append(Library(**settings))
        return made[-1]

    yield library
    for each in made:
        each.close()


def found(printed):
    assert printed.exit_code == 0, printed.complaint
    return json.loads(printed.output)["found"]


def processes_of(pid):
    """Return whether that process is there, be it as a zombie."""
    return Path(f"/proc/{pid}").exists()


def test_what_is_asked_is_told_and_one_process_answers_all(pyslurm, library):
    pyslurm("26.05")
    one = library()
    assert len(found(one.run(JOBS, 10))) == 13
    pid = one._process._popen.pid
    assert [node["name"] for node in found(one.run(NODES, 10))][:2] == ["n01", "n02"]
    assert one._process._popen.pid == pid
    one.close()
    assert not processes_of(pid)


def test_it_is_no_part_of_ours(pyslurm, library):
    pyslurm("26.05")
    one = library()
    one.run(JOBS, 10)
    pid = one._process._popen.pid
    assert pid != os.getpid() and os.getpgid(pid) == pid
    assert "pyslurm" not in sys.modules


def test_it_ends_with_whoever_asks_it(pyslurm):
    pyslurm("26.05")
    one = Library()
    one.run(JOBS, 10)
    pid = one._process._popen.pid
    del one
    assert not processes_of(pid)


ASKING = """
import os, time
from collectors.slurm.library.asking import Library
library = Library()
library.run(("pyslurm", "Jobs.load"), 10)
print(library._process._popen.pid, flush=True)
time.sleep(60)
"""


def test_it_ends_also_with_one_who_is_killed(pyslurm, monkeypatch):
    pyslurm("26.05")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((os.environ["PYTHONPATH"], *sys.path)))
    with subprocess.Popen([sys.executable, "-c", ASKING], stdout=subprocess.PIPE) as asking_one:
        pid = int(asking_one.stdout.readline())
        assert is_at_work(pid)
        asking_one.kill()
    wait_until(lambda: not is_at_work(pid), "its end")


def is_at_work(pid):
    """Return whether that process is there, and no mere zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("does", "kind", "why"),
    [
        ("hang", SourceTimeout, "no answer within 1 s"),
        ("exit", SourceError, "ended with exit status 1; it said: slurm: fatal: something is"),
        ("crash", SourceError, "ended by SIGSEGV"),
        ("leave", SourceError, "ended with exit status 3"),
        ("no slurm.conf", SourceError, "it said: slurm: fatal: Could not establish a config"),
        ("garble", SourceFormatError, "not an answer: .*hello among the answers"),
        ("half", SourceError, "ended with exit status 0"),
        ("negative", SourceFormatError, "not an answer"),
    ],
)
def test_a_failure_is_an_error_that_says_so(pyslurm, library, does, kind, why):
    pyslurm("26.05", does=does)
    one = library()
    with pytest.raises(SourceError, match=why) as caught:
        one.run(JOBS, 1)
    assert type(caught.value) is kind
    assert str(caught.value).startswith("pyslurm Jobs.load: ")
    pyslurm("26.05")
    assert len(found(one.run(JOBS, 10))) == 13, "the next look has a process that knows nothing"


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("unreachable", "RPCError: Unable to contact slurm controller (error 1800)"),
        ("memory", "MemoryError"),
        ("deep", "RecursionError: maximum recursion depth exceeded"),
    ],
)  # fmt: skip
def test_what_pyslurm_raises_is_told(pyslurm, library, does, why):
    pyslurm("26.05", does=does)
    printed = library().run(JOBS, 10)
    assert (printed.exit_code, printed.complaint, printed.output) == (1, why, "")


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"does": "no library"}, "pyslurm cannot load Slurm's library: libslurm.so.44: cannot"),
        ({"does": "broken"}, "pyslurm cannot be imported: RuntimeError: module compiled against"),
        ({"does": "needs more"}, "pyslurm cannot be imported: No module named 'a_module_that"),
        ({"does": "old", "version": "20.11.8"}, "pyslurm 20.11.8 is too old: it has no Jobs"),
    ],
)  # fmt: skip
def test_where_it_cannot_serve_another_way_is_named(pyslurm, library, told, why):
    pyslurm("26.05", **told)
    printed = library().run(JOBS, 10)
    assert printed.exit_code == 2
    assert printed.complaint.startswith(why)
    assert printed.complaint.endswith('; kind = "slurm-cli" asks the commands instead')


def test_pyslurm_is_not_installed(library):
    why = "pyslurm is not installed (pip install queuecast[slurm]); kind"
    assert library().run(JOBS, 10).complaint.startswith(why)


@pytest.fixture(scope="session")
def library_of(tmp_path_factory):
    """Return a shared library that says it is Slurm's of this number."""
    if shutil.which("gcc") is None:
        (pytest.fail if os.environ.get("QUEUECAST_REQUIRE_COMPILED") else pytest.skip)("no gcc")
    folder = tmp_path_factory.mktemp("libraries")

    def library_of(number):
        source, made = folder / f"{number}.c", folder / f"libslurm.so.{number}"
        source.write_text(LIBRARY % number)
        subprocess.run(["gcc", "-shared", "-o", made, source], check=True, timeout=60)
        return str(made)

    return library_of


def test_a_pyslurm_made_for_another_library_is_refused(pyslurm, library, library_of):
    pyslurm("26.05", number=library_of(45))
    complaint = library().run(JOBS, 10).complaint
    assert "pyslurm 25.11.2 is made for libslurm.so.44, but libslurm.so.45 is loaded" in complaint
    assert len(found(library(unmatched=True).run(JOBS, 10))) == 13


def test_only_a_pyslurm_made_for_this_library_is_asked_what_jobs_hold(pyslurm, library, library_of):
    held = {"state": "RUNNING", "allocated_nodes": "n01"}
    pyslurm("26.05", job=held, number=library_of(44))
    assert "layout" in found(library().run(JOBS, 10))[0]
    pyslurm("26.05", job=held, number=library_of(45))
    assert "layout" not in found(library(unmatched=True).run(JOBS, 10))[0]


def test_what_crashed_it_is_not_asked_again(pyslurm, library, library_of):
    held = {"state": "RUNNING", "allocated_nodes": "n01"}
    pyslurm("26.05", does="crash in layout", job=held, number=library_of(44))
    one = library()
    with pytest.raises(SourceError, match="SIGSEGV"):
        one.run(JOBS, 10)
    assert "layout" not in found(one.run(JOBS, 10))[0]


def test_what_the_library_prints_is_no_answer(pyslurm, library):
    pyslurm("26.05", does="print")
    assert len(found(library().run(JOBS, 10))) == 13


def test_a_slow_answer_is_an_answer(pyslurm, library):
    pyslurm("26.05", does="slow")
    printed = library().run(JOBS, 10)
    assert len(found(printed)) == 13
    assert printed.duration_s > 0.5
    assert printed.size_bytes == len(printed.output)


def test_too_long_an_answer_is_not_read(pyslurm, library):
    pyslurm("26.05", does="huge")
    with pytest.raises(SourceError, match="more than 1000000 bytes"):
        library(most_bytes=1_000_000).run(JOBS, 20)


def test_a_value_it_stumbles_over_is_told_as_that(pyslurm, library):
    pyslurm("26.05", does="stumble")
    comments = [job["comment"] for job in found(library().run(JOBS, 10))]
    assert all(comment["error"].startswith("UnicodeDecodeError") for comment in comments)


def test_a_question_its_version_has_no_answer_to(pyslurm, library):
    pyslurm("22.05")
    one = library()
    printed = one.run(("pyslurm", "Reservations.load"), 10)
    assert (printed.exit_code, printed.complaint) == (3, "pyslurm 22.5.3 has no Reservations")
    printed = one.run(("pyslurm", "slurmctld.Config.load"), 10)
    assert printed.complaint == "pyslurm 22.5.3 has no slurmctld.Config.scheduler_parameters"


@pytest.mark.parametrize(
    ("conf", "asked"),
    [
        ("SlurmctldHost=a\nSlurmctldPort=1\n", False),
        ("SlurmctldHost=a\nSlurmctldHost=b\n", True),
        ("ControlMachine=a\nBackupController=b\n", True),
        ("SlurmctldHost=a\nInclude more.conf\n", True),
        (None, True),
    ],
)
def test_without_an_answer_to_a_ping_only_a_second_controller_may_answer(
    pyslurm, library, monkeypatch, tmp_path, conf, asked
):
    file = tmp_path / "slurm.conf"
    if conf is not None:
        file.write_text(conf)
    monkeypatch.setenv("SLURM_CONF", str(file))
    pyslurm("26.05", does="no ping")
    printed = library().run(JOBS, 10)
    assert printed.exit_code == (0 if asked else 1)


def test_after_many_answers_the_process_is_replaced(pyslurm, library, monkeypatch):
    monkeypatch.setattr(asking, "MOST_ANSWERS", 2)
    pyslurm("26.05")
    one = library()
    one.run(JOBS, 10)
    pid = one._process._popen.pid
    one.run(JOBS, 10)
    assert not processes_of(pid)
    assert len(found(one.run(JOBS, 10))) == 13


def test_a_process_that_was_killed_meanwhile_is_an_error_once(pyslurm, library):
    pyslurm("26.05")
    one = library()
    one.run(JOBS, 10)
    one._process._popen.kill()
    one._process._popen.wait()
    with pytest.raises(SourceError, match="SIGKILL"):
        one.run(JOBS, 10)
    assert len(found(one.run(JOBS, 10))) == 13


def test_no_process_can_be_started(pyslurm, library, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nonexistent")
    with pytest.raises(SourceError, match=r"^pyslurm Jobs\.load: .*No such file"):
        library().run(JOBS, 10)


def test_much_said_on_standard_error_does_not_hold_it_up(pyslurm, library):
    pyslurm("26.05", does="chatter")
    assert len(found(library().run(JOBS, 10))) == 13


def test_the_library_beside_the_commands():
    asked = []
    run = beside(
        lambda argv, _: asked.append(("library", *argv)),
        lambda argv, _: asked.append(("command", *argv)),
    )
    run(JOBS, 1.0)
    run(("squeue", "-a"), 1.0)
    assert asked == [("library", *JOBS), ("command", "squeue", "-a")]
