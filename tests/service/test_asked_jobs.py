import pytest
from clusters import array, spec
from hypothesis import given
from hypothesis import strategies as st

from predictor.domain import ArrayTasks, HetComponent
from predictor.service.jobids import parse_job_ids

PLAIN = spec("11")
TASK = array("12", 6).spec  # holds tasks 0 to 5
COMPONENT = spec("14+1", het=HetComponent(job_id="14", offset=1))


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        pytest.param("11", PLAIN, id="a plain id"),
        pytest.param("12", TASK, id="an array's id means all its records"),
        pytest.param("12_3", TASK, id="a task finds the record that still holds it"),
        pytest.param("12_[3-4%1]", TASK, id="a range of tasks with a bound"),
        pytest.param("12_[1,9,5]", TASK, id="one of several tasks is enough"),
        pytest.param("12_[4-8:4]", TASK, id="a range with a step"),
        pytest.param("12[3]", TASK, id="a task as PBS writes it"),
        pytest.param("12[]", TASK, id="an array as PBS writes it"),
        pytest.param(TASK.id, TASK, id="the record's own id"),
        pytest.param("14", COMPONENT, id="a heterogeneous job's id"),
        pytest.param("14+1", COMPONENT, id="its component"),
    ],
)
def test_an_id_means(asked, meant):
    (job,) = parse_job_ids(asked)
    assert [job.means(each) for each in (PLAIN, TASK, COMPONENT)] == [
        each is meant for each in (PLAIN, TASK, COMPONENT)
    ]


@pytest.mark.parametrize("asked", ["12_6", "12_[6-9]", "12_[7-9:2]", "14+2", "14_1", "1", "12+0"])
def test_an_id_does_not_mean_what_it_does_not_name(asked):
    (job,) = parse_job_ids(asked)
    assert not any(job.means(each) for each in (PLAIN, TASK, COMPONENT))


def test_a_list_is_split_outside_brackets_only():
    assert [job.text for job in parse_job_ids("1, 2_[3,4],5")] == ["1", "2_[3,4]", "5"]


@pytest.mark.parametrize(
    "text", ["1;2", "12_", "12_[", "12_[]", "12_[a]", "12_[1--2]", "../1", "1 2", "-1", "1+", "é"]
)
def test_what_is_no_id_is_refused_by_quoting_it(text):
    with pytest.raises(ValueError, match="not a"):
        parse_job_ids(text)


def test_huge_ranges_cost_nothing():
    (job,) = parse_job_ids("12_[0-999999999]")
    assert job.means(TASK)


def test_many_tasks_cannot_be_looked_for_by_steps():
    half = "12_[0-1999999:2]"
    assert len(parse_job_ids(f"{half},{half}")) == 2
    for many in (f"{half},{half},12_[0-9:3]", "12_[0-999999999:2]", "12_[0-4:2,0-4000000:2]"):
        with pytest.raises(ValueError, match="at most 2000000 tasks"):
            parse_job_ids(many)


@given(
    st.sets(st.integers(0, 40), min_size=1),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(1, 20),
)
def test_tasks_are_meant_that_stand_in_the_range(tasks, first, last, step):
    held = ArrayTasks(job_id="12", tasks=tuple(sorted(tasks)))
    (job,) = parse_job_ids(f"12_[{first}-{last}:{step}]")
    assert job.means(spec("12_x", array=held)) is not tasks.isdisjoint(range(first, last + 1, step))


def test_there_is_a_most_of_ids():
    with pytest.raises(ValueError, match="at most 1000"):
        parse_job_ids(",".join("1" for _ in range(1001)))


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        jobs = parse_job_ids(text)
    except ValueError:
        return
    assert all(job.means(spec(job.text)) for job in jobs)
