"""Machines as TOML files: what they say, and what is wrong with them."""

import pytest

from predictor.errors import SiteError
from verification.experiments.machine import Group, Machine, Queue
from verification.experiments.machine_file import load_machine, ready_made

GROUP = '[[groups]]\nname = "a"\nnodes = 3\nhas = { core = 4 }\n'


@pytest.fixture
def machine_file(tmp_path):
    def write(text):
        (tmp_path / "m.toml").write_text(text)
        return str(tmp_path / "m.toml")

    return write


def test_everything_a_file_may_say(machine_file):
    text = """
        name = "two kinds"
        critical = ["gpu"]
        grid = [3, 2]
        leaf_nodes = 2
        score = "waited_s"
        unit = { core = 2 }
        [[groups]]
        name = "thin"
        nodes = 4
        has = { core = 16 }
        [[groups]]
        name = "fat"
        nodes = 2
        has = { core = 16, gpu = 2 }
        [kinds.7]
        core = 8
        gpu = 1
        [queues.3]
        expected_wait_s = 60
        priority = 9
    """
    assert load_machine(machine_file(text)) == Machine(
        name="two kinds",
        critical=("gpu",),
        grid=(3, 2),
        leaf_nodes=2,
        score="waited_s",
        unit={"core": 2},
        groups=(
            Group(name="thin", nodes=4, has={"core": 16}),
            Group(name="fat", nodes=2, has={"core": 16, "gpu": 2}),
        ),
        kinds={7: {"core": 8, "gpu": 1}},
        queues={3: Queue(expected_wait_s=60, priority=9)},
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("nodes =", "m.toml:1: not TOML"),
        (GROUP + "colour = 1\n", "m.toml:5: groups.colour: unknown key"),
        (GROUP.replace("3", "0"), "m.toml:3: groups.nodes: expected at least 1, got 0"),
        ("groups = []\n", "m.toml: a machine needs at least one group of nodes"),
        ("grid = [2]\n" + GROUP, "m.toml: a grid of (2,) does not hold 3 nodes"),
        (GROUP + "[kinds.gpu]\ncore = 1\n", "m.toml: kinds.gpu: a trace counts them"),
        (
            GROUP + "[kinds.1]\ncore = 1\ngpu = 1\n",
            "m.toml: no node has gpu, which a unit asks for",
        ),
        ('critical = ["mic"]\n' + GROUP, "m.toml: no node has mic"),
        ('score = "wait"\n' + GROUP, "m.toml: unknown name 'wait'"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(machine_file, text, complaint):
    with pytest.raises(SiteError) as error:
        load_machine(machine_file(text))
    assert complaint in str(error.value)


def test_a_machine_that_is_neither_a_file_nor_known_is_named_with_the_nearest():
    with pytest.raises(SiteError, match="did you mean 'seth'"):
        load_machine("set")


@pytest.mark.parametrize("name", ready_made())
def test_ready_made_machines_can_be_read(name):
    assert load_machine(name).name == name
