from predictor.domain import amounts_by_name


def test_amounts_go_by_the_names_of_resources():
    plain = {"cpu": 4, "mem": 500, "node": 2}
    assert amounts_by_name(nodes=2, cpus=4, memory_mb=500) == plain


def test_one_of_a_typed_resource_counts_as_its_plain_kind_too():
    gpus = (("gpu:a100", 2), ("gpu:t4", 1), ("gpu", 1), ("gpu:a100", 2), ("fpga", 7))
    found = amounts_by_name(nodes=1, cpus=1, memory_mb=0, gres=gpus)
    del found["node"], found["cpu"], found["mem"]
    assert found == {"gres/gpu": 6, "gres/gpu:a100": 4, "gres/gpu:t4": 1, "gres/fpga": 7}


def test_a_license_named_twice_is_added_up():
    pools = (("matlab", 1), ("ansys", 3), ("matlab", 1))
    found = amounts_by_name(nodes=1, cpus=1, memory_mb=0, licenses=pools)
    assert (found["license/matlab"], found["license/ansys"]) == (2, 3)
