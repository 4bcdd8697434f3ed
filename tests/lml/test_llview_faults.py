"""What LLview and its kin are known to write, and whatever else may stand in such a document."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llview_documents import JOB, SYSTEM, TWO_PM, raw

from collectors.lmlfile import from_settings
from predictor.domain import ArrayTasks, Fact, FinishedJob, RunState, Untrusted
from predictor.errors import DocumentError, SourceFormatError
from predictor.lml import read, write

WAITS = JOB | {"step": "1", "status": "SUBMITTED", "state": "Pending"}


def jobs_of(*records):
    snapshot = read(raw(SYSTEM, *records)).snapshot
    return (*snapshot.pending, *snapshot.running, *snapshot.finished)


def only(**texts):
    (job,) = jobs_of(("job", "1", WAITS | texts))
    return job


class TestValues:
    def test_the_limit_of_the_partition_is_none_of_the_job(self):
        assert only(wall="Partition_Limit").spec.request.limit_s is None

    def test_tasks_that_slurm_cut_short(self):
        job = only(ArrayJobId="7", ArrayTaskId="1-3,8,...%2")
        assert job.spec.array == ArrayTasks(job_id="7", tasks=(1, 2, 3, 8), max_running=2)

    def test_numbers_with_a_point(self):
        assert only(totalcores="48.0").spec.request.cpus == 48

    @pytest.mark.parametrize(
        "text",
        [
            "2026-11-20 13:00:00",
            "2026-11-20T13:00:00",
            "2026-11-20 13:00",
            "11/20/26-13:00:00",
            "11/20/26-13:00",
            "Fri Nov 20 13:00:00 2026",
            "2026-11-20T14:00:00+01:00",
            str(TWO_PM - 3720),
        ],
    )
    def test_dates(self, text):
        assert only(queuedate=text).spec.submitted_at == TWO_PM - 3720

    def test_reservations_name_their_nodes_folded(self):
        told = {"starttime": "2026-11-21 08:00:00", "endtime": "2026-11-21 09:00:00"}
        record = ("reservation", "r", told | {"nodelist": "n[1-3,07],gpu1"})
        (found,) = read(raw(SYSTEM, record)).snapshot.reservations
        assert set(found.node_names) == {"n1", "n2", "n3", "n07", "gpu1"}


class TestObjects:
    def test_one_that_stands_twice_counts_once(self):
        node = ("node", "n1", {"id": "n1", "ncores": "4", "state": "Idle"})
        job = ("job", "1", WAITS)
        snapshot = read(raw(SYSTEM, node, node, job, job)).snapshot
        assert (len(snapshot.nodes), len(snapshot.pending)) == (1, 1)
        left_out = {bad.fact: bad.example for bad in snapshot.provenance.quarantined}
        assert left_out == {
            Fact.NODES: "node 'n1': it stands twice in the document",
            Fact.JOBS: "job '1': it stands twice in the document",
        }

    def test_a_name_that_breaks_the_xml_is_mended(self):
        told = {"starttime": "2026-11-21 08:00:00", "endtime": "2026-11-21 09:00:00"}
        data = raw(SYSTEM, ("reservation", 'R&D <"x">', told))
        document = read(data)
        assert document.snapshot.reservations[0].name == 'R&D <"x">'
        assert "not-well-formed" in {note.rule for note in document.notes}

    def test_one_without_an_id_is_left_out(self):
        data = raw(SYSTEM, ("job", "1", WAITS)).replace(b'<object id="o1" ', b"<object ")
        assert read(data).snapshot.pending == ()

    def test_a_job_without_step_or_name_has_the_id_of_its_object(self):
        data = raw(SYSTEM, ("job", "", {k: v for k, v in WAITS.items() if k != "step"}))
        assert read(data).snapshot.pending[0].spec.id == "o1"

    def test_a_job_that_completes_still_holds_its_nodes(self):
        told = {"starttime": "2026-11-20 13:30:00", "endtime": "2026-11-20 14:02:30"}
        job = only(state="Completed", status="COMPLETED", nodelist="(n1,4)", **told)
        assert job.state is RunState.COMPLETING
        over = only(
            state="Completed", nodelist="(n1,4)", **told | {"endtime": "2026-11-20 14:01:00"}
        )
        assert isinstance(over, FinishedJob)


class TestAFolderOfSections:
    """LLview's collector writes a file for each kind of object."""

    @pytest.fixture
    def folder(self, llview, tmp_path):
        text = llview.decode()
        for kind, ids in {"sysinfo": "sys", "nodes": "nd", "jobs": "j", "rest": "[rcs]"}.items():
            other = rf'<object id="(?!{ids}\d|pstat)[^\n]*\n'
            info = rf'<info oid="(?!{ids}\d|pstat).*?</info>\n'
            section = re.sub(info, "", re.sub(other, "", text), flags=re.DOTALL)
            (tmp_path / f"{kind}_LML.xml").write_text(section)
        (tmp_path / "datafiles.xml.ready").touch()
        return tmp_path

    def test_is_one_snapshot(self, folder, llview):
        seen = from_settings({"path": str(folder)}).observe().snapshot
        whole = read(llview).snapshot
        assert (seen.taken_at, seen.utc_offset_s) == (TWO_PM, 3600)
        assert {job.spec.id for job in seen.pending} == {job.spec.id for job in whole.pending}
        assert seen.running == whole.running
        assert seen.nodes == whole.nodes
        assert seen.reservations == whole.reservations

    def test_one_that_is_being_written_is_an_error_that_names_it(self, folder):
        file = folder / "nodes_LML.xml"
        file.write_bytes(file.read_bytes()[:500])
        with pytest.raises(SourceFormatError, match=r"nodes_LML\.xml"):
            from_settings({"path": str(folder)}).observe()

    def test_a_whole_document_is_no_section(self, folder, cluster):
        (folder / "ours.lml").write_bytes(write(cluster))
        with pytest.raises(SourceFormatError, match=r"ours\.lml: a whole document"):
            from_settings({"path": str(folder)}).observe()

    def test_an_empty_folder(self, tmp_path):
        with pytest.raises(SourceFormatError, match="0 documents"):
            from_settings({"path": str(tmp_path)}).observe()

    def test_hostile_xml_is_refused_here_too(self, folder):
        (folder / "x.xml").write_text('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')
        with pytest.raises(SourceFormatError, match="document type definition"):
            from_settings({"path": str(folder)}).observe()


KEYS = """
    step owner queue state status detailedstatus nodelist wall queuedate starttime endtime
    totalcores numnodes ArrayJobId ArrayTaskId HetJobId HetJobOffset dependency userprio id
    ncores physmem classes features resid flags name max_wall UsageFactor system_time startts
    x_utc_offset restart totalgpus prenodelist runtime hostname
"""
TEXTS = """
    | - | 0 | -1 | 1e9 | NaN | 9999999999999999999999999 | (null) | Unknown | n[1-9] | n[1- | (n1,4)
    | (n1,x) | Running | Pending | Completed | COMPLETED | 1-5:0 | 5-1 | a:b | afterok:x | +99:99
    | 2026-11-20 13:00:00 | 0001-01-01 00:00:00 | 9999-12-31 23:59:59 | \u0663
"""
texts = st.sampled_from([text.strip() for text in TEXTS.split("|")])
keys = st.sampled_from(KEYS.split())


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["system", "job", "node", "class", "reservation", "pstat", "odd"]),
            st.text("ab1_", max_size=3),
            st.dictionaries(keys, texts, max_size=8),
            st.booleans(),
        ),
        max_size=6,
    )
)
def test_whatever_stands_there_is_read_or_refused(things):
    """Nothing but DocumentError comes out, and what is read can be written."""
    full = {"job": WAITS, "system": SYSTEM[2], "node": {"id": "n1", "ncores": "4"}}
    records = [
        (type_, name, (full.get(type_, {}) if whole else {}) | texts)
        for type_, name, texts, whole in things
    ]
    with suppress(DocumentError):
        snapshot = read(raw(*records)).snapshot
        assert read(write(snapshot)).snapshot == snapshot


def test_the_mark_of_a_user_is_kept_as_it_is():
    assert only(name="R&amp;D").spec.name == Untrusted("R&D")
