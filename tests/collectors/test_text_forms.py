import pytest

from collectors.slurm.text.nodes import parse_nodes
from collectors.slurm.text.records import records, table
from collectors.slurm.text.reservations import parse_reservations
from collectors.slurm.words.hostlists import expanded, in_order
from collectors.slurm.words.tasks import task_numbers
from collectors.untrusted import MOST_BYTES, untrusted
from predictor.errors import SourceFormatError


def test_records_read_alike_on_one_line_and_over_several():
    over_several = "PartitionName=a\n   State=UP Nodes=n[1-2]\n\nPartitionName=b\n   State=DOWN\n"
    on_one = "PartitionName=a State=UP Nodes=n[1-2]\nPartitionName=b State=DOWN\n"
    assert records(over_several, "PartitionName") == records(on_one, "PartitionName")
    assert [dict(r)["State"] for r in records(on_one, "PartitionName")] == ["UP", "DOWN"]


def test_free_text_may_hold_blanks_and_equals_signs():
    line = "NodeName=n1 OS=Linux 6.1.0 #1 SMP X=1 RealMemory=4000 Reason=bad Dimm=2 [root@now]"
    (node,) = records(line, "NodeName", {"OS": ("RealMemory",), "Reason": ()})
    assert node == {
        "NodeName": "n1",
        "OS": "Linux 6.1.0 #1 SMP X=1",
        "RealMemory": "4000",
        "Reason": "bad Dimm=2 [root@now]",
    }


def test_what_is_told_behind_the_reason_of_a_node_is_no_part_of_it():
    told = "NodeName=n1 CPUTot=4 RealMemory=1 State=IDLE+DRAIN Reason=no fan [root@1796023997]"
    [node], bad = parse_nodes(f"{told} Comment=a b Extra=c=d ReservationName=repair\n")
    assert (node.reason, bad) == ("no fan", ())


def test_no_records_in_a_sentence():
    assert records("No reservations in the system\n", "ReservationName") == []


@pytest.mark.parametrize("text", ["", "error: no contact\n", "NodeName=n1\n"])
def test_what_holds_no_record_and_does_not_say_so_is_no_answer(text):
    with pytest.raises(SourceFormatError, match="no ReservationName="):
        records(text, "ReservationName")


@pytest.mark.parametrize("text", ["", "error: no contact\n", "B|C\n1|2\n"])
def test_a_table_without_its_heading_is_no_answer(text):
    with pytest.raises(SourceFormatError, match="no heading with A"):
        table(text, "A")


def test_a_row_with_too_few_columns_is_kept_as_an_empty_record():
    assert table("A|B\n1|2\n3\n", "A") == [{"A": "1", "B": "2"}, {}]


@pytest.mark.parametrize("nobody", ["", "(null)", "None assigned"])
def test_slurm_has_three_words_for_no_nodes(nobody):
    assert expanded(nobody) == ()


def test_any_other_node_list_is_unfolded():
    assert expanded("n[01,03-04],x1") == ("n01", "n03", "n04", "x1")
    with pytest.raises(ValueError, match="@all"):
        expanded("@all")


def test_nodes_stand_in_the_batch_systems_order():
    order = {"gpu1": 0, "n2": 1, "n1": 2}
    assert in_order({"n1", "n2", "gpu1", "new"}, order) == ("gpu1", "n2", "n1", "new")


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ("3", (3,)),
        ("1-4", (1, 2, 3, 4)),
        ("1-9:2", (1, 3, 5, 7, 9)),
        ("7,1-2", (1, 2, 7)),
        ("5,3-1,1-3,2", (1, 2, 3, 5)),
        ("1,3,...", (1, 3)),
    ],
)
def test_array_tasks(text, tasks):
    assert task_numbers(text) == tasks


@pytest.mark.parametrize("text", ["1-9999999999", "0x7f", "1--2"])
def test_what_is_no_list_of_array_tasks(text):
    with pytest.raises(ValueError, match="array tasks"):
        task_numbers(text)


@pytest.mark.parametrize("text", ["a" * 5000, "ä" * 600, "\U0001f600" * 300, "\0" * 1025])
def test_long_names_are_cut_but_stay_different(text):
    first, second = untrusted(text + "1"), untrusted(text + "2")
    assert first != second
    assert len(first.raw.encode()) <= MOST_BYTES


def test_short_names_stay_as_they_are():
    for text in ("", "x" * 1024, "ä" * 512, "\x1b[2J=cmd|</job>"):
        assert untrusted(text).raw == text


@pytest.mark.parametrize(
    ("state", "usable"), [("UNKNOWN", True), ("UNKNOWN+DRAIN", False), ("SOMETHING", False)]
)
def test_nodes_that_a_controller_has_not_heard_of_since_its_start_are_planned_with(state, usable):
    [node], bad = parse_nodes(f"NodeName=n1 CPUTot=4 CPUAlloc=4 RealMemory=1 State={state}\n")
    assert (node.usable, bad) == (usable, ())


def test_of_which_qos_and_partitions_a_reservation_is():  # as 26.05.5 prints it
    told = (
        "ReservationName=magp StartTime=2026-11-30T09:43:52 EndTime=2026-11-30T10:43:52"
        " Duration=01:00:00 Nodes=n2 NodeCnt=1 CoreCnt=4 Features=(null) PartitionName=(null)"
        " Flags=IGNORE_JOBS,SPEC_NODES,MAGNETIC TRES=cpu=8 AllowedPartitions=dyn,prio QOS=-fast"
        " Users=(null) Groups=(null) Accounts=(null) Licenses=(null) State=ACTIVE"
        " BurstBuffer=(null) MaxStartDelay=(null)\n"
    )
    ([one], bad) = parse_reservations(told, {"n2": 8})
    assert not bad
    assert (one.qos, one.allowed_partitions, one.users) == (("-fast",), ("dyn", "prio"), ())
