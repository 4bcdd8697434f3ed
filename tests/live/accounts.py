"""The accounting database of a private Slurm: a MariaDB and a slurmdbd of its own."""

import shutil
import subprocess
from threading import Lock

from live.cluster import Slurm, free_ports, wait_until

PROGRAMS = ("mariadbd", "mariadb", "mariadb-install-db", "slurmdbd", "sacctmgr", "sacct")

ONE_AT_A_TIME = Lock()
"""Of several databases made at the same time on a busy machine, one failed now and then."""

SLURMDBD_CONF = """\
AuthType=auth/munge
AuthInfo=socket={root}/munge/socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={port}
CommunicationParameters=NoInAddrAny
SlurmUser=slurm
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database_port}
StorageUser=slurm
StoragePass=slurm
LogFile={root}/log/slurmdbd.log
PidFile={root}/log/slurmdbd.pid
"""

WAY_TO_THE_DATABASE = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port}
AccountingStoragePass={root}/munge/socket
"""

FRUGAL = (
    "--innodb-buffer-pool-size=16M",
    "--innodb-log-file-size=8M",
    "--innodb-flush-log-at-trx-commit=0",
    "--performance-schema=OFF",
    "--skip-log-bin",
    "--skip-name-resolve",
)
"""What a database needs that nobody will miss after the test."""

# Slurm makes its database only after a first connection in vain, after which the library of MariaDB
# 11.8.9 refuses every answer on the second.
USER_OF_SLURM = (
    "create database slurm_acct_db;"
    "create user slurm@'127.0.0.1' identified by 'slurm';"
    "grant all on slurm_acct_db.* to slurm@'127.0.0.1'"
)


def start_accounting(slurm: Slurm, told: tuple[str, ...], *, also: str = "") -> None:
    """Start the database and its keeper, and let `sacctmgr` do what it is `told`, line by line.

    `also` are further lines of the keeper's configuration.
    """
    port, database_port = free_ports(2)
    start_database(slurm, database_port)
    configuration = slurm.root / "slurmdbd.conf"
    configuration.touch(mode=0o600)
    configuration.write_text(
        SLURMDBD_CONF.format(root=slurm.root, port=port, database_port=database_port) + also
    )
    shutil.chown(configuration, "slurm")
    with (slurm.root / "slurm.conf").open("a") as slurm_conf:
        slurm_conf.write(WAY_TO_THE_DATABASE.format(root=slurm.root, port=port))
    slurm.spawn("slurmdbd", "slurmdbd", "-D", user="slurm")
    # To lay out the tables of an empty database takes long on a slow disk.
    wait_until(lambda: slurm.succeeds("sacctmgr", "-n", "show", "cluster"), "slurmdbd", 60)
    for line in ("add cluster live", *told):
        slurm.run("sacctmgr", "-i", *line.split())


def start_database(slurm: Slurm, port: int) -> None:
    """Start an empty MariaDB on loopback that Slurm may use."""
    data, scratch = slurm.root / "database", slurm.root / "database-scratch"
    for folder in (data, scratch):
        folder.mkdir()
        shutil.chown(folder, "slurm")
    # One that starts clears its scratch folder of all temporary tables, whosever they are.
    own = (f"--datadir={data}", f"--tmpdir={scratch}")
    with ONE_AT_A_TIME:
        made = subprocess.run(
            ["mariadb-install-db", "--no-defaults", "--user=slurm", *own,
             "--auth-root-authentication-method=normal", "--skip-test-db"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
    assert made.returncode == 0, made.stdout
    socket = data / "socket"
    place = (*own, f"--socket={socket}", f"--port={port}")
    slurm.spawn(
        "mariadbd", "mariadbd", "--no-defaults", *place, "--bind-address=127.0.0.1", *FRUGAL,
        user="slurm",
    )  # fmt: skip
    client = ("mariadb", "--no-defaults", f"--socket={socket}", "-uroot")
    wait_until(lambda: slurm.succeeds(*client, "-e", "select 1"), "mariadbd")
    slurm.run(*client, "-e", USER_OF_SLURM)
